# Each file in data/records has its row, with its checksum, in data/README.md: cmake -DDATA=data -P check_data.cmake
file(READ ${DATA}/README.md readme)
file(GLOB files RELATIVE ${DATA} ${DATA}/records/*)
foreach(name IN LISTS files)
  file(SHA256 ${DATA}/${name} sum)
  if(NOT readme MATCHES "\\| `${name}` \\|[^\n]*`${sum}` \\|")
    message(FATAL_ERROR "data/README.md has no row for ${name} with the checksum ${sum}")
  endif()
endforeach()
