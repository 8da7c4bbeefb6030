#include "kernel/tree.hpp"

#include <thud/error.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Geometry>

#include "robot/joint_tree.hpp"

namespace thud::kernel {
namespace {

// A rotation that takes the z axis to `axis`, a unit vector: the shortest one in the upper half space; below it, half a
// turn about x and the shortest one from there. The shortest one from z would lose its digits near -z.
struct RotationFromZ {
  bool is_identity;
  Matrix3 R;

  explicit RotationFromZ(const Vector3& axis) : is_identity(axis == Vector3::UnitZ()) {
    if (is_identity) return;
    const double x = axis.x(), y = axis.y(), z = axis.z(), side = z < 0 ? -1 : 1, a = 1 / (1 + std::abs(z));
    R << 1 - x * x * a, -side * x * y * a, x,   //
        -x * y * a, side * (1 - y * y * a), y,  //
        -side * x, -y, z;
  }
  Vector3 inverse(const Vector3& v) const { return is_identity ? v : R.transpose() * v; }
};

// The joint in frames whose z axes are the joint axes: `own` rotates its frame so, `parent` that of its parent.
ArmJoint with_axis_z(const Joint& joint, const BodyInertia& body, const RotationFromZ& parent,
                     const RotationFromZ& own) {
  ArmJoint out{};
  out.parent = joint.parent;
  out.is_revolute = joint.type != JointType::prismatic;
  Matrix3 R = joint.R_PJ, I = body.inertia;
  if (!parent.is_identity) R = parent.R.transpose() * R;
  if (!own.is_identity) R = R * own.R, I = own.R.transpose() * I * own.R;
  for (int k = 0; k < 3; ++k) copy(R.col(k), out.R[k]);
  const Vector3 p = parent.inverse(joint.p_PJ);
  copy(p, out.p);
  out.dh_offset = R.col(2).dot(p);
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  out.is_dh =
      R.col(0) == Vector3::UnitX() && R(0, 1) == 0 && R(0, 2) == 0 && std::abs(R.col(1).dot(p)) <= rounding * p.norm();
  out.mass = out.subtree_mass = body.mass;
  copy(own.inverse(body.com), out.com);
  split_inertia(I, out.inertia);
  out.rotor = joint.rotor_inertia;
  return out;
}

}  // namespace

// I = isotropic 1 + x u^T + u x^T + w w^T (Body). The y-z block, less the smaller of its eigenvalues, is w w^T.
void split_inertia(const Matrix3& I, double* parts) noexcept {
  const double difference = (I(1, 1) - I(2, 2)) / 2, radius = std::hypot(difference, I(1, 2));
  const double isotropic = (I(1, 1) + I(2, 2)) / 2 - radius;
  double w_y = std::sqrt(radius + std::abs(difference)), w_z = w_y > 0 ? I(1, 2) / w_y : 0;
  if (difference < 0) std::swap(w_y, w_z);
  parts[0] = isotropic;
  copy({(I(0, 0) - isotropic) / 2, I(0, 1), I(0, 2)}, parts + 1);
  parts[4] = w_y, parts[5] = w_z;
}

Matrix3 whole_inertia(const double* parts) noexcept {
  const Vector3 u(parts[1], parts[2], parts[3]), w(0, parts[4], parts[5]);
  Matrix3 I = parts[0] * Matrix3::Identity() + w * w.transpose();
  I.col(0) += u;
  I.row(0) += u.transpose();
  return I;
}

Vector3 unit_normal(const Vector3& normal) {
  const double length = std::hypot(normal[0], normal[1], normal[2]);  // the same wherever the vector lies in memory
  if (!(length > 0) || !std::isfinite(length))
    throw InputError("normal", to_text(normal[0]) + "," + to_text(normal[1]) + "," + to_text(normal[2]),
                     "must be finite and not zero");
  return normal / length;
}

Tree::Tree(const Robot& robot, const ContactPoint& point) : arm{} {
  validate(robot, point);
  if (robot.followers().empty()) {
    build_joints(robot, point);
  } else {
    robot::Expanded all = robot::expanded(robot);
    build_joints(all.robot, point);
    coordinates = std::move(all.coordinates);
  }
}

void Tree::build_joints(const Robot& robot, const ContactPoint& point) {
  const Frame& frame = robot.frame(point.frame);

  const RotationFromZ base(Vector3::UnitZ());
  std::vector<RotationFromZ> own;
  own.reserve(robot.joints().size());
  joints.reserve(robot.joints().size());
  arm.serial = true;
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    const Joint& joint = robot.joints()[i];
    own.emplace_back(joint.axis);
    const RotationFromZ& parent = joint.parent < 0 ? base : own[static_cast<std::size_t>(joint.parent)];
    joints.push_back(with_axis_z(joint, robot.bodies()[i], parent, own.back()));
    arm.serial = arm.serial && joint.parent == static_cast<int>(i) - 1;
  }
  const std::vector<bool> in_composite = robot::composite_joints(robot, point);
  for (std::size_t i = joints.size(); i-- > 0;) {
    const long parent = joints[i].parent;
    joints[i].in_composite = in_composite[i];
    if (parent >= 0)
      joints[static_cast<std::size_t>(parent)].subtree_mass += joints[i].subtree_mass;
    else if (joints[i].in_composite)
      arm.mass += joints[i].subtree_mass;
  }
  for (long i = frame.joint; i >= 0; i = joints[static_cast<std::size_t>(i)].parent) {
    joints[static_cast<std::size_t>(i)].moves_contact = true;
    ++arm.contact_chain;
  }
  arm.joints = joints.data();
  arm.size = robot.size();
  arm.contact_joint = frame.joint;
  const RotationFromZ& carrier = own[static_cast<std::size_t>(frame.joint)];
  p_JF_ = frame.p_JF;
  R_JF_ = frame.R_JF;
  R_kernel_ = carrier.is_identity ? Matrix3(Matrix3::Identity()) : carrier.R;
  set_contact(point.offset, unit_normal(point.normal_W));
  build_rows();
}

void Tree::set_contact(const Vector3& offset, const Vector3& normal_W) noexcept {
  copy(R_kernel_.transpose() * (p_JF_ + R_JF_ * offset), arm.offset);
  copy(normal_W, arm.normal_W);
}

void Tree::build_rows() {
  const std::size_t n = joints.size(), stride = (n + 7) / 8 * 8;
  rows.assign(row_count * stride, 0);
  in_subtree.assign(n * stride, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const ArmJoint& joint = joints[i];
    const auto put = [&](int row, const double* values, int count) {
      for (int k = 0; k < count; ++k) rows[static_cast<std::size_t>(row + k) * stride + i] = values[k];
    };
    const double is_revolute = joint.is_revolute;
    put(row_R, joint.R[0], 9);
    put(row_p, joint.p, 3);
    put(row_com, joint.com, 3);
    put(row_inertia, joint.inertia, 6);
    put(row_mass, &joint.mass, 1);
    put(row_rotor, &joint.rotor, 1);
    put(row_subtree_mass, &joint.subtree_mass, 1);
    put(row_is_revolute, &is_revolute, 1);
    for (long j = static_cast<long>(i); j >= 0; j = joints[static_cast<std::size_t>(j)].parent)
      in_subtree[static_cast<std::size_t>(j) * stride + i] = 1;
  }
  arm.rows = rows.data();
  arm.in_subtree = in_subtree.data();
}

Scratch::Scratch(const InstructionSet& set, long joints)
    : pages_(new Page[static_cast<std::size_t>(set.scratch_bytes(joints)) / sizeof(Page) + 1]) {}

}  // namespace thud::kernel
