// Built without CUDA.

#include <stdexcept>

#include "gpu/device.hpp"

namespace thud::gpu {

std::string why_no_device() {
  return "thud was built without CUDA (-DTHUD_CUDA=ON)";
}

Device& device() {
  throw std::runtime_error(why_no_device());
}

}  // namespace thud::gpu
