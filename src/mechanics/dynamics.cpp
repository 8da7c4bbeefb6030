#include <thud/dynamics.hpp>
#include <thud/error.hpp>

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include "kernel/tree.hpp"
#include "robot/joint_tree.hpp"

namespace THUD_EXPORT thud {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// M from another library may be symmetric only up to rounding.
constexpr double max_asymmetry = 1e-9;

}  // namespace

struct DynamicsWorkspace::Kernel {
  kernel::Tree tree;
  VectorX scale;  // magnitude of the terms of M's diagonal, before cancellation [kg m^2 or kg]
  kernel::Scratch scratch;
  ContactDynamics dynamics;

  Kernel(const Robot& robot, const ContactPoint& point);
};

DynamicsWorkspace::Kernel::Kernel(const Robot& robot, const ContactPoint& point)
    : tree(robot, point),
      scale(VectorX::Constant(robot.size(), nan)),
      scratch(kernel::instruction_set(), robot.size()) {
  const Eigen::Index n = robot.size();
  dynamics.p_WC.setConstant(nan);
  dynamics.normal_W = Eigen::Map<const Vector3>(tree.arm.normal_W);
  dynamics.J = Matrix6X::Constant(6, n, nan);
  dynamics.M = MatrixX::Constant(n, n, nan);
  dynamics.A_G = Matrix6X::Constant(6, n, nan);
  dynamics.com_W.setConstant(nan);
  dynamics.Ic_W.setConstant(nan);
  dynamics.M_inv_JT = MatrixX6::Constant(n, 6, nan);
}

DynamicsWorkspace::DynamicsWorkspace(const Robot& robot, const ContactPoint& point)
    : kernel_(std::make_unique<Kernel>(robot, point)) {}
DynamicsWorkspace::DynamicsWorkspace(DynamicsWorkspace&&) noexcept = default;
DynamicsWorkspace& DynamicsWorkspace::operator=(DynamicsWorkspace&&) noexcept = default;
DynamicsWorkspace::~DynamicsWorkspace() = default;

int DynamicsWorkspace::size() const noexcept {
  return static_cast<int>(kernel_->tree.arm.size);
}

const ContactDynamics& DynamicsWorkspace::dynamics() const noexcept {
  return kernel_->dynamics;
}

const ContactDynamics& contact_dynamics(DynamicsWorkspace& workspace, const VectorRef& q) noexcept {
  assert(q.size() == workspace.size());
  DynamicsWorkspace::Kernel& kernel = *workspace.kernel_;
  ContactDynamics& d = kernel.dynamics;
  const kernel::DynamicsResult out{d.p_WC.data(),  d.J.data(),    d.M.data(),          d.A_G.data(),
                                   d.com_W.data(), d.Ic_W.data(), kernel.scale.data(), d.M_inv_JT.data()};
  d.mass = kernel.tree.arm.mass;
  d.M_is_positive = kernel::instruction_set().dynamics(kernel.tree.arm, q.data(), out, kernel.scratch.data());
  if (!d.M_is_positive) d.M_inv_JT.setConstant(nan);
  return d;
}

ContactDynamics contact_dynamics(const Robot& robot, const ContactPoint& point, const VectorRef& q) {
  validate_positions(robot, q);
  DynamicsWorkspace workspace(robot, point);
  return contact_dynamics(workspace, q);
}

ContactDynamics contact_dynamics(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G,
                                 const CompositeBody& body, const ContactGeometry& contact) {
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
  require("com_W", body.com_W, 3, 1);
  require("Ic_W", body.Ic_W, 3, 3);
  require("p_WC", contact.p_WC, 3, 1);
  if (!std::isfinite(body.mass) || body.mass < 0) throw InputError("mass", body.mass, "must be finite and >= 0");
  const double difference = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (difference > max_asymmetry * M.cwiseAbs().maxCoeff())
    throw InputError("M", difference, "must be symmetric (the largest difference between M and M^T is given)");

  ContactDynamics dynamics{
      contact.p_WC, kernel::unit_normal(contact.normal_W), J, M, A_G, body.mass, body.com_W, body.Ic_W, MatrixX6(n, 6),
      false};
  const VectorX scale = M.diagonal();
  kernel::Scratch scratch(kernel::instruction_set(), n);
  dynamics.M_is_positive = kernel::instruction_set().solve_response(
      n, dynamics.M.data(), dynamics.J.data(), scale.data(), dynamics.M_inv_JT.data(), scratch.data());
  if (!dynamics.M_is_positive) dynamics.M_inv_JT.setConstant(nan);
  return dynamics;
}

std::vector<Matrix6> link_inertias(const Robot& robot, const ContactPoint& point, const VectorRef& q) {
  const Vector3 p_WC = contact_dynamics(robot, point, q).p_WC;
  const std::vector<bool> counts = robot::composite_joints(robot, point);
  std::vector<robot::TreeJoint> joints = robot::joint_tree(robot);
  robot::forward_kinematics(joints, q);
  std::vector<Matrix6> inertias(joints.size(), Matrix6::Zero());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!counts[i]) continue;
    const robot::TreeJoint& joint = joints[i];
    // with h = m r: [m 1, -[h]x; [h]x, I - m [r]x [r]x]
    const Vector3 r = joint.p_WJ + joint.R_WJ * joint.body.com - p_WC;
    const double mass = joint.body.mass;
    Matrix3 cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    const Matrix3 inertia = joint.R_WJ * joint.body.inertia * joint.R_WJ.transpose() - mass * cross * cross;
    inertias[i] << mass * Matrix3::Identity(), -mass * cross, mass * cross, inertia;
  }
  return inertias;
}

}  // namespace thud
