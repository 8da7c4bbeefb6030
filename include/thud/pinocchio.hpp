#pragma once

/// Conversion of a robot from Pinocchio 4. Not part of thud.hpp: it needs Pinocchio's headers, and a
/// program that includes it links pinocchio::pinocchio_default beside thud::thud.
///
///   pinocchio::Model model;
///   pinocchio::urdf::buildModel("arm.urdf", model);
///   const auto robot = thud::from_pinocchio(model);
///   const auto point = thud::ContactPoint{.frame = "tool", .normal_W = {-1, 0, 0}};
///   const auto dynamics = thud::contact_dynamics(robot, point, q);
///
/// (A program that reads URDF through Pinocchio has its urdfdom, which must be the one that thud was built with.)

#include <thud/error.hpp>
#include <thud/robot.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <pinocchio/multibody.hpp>

namespace thud {

/// Joint `index` of the model, 1 to njoints - 1, understood by the way it moves rather than by its class: one rate; at
/// the neutral configuration it is at its placement; it rotates about or slides along a unit axis. Throws RobotError.
inline Joint pinocchio_joint(const pinocchio::Model& model, pinocchio::JointIndex index) {
  constexpr double rounding = 1e-12, infinity = std::numeric_limits<double>::infinity();
  const auto& given = model.joints[index];
  const auto reject = [&] {
    throw RobotError(std::string("joint ").append(model.names[index]), given.shortname(),
                     "must be revolute, continuous or prismatic");
  };
  if (given.nv() != 1 || given.nq() > 2) reject();
  Eigen::VectorXd neutral = Eigen::VectorXd::Zero(model.nq);
  if (given.nq() == 2) neutral[given.idx_q()] = 1;  // cos and sin of the angle
  auto data = given.createData();
  given.calc(data, neutral);
  const Eigen::Matrix<double, 6, 1> S = data.S().matrix();
  const Vector3 linear = S.head<3>(), angular = S.tail<3>();
  const bool is_prismatic = angular.norm() < rounding && std::abs(linear.norm() - 1) < rounding;
  const bool is_revolute = linear.norm() < rounding && std::abs(angular.norm() - 1) < rounding;
  if (!data.M().isIdentity(rounding) || !(is_revolute || (is_prismatic && given.nq() == 1))) reject();

  // Pinocchio denotes "no limit" by the largest double.
  const auto limit = [&](double value) {
    return std::abs(value) == std::numeric_limits<double>::max() ? std::copysign(infinity, value) : value;
  };
  Joint joint;
  joint.name = joint.link = model.names[index];
  joint.type = is_prismatic ? JointType::prismatic : given.nq() == 1 ? JointType::revolute : JointType::continuous;
  joint.parent = static_cast<int>(model.parents[index]) - 1;
  joint.R_PJ = model.jointPlacements[index].rotation();
  joint.p_PJ = model.jointPlacements[index].translation();
  joint.axis = is_prismatic ? linear : angular;
  if (given.nq() == 1) {
    joint.lower = limit(model.lowerPositionLimit[given.idx_q()]);
    joint.upper = limit(model.upperPositionLimit[given.idx_q()]);
  }
  joint.velocity = limit(model.upperVelocityLimit[given.idx_v()]);
  joint.effort = limit(model.upperEffortLimit[given.idx_v()]);
  joint.rotor_inertia = model.armature[given.idx_v()];
  return joint;
}

/// A robot with the joints of a model, in its order, so that dq is Pinocchio's v; q is Pinocchio's q but for continuous
/// joints, of which Pinocchio stores cosine and sine and thud the angle. The universe is the base.
///
/// Frames are those of type BODY and OP_FRAME. A joint's link is the first BODY frame at the pose of the joint,
/// or else has the joint's name. Armature is rotor inertia; limits are the upper ones of velocity and effort.
/// Throws RobotError for a joint that is not revolute, continuous or prismatic (such as a free flyer, a sphere, a
/// plane, a screw, a mimic), and for what the constructor of Robot refuses, such as two frames of one name.
inline Robot from_pinocchio(const pinocchio::Model& model) {
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Frame> frames;
  for (std::size_t i = 1; i < model.joints.size(); ++i) {
    joints.push_back(pinocchio_joint(model, i));
    const auto& inertia = model.inertias[i];  // about the centre of mass, in the joint's axes
    bodies.push_back({inertia.mass(), inertia.lever(), inertia.inertia().matrix()});
  }
  std::vector<bool> linked(joints.size(), false);
  for (const auto& frame : model.frames) {
    if (frame.type != pinocchio::BODY && frame.type != pinocchio::OP_FRAME) continue;
    const int carrier = static_cast<int>(frame.parentJoint) - 1;
    frames.push_back({frame.name, carrier, frame.placement.rotation(), frame.placement.translation()});
    if (frame.type != pinocchio::BODY || carrier < 0 || !frame.placement.isIdentity()) continue;
    const auto joint = static_cast<std::size_t>(carrier);
    if (!linked[joint]) joints[joint].link = frame.name;
    linked[joint] = true;
  }
  return {model.name, std::move(joints), std::move(bodies), std::move(frames), {}};
}

}  // namespace thud
