#pragma once

/// The batch on a device. Private to the library.

#include <thud/gpu.hpp>

#include "gpu/device.hpp"

namespace thud::gpu {

/// predict_batch_gpu on this device.
void compute(Device& device, const Robot& robot, const ContactPoint& point, const BatchArrays& arrays,
             const BatchOptions& options, Device::Stream stream);
void compute(Device& device, const Robot& robot, const ContactPoint& point, const MatrixRef& q, const MatrixRef& dq,
             const BatchOptions& options, Batch& batch);

}  // namespace thud::gpu
