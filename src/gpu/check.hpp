#pragma once

/// Errors of CUDA's runtime. CUDA only. Private to the library.

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace thud::gpu {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // which else the next launch would be told
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

}  // namespace thud::gpu
