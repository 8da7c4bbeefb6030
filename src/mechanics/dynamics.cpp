#include <thud/dynamics.hpp>
#include <thud/error.hpp>

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include "kernel/tree.hpp"
#include "robot/expanded.hpp"
#include "robot/joint_tree.hpp"

namespace THUD_EXPORT thud {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// M from another library may be symmetric only up to rounding.
constexpr double max_asymmetry = 1e-9;

}  // namespace

// A robot with followers is computed with those as joints of their own, and its matrices are projected: with P the
// joint rates of all per rate of the robot's joints, M = P^T M_all P, J = J_all P, A_G = A_all P.
struct DynamicsWorkspace::Kernel {
  kernel::Tree tree;
  VectorX scale;  // magnitude of the terms of M's diagonal, before cancellation [kg m^2 or kg]
  kernel::Scratch scratch;
  ContactDynamics dynamics;

  // with followers: positions and matrices of all joints
  VectorX q_all, scale_all;
  Matrix6X J_all, A_G_all;
  MatrixX M_all;
  MatrixX6 M_inv_JT_all;

  Kernel(const Robot& robot, const ContactPoint& point);
  bool compute(const double* q) noexcept;
  bool compute_projected(const double* q) noexcept;
};

DynamicsWorkspace::Kernel::Kernel(const Robot& robot, const ContactPoint& point)
    : tree(robot, point),
      scale(VectorX::Constant(robot.size(), nan)),
      scratch(kernel::instruction_set(), tree.arm.size) {
  const Eigen::Index n = robot.size(), all = tree.coordinates.empty() ? 0 : tree.arm.size;
  dynamics.p_WC.setConstant(nan);
  dynamics.normal_W = Eigen::Map<const Vector3>(tree.arm.normal_W);
  dynamics.J = Matrix6X::Constant(6, n, nan);
  dynamics.M = MatrixX::Constant(n, n, nan);
  dynamics.A_G = Matrix6X::Constant(6, n, nan);
  dynamics.com_W.setConstant(nan);
  dynamics.Ic_W.setConstant(nan);
  dynamics.M_inv_JT = MatrixX6::Constant(n, 6, nan);
  q_all.resize(all);
  scale_all.resize(all);
  J_all.resize(6, all);
  A_G_all.resize(6, all);
  M_all.resize(all, all);
  M_inv_JT_all.resize(all, 6);
}

bool DynamicsWorkspace::Kernel::compute(const double* q) noexcept {
  if (!tree.coordinates.empty()) return compute_projected(q);
  ContactDynamics& d = dynamics;
  const kernel::DynamicsResult out{d.p_WC.data(),  d.J.data(),    d.M.data(),   d.A_G.data(),
                                   d.com_W.data(), d.Ic_W.data(), scale.data(), d.M_inv_JT.data()};
  return kernel::instruction_set().dynamics(tree.arm, q, out, scratch.data());
}

bool DynamicsWorkspace::Kernel::compute_projected(const double* q) noexcept {
  ContactDynamics& d = dynamics;
  const auto& coordinates = tree.coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    q_all[static_cast<Eigen::Index>(i)] = coordinates[i].multiplier * q[coordinates[i].joint] + coordinates[i].offset;
  const kernel::DynamicsResult out{d.p_WC.data(),  J_all.data(),  M_all.data(),     A_G_all.data(),
                                   d.com_W.data(), d.Ic_W.data(), scale_all.data(), M_inv_JT_all.data()};
  kernel::instruction_set().dynamics(tree.arm, q_all.data(), out, scratch.data());
  d.J.setZero();
  d.A_G.setZero();
  d.M.setZero();
  scale.setZero();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto& [joint, factor, offset] = coordinates[i];
    const auto at = static_cast<Eigen::Index>(i);
    d.J.col(joint) += factor * J_all.col(at);
    d.A_G.col(joint) += factor * A_G_all.col(at);
    scale[joint] += std::abs(factor) * std::sqrt(scale_all[at]);
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      d.M(coordinates[k].joint, joint) += coordinates[k].multiplier * factor * M_all(static_cast<Eigen::Index>(k), at);
  }
  scale = scale.cwiseAbs2();  // (a + b)^2 of magnitudes a^2 and b^2
  return kernel::instruction_set().solve_response(scale.size(), d.M.data(), d.J.data(), scale.data(), d.M_inv_JT.data(),
                                                  scratch.data());
}

DynamicsWorkspace::DynamicsWorkspace(const Robot& robot, const ContactPoint& point)
    : kernel_(std::make_unique<Kernel>(robot, point)) {}
DynamicsWorkspace::DynamicsWorkspace(DynamicsWorkspace&&) noexcept = default;
DynamicsWorkspace& DynamicsWorkspace::operator=(DynamicsWorkspace&&) noexcept = default;
DynamicsWorkspace::~DynamicsWorkspace() = default;

int DynamicsWorkspace::size() const noexcept {
  return static_cast<int>(kernel_->scale.size());
}

const ContactDynamics& DynamicsWorkspace::dynamics() const noexcept {
  return kernel_->dynamics;
}

void DynamicsWorkspace::set_contact(const Vector3& offset, const Vector3& normal_W) {
  if (!offset.allFinite())
    throw InputError("offset", to_text(offset[0]) + "," + to_text(offset[1]) + "," + to_text(offset[2]),
                     "must be finite");
  kernel_->tree.set_contact(offset, kernel::unit_normal(normal_W));
  kernel_->dynamics.normal_W = Eigen::Map<const Vector3>(kernel_->tree.arm.normal_W);
}

const ContactDynamics& contact_dynamics(DynamicsWorkspace& workspace, const VectorRef& q) noexcept {
  assert(q.size() == workspace.size());
  DynamicsWorkspace::Kernel& kernel = *workspace.kernel_;
  ContactDynamics& d = kernel.dynamics;
  d.mass = kernel.tree.arm.mass;
  d.M_is_positive = kernel.compute(q.data());
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
  const robot::Expanded all = robot::expanded(robot);
  const std::vector<bool> counts = robot::composite_joints(all.robot, point);
  std::vector<robot::TreeJoint> joints = robot::joint_tree(all.robot);
  robot::forward_kinematics(joints, all.positions(q));
  std::vector<Matrix6> inertias(joints.size(), Matrix6::Zero());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto place = static_cast<std::size_t>(all.place[i]);
    if (!counts[place]) continue;
    const robot::TreeJoint& joint = joints[place];
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
