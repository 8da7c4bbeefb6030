#pragma once

/// A robot's joints as a kinematic tree, and their poses: all in this header, for other libraries. Private to them.

#include <thud/robot.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include <Eigen/Geometry>

namespace thud::robot {

struct TreeJoint {
  int parent;
  bool is_revolute;  // or continuous
  Matrix3 R_PJ;      // placement at q = 0
  Vector3 p_PJ;
  Vector3 axis;
  BodyInertia body;
  double rotor;
  // filled by forward_kinematics
  Matrix3 R_WJ = Matrix3::Constant(std::numeric_limits<double>::quiet_NaN());
  Vector3 p_WJ = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  Vector3 axis_W = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
};

inline std::vector<TreeJoint> joint_tree(const Robot& robot) {
  std::vector<TreeJoint> tree;
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    const Joint& joint = robot.joints()[i];
    tree.push_back({joint.parent, joint.type != JointType::prismatic, joint.R_PJ, joint.p_PJ, joint.axis,
                    robot.bodies()[i], joint.rotor_inertia});
  }
  return tree;
}

/// Of each joint, whether the body it moves is part of the composite body of a contact: all of the limb off the base
/// that carries the contact point, or (`whole`) of every limb. For a robot without followers, and a point valid for it.
inline std::vector<bool> composite_joints(const Robot& robot, const ContactPoint& point) {
  const std::vector<Joint>& joints = robot.joints();
  std::vector<std::size_t> limb(joints.size());  // the joint on the base that carries each
  for (std::size_t i = 0; i < joints.size(); ++i)
    limb[i] = joints[i].parent < 0 ? i : limb[static_cast<std::size_t>(joints[i].parent)];
  const std::size_t hit = limb[static_cast<std::size_t>(robot.frame(point.frame).joint)];
  std::vector<bool> counts(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) counts[i] = point.whole || limb[i] == hit;
  return counts;
}

/// Computes the poses of the joints at positions q.
inline void forward_kinematics(std::vector<TreeJoint>& tree, const VectorRef& q) noexcept {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    TreeJoint& joint = tree[i];
    const double position = q[static_cast<Eigen::Index>(i)];
    Matrix3 R_PJ = joint.R_PJ;
    Vector3 p_PJ = joint.p_PJ;
    if (joint.is_revolute)
      R_PJ *= Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
    else
      p_PJ += R_PJ * (position * joint.axis);
    if (joint.parent < 0) {
      joint.R_WJ = R_PJ;
      joint.p_WJ = p_PJ;
    } else {
      const TreeJoint& parent = tree[static_cast<std::size_t>(joint.parent)];
      joint.R_WJ = parent.R_WJ * R_PJ;
      joint.p_WJ = parent.p_WJ + parent.R_WJ * p_PJ;
    }
    joint.axis_W = joint.R_WJ * joint.axis;
  }
}

}  // namespace thud::robot
