#pragma once

/// An arm with frames of joints for which there is least to compute. Private to the library.

#include <vector>

#include "kernel/kernel.hpp"

namespace thud::kernel {

struct TurnedArm {
  const TurnedJoint* joints;
  long size;
  bool serial;  // each joint moves the next
  long contact_joint, contact_chain;
  double mass, offset[3], normal_W[3];
};

/// A joint's frame may be turned about and moved along its axis without a change to what the joint does. Of each joint
/// it is, where that makes the frame of one joint beyond it follow the Denavit-Hartenberg convention.
class Frames {
 public:
  explicit Frames(const Arm& arm);

  /// Valid as long as this.
  const TurnedArm& arm() const noexcept { return arm_; }
  Frames(const Frames&) = delete;

 private:
  std::vector<TurnedJoint> joints_;
  TurnedArm arm_{};
};

}  // namespace thud::kernel
