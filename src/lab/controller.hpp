#pragma once

/// Private: velocity control of the virtual lab. A QP in joint velocities, once per cycle, with a separate rigid model.

#include <thud/campaign.hpp>
#include <thud/conventions.hpp>
#include <thud/dynamics.hpp>
#include <thud/limit.hpp>
#include <thud/robot.hpp>

#include "lab/box_program.hpp"
#include "lab/plant.hpp"

namespace thud::lab {

/// The controller's command for one cycle.
struct Command {
  VectorX q, dq, ddq;        // commanded motion at the cycle's start; dq is held through the cycle
  VectorX torque_reference;  // tau*, of the links at that motion [N m]
};

class Controller {
 public:
  /// `touch` is the posture in which the contact point should meet the wall.
  Controller(const Campaign& campaign, const Robot& robot, const VectorX& touch);

  /// Posture with the contact point `distance` [m] before the touch along the normal and the same orientation.
  /// Throws InputError if there is none.
  VectorX posture_before_touch(double distance);

  /// Starts at rest in a posture.
  void start(const VectorX& q);

  /// The next cycle, with this velocity of the contact point along the normal (< 0 approaches) [m/s].
  ///
  ///   min over dq   w_l |J_v dq - v|^2 + w_a |J_w dq - w|^2 + w_p |dq - g (q_touch - q)|^2
  ///   subject to    limits of velocity, of acceleration since the last cycle, and of position over the next ones;
  ///                 where the campaign expects a hit, limits of velocity and effort through it
  /// `brake` scales the acceleration limits of the campaign.
  const Command& next(double normal_velocity, double brake = 1);
  const Command& command() const noexcept { return command_; }

  /// Servo gains on the motor's velocity: damping_ratio of the critical value with the joint's total inertia.
  const VectorX& servo_damping() const noexcept { return servo_damping_; }

 private:
  void limits(double brake, VectorX& lower, VectorX& upper) const;
  Rows impact_limits(const VectorX& q, const VectorX& before);

  Robot robot_;
  Control control_;
  Vector3 normal_W_;
  VectorX touch_;
  Plant arm_;  // rigid: kinematics and inverse dynamics
  Vector3 path_W_;
  Eigen::Quaterniond orientation_;
  VectorX servo_damping_;
  Command command_;
  Limits impact_limits_;
  DynamicsWorkspace links_;  // of impact_limits
  BoxProgram program_;
};

}  // namespace thud::lab
