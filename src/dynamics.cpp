#include <thud/dynamics.hpp>
#include <thud/error.hpp>

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include "joint_tree.hpp"

namespace thud {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A pivot of M below this share of the terms that made its diagonal is rounding, not inertia: a joint moves nothing on
// its own.
constexpr double smallest_pivot = 1e-13;

// M from another library may be symmetric only up to its own rounding.
constexpr double asymmetry = 1e-9;

Vector3 unit_normal(const Vector3& normal) {
  const double length = normal.stableNorm();
  if (!(length > 0) || !std::isfinite(length))
    throw InputError("normal", to_text(normal[0]) + "," + to_text(normal[1]) + "," + to_text(normal[2]),
                     "must be finite and not zero");
  return normal / length;
}

// Mass, first moment and second moment of a body about a point: what adds up over bodies.
struct PointInertia {
  double mass = 0;
  Vector3 moment = Vector3::Zero();   // m (c - p) [kg m]
  Matrix3 inertia = Matrix3::Zero();  // about p [kg m^2]

  PointInertia& operator+=(const PointInertia& other) noexcept {
    mass += other.mass;
    moment += other.moment;
    inertia += other.inertia;
    return *this;
  }
};

// m [ |r|^2 1 - r r^T ]
Matrix3 parallel_axis(double mass, const Vector3& r) noexcept {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

// L D L^T in place: D on the diagonal, L below it. False if a pivot is rounding against `scale`, or negative.
bool factorise(Eigen::Ref<Eigen::MatrixXd> A, const VectorX& scale) noexcept {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    double pivot = A(j, j);
    for (Eigen::Index k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k) * A(k, k);
    if (!(pivot > smallest_pivot * scale[j])) return false;
    A(j, j) = pivot;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      double sum = A(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= A(i, k) * A(j, k) * A(k, k);
      A(i, j) = sum / pivot;
    }
  }
  return true;
}

// x <- A^-1 x from the factors
void solve(const Eigen::Ref<const Eigen::MatrixXd>& LD, Eigen::Ref<Eigen::VectorXd> x) noexcept {
  const Eigen::Index n = LD.rows();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= LD(i, k) * x[k];
  for (Eigen::Index i = 0; i < n; ++i) x[i] /= LD(i, i);
  for (Eigen::Index i = n - 1; i >= 0; --i)
    for (Eigen::Index k = i + 1; k < n; ++k) x[i] -= LD(k, i) * x[k];
}

// Fills M_inv_JT and M_is_positive. LD is scratch of M's size, scale the size of what each diagonal entry is a sum of.
void invert(ContactDynamics& dynamics, MatrixX& LD, const VectorX& scale) noexcept {
  LD = dynamics.M;
  dynamics.M_is_positive = factorise(LD, scale);
  if (!dynamics.M_is_positive) {
    dynamics.M_inv_JT.setConstant(nan);
    return;
  }
  for (Eigen::Index k = 0; k < 6; ++k) {
    dynamics.M_inv_JT.col(k) = dynamics.J.row(k).transpose();
    solve(LD, dynamics.M_inv_JT.col(k));
  }
}

}  // namespace

struct Workspace::Kernel {
  std::vector<TreeJoint> joints;
  std::vector<PointInertia> composite;  // of each joint's subtree, about the contact point
  int contact_joint;
  Vector3 offset;  // of the contact point in the frame of contact_joint
  MatrixX LD;
  VectorX scale;  // of M's diagonal, before anything cancels [kg m^2 or kg]
  ContactDynamics dynamics;

  Kernel(const Robot& robot, const ContactPoint& point);
  void outward(const VectorRef& q) noexcept;
  PointInertia own_inertia(const TreeJoint& joint) const noexcept;
  void inward() noexcept;
};

Workspace::Kernel::Kernel(const Robot& robot, const ContactPoint& point) {
  const Frame& frame = robot.frame(point.frame);
  if (frame.joint < 0) throw RobotError("frame", point.frame, "part of the fixed base, which cannot hit anything");
  if (!point.offset.allFinite())
    throw InputError("offset", to_text(point.offset.sum()), "must be three finite numbers");
  contact_joint = frame.joint;
  offset = frame.p_JF + frame.R_JF * point.offset;
  joints = joint_tree(robot);
  composite.resize(joints.size());
  const Eigen::Index n = robot.size();
  LD = MatrixX::Constant(n, n, nan);
  scale = VectorX::Constant(n, nan);
  dynamics.p_WC.setConstant(nan);
  dynamics.normal_W = unit_normal(point.normal_W);
  dynamics.J = Matrix6X::Constant(6, n, nan);
  dynamics.M = MatrixX::Constant(n, n, nan);
  dynamics.A_G = Matrix6X::Constant(6, n, nan);
  dynamics.com_W.setConstant(nan);
  dynamics.Ic_W.setConstant(nan);
  dynamics.M_inv_JT = MatrixX6::Constant(n, 6, nan);
}

// Poses of the joints, the contact point, and J.
void Workspace::Kernel::outward(const VectorRef& q) noexcept {
  place(joints, q);
  const TreeJoint& carrier = joints[static_cast<std::size_t>(contact_joint)];
  dynamics.p_WC = carrier.p_WJ + carrier.R_WJ * offset;
  dynamics.J.setZero();
  for (int i = contact_joint; i >= 0; i = joints[static_cast<std::size_t>(i)].parent) {
    const TreeJoint& joint = joints[static_cast<std::size_t>(i)];
    if (joint.turns)
      dynamics.J.col(i) << joint.axis_W.cross(dynamics.p_WC - joint.p_WJ), joint.axis_W;
    else
      dynamics.J.col(i).head<3>() = joint.axis_W;
  }
}

PointInertia Workspace::Kernel::own_inertia(const TreeJoint& joint) const noexcept {
  const BodyInertia& body = joint.body;
  const Vector3 r = joint.p_WJ + joint.R_WJ * body.com - dynamics.p_WC;
  return {body.mass, body.mass * r, joint.R_WJ * body.inertia * joint.R_WJ.transpose() + parallel_axis(body.mass, r)};
}

// Composite inertia from the tips to the base, and with it M and the momentum about the contact point, which is then
// moved to the centre of mass.
void Workspace::Kernel::inward() noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) composite[i] = own_inertia(joints[i]);
  PointInertia arm;
  dynamics.M.setZero();
  for (std::size_t at = joints.size(); at-- > 0;) {
    const TreeJoint& joint = joints[at];
    const auto i = static_cast<Eigen::Index>(at);
    if (joint.parent < 0)
      arm += composite[at];
    else
      composite[static_cast<std::size_t>(joint.parent)] += composite[at];

    // momentum of the subtree per unit rate of this joint
    const auto& [mass, moment, inertia] = composite[at];
    Vector3 linear, angular;
    if (joint.turns) {
      const Vector3 v = joint.axis_W.cross(dynamics.p_WC - joint.p_WJ);
      linear = mass * v + joint.axis_W.cross(moment);
      angular = inertia * joint.axis_W + moment.cross(v);
      scale[i] = joint.rotor + inertia.trace() + mass * v.squaredNorm();
    } else {
      linear = mass * joint.axis_W;
      angular = moment.cross(joint.axis_W);
      scale[i] = joint.rotor + mass;
    }
    dynamics.A_G.col(i) << linear, angular;

    // M_ij = (twist of joint j).(momentum) for i itself and the joints before it
    dynamics.M(i, i) = joint.rotor;
    for (int j = static_cast<int>(i); j >= 0; j = joints[static_cast<std::size_t>(j)].parent) {
      const TreeJoint& before = joints[static_cast<std::size_t>(j)];
      const double entry = before.turns ? before.axis_W.dot((dynamics.p_WC - before.p_WJ).cross(linear) + angular)
                                        : before.axis_W.dot(linear);
      dynamics.M(i, j) += entry;
      if (j != i) dynamics.M(j, i) = entry;
    }
  }

  // from the contact point to the centre of mass
  dynamics.mass = arm.mass;
  const Vector3 r = arm.mass > 0 ? Vector3(arm.moment / arm.mass) : Vector3::Zero();
  dynamics.com_W = dynamics.p_WC + r;
  dynamics.Ic_W = arm.inertia - parallel_axis(arm.mass, r);
  for (Eigen::Index i = 0; i < dynamics.A_G.cols(); ++i) {
    const Vector3 linear = dynamics.A_G.col(i).head<3>();
    dynamics.A_G.col(i).tail<3>() -= r.cross(linear);
  }
}

Workspace::Workspace(const Robot& robot, const ContactPoint& point) : kernel_(std::make_unique<Kernel>(robot, point)) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

int Workspace::size() const noexcept {
  return static_cast<int>(kernel_->joints.size());
}

const ContactDynamics& Workspace::dynamics() const noexcept {
  return kernel_->dynamics;
}

const ContactDynamics& contact_dynamics(Workspace& workspace, const VectorRef& q) noexcept {
  assert(q.size() == workspace.size());
  Workspace::Kernel& kernel = *workspace.kernel_;
  kernel.outward(q);
  kernel.inward();
  invert(kernel.dynamics, kernel.LD, kernel.scale);
  return kernel.dynamics;
}

ContactDynamics contact_dynamics(const Robot& robot, const VectorRef& q, const ContactPoint& point) {
  validate_positions(robot, q);
  Workspace workspace(robot, point);
  return contact_dynamics(workspace, q);
}

ContactDynamics contact_dynamics(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G, double mass,
                                 const Vector3& com_W, const Matrix3& Ic_W, const Vector3& p_WC,
                                 const Vector3& normal_W) {
  const auto require = [](const char* name, const MatrixRef& value, Eigen::Index rows, Eigen::Index cols) {
    if (value.rows() != rows || value.cols() != cols)
      throw InputError(name, std::to_string(value.rows()) + " x " + std::to_string(value.cols()),
                       "must be " + std::to_string(rows) + " x " + std::to_string(cols));
    if (!value.allFinite()) throw InputError(name, to_text(value.sum()), "must be finite");
  };
  const Eigen::Index n = M.rows();
  if (n == 0) throw InputError("M", "0 x 0", "must have a row per joint");
  require("M", M, n, n);
  require("J", J, 6, n);
  require("A_G", A_G, 6, n);
  require("com_W", com_W, 3, 1);
  require("Ic_W", Ic_W, 3, 3);
  require("p_WC", p_WC, 3, 1);
  if (!std::isfinite(mass) || mass < 0) throw InputError("mass", mass, "must be finite and >= 0");
  const double difference = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (difference > asymmetry * M.cwiseAbs().maxCoeff())
    throw InputError("M", difference, "must be symmetric (the largest difference between M and M^T is given)");

  ContactDynamics dynamics{p_WC, unit_normal(normal_W), J, M, A_G, mass, com_W, Ic_W, MatrixX6(n, 6), false};
  MatrixX LD(n, n);
  invert(dynamics, LD, M.diagonal());
  return dynamics;
}

std::vector<Matrix6> link_inertias(const Robot& robot, const VectorRef& q, const ContactPoint& point) {
  validate_positions(robot, q);
  Workspace workspace(robot, point);
  Workspace::Kernel& kernel = *workspace.kernel_;
  kernel.outward(q);
  std::vector<Matrix6> inertias;
  for (const TreeJoint& joint : kernel.joints) {
    const auto [mass, moment, inertia] = kernel.own_inertia(joint);
    Matrix3 cross;
    cross << 0, -moment.z(), moment.y(), moment.z(), 0, -moment.x(), -moment.y(), moment.x(), 0;
    Matrix6& at_contact = inertias.emplace_back();
    at_contact << mass * Matrix3::Identity(), -cross, cross, inertia;
  }
  return inertias;
}

}  // namespace thud
