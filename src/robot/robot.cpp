#include <thud/error.hpp>
#include <thud/robot.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "robot/expanded.hpp"
#include "robot/joint_tree.hpp"
#include "robot/rules.hpp"

namespace THUD_EXPORT thud {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Messages do not print the whole vector, only its length or the first value that is not finite.
void validate_vector(const Robot& robot, const VectorRef& value, const std::string& argument) {
  if (value.size() != robot.size())
    throw InputError(argument, std::to_string(value.size()) + " values",
                     "needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  for (int i = 0; i < robot.size(); ++i)
    if (!std::isfinite(value[i]))
      throw InputError(argument, to_text(value[i]),
                       "must be finite (" + robot.joints()[static_cast<std::size_t>(i)].name + ")");
}

const Frame& find_frame(const Robot& robot, std::string_view name, const std::string& argument) {
  for (const auto& frame : robot.frames())
    if (frame.name == name) return frame;
  std::vector<std::string> names;
  for (const auto& frame : robot.frames()) names.push_back(frame.name);
  throw RobotError(argument, std::string(name), "not a link of " + robot.name() + ", which has " + joined(names));
}

}  // namespace

std::string_view to_string(JointType type) noexcept {
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
  }
  return "";
}

Robot::Robot(std::string name, std::vector<Joint> joints, std::vector<BodyInertia> bodies, std::vector<Frame> frames,
             std::vector<Warning> warnings, std::vector<Follower> followers, Base base)
    : name_(std::move(name)),
      joints_(std::move(joints)),
      bodies_(std::move(bodies)),
      frames_(std::move(frames)),
      followers_(std::move(followers)),
      base_(std::move(base)) {
  robot::check_parts(joints_, bodies_, frames_, followers_);
  if (!(base_.mass >= 0) || !std::isfinite(base_.mass))
    throw RobotError("base.mass", base_.mass, "must be finite and >= 0");
  warnings_ = robot::with_inertia_warnings(std::move(warnings), joints_, bodies_, frames_, followers_);
  const auto is_base_warning = [](const Warning& warning) { return warning.code == WarningCode::fixed_base; };
  if (auto warning = robot::base_warning(base_, joints_, bodies_, followers_);
      warning && std::ranges::none_of(warnings_, is_base_warning))
    warnings_.push_back(std::move(*warning));
}

double Robot::mass() const noexcept {
  double sum = 0;
  for (const auto& body : bodies_) sum += body.mass;
  for (const auto& follower : followers_) sum += follower.body.mass;
  return sum;
}

const Frame& Robot::frame(std::string_view name) const {
  return find_frame(*this, name, "frame");
}

int Robot::joint_index(std::string_view name) const {
  for (int i = 0; i < size(); ++i)
    if (joints_[static_cast<std::size_t>(i)].name == name) return i;
  for (const Follower& follower : followers_)
    if (follower.joint.name == name)
      throw RobotError(
          "joint", std::string(name),
          "follows " + joints_[static_cast<std::size_t>(follower.leader)].name + " and has no position of its own");
  std::vector<std::string> names;
  for (const auto& joint : joints_) names.push_back(joint.name);
  throw RobotError("joint", std::string(name), "not a moving joint of " + name_ + ", which has " + joined(names));
}

Robot Robot::with_rotor_inertia(const VectorRef& rotor_inertia) const {
  validate_vector(*this, rotor_inertia, "rotor");
  Robot robot = *this;
  for (int i = 0; i < size(); ++i) {
    if (rotor_inertia[i] < 0) throw InputError("rotor", rotor_inertia[i], "a rotor inertia must be >= 0");
    robot.joints_[static_cast<std::size_t>(i)].rotor_inertia = rotor_inertia[i];
  }
  return robot;
}

std::vector<std::string> composite_links(const Robot& robot, const ContactPoint& point) {
  validate(robot, point);
  const Robot all = robot::expanded(robot).robot;
  const std::vector<bool> counts = robot::composite_joints(all, point);
  std::vector<std::string> links;
  for (const Frame& frame : all.frames())
    if (frame.joint >= 0 && counts[static_cast<std::size_t>(frame.joint)]) links.push_back(frame.name);
  return links;
}

void validate(const Robot& robot, const ContactPoint& point, std::string_view prefix) {
  const auto argument = [&](const char* field) { return std::string(prefix).append(field); };
  const auto text = [](const Vector3& v) { return to_text(v[0]) + "," + to_text(v[1]) + "," + to_text(v[2]); };
  if (find_frame(robot, point.frame, argument("frame")).joint < 0)
    throw RobotError(argument("frame"), point.frame, "is fixed to the base and cannot hit anything");
  if (!point.offset.allFinite()) throw InputError(argument("offset"), text(point.offset), "must be finite");
  const double length = point.normal_W.stableNorm();
  if (!(length > 0) || !std::isfinite(length))
    throw InputError(argument("normal"), text(point.normal_W), "must be finite and not zero");
}

void validate_positions(const Robot& robot, const VectorRef& q) {
  validate_vector(robot, q, "q");
}

void validate_velocities(const Robot& robot, const VectorRef& dq) {
  validate_vector(robot, dq, "dq");
}

std::vector<Warning> limit_warnings(const Robot& robot, const State& state) {
  std::vector<Warning> warnings;
  const auto warn = [&](const Joint& joint, double position, double rate) {
    if (auto outside = robot::position_warning(joint, position)) warnings.push_back(std::move(*outside));
    if (std::abs(rate) > joint.velocity)
      warnings.push_back(
          {WarningCode::velocity_limit, joint.name,
           joint.name + " moves at " + to_text(rate, 6) + ", above its velocity limit " + to_text(joint.velocity, 6)});
  };
  for (int i = 0; i < robot.size(); ++i) {
    const auto& joint = robot.joints()[static_cast<std::size_t>(i)];
    warn(joint, state.q[i], state.dq[i]);
  }
  for (const Follower& follower : robot.followers())
    warn(follower.joint, follower.multiplier * state.q[follower.leader] + follower.offset,
         follower.multiplier * state.dq[follower.leader]);
  return warnings;
}

}  // namespace thud
