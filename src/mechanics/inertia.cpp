#include <thud/inertia.hpp>

#include <cstddef>
#include <limits>

#include <Eigen/Dense>

#include "kernel/kernel.hpp"

namespace THUD_EXPORT thud {
namespace {

// Number of joints that move the contact point: the column of any joint between it and the base is not zero.
int moving_joints(const ContactDynamics& dynamics) noexcept {
  int moving = 0;
  for (Eigen::Index i = 0; i < dynamics.J.cols(); ++i) moving += dynamics.J.col(i).squaredNorm() > 0;
  return moving;
}

// Moore-Penrose inverse of J M^-1 J^T: eigenvalues at rounding level stay zero.
InverseInertia algebraic_pseudo_inverse(const ContactDynamics& dynamics) noexcept {
  const Eigen::Matrix<double, 6, 6> A = dynamics.J * dynamics.M_inv_JT;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(A);
  Eigen::Matrix<double, 6, 1> inverse = eigen.eigenvalues();
  const double largest = inverse[5];
  for (double& value : inverse) value = value > kernel::smallest_mobility * largest ? 1 / value : 0;
  const Eigen::Matrix<double, 3, 6> linear = eigen.eigenvectors().topRows<3>();
  const Matrix3 m_em = linear * inverse.asDiagonal() * linear.transpose();
  const double mass = dynamics.normal_W.dot(m_em * dynamics.normal_W);
  if (!(mass > kernel::smallest_mobility * m_em.trace())) return InverseInertia(InertiaStatus::singular);
  InverseInertia result{InertiaStatus::pseudo_inverse, Matrix3::Constant(std::numeric_limits<double>::quiet_NaN()),
                        mass};
  const Eigen::SelfAdjointEigenSolver<Matrix3> effective(m_em);
  const Vector3& values = effective.eigenvalues();
  if (values[0] > kernel::smallest_mobility * values[2])
    result.W = effective.eigenvectors() * values.cwiseInverse().asDiagonal() * effective.eigenvectors().transpose();
  return result;
}

// The kernel's four models, accessed by InertiaModel.
class KernelModels {
 public:
  explicit KernelModels(const ContactDynamics& d) noexcept : dynamics_(d) {
    kernel::instruction_set().models({d.J.cols(), d.J.data(), d.A_G.data(), d.M_inv_JT.data(), d.p_WC.data(),
                                      d.com_W.data(), d.Ic_W.data(), d.normal_W.data(), d.mass},
                                     numbers_);
  }

  bool has_composite() const noexcept { return numbers_.has_composite; }

  InverseInertia inertia(InertiaModel model, const AlgebraicOptions& options = {}) const noexcept {
    const bool positive = dynamics_.M_is_positive;
    switch (model) {
      case InertiaModel::algebraic:
        return positive ? algebraic(options) : InverseInertia(InertiaStatus::massless);
      case InertiaModel::generalized_momentum:
        return positive ? regular(model) : InverseInertia(InertiaStatus::massless);
      case InertiaModel::composite_rigid_body:
        return has_composite() ? regular(model) : InverseInertia(InertiaStatus::massless);
      case InertiaModel::flexible_joints:
        break;
    }
    return positive && has_composite() ? regular(model) : InverseInertia(InertiaStatus::massless);
  }

 private:
  static std::size_t index(InertiaModel model) noexcept { return static_cast<std::size_t>(model); }

  // For a model whose bodies and joints have inertia.
  InverseInertia regular(InertiaModel model) const noexcept {
    if (!numbers_.exists[index(model)]) return InverseInertia(InertiaStatus::singular);
    return {InertiaStatus::ok, Eigen::Map<const Matrix3>(numbers_.W[index(model)]), numbers_.mass[index(model)]};
  }

  InverseInertia algebraic(const AlgebraicOptions& options) const noexcept {
    const bool actuated = moving_joints(dynamics_) >= 6;
    if (actuated && numbers_.exists[index(InertiaModel::algebraic)]) return regular(InertiaModel::algebraic);
    if (options.pseudo_inverse) return algebraic_pseudo_inverse(dynamics_);
    return InverseInertia(actuated ? InertiaStatus::singular : InertiaStatus::underactuated);
  }

  const ContactDynamics& dynamics_;
  kernel::Models numbers_;
};

}  // namespace

std::string_view to_string(InertiaModel model) noexcept {
  switch (model) {
    case InertiaModel::algebraic:
      return "algebraic";
    case InertiaModel::generalized_momentum:
      return "generalized_momentum";
    case InertiaModel::composite_rigid_body:
      return "composite_rigid_body";
    case InertiaModel::flexible_joints:
      return "flexible_joints";
  }
  return "";
}

std::string_view to_string(InertiaStatus status) noexcept {
  switch (status) {
    case InertiaStatus::not_run:
      return "not_run";
    case InertiaStatus::ok:
      return "ok";
    case InertiaStatus::singular:
      return "singular";
    case InertiaStatus::underactuated:
      return "underactuated";
    case InertiaStatus::massless:
      return "massless";
    case InertiaStatus::pseudo_inverse:
      return "pseudo_inverse";
  }
  return "";
}

PerModel<InverseInertia> inverse_inertias(const ContactDynamics& dynamics, const AlgebraicOptions& options) noexcept {
  const KernelModels kernel(dynamics);
  return PerModel<InverseInertia>([&](InertiaModel model) { return kernel.inertia(model, options); });
}

InverseInertia inverse_inertia(const ContactDynamics& dynamics, InertiaModel model,
                               const AlgebraicOptions& options) noexcept {
  return KernelModels(dynamics).inertia(model, options);
}

InverseInertia algebraic(const ContactDynamics& dynamics, const AlgebraicOptions& options) noexcept {
  return inverse_inertia(dynamics, InertiaModel::algebraic, options);
}

InverseInertia generalized_momentum(const ContactDynamics& dynamics) noexcept {
  return inverse_inertia(dynamics, InertiaModel::generalized_momentum);
}

InverseInertia composite_rigid_body(const ContactDynamics& dynamics) noexcept {
  return inverse_inertia(dynamics, InertiaModel::composite_rigid_body);
}

InverseInertia flexible_joints(const ContactDynamics& dynamics) noexcept {
  return inverse_inertia(dynamics, InertiaModel::flexible_joints);
}

InverseInertia generalized_momentum(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W) {
  return generalized_momentum(contact_dynamics(M, J, Eigen::MatrixXd::Zero(6, M.rows()), {}, {.normal_W = normal_W}));
}

InverseInertia algebraic(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W,
                         const AlgebraicOptions& options) {
  return algebraic(contact_dynamics(M, J, Eigen::MatrixXd::Zero(6, M.rows()), {}, {.normal_W = normal_W}), options);
}

InverseInertia composite_rigid_body(const CompositeBody& body, const ContactGeometry& contact) {
  return composite_rigid_body(contact_dynamics(Eigen::MatrixXd::Identity(1, 1), Eigen::MatrixXd::Zero(6, 1),
                                               Eigen::MatrixXd::Zero(6, 1), body, contact));
}

InverseInertia flexible_joints(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G, const CompositeBody& body,
                               const ContactGeometry& contact) {
  return flexible_joints(contact_dynamics(M, J, A_G, body, contact));
}

Matrix6 equivalent_inertia(const ContactDynamics& dynamics) noexcept {
  // with h = m (c - p): [m 1, -[h]x; [h]x, Ic - m [c - p]x [c - p]x]
  const Vector3 d = dynamics.com_W - dynamics.p_WC;
  Matrix3 cross;
  cross << 0, -d.z(), d.y(), d.z(), 0, -d.x(), -d.y(), d.x(), 0;
  Matrix6 I;
  I.topLeftCorner<3, 3>() = dynamics.mass * Matrix3::Identity();
  I.topRightCorner<3, 3>() = -dynamics.mass * cross;
  I.bottomLeftCorner<3, 3>() = dynamics.mass * cross;
  I.bottomRightCorner<3, 3>() = dynamics.Ic_W - dynamics.mass * cross * cross;
  return I;
}

std::vector<double> link_shares(const ContactDynamics& dynamics, const std::vector<Matrix6>& inertias) {
  if (!KernelModels(dynamics).has_composite()) return {};
  // I_eq V = [n; 0] solved at the centre of mass: its velocity is n/m, the angular velocity Ic^-1 (r x n)
  const Vector3 n = dynamics.normal_W, r = dynamics.p_WC - dynamics.com_W;
  const Vector3 angular = dynamics.Ic_W.ldlt().solve(r.cross(n));
  Vector6 V;
  V << n / dynamics.mass + angular.cross(r), angular;
  const double energy = n.dot(V.head<3>());
  std::vector<double> shares;
  shares.reserve(inertias.size());
  for (const auto& inertia : inertias) shares.push_back(V.dot(inertia * V) / energy);
  return shares;
}

}  // namespace thud
