#include "mechanics/least_norm.hpp"

#include <limits>

#include <Eigen/Dense>

#include "kernel/kernel.hpp"

namespace thud::mechanics {

void least_norm_jump(const Eigen::Ref<const Matrix6X>& J, const Vector3& dv, Eigen::Ref<VectorX> jump) noexcept {
  const auto J_v = J.topRows<3>();
  const Matrix3 G = J_v * J_v.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(G);
  if (!dv.allFinite() || !(eigen.eigenvalues()[0] > kernel::cancellation_limit * eigen.eigenvalues()[2])) {
    jump.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Vector3 inverse = eigen.eigenvalues().cwiseInverse();
  const Vector3 scaled = eigen.eigenvectors() * inverse.cwiseProduct(eigen.eigenvectors().transpose() * dv);
  jump.noalias() = J_v.transpose() * scaled;
}

}  // namespace thud::mechanics
