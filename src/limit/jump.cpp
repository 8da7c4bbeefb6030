#include "limit/jump.hpp"

#include <limits>

#include <Eigen/Eigenvalues>

namespace thud::limit {
namespace {

constexpr double rounding = 1e-12;  // of an eigenvalue of J_v J_v^T relative to the largest
constexpr double reachable = 1e-9;  // what may be missing of a jump that the joints give, relative to it

}  // namespace

UnitJump::UnitJump(const ContactDynamics& dynamics, InertiaModel model, const InverseInertia& inertia) noexcept
    : dynamics_(dynamics),
      free_joints_(model == InertiaModel::generalized_momentum),
      exists_(inertia.exists()),
      impulse_(Vector3::Constant(std::numeric_limits<double>::quiet_NaN())) {
  if (!exists_) return;
  const Vector3& n = dynamics.normal_W;
  if (free_joints_) {
    impulse_ = inertia.effective_mass() * n;
    return;
  }
  const Vector3 along = inertia.W * n, dv = along / n.dot(along);
  // J_v^+ dv = J_v^T G^+ dv with G = J_v J_v^T
  const auto J_v = dynamics.J.topRows<3>();
  const Matrix3 G = J_v.lazyProduct(J_v.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(G);
  Vector3 inverse = Vector3::Zero();
  for (int i = 0; i < 3; ++i)
    if (eigen.eigenvalues()[i] > rounding * eigen.eigenvalues()[2]) inverse[i] = 1 / eigen.eigenvalues()[i];
  impulse_ = eigen.eigenvectors() * inverse.cwiseProduct(eigen.eigenvectors().transpose() * dv);
  exists_ = (G * impulse_ - dv).norm() <= reachable * dv.norm();
}

double UnitJump::operator[](Eigen::Index joint) const noexcept {
  if (!exists_) return std::numeric_limits<double>::quiet_NaN();
  return free_joints_ ? dynamics_.M_inv_JT.row(joint).head<3>().dot(impulse_)
                      : dynamics_.J.col(joint).head<3>().dot(impulse_);
}

}  // namespace thud::limit
