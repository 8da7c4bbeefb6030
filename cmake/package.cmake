# The Debian package: one for all, made by `make deb` from what is installed and these documents.
file(READ LICENSE license)
string(FIND "${license}" "Redistribution" start)  # after title and holder
string(SUBSTRING "${license}" ${start} -1 license)
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license " ${license}")
configure_file(cmake/copyright.in copyright @ONLY)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/thud)
add_custom_command(OUTPUT changelog.gz COMMAND gzip -9n < ${PROJECT_SOURCE_DIR}/CHANGELOG.md > changelog.gz
  DEPENDS CHANGELOG.md VERBATIM)
add_custom_target(thud_changelog ALL DEPENDS changelog.gz)
install(FILES ${PROJECT_BINARY_DIR}/copyright ${PROJECT_BINARY_DIR}/changelog.gz README.md DESTINATION ${documents})
install(DIRECTORY examples DESTINATION ${documents} FILES_MATCHING PATTERN *.cpp PATTERN *.toml PATTERN CMakeLists.txt)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME thud)
set(CPACK_PACKAGE_VENDOR "The thud developers")
set(CPACK_PACKAGE_CONTACT "The thud developers <no-mailbox@thud.invalid>")  # Debian wants an address, and there is none [RFC 2606]
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "impacts of robot arms, predicted and learnt from measured force")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"thud predicts what happens when a stiffly controlled robot arm hits
something, and learns the contact from measured force: impulse, peak force,
timing, rebound, joint-velocity jumps.
.
This package has the program thud, the C++ libraries with their headers, and
MuJoCo's library, which the virtual lab runs on.")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4)")  # of the headers
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
