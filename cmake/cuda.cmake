# thud::gpu: the kernels and the runtime of CUDA, and nothing else of thud. The compiler is one of the wheels that
# `setup/install cuda` brings, or that of a toolkit on this machine.
include(${PROJECT_SOURCE_DIR}/cmake/wheels.cmake)
if(THUD_PYTHON)  # pip builds in an environment of its own, without CUDA: it is in the one that pip is of, or in .venv
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_path('purelib'))"
    OUTPUT_VARIABLE of_pip OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB of_project ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages)
  list(APPEND wheels ${of_pip} ${of_project})
endif()
list(TRANSFORM wheels APPEND /nvidia/cu13/bin OUTPUT_VARIABLE nvcc_folders)
find_program(THUD_NVCC nvcc HINTS ${nvcc_folders} ENV CUDA_HOME PATHS /usr/local/cuda/bin PATH_SUFFIXES bin)
if(NOT THUD_NVCC)
  message(FATAL_ERROR "THUD_CUDA: no nvcc: setup/install cuda brings one, pip install -r setup/cuda-requirements.txt too, or set THUD_NVCC to that of a toolkit")
endif()
get_filename_component(cuda_root ${THUD_NVCC} REALPATH)
get_filename_component(cuda_root ${cuda_root} DIRECTORY)
get_filename_component(cuda_root ${cuda_root} DIRECTORY)
find_library(THUD_CUDART libcudart_static.a HINTS ${cuda_root}/lib ${cuda_root}/lib64 REQUIRED)

set(THUD_CUDA_ARCHITECTURES 80 90 CACHE STRING "Architectures of GPUs; of the last one also PTX, for later ones")
set(nvcc_flags -std=c++20 -O3 -Xcompiler=-fPIC -diag-suppress=1046,177
  -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND nvcc_flags -ccbin ${CMAKE_CXX_COMPILER})
endif()
foreach(architecture IN LISTS THUD_CUDA_ARCHITECTURES)
  list(APPEND nvcc_flags -gencode=arch=compute_${architecture},code=sm_${architecture})
endforeach()
list(GET THUD_CUDA_ARCHITECTURES -1 last_architecture)
list(APPEND nvcc_flags -gencode=arch=compute_${last_architecture},code=compute_${last_architecture})

file(GLOB cuda_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernel/*.hpp ${PROJECT_SOURCE_DIR}/src/gpu/*.hpp)
set(cuda_objects "")
function(thud_cuda_object name source)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${THUD_NVCC} ${nvcc_flags} ${ARGN} -c ${PROJECT_SOURCE_DIR}/src/gpu/${source} -o ${object}
    DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/${source} ${cuda_headers} COMMENT "CUDA ${name}" VERBATIM)
  set(cuda_objects ${cuda_objects} ${object} PARENT_SCOPE)
endfunction()
thud_cuda_object(cuda cuda.cu)
thud_cuda_object(tree tree.cu)
foreach(joints IN ITEMS 6 7)  # those of src/gpu/launch.hpp
  thud_cuda_object(chain${joints} chain.cu -DTHUD_JOINTS=${joints})
endforeach()

add_library(thud_gpu ${cuda_objects})
add_library(thud::gpu ALIAS thud_gpu)
set_target_properties(thud_gpu PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME gpu POSITION_INDEPENDENT_CODE ON
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(thud_gpu PRIVATE ${THUD_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt)
install(TARGETS thud_gpu EXPORT thud-gpu
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT thud-gpu NAMESPACE thud:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thud)
