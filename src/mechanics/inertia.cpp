#include <thud/inertia.hpp>

#include <Eigen/Dense>

#include "kernel/kernel.hpp"

namespace THUD_EXPORT thud {
using namespace kernel;
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

InverseInertia failed(InertiaStatus status) noexcept {
  InverseInertia result;
  result.status = status;
  return result;
}

KernelOptions options_of(const ContactDynamics& d) noexcept {
  KernelOptions options;
  instruction_set().options({d.J.cols(), d.J.data(), d.A_G.data(), d.M_inv_JT.data(), d.p_WC.data(), d.com_W.data(),
                             d.Ic_W.data(), d.normal_W.data(), d.mass},
                            options);
  return options;
}

// One of the four, if M and the composite body are there where it needs them.
InverseInertia chosen(const KernelOptions& options, int which, bool founded) noexcept {
  if (!founded) return failed(InertiaStatus::massless);
  if (!options.exists[which]) return failed(InertiaStatus::singular);
  return {InertiaStatus::ok, Eigen::Map<const Matrix3>(options.W[which]), options.mass[which]};
}

// Joints that move the contact point: a turning or sliding joint on the way has no zero column.
int movers(const ContactDynamics& dynamics) noexcept {
  int moving = 0;
  for (Eigen::Index i = 0; i < dynamics.J.cols(); ++i) moving += dynamics.J.col(i).squaredNorm() > 0;
  return moving;
}

// Moore-Penrose inverse of J M^-1 J^T: invert what is not rounding, leave the rest at zero.
InverseInertia algebraic_pseudo_inverse(const ContactDynamics& dynamics) noexcept {
  const Eigen::Matrix<double, 6, 6> A = dynamics.J * dynamics.M_inv_JT;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(A);
  Eigen::Matrix<double, 6, 1> inverse = eigen.eigenvalues();
  const double largest = inverse[5];
  for (double& value : inverse) value = value > smallest_mobility * largest ? 1 / value : 0;
  const Eigen::Matrix<double, 3, 6> linear = eigen.eigenvectors().topRows<3>();
  const Matrix3 m_em = linear * inverse.asDiagonal() * linear.transpose();
  const double mass = dynamics.normal_W.dot(m_em * dynamics.normal_W);
  if (!(mass > smallest_mobility * m_em.trace())) return failed(InertiaStatus::singular);
  InverseInertia result{InertiaStatus::pseudo_inverse, Matrix3::Constant(nan), mass};
  const Eigen::SelfAdjointEigenSolver<Matrix3> effective(m_em);
  const Vector3& values = effective.eigenvalues();
  if (values[0] > smallest_mobility * values[2])
    result.W = effective.eigenvectors() * values.cwiseInverse().asDiagonal() * effective.eigenvectors().transpose();
  return result;
}

InverseInertia algebraic(const ContactDynamics& dynamics, const KernelOptions& kernel,
                         const AlgebraicOptions& options) noexcept {
  if (!dynamics.M_is_positive) return failed(InertiaStatus::massless);
  const bool enough = movers(dynamics) >= 6;
  if (enough && kernel.exists[0]) return chosen(kernel, 0, true);
  if (options.pseudo_inverse) return algebraic_pseudo_inverse(dynamics);
  return failed(enough ? InertiaStatus::singular : InertiaStatus::underactuated);
}

}  // namespace

const char* to_text(InertiaStatus status) noexcept {
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

InverseInertias inverse_inertias(const ContactDynamics& dynamics, const AlgebraicOptions& options) noexcept {
  const KernelOptions kernel = options_of(dynamics);
  const bool positive = dynamics.M_is_positive, composite = kernel.has_composite;
  return {algebraic(dynamics, kernel, options), chosen(kernel, 1, positive), chosen(kernel, 2, composite),
          chosen(kernel, 3, positive && composite)};
}

InverseInertia algebraic(const ContactDynamics& dynamics, const AlgebraicOptions& options) noexcept {
  return algebraic(dynamics, options_of(dynamics), options);
}

InverseInertia generalized_momentum(const ContactDynamics& dynamics) noexcept {
  return chosen(options_of(dynamics), 1, dynamics.M_is_positive);
}

InverseInertia composite_rigid_body(const ContactDynamics& dynamics) noexcept {
  const KernelOptions kernel = options_of(dynamics);
  return chosen(kernel, 2, kernel.has_composite);
}

InverseInertia flexible_joints(const ContactDynamics& dynamics) noexcept {
  const KernelOptions kernel = options_of(dynamics);
  return chosen(kernel, 3, dynamics.M_is_positive && kernel.has_composite);
}

InverseInertia generalized_momentum(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W) {
  return generalized_momentum(contact_dynamics(M, J, Eigen::MatrixXd::Zero(6, M.rows()), 0, Vector3::Zero(),
                                               Matrix3::Zero(), Vector3::Zero(), normal_W));
}

InverseInertia algebraic(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W,
                         const AlgebraicOptions& options) {
  return algebraic(contact_dynamics(M, J, Eigen::MatrixXd::Zero(6, M.rows()), 0, Vector3::Zero(), Matrix3::Zero(),
                                    Vector3::Zero(), normal_W),
                   options);
}

InverseInertia composite_rigid_body(double mass, const Vector3& com_W, const Matrix3& Ic_W, const Vector3& p_WC,
                                    const Vector3& normal_W) {
  return composite_rigid_body(contact_dynamics(Eigen::MatrixXd::Identity(1, 1), Eigen::MatrixXd::Zero(6, 1),
                                               Eigen::MatrixXd::Zero(6, 1), mass, com_W, Ic_W, p_WC, normal_W));
}

InverseInertia flexible_joints(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G, double mass,
                               const Vector3& com_W, const Matrix3& Ic_W, const Vector3& p_WC,
                               const Vector3& normal_W) {
  return flexible_joints(contact_dynamics(M, J, A_G, mass, com_W, Ic_W, p_WC, normal_W));
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
  if (!options_of(dynamics).has_composite) return {};
  // I_eq V = [n; 0] solved through the centre of mass: it moves by n/m, the body turns by Ic^-1 (r x n)
  const Vector3 n = dynamics.normal_W, r = dynamics.p_WC - dynamics.com_W;
  const Vector3 turn = dynamics.Ic_W.ldlt().solve(r.cross(n));
  Vector6 V;
  V << n / dynamics.mass + turn.cross(r), turn;
  const double energy = n.dot(V.head<3>());
  std::vector<double> shares;
  shares.reserve(inertias.size());
  for (const auto& inertia : inertias) shares.push_back(V.dot(inertia * V) / energy);
  return shares;
}

}  // namespace thud
