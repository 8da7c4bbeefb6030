#include <thud/error.hpp>
#include <thud/lagrange.hpp>

#include <cassert>
#include <limits>
#include <vector>

#include <Eigen/Geometry>

#include "robot/expanded.hpp"
#include "robot/joint_tree.hpp"

namespace THUD_EXPORT thud {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Velocity or momentum about the origin of the world.
struct Spatial {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

double dot(const Spatial& a, const Spatial& b) noexcept {
  return a.linear.dot(b.linear) + a.angular.dot(b.angular);
}

// Spatial cross product a x b: the rate of change of the motion b when it moves with the motion a.
Spatial cross(const Spatial& a, const Spatial& b) noexcept {
  return {a.angular.cross(b.linear) + a.linear.cross(b.angular), a.angular.cross(b.angular)};
}

}  // namespace

struct LagrangeWorkspace::Kernel {
  // A moving joint. The sums are over its body after the forward pass, over its subtree after the backward pass.
  struct Motion {
    Spatial axis;                      // S, twist per unit rate
    Spatial twist;                     // of the joint's body
    Spatial momentum;                  // sum
    double mass = 0;                   // sum [kg]
    Vector3 moment = Vector3::Zero();  // sum of m c [kg m]
  };

  robot::Expanded all;                   // the robot with its followers as joints of their own
  std::vector<robot::TreeJoint> joints;  // of that, as the next three
  std::vector<Motion> motions;
  VectorX q_all, dq_all;
  LagrangeTerms terms_all;
  Vector3 gravity_W;
  LagrangeTerms terms;

  Kernel(const Robot& robot, const Vector3& gravity);
  void compute(const VectorRef& q, const VectorRef& dq) noexcept;
  void forward_pass(const VectorRef& q, const VectorRef& dq) noexcept;
  void backward_pass(const VectorRef& dq) noexcept;
};

LagrangeWorkspace::Kernel::Kernel(const Robot& robot, const Vector3& gravity)
    : all(robot::expanded(robot)),
      joints(robot::joint_tree(all.robot)),
      motions(joints.size()),
      q_all(VectorX::Constant(all.robot.size(), nan)),
      dq_all(q_all),
      terms_all{q_all, q_all},
      gravity_W(gravity),
      terms{VectorX::Constant(robot.size(), nan), VectorX::Constant(robot.size(), nan)} {
  if (!gravity.allFinite())
    throw InputError("gravity", to_text(gravity[0]) + "," + to_text(gravity[1]) + "," + to_text(gravity[2]),
                     "must be finite");
}

// With P the joint rates of all per rate of the robot's joints: momentum and gradient are P^T times those of all.
void LagrangeWorkspace::Kernel::compute(const VectorRef& q, const VectorRef& dq) noexcept {
  for (Eigen::Index i = 0; i < q_all.size(); ++i) {
    const auto& [joint, multiplier, offset] = all.coordinates[static_cast<std::size_t>(i)];
    q_all[i] = multiplier * q[joint] + offset;
    dq_all[i] = multiplier * dq[joint];
  }
  forward_pass(q_all, dq_all);
  backward_pass(dq_all);
  terms.momentum.setZero();
  terms.gradient.setZero();
  for (Eigen::Index i = 0; i < q_all.size(); ++i) {
    const robot::Coordinate& coordinate = all.coordinates[static_cast<std::size_t>(i)];
    terms.momentum[coordinate.joint] += coordinate.multiplier * terms_all.momentum[i];
    terms.gradient[coordinate.joint] += coordinate.multiplier * terms_all.gradient[i];
  }
}

// Poses, twists, and the momentum of each body.
void LagrangeWorkspace::Kernel::forward_pass(const VectorRef& q, const VectorRef& dq) noexcept {
  robot::forward_kinematics(joints, q);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const robot::TreeJoint& joint = joints[i];
    Motion& motion = motions[i];
    motion.axis = joint.is_revolute ? Spatial{joint.p_WJ.cross(joint.axis_W), joint.axis_W} : Spatial{joint.axis_W};
    const double rate = dq[static_cast<Eigen::Index>(i)];
    motion.twist = joint.parent < 0 ? Spatial{} : motions[static_cast<std::size_t>(joint.parent)].twist;
    motion.twist.linear += rate * motion.axis.linear;
    motion.twist.angular += rate * motion.axis.angular;

    const BodyInertia& body = joint.body;
    const Vector3 com = joint.p_WJ + joint.R_WJ * body.com;
    const Vector3 w_J = joint.R_WJ.transpose() * motion.twist.angular;
    motion.mass = body.mass;
    motion.moment = body.mass * com;
    motion.momentum.linear = body.mass * (motion.twist.linear + motion.twist.angular.cross(com));
    motion.momentum.angular = joint.R_WJ * (body.inertia * w_J) + com.cross(motion.momentum.linear);
  }
}

// Sums over subtrees from the tips to the base, and with them the terms.
void LagrangeWorkspace::Kernel::backward_pass(const VectorRef& dq) noexcept {
  for (std::size_t at = joints.size(); at-- > 0;) {
    const robot::TreeJoint& joint = joints[at];
    const Motion& motion = motions[at];
    const auto i = static_cast<Eigen::Index>(at);
    const Vector3 weighted = motion.mass * motion.axis.linear + motion.axis.angular.cross(motion.moment);
    terms_all.momentum[i] = dot(motion.axis, motion.momentum) + joint.rotor * dq[i];
    terms_all.gradient[i] = dot(motion.momentum, cross(motion.twist, motion.axis)) + gravity_W.dot(weighted);
    if (joint.parent < 0) continue;
    Motion& parent = motions[static_cast<std::size_t>(joint.parent)];
    parent.momentum.linear += motion.momentum.linear;
    parent.momentum.angular += motion.momentum.angular;
    parent.mass += motion.mass;
    parent.moment += motion.moment;
  }
}

LagrangeWorkspace::LagrangeWorkspace(const Robot& robot, const Vector3& gravity_W)
    : kernel_(std::make_unique<Kernel>(robot, gravity_W)) {}
LagrangeWorkspace::LagrangeWorkspace(LagrangeWorkspace&&) noexcept = default;
LagrangeWorkspace& LagrangeWorkspace::operator=(LagrangeWorkspace&&) noexcept = default;
LagrangeWorkspace::~LagrangeWorkspace() = default;

int LagrangeWorkspace::size() const noexcept {
  return static_cast<int>(kernel_->terms.momentum.size());
}

const LagrangeTerms& LagrangeWorkspace::terms() const noexcept {
  return kernel_->terms;
}

const LagrangeTerms& lagrange_terms(LagrangeWorkspace& workspace, const VectorRef& q, const VectorRef& dq) noexcept {
  assert(q.size() == workspace.size() && dq.size() == workspace.size());
  LagrangeWorkspace::Kernel& kernel = *workspace.kernel_;
  kernel.compute(q, dq);
  return kernel.terms;
}

LagrangeTerms lagrange_terms(const Robot& robot, const VectorRef& q, const VectorRef& dq, const Vector3& gravity_W) {
  validate_positions(robot, q);
  validate_velocities(robot, dq);
  LagrangeWorkspace workspace(robot, gravity_W);
  return lagrange_terms(workspace, q, dq);
}

}  // namespace thud
