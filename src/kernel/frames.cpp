#include "kernel/frames.hpp"

#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include "kernel/tree.hpp"

namespace thud::kernel {
namespace {

using Matrix = Eigen::Map<const Matrix3>;
using Vector = Eigen::Map<const Vector3>;

// A frame from what it was: turned about z so that its x axis is `x`, moved along z.
struct Change {
  Vector3 x = Vector3::UnitX();
  double shift = 0;

  Vector3 point(const Vector3& p) const { return direction(p - shift * Vector3::UnitZ()); }
  Vector3 direction(const Vector3& v) const {
    return {x.x() * v.x() + x.y() * v.y(), x.x() * v.y() - x.y() * v.x(), v.z()};
  }
};

// The change of a parent after which the frame of a joint at R and p follows the convention: its x axis is the common
// normal of the two joint axes and starts there. Axes that are nearly parallel have it far away, and are left alone.
std::optional<Change> towards(const Matrix3& R, const Vector3& p) {
  constexpr double smallest_sine = 0.25;
  const Vector3 axis = R.col(2), normal = Vector3::UnitZ().cross(axis);
  const double sine = normal.norm();
  if (sine == 0) {
    const double distance = std::hypot(p.x(), p.y());
    return distance > 0 ? Change{Vector3(p.x(), p.y(), 0) / distance, 0} : Change{};
  }
  if (sine < smallest_sine) return std::nullopt;
  const Vector3 x = normal / sine, across = x.cross(axis);
  return Change{x, p.dot(across) / across.z()};
}

}  // namespace

Frames::Frames(const Arm& arm) {
  const auto size = static_cast<std::size_t>(arm.size);
  std::vector<Change> changes(size);
  std::vector<bool> follows(size), settled(size);  // a joint follows the convention; its frame is not to be changed
  for (std::size_t i = 0; i < size; ++i) {
    const ArmJoint& joint = arm.joints[i];
    if (!joint.is_revolute) settled[i] = true;
    if (joint.is_dh && joint.parent >= 0) settled[static_cast<std::size_t>(joint.parent)] = true;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const ArmJoint& joint = arm.joints[i];
    if (joint.parent < 0 || !joint.is_revolute) continue;
    const auto parent = static_cast<std::size_t>(joint.parent);
    if (settled[parent]) continue;
    const std::optional<Change> change = towards(Matrix(joint.R[0]), Vector(joint.p));
    if (!change) continue;
    changes[parent] = *change;
    settled[parent] = follows[i] = true;
  }

  for (std::size_t i = 0; i < size; ++i) {
    TurnedJoint joint{arm.joints[i], 0, 1};
    const Change own = changes[i],
                 parent = joint.parent < 0 ? Change{} : changes[static_cast<std::size_t>(joint.parent)];
    Matrix3 R = Matrix(joint.R[0]);
    for (int k = 0; k < 3; ++k) R.col(k) = parent.direction(R.col(k));
    Vector3 p = parent.point(Vector(joint.p)) + own.shift * R.col(2);
    Vector3 x = own.x;  // turned by minus the angle that the convention takes from the joint
    if (follows[i]) {
      x = Change{Vector3(R(0, 0), R(0, 1), 0).normalized(), 0}.direction(x);
      const Vector3 axis = Vector3(0, R(1, 2), R(2, 2)).normalized();
      R << 1, 0, 0, 0, axis.z(), axis.y(), 0, -axis.y(), axis.z();
      p = Vector3(p.x(), 0, 0) + axis.dot(p) * axis;
    }
    joint.is_dh = joint.is_dh || follows[i];
    joint.turn_sine = x.y(), joint.turn_cosine = x.x();
    for (int k = 0; k < 3; ++k) copy(R.col(k), joint.R[k]);
    copy(p, joint.p);
    joint.dh_offset = R.col(2).dot(p);
    copy(own.point(Vector(joint.com)), joint.com);
    Matrix3 turn;
    turn << own.x.x(), -own.x.y(), 0, own.x.y(), own.x.x(), 0, 0, 0, 1;
    if (own.x != Vector3::UnitX()) split_inertia(turn.transpose() * whole_inertia(joint.inertia) * turn, joint.inertia);
    joints_.push_back(joint);
  }
  arm_.joints = joints_.data();
  arm_.size = arm.size, arm_.serial = arm.serial, arm_.mass = arm.mass;
  arm_.contact_joint = arm.contact_joint, arm_.contact_chain = arm.contact_chain;
  copy(changes[static_cast<std::size_t>(arm.contact_joint)].point(Vector(arm.offset)), arm_.offset);
  copy(Vector(arm.normal_W), arm_.normal_W);
}

}  // namespace thud::kernel
