#include "map/box.hpp"

#include <algorithm>
#include <utility>

namespace thud::map {

constexpr double at_bound = 1e-9;  // [rad or m]

Box::Box(const Robot& robot) : lower(robot.size()), upper(robot.size()) {
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    lower[i] = joint.lower;
    upper[i] = joint.upper;
  }
  // what a follower may do, its leader may do
  for (const Follower& follower : robot.followers()) {
    if (follower.multiplier == 0) continue;
    double low = (follower.joint.lower - follower.offset) / follower.multiplier;
    double high = (follower.joint.upper - follower.offset) / follower.multiplier;
    if (follower.multiplier < 0) std::swap(low, high);
    lower[follower.leader] = std::max(lower[follower.leader], low);
    upper[follower.leader] = std::min(upper[follower.leader], high);
  }
}

void Box::clamp(VectorX& q) const noexcept {
  q = q.cwiseMin(upper).cwiseMax(lower);
}

bool Box::at_lower(const VectorX& q, Eigen::Index joint) const noexcept {
  return q[joint] <= lower[joint] + at_bound;
}

bool Box::at_upper(const VectorX& q, Eigen::Index joint) const noexcept {
  return q[joint] >= upper[joint] - at_bound;
}

}  // namespace thud::map
