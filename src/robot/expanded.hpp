#pragma once

/// A robot with its followers as joints of their own. Private to the library.

#include <thud/robot.hpp>

#include <cstddef>
#include <vector>

namespace thud::robot {

/// What moves a joint of the expanded robot: multiplier q[joint] + offset.
struct Coordinate {
  int joint;  // index among the joints of the robot itself
  double multiplier = 1;
  double offset = 0;
};

/// A robot with its followers as joints like others, and what moves each of them. Without followers it is the robot
/// itself.
struct Expanded {
  Robot robot;
  std::vector<Coordinate> coordinates;  // of each of its joints
  std::vector<int> place;               // of joint i, then of follower k: its index in this robot

  /// Of all its joints, from those of the robot itself [rad or m].
  VectorX positions(const VectorRef& q) const {
    VectorX all(static_cast<Eigen::Index>(coordinates.size()));
    for (Eigen::Index i = 0; i < all.size(); ++i) {
      const Coordinate& coordinate = coordinates[static_cast<std::size_t>(i)];
      all[i] = coordinate.multiplier * q[coordinate.joint] + coordinate.offset;
    }
    return all;
  }
};
Expanded expanded(const Robot& robot);

}  // namespace thud::robot
