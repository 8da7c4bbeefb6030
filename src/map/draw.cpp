#include "map/draw.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "foundation/splitmix.hpp"
#include "map/box.hpp"

namespace thud::map {
using foundation::splitmix;
using foundation::splitmix_step;

Draw::Draw(const Robot& robot, std::uint64_t seed)
    : lower_(robot.size()), range_(robot.size()), start_(splitmix(seed + splitmix_step)) {
  const Box box(robot);
  for (Eigen::Index i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    double low = box.lower[i], high = box.upper[i];
    if (joint.type == JointType::prismatic && !(std::isfinite(low) && std::isfinite(high)))
      throw InputError("joint", joint.name, "slides without limits: no posture can be drawn");
    if (std::isinf(low)) low = std::isinf(high) ? -std::numbers::pi : high - 2 * std::numbers::pi;
    if (std::isinf(high)) high = low + 2 * std::numbers::pi;
    lower_[i] = low;
    range_[i] = high - low;
  }
}

void Draw::posture(std::uint64_t k, double* to) const noexcept {
  const Eigen::Index n = joints();
  std::uint64_t counter = start_ + k * static_cast<std::uint64_t>(n) * splitmix_step;
  for (Eigen::Index i = 0; i < n; ++i) {
    counter += splitmix_step;
    to[i] = lower_[i] + range_[i] * (static_cast<double>(splitmix(counter) >> 11) * 0x1p-53);
  }
}

double Draw::furthest(Eigen::Index joint) const noexcept {
  return std::max(std::abs(lower_[joint]), std::abs(lower_[joint] + range_[joint]));
}

}  // namespace thud::map
