#pragma once

/// Joint velocity jump of least norm. Private to the library.

#include <thud/conventions.hpp>

namespace thud::mechanics {

/// Writes J_v^T (J_v J_v^T)^-1 dv, or NaN where J_v, the upper half of J, does not have full row rank. Real-time.
void least_norm_jump(const Eigen::Ref<const Matrix6X>& J, const Vector3& dv, Eigen::Ref<VectorX> jump) noexcept;

}  // namespace thud::mechanics
