#include <thud/error.hpp>
#include <thud/gpu.hpp>

#include <stdexcept>
#include <string>

#include "gpu/batch.hpp"

namespace THUD_EXPORT thud {

namespace {

gpu::Device& found_device() {
  if (const std::string why = gpu::why_no_device(); !why.empty()) throw InputError("backend", "gpu", why);
  return gpu::device();
}

}  // namespace

std::string gpu_missing() {
  return gpu::why_no_device();
}

int current_gpu() {
  return found_device().number();
}

std::shared_ptr<void> gpu_memory(std::size_t bytes) {
  gpu::Device& device = found_device();
  try {
    return {device.allocate(bytes), [&device](void* memory) { device.release(memory); }};
  } catch (const std::runtime_error& error) {
    throw InputError("bytes", std::to_string(bytes), error.what());
  }
}

Batch predict_batch_gpu(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                        const BatchOptions& options) {
  Batch batch;
  predict_batch_gpu(robot, point, q, dq, options, batch);
  return batch;
}

void predict_batch_gpu(const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
                       const BatchOptions& options, Batch& batch) {
  gpu::compute(found_device(), robot, point, q, dq, options, batch);
}

void predict_batch_gpu(const Robot& robot, const ContactPoint& point, const BatchArrays& arrays,
                       const BatchOptions& options, void* stream) {
  gpu::compute(found_device(), robot, point, arrays, options, stream);
}

}  // namespace thud
