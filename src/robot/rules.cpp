#include "robot/rules.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace thud::robot {
namespace {

// Rotations and axes may be given with six digits; a larger error is a mistake.
constexpr double six_digits = 1e-6;

// Error in the length of a vector that has just been normalized.
constexpr double rounding = 1e-15;

// An inertia from another library may be symmetric only up to rounding.
constexpr double max_asymmetry = 1e-9;

// A principal moment may exceed the sum of the other two by this fraction before it is called non-physical: flat bodies
// lie on the boundary, and published numbers are rounded.
constexpr double triangle_slack = 1e-6;

std::string item(const char* list, std::size_t i, const char* field) {
  return std::string(list).append("[").append(std::to_string(i)).append("].").append(field);
}

std::string text(const Vector3& v) {
  return to_text(v[0]).append(",").append(to_text(v[1])).append(",").append(to_text(v[2]));
}

void require_finite(const std::string& argument, const Vector3& value) {
  if (!value.allFinite()) throw RobotError(argument, text(value), "must be finite");
}

void require_not_negative(const std::string& argument, double value) {
  if (!(value >= 0)) throw RobotError(argument, value, "must be >= 0");
}

void require_finite_not_negative(const std::string& argument, double value) {
  if (!(value >= 0) || !std::isfinite(value)) throw RobotError(argument, value, "must be finite and >= 0");
}

void require_rotation(const std::string& argument, const Matrix3& R) {
  if (!R.allFinite())
    throw RobotError(argument, R.sum(), "must be a rotation: finite (the sum of its entries is given)");
  const double error = (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= six_digits))
    throw RobotError(argument, error, "must be a rotation (the largest entry of R R^T - 1 is given)");
  if (R.determinant() < 0)
    throw RobotError(argument, R.determinant(), "must be a rotation, not a reflection (the determinant is given)");
}

void require_name(const std::string& argument, const std::string& name, std::set<std::string>& names) {
  if (name.empty()) throw RobotError(argument, "''", "must not be empty");
  if (!names.insert(name).second) throw RobotError(argument, name, "already exists; names must be unique");
}

void check_joint(std::size_t i, Joint& joint) {
  const auto argument = [&](const char* field) { return item("joints", i, field); };
  if (joint.parent < -1 || joint.parent >= static_cast<int>(i))
    throw RobotError(argument("parent"), std::to_string(joint.parent),
                     "must be -1 (the base) or the index of a joint before this one");
  require_rotation(argument("R_PJ"), joint.R_PJ);
  require_finite(argument("p_PJ"), joint.p_PJ);
  require_finite(argument("axis"), joint.axis);
  const double length = joint.axis.stableNorm();
  if (!(std::abs(length - 1) <= six_digits))
    throw RobotError(argument("axis"), text(joint.axis), "must have unit length");
  if (std::abs(length - 1) > rounding) joint.axis /= length;
  if (std::isnan(joint.lower)) throw RobotError(argument("lower"), joint.lower, "must be a number");
  if (!(joint.lower <= joint.upper))
    throw RobotError(argument("upper"), joint.upper, "must be at least lower, " + to_text(joint.lower));
  require_not_negative(argument("velocity"), joint.velocity);
  require_not_negative(argument("effort"), joint.effort);
  require_finite_not_negative(argument("rotor_inertia"), joint.rotor_inertia);
}

void check_body(std::size_t i, const BodyInertia& body) {
  const auto argument = [&](const char* field) { return item("bodies", i, field); };
  require_finite_not_negative(argument("mass"), body.mass);
  require_finite(argument("com"), body.com);
  if (!body.inertia.allFinite())
    throw RobotError(argument("inertia"), body.inertia.sum(), "must be finite (the sum of its entries is given)");
  const double difference = (body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff();
  if (difference > max_asymmetry * body.inertia.cwiseAbs().maxCoeff())
    throw RobotError(argument("inertia"), difference,
                     "must be symmetric (the largest difference between it and its transpose is given)");
}

void check_frame(std::size_t i, const Frame& frame, std::size_t joints) {
  const auto argument = [&](const char* field) { return item("frames", i, field); };
  if (frame.joint < -1 || frame.joint >= static_cast<int>(joints))
    throw RobotError(argument("joint"), std::to_string(frame.joint),
                     "must be -1 (the base) or the index of one of " + std::to_string(joints) + " joints");
  require_rotation(argument("R_JF"), frame.R_JF);
  require_finite(argument("p_JF"), frame.p_JF);
}

}  // namespace

void check_parts(std::vector<Joint>& joints, const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames) {
  if (joints.empty()) throw RobotError("joints", "0", "must be at least one");
  if (bodies.size() != joints.size())
    throw RobotError("bodies", std::to_string(bodies.size()),
                     "must be as many as joints, " + std::to_string(joints.size()));
  std::set<std::string> joint_names, frame_names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    require_name(item("joints", i, "name"), joints[i].name, joint_names);
    check_joint(i, joints[i]);
    check_body(i, bodies[i]);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    require_name(item("frames", i, "name"), frames[i].name, frame_names);
    check_frame(i, frames[i], joints.size());
  }
}

std::optional<std::string> non_physical_inertia(const std::string& owner, double mass, const Matrix3& inertia) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const std::string values = to_text(moments[0], 6) + ", " + to_text(moments[1], 6) + ", " + to_text(moments[2], 6);
  const double slack = triangle_slack * moments.cwiseAbs().maxCoeff();
  const std::string sentence = owner + " has a non-physical inertia: ";
  if (moments[0] < -slack || moments[0] + moments[1] < moments[2] - slack)
    return sentence + "principal moments " + values +
           " kg m^2 (none may be negative or exceed the sum of the other two)";
  if (mass == 0 && moments[2] > 0) return sentence + "no mass, but principal moments " + values + " kg m^2";
  return std::nullopt;
}

std::vector<Warning> with_inertia_warnings(std::vector<Warning> warnings, const std::vector<Joint>& joints,
                                           const std::vector<BodyInertia>& bodies, const std::vector<Frame>& frames) {
  const auto has = [&](WarningCode code, const std::string& subject) {
    return std::ranges::any_of(
        warnings, [&](const Warning& warning) { return warning.code == code && warning.subject == subject; });
  };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string& joint = joints[i].name;
    auto sentence =
        non_physical_inertia(std::string("the body of joint ").append(joint), bodies[i].mass, bodies[i].inertia);
    if (!sentence || has(WarningCode::non_physical_body_inertia, joint)) continue;
    const bool link_has_warning = std::ranges::any_of(frames, [&](const Frame& frame) {
      return frame.joint == static_cast<int>(i) && has(WarningCode::non_physical_link_inertia, frame.name);
    });
    if (!link_has_warning) warnings.push_back({WarningCode::non_physical_body_inertia, joint, std::move(*sentence)});
  }
  return warnings;
}

}  // namespace thud::robot
