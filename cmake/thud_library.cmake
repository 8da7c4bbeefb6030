# Rooms and libraries.
#
# A room is a folder of src/: sources with a private namespace, the public headers that belong to them, and the rooms
# whose headers they may include (test/test_source.py holds them to it). A library is some rooms, with hidden visibility:
# what a public header declares is exported, nothing else.

# thud_room(NAME USES room… HEADERS public… SOURCES … [LINKS target…])
#
# The objects of a room. LINKS are libraries that its sources need, private to every library that has the room.
function(thud_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "USES;HEADERS;SOURCES;LINKS")
  set(target thud_room_${name})
  add_library(${target} OBJECT ${room_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # errno is not used, so that std::sqrt compiles to one instruction
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno>)
  if(THUD_FUZZ)  # the fuzzers see the branches of the libraries, not only their own
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
  target_link_libraries(${target} PRIVATE Eigen3::Eigen ${room_LINKS})
  list(TRANSFORM room_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/thud/)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    thud_HEADERS "${room_HEADERS}" thud_LINKS "${room_LINKS}")
endfunction()

# thud_library(NAME ROOMS room… [BORROWS room…] [LINKS target…])
#
# The library thud_NAME, or thud for the core, and its alias thud::NAME. It borrows rooms that another library owns and does
# not export: as a shared library it takes its own copy of their objects, as a static one it finds them in the owner.
# LINKS are public.
function(thud_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "ROOMS;BORROWS;LINKS")
  string(REGEX REPLACE "^thud_thud$" "thud" target thud_${name})
  set(rooms ${library_ROOMS})
  if(BUILD_SHARED_LIBS)
    list(APPEND rooms ${library_BORROWS})
  endif()
  add_library(${target})
  add_library(thud::${name} ALIAS ${target})
  target_link_libraries(${target} PUBLIC Eigen3::Eigen ${library_LINKS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  foreach(room IN LISTS rooms)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:thud_room_${room}>)
    get_target_property(links thud_room_${room} thud_LINKS)
    target_link_libraries(${target} PRIVATE ${links})
  endforeach()
  foreach(room IN LISTS library_ROOMS)
    get_target_property(headers thud_room_${room} thud_HEADERS)
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${headers})
  endforeach()
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN;$ORIGIN/thud")
  if(BUILD_SHARED_LIBS)
    # Of what is visible, thud:: alone: template instances of Eigen stay inside, whatever flags the user compiles with.
    set(map ${PROJECT_SOURCE_DIR}/cmake/thud.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${map})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  endif()
  install(TARGETS ${target} EXPORT thud-${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS)
  install(EXPORT thud-${name} NAMESPACE thud:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thud)
  set_property(GLOBAL APPEND PROPERTY thud_rooms ${library_ROOMS})
endfunction()

# thud_testing_library(): all rooms in one static library, thud::testing, that also gives private headers and symbols to
# tests and benchmarks. Who links it links none of the others.
#
# With THUD_COMPUTING, that library of another build, only the rooms that read files are compiled; the others are taken
# from there. Sanitizers then watch the readers in a third of the time.
function(thud_testing_library)
  get_property(rooms GLOBAL PROPERTY thud_rooms)
  set(reading foundation text statistics robot io contact record toml drives limit_files dataset lab sweep)
  add_library(thud_testing STATIC EXCLUDE_FROM_ALL)
  target_include_directories(thud_testing PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(thud_testing PUBLIC Eigen3::Eigen)
  foreach(room IN LISTS rooms)
    get_target_property(links thud_room_${room} thud_LINKS)
    target_link_libraries(thud_testing PRIVATE ${links})
    if(NOT THUD_COMPUTING OR room IN_LIST reading)
      target_sources(thud_testing PRIVATE $<TARGET_OBJECTS:thud_room_${room}>)
    endif()
  endforeach()
  set_target_properties(thud_testing PROPERTIES LINKER_LANGUAGE CXX)
  if(THUD_COMPUTING)  # of what both have, ours
    add_library(thud_watched INTERFACE)
    target_link_libraries(thud_watched INTERFACE $<LINK_LIBRARY:WHOLE_ARCHIVE,thud_testing> ${THUD_COMPUTING})
    add_library(thud::testing ALIAS thud_watched)
  else()
    add_library(thud::testing ALIAS thud_testing)
  endif()
endfunction()

# thud_shipped(OUTPUT file…): the text of files, by their names without suffix, as the entries of a C++ map in the
# variable OUTPUT. Compiled in, their names work wherever the library is installed; a changed file configures anew.
function(thud_shipped output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(entries "")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"shipped(${text})shipped\"},\n")
  endforeach()
  set(${output} "${entries}" PARENT_SCOPE)
endfunction()
