#pragma once

/// Private: what a joint log says around a touch.

#include <thud/dataset.hpp>
#include <thud/elastic_arm.hpp>

#include <vector>

namespace thud::studying {

/// Rows [first, last) of a log that describe the touch: those of the last milliseconds before it, at least two. None
/// where the log ends long before.
struct Rows {
  Eigen::Index first = 0, last = 0;
  Eigen::Index count() const { return last - first; }
};
Rows rows_before(const VectorX& time, double touch);

/// Slope of each column over time, by least squares.
VectorX slopes(const VectorX& time, const MatrixX& values);

/// From the positions of the motors, which encoders see, to those of the links: less the torque just before the touch
/// over the stiffness of the transmissions, as far as both are known.
VectorX link_positions(const Drives& drives, const JointLog& joints, const VectorX& motors, double touch);

/// How the controller changed its command after its alarm, from its log of tau*:
///
///   M delta" = tau* - what it was going to be,   that being the line through the last cycles up to the alarm
///
/// delta' is held through a cycle. The controller feeds tau* and the rotors' B delta" forward, and winds the
/// transmissions up by tau*/K. Of changes before the touch the last holds at it. None without an alarm or the log.
std::vector<CommandChange> command_changes(const ElasticArm& arm, const Trial& trial, double touch);

}  // namespace thud::studying
