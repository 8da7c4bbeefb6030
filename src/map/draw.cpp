#include "map/draw.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thud::map {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: the step of the counter

std::uint64_t mixed(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Draw::Draw(const Robot& robot, std::uint64_t seed)
    : lower_(robot.size()), range_(robot.size()), start_(mixed(seed + golden)) {
  for (Eigen::Index i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const bool limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    if (!limited && joint.type == JointType::prismatic)
      throw InputError("joint", joint.name, "slides without limits: no posture can be drawn");
    lower_[i] = limited ? joint.lower : -std::numbers::pi;
    range_[i] = limited ? joint.upper - joint.lower : 2 * std::numbers::pi;
  }
}

void Draw::posture(std::uint64_t k, double* to) const noexcept {
  const Eigen::Index n = joints();
  std::uint64_t counter = start_ + k * static_cast<std::uint64_t>(n) * golden;
  for (Eigen::Index i = 0; i < n; ++i) {
    counter += golden;
    to[i] = lower_[i] + range_[i] * (static_cast<double>(mixed(counter) >> 11) * 0x1p-53);
  }
}

double Draw::furthest(Eigen::Index joint) const noexcept {
  return std::max(std::abs(lower_[joint]), std::abs(lower_[joint] + range_[joint]));
}

}  // namespace thud::map
