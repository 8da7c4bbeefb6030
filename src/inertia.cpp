#include <thud/inertia.hpp>

#include <Eigen/Dense>

namespace thud {
namespace {

// Rounding of a pivot against its diagonal. Products of inverses lose more digits than M itself: a matrix with a
// condition of 1e12 has no more than four digits left, and no arm is built for that.
constexpr double rounding = 1e-12;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Symmetric positive definite matrix of fixed size as L D L^T, or the news that it is none. A pivot is judged against
// the largest diagonal of its kind, linear or angular: its own may be nothing but rounding. Real-time.
template <int size>
struct Factors {
  using Matrix = Eigen::Matrix<double, size, size, Eigen::DontAlign>;
  using Vector = Eigen::Matrix<double, size, 1, Eigen::DontAlign>;
  Matrix L;
  bool positive = true;

  explicit Factors(const Matrix& A) noexcept : L(A) {
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < j; ++k) L(j, j) -= L(j, k) * L(j, k) * L(k, k);
      if (!(L(j, j) > rounding * A.diagonal().template segment<3>(j / 3 * 3).maxCoeff())) {
        positive = false;
        return;
      }
      for (int i = j + 1; i < size; ++i) {
        for (int k = 0; k < j; ++k) L(i, j) -= L(i, k) * L(j, k) * L(k, k);
        L(i, j) /= L(j, j);
      }
    }
  }

  Vector solve(Vector x) const noexcept {
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
    for (int i = 0; i < size; ++i) x[i] /= L(i, i);
    for (int i = size - 1; i >= 0; --i)
      for (int k = i + 1; k < size; ++k) x[i] -= L(k, i) * x[k];
    return x;
  }
};

InverseInertia failed(InertiaStatus status) noexcept {
  InverseInertia result;
  result.status = status;
  return result;
}

// The effective mass of an inverse inertia matrix, where there is one.
InverseInertia along_normal(const Matrix3& W, const Vector3& n) noexcept {
  const double mobility = n.dot(W * n);
  if (!(mobility > rounding * W.trace())) return failed(InertiaStatus::singular);
  return {InertiaStatus::ok, W, 1 / mobility};
}

Matrix6 mobility(const ContactDynamics& dynamics) noexcept {
  return dynamics.J * dynamics.M_inv_JT;
}

InverseInertia from_effective(const Matrix3& m_em, const Vector3& n, InertiaStatus status) noexcept {
  const double mass = n.dot(m_em * n);
  if (!(mass > rounding * m_em.trace())) return failed(InertiaStatus::singular);
  InverseInertia result{status, Matrix3::Constant(nan), mass};
  if (const Factors<3> factors(m_em); factors.positive)
    for (int k = 0; k < 3; ++k) result.W.col(k) = factors.solve(Vector3::Unit(k));
  return result;
}

// 1/m and Ic^-1 exist
bool has_composite(const ContactDynamics& dynamics, const Factors<3>& Ic) noexcept {
  return dynamics.mass > 0 && Ic.positive;
}

Matrix3 composite_matrix(const ContactDynamics& dynamics, const Factors<3>& Ic) noexcept {
  // column k of -[r]x Ic^-1 [r]x is (Ic^-1 (r x e_k)) x r
  const Vector3 r = dynamics.p_WC - dynamics.com_W;
  Matrix3 W;
  for (int k = 0; k < 3; ++k)
    W.col(k) = Vector3::Unit(k) / dynamics.mass + Vector3(Ic.solve(r.cross(Vector3::Unit(k)))).cross(r);
  return W;
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

InverseInertia generalized_momentum(const ContactDynamics& dynamics) noexcept {
  if (!dynamics.M_is_positive) return failed(InertiaStatus::massless);
  return along_normal(dynamics.J.topRows<3>() * dynamics.M_inv_JT.leftCols<3>(), dynamics.normal_W);
}

InverseInertia algebraic(const ContactDynamics& dynamics, const AlgebraicOptions& options) noexcept {
  if (!dynamics.M_is_positive) return failed(InertiaStatus::massless);
  const Matrix6 A = mobility(dynamics);
  int moving = 0;  // joints that move the contact point: a turning or sliding joint on the way has no zero column
  for (Eigen::Index i = 0; i < dynamics.J.cols(); ++i) moving += dynamics.J.col(i).squaredNorm() > 0;
  const Factors<6> factors(A);
  if (moving >= 6 && factors.positive) {
    Matrix3 m_em;
    for (int k = 0; k < 3; ++k) m_em.col(k) = factors.solve(Vector6::Unit(k)).head<3>();
    return from_effective(m_em, dynamics.normal_W, InertiaStatus::ok);
  }
  if (!options.pseudo_inverse) return failed(moving < 6 ? InertiaStatus::underactuated : InertiaStatus::singular);
  // Moore-Penrose inverse: invert what is not rounding, leave the rest at zero
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(A);
  Eigen::Matrix<double, 6, 1> inverse = eigen.eigenvalues();
  const double largest = inverse[5];
  for (double& value : inverse) value = value > rounding * largest ? 1 / value : 0;
  const Eigen::Matrix<double, 3, 6> linear = eigen.eigenvectors().topRows<3>();
  const Matrix3 m_em = linear * inverse.asDiagonal() * linear.transpose();
  return from_effective(m_em, dynamics.normal_W, InertiaStatus::pseudo_inverse);
}

InverseInertia composite_rigid_body(const ContactDynamics& dynamics) noexcept {
  const Factors<3> Ic(dynamics.Ic_W);
  if (!has_composite(dynamics, Ic)) return failed(InertiaStatus::massless);
  return along_normal(composite_matrix(dynamics, Ic), dynamics.normal_W);
}

InverseInertia flexible_joints(const ContactDynamics& dynamics) noexcept {
  const Factors<3> Ic(dynamics.Ic_W);
  if (!dynamics.M_is_positive || !has_composite(dynamics, Ic)) return failed(InertiaStatus::massless);
  // X J_avg M^-1 J^T: the centroidal momentum that a unit impulse gives, as a velocity of the contact point
  const Eigen::Matrix<double, 6, 3> momentum = dynamics.A_G * dynamics.M_inv_JT.leftCols<3>();
  const Vector3 r = dynamics.p_WC - dynamics.com_W;
  Matrix3 average;
  for (int k = 0; k < 3; ++k) {
    const Vector3 angular = momentum.col(k).tail<3>();
    average.col(k) = momentum.col(k).head<3>() / dynamics.mass + Vector3(Ic.solve(angular)).cross(r);
  }
  const Matrix3 W_gm = dynamics.J.topRows<3>() * dynamics.M_inv_JT.leftCols<3>();
  return along_normal(composite_matrix(dynamics, Ic) + W_gm - average, dynamics.normal_W);
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
  const Factors<3> Ic(dynamics.Ic_W);
  if (!has_composite(dynamics, Ic)) return {};
  // I_eq V = [n; 0] solved through the centre of mass: it moves by n/m, the body turns by Ic^-1 (r x n)
  const Vector3 n = dynamics.normal_W, r = dynamics.p_WC - dynamics.com_W;
  const Vector3 turn = Ic.solve(r.cross(n));
  Vector6 V;
  V << n / dynamics.mass + turn.cross(r), turn;
  const double energy = n.dot(V.head<3>());
  std::vector<double> shares;
  shares.reserve(inertias.size());
  for (const auto& inertia : inertias) shares.push_back(V.dot(inertia * V) / energy);
  return shares;
}

}  // namespace thud
