// Robots from robots: joints locked, tools added, followers as joints of their own.

#include <thud/error.hpp>
#include <thud/robot.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <Eigen/Geometry>

#include "robot/body.hpp"
#include "robot/expanded.hpp"
#include "robot/rules.hpp"

namespace thud::robot {

Expanded expanded(const Robot& robot) {
  const std::size_t n = robot.joints().size(), all = n + robot.followers().size();
  Expanded result{robot, {}, std::vector<int>(all, -1)};
  if (robot.followers().empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      result.coordinates.push_back({static_cast<int>(i)});
      result.place[i] = static_cast<int>(i);
    }
    return result;
  }
  const auto joint_of = [&](std::size_t i) -> const Joint& {
    return i < n ? robot.joints()[i] : robot.followers()[i - n].joint;
  };
  // Parents first: as often as a joint hangs on a follower that hangs on a joint. The constructor has checked that
  // each reaches the base.
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  while (joints.size() < all)
    for (std::size_t i = 0; i < all; ++i) {
      const int parent = joint_of(i).parent;
      if (result.place[i] >= 0 || (parent >= 0 && result.place[static_cast<std::size_t>(parent)] < 0)) continue;
      result.place[i] = static_cast<int>(joints.size());
      joints.push_back(joint_of(i));
      if (parent >= 0) joints.back().parent = result.place[static_cast<std::size_t>(parent)];
      if (i < n) {
        bodies.push_back(robot.bodies()[i]);
        result.coordinates.push_back({static_cast<int>(i)});
      } else {
        const Follower& follower = robot.followers()[i - n];
        bodies.push_back(follower.body);
        result.coordinates.push_back({follower.leader, follower.multiplier, follower.offset});
      }
    }
  std::vector<Frame> frames = robot.frames();
  for (Frame& frame : frames)
    if (frame.joint >= 0) frame.joint = result.place[static_cast<std::size_t>(frame.joint)];
  result.robot = Robot(robot.name(), std::move(joints), std::move(bodies), std::move(frames), robot.warnings());
  return result;
}

namespace {

// The pose of a joint's frame in that of its parent, at a position.
Pose joint_pose(const Joint& joint, double position) {
  if (joint.type == JointType::prismatic) return {joint.R_PJ, joint.p_PJ + joint.R_PJ * (position * joint.axis)};
  return {joint.R_PJ * Eigen::AngleAxisd(position, joint.axis).toRotationMatrix(), joint.p_PJ};
}

// Where a joint of the expanded robot is once others are locked: itself, or fixed to another or to the base.
struct Seat {
  int carrier = -1;  // index in the order of the expanded robot; -1 is the base
  Pose at;           // of the joint's frame in that of the carrier
};

}  // namespace
}  // namespace thud::robot

namespace THUD_EXPORT thud {

Robot Robot::reduced(const std::map<std::string, double>& locked) const {
  std::vector<bool> is_locked(joints_.size());
  std::vector<double> position(joints_.size());
  std::vector<Warning> warnings = robot::without_own_warnings(warnings_);
  for (const auto& [name, value] : locked) {
    const int index = joint_index(name);
    if (!std::isfinite(value)) throw InputError("position of " + name, value, "must be finite");
    const auto i = static_cast<std::size_t>(index);
    is_locked[i] = true;
    position[i] = value;
    if (auto outside = robot::position_warning(joints_[i], value)) warnings.push_back(std::move(*outside));
  }
  if (std::ranges::find(is_locked, false) == is_locked.end())
    throw RobotError("locked", std::to_string(locked.size()) + " joints",
                     "must leave a joint of " + name_ + " to move");

  Base base = base_;
  // Walk outwards: a joint that is locked rides on the carrier of its parent, its body with it.
  const robot::Expanded all = robot::expanded(*this);
  const std::vector<Joint>& given = all.robot.joints();
  std::vector<robot::Seat> seats(given.size());
  std::vector<BodyInertia> merged = all.robot.bodies();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [leader, multiplier, offset] = all.coordinates[i];
    const auto at = static_cast<std::size_t>(leader);
    const robot::Seat parent = given[i].parent < 0 ? robot::Seat{} : seats[static_cast<std::size_t>(given[i].parent)];
    if (is_locked[at]) {
      seats[i] = {parent.carrier, parent.at * robot::joint_pose(given[i], multiplier * position[at] + offset)};
      if (parent.carrier >= 0)
        robot::merge(merged[static_cast<std::size_t>(parent.carrier)], seats[i].at, merged[i]);
      else
        base.mass += merged[i].mass;
    } else {
      seats[i].carrier = static_cast<int>(i);
    }
  }

  // The joints and followers that are left, in their order, and their new indices.
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Follower> followers;
  std::vector<int> index(joints_.size() + followers_.size(), -1);  // of joint i, then of follower k: the new one
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (!is_locked[i]) {
      index[i] = static_cast<int>(joints.size());
      joints.push_back(joints_[i]);
      bodies.push_back(merged[static_cast<std::size_t>(all.place[i])]);
    }
  for (std::size_t k = 0; k < followers_.size(); ++k)
    if (!is_locked[static_cast<std::size_t>(followers_[k].leader)]) {
      index[joints_.size() + k] = static_cast<int>(joints.size() + followers.size());
      followers.push_back(followers_[k]);
      followers.back().leader = index[static_cast<std::size_t>(followers_[k].leader)];
      followers.back().body = merged[static_cast<std::size_t>(all.place[joints_.size() + k])];
    }
  std::vector<int> new_index(given.size(), -1);  // of each joint of the expanded robot
  for (std::size_t i = 0; i < index.size(); ++i) new_index[static_cast<std::size_t>(all.place[i])] = index[i];

  // Hang joints, followers and frames on their carriers.
  const auto seat_of = [&](int old) {
    return old < 0 ? robot::Seat{} : seats[static_cast<std::size_t>(all.place[static_cast<std::size_t>(old)])];
  };
  const auto carrier_of = [&](const robot::Seat& seat) {
    return seat.carrier < 0 ? -1 : new_index[static_cast<std::size_t>(seat.carrier)];
  };
  const auto hang = [&](Joint& joint) {
    const robot::Seat seat = seat_of(joint.parent);
    const robot::Pose placed = seat.at * robot::Pose{joint.R_PJ, joint.p_PJ};
    joint.parent = carrier_of(seat);
    joint.R_PJ = placed.R;
    joint.p_PJ = placed.p;
  };
  for (Joint& joint : joints) hang(joint);
  for (Follower& follower : followers) hang(follower.joint);
  std::vector<Frame> frames = frames_;
  for (Frame& frame : frames) {
    const robot::Seat seat = seat_of(frame.joint);
    const robot::Pose placed = seat.at * robot::Pose{frame.R_JF, frame.p_JF};
    frame.joint = carrier_of(seat);
    frame.R_JF = placed.R;
    frame.p_JF = placed.p;
  }
  return {name_,
          std::move(joints),
          std::move(bodies),
          std::move(frames),
          std::move(warnings),
          std::move(followers),
          std::move(base)};
}

Robot Robot::chain_to(std::string_view frame, const std::map<std::string, double>& locked) const {
  const int carrier = this->frame(frame).joint;
  if (carrier < 0) throw RobotError("frame", std::string(frame), "is fixed to the base: no joint lies between");
  std::vector<bool> kept(joints_.size());
  for (int i = carrier; i >= 0;) {
    const auto at = static_cast<std::size_t>(i);
    const bool follows = at >= joints_.size();
    const Follower* follower = follows ? &followers_[at - joints_.size()] : nullptr;
    kept[follower ? static_cast<std::size_t>(follower->leader) : at] = true;
    i = follower ? follower->joint.parent : joints_[at].parent;
  }
  std::map<std::string, double> positions = locked;
  std::set<std::string> at_zero;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (!kept[i] && positions.emplace(joints_[i].name, 0).second) at_zero.insert(joints_[i].name);
  Robot chain = reduced(positions);
  // Nobody asked for 0, and for most purposes it does not matter.
  std::erase_if(chain.warnings_, [&](const Warning& warning) {
    return warning.code == WarningCode::position_limit && at_zero.contains(warning.subject);
  });
  return chain;
}

Robot Robot::with_tool(std::string_view frame, const BodyInertia& tool) const {
  const Frame& at = this->frame(frame);
  if (at.joint < 0) throw RobotError("frame", std::string(frame), "is fixed to the base and moves no tool");
  if (!(tool.mass >= 0) || !std::isfinite(tool.mass))
    throw InputError("tool.mass", tool.mass, "must be finite and >= 0");
  if (!tool.com.allFinite()) throw InputError("tool.com", tool.com.sum(), "must be finite (the sum of it is given)");
  if (!tool.inertia.allFinite() || tool.inertia != tool.inertia.transpose())
    throw InputError("tool.inertia", tool.inertia.sum(), "must be finite and symmetric (the sum of it is given)");
  std::vector<BodyInertia> bodies = bodies_;
  std::vector<Follower> followers = followers_;
  const auto carrier = static_cast<std::size_t>(at.joint);
  BodyInertia& body = carrier < bodies.size() ? bodies[carrier] : followers[carrier - bodies.size()].body;
  robot::merge(body, {at.R_JF, at.p_JF}, tool);
  if (!std::isfinite(body.mass) || !body.com.allFinite() || !body.inertia.allFinite())
    throw InputError("tool.mass", tool.mass, "is too large to compute with");
  std::vector<Warning> warnings = robot::without_own_warnings(warnings_);
  const std::string owner = "the tool at " + at.name;
  if (auto sentence = robot::non_physical_inertia(owner, tool.mass, tool.inertia))
    warnings.push_back({WarningCode::non_physical_link_inertia, at.name, std::move(*sentence)});
  if (auto sentence = robot::implausible_inertia(owner, tool.mass, tool.inertia, tool.com.norm()))
    warnings.push_back({WarningCode::implausible_link_inertia, at.name, std::move(*sentence)});
  return {name_, joints_, std::move(bodies), frames_, std::move(warnings), std::move(followers), base_};
}

}  // namespace thud
