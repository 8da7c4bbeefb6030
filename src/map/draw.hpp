#pragma once

/// Postures by number. Private to the library.

#include <thud/conventions.hpp>
#include <thud/robot.hpp>

#include <cstdint>

namespace thud::map {

/// Postures drawn uniformly within the limits of a robot's joints; -pi to pi where a joint that turns has none. Posture
/// k is a function of the seed and k alone: SplitMix64, whose state is a counter.
class Draw {
 public:
  /// Throws InputError for a prismatic joint without limits.
  Draw(const Robot& robot, std::uint64_t seed);

  Eigen::Index joints() const noexcept { return lower_.size(); }

  /// Posture k [rad or m]; `to` has room for one value per joint.
  void posture(std::uint64_t k, double* to) const noexcept;

  /// How far a joint may be from 0 [rad or m].
  double furthest(Eigen::Index joint) const noexcept;

 private:
  VectorX lower_, range_;
  std::uint64_t start_;
};

}  // namespace thud::map
