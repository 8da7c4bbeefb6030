#pragma once

/// A robot and a contact point as the kernel needs them, and its scratch memory. Private to the library.

#include <thud/robot.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include "kernel/kernel.hpp"
#include "robot/expanded.hpp"

namespace thud::kernel {

struct Tree {
  std::vector<ArmJoint> joints;  // of the robot, and its followers among them as joints of their own
  std::vector<double> rows, in_subtree;
  Arm arm;  // points to the vectors above

  /// What moves each joint of the arm. Empty for a robot without followers: then joint i is joint i of the robot.
  std::vector<robot::Coordinate> coordinates;

  /// Throws what DynamicsWorkspace throws.
  Tree(const Robot& robot, const ContactPoint& point);
  Tree(const Tree&) = delete;

  /// Moves the contact to another offset and another normal, of unit length, on the same link.
  void set_contact(const Vector3& offset, const Vector3& normal_W) noexcept;

 private:
  void build_joints(const Robot& robot, const ContactPoint& point);
  void build_rows();

  // of the frame that is hit, in the axes of its joint as the robot has them and as the kernel has
  Vector3 p_JF_;
  Matrix3 R_JF_, R_kernel_;
};

/// A vector as three numbers.
inline void copy(const Vector3& from, double* to) noexcept {
  Eigen::Map<Vector3>{to} = from;
}

/// A rotational inertia as the parts that ArmJoint has, and from these.
void split_inertia(const Matrix3& I, double* parts) noexcept;
Matrix3 whole_inertia(const double* parts) noexcept;

/// The normal scaled to unit length. Throws InputError if it is zero or not finite.
Vector3 unit_normal(const Vector3& normal);

/// Scratch memory of an instruction set for a number of joints. Page-aligned: the fewer pages it spans, the more of it
/// the first-level cache holds.
class Scratch {
 public:
  Scratch(const InstructionSet& set, long joints);
  void* data() noexcept { return pages_.get(); }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  std::unique_ptr<Page[]> pages_;
};

}  // namespace thud::kernel
