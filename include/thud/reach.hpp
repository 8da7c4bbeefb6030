#pragma once

/// Bring a tool to a place: the posture near a given one that does, as a hand drags it.

#include <thud/aim.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <limits>
#include <string_view>

namespace THUD_EXPORT thud {

/// Whether the contact point came to its target.
enum class ReachStatus {
  not_run,  ///< not computed yet
  reached,  ///< position and, where it is told, orientation are those of the target to 1e-10 m, and 0.3 m times rad
  nearest,  ///< the nearest posture that was found on the way
};

/// "not_run", "reached" or "nearest".
std::string_view to_string(ReachStatus status) noexcept;

/// A posture, and where it leaves the tool.
struct ReachResult {
  ReachStatus status = ReachStatus::not_run;
  VectorX q{};                     // within the joints' limits [rad or m]                                      (n)
  Vector3 p_W = Vector3::Zero();   // of the contact point [m]
  Matrix3 R_WF = Matrix3::Zero();  // of the frame that is hit
  double position_error = std::numeric_limits<double>::quiet_NaN();  // distance to the target [m]
  double angle_error = std::numeric_limits<double>::quiet_NaN();     // to its orientation; 0 where it is free [rad]
};

struct ReachOptions {
  int steps = 20;  ///< at most, > 0
};

/// Moves the joints from q so that the contact point comes to the target: steps of damped least squares,
///
///   dq = J^T (J J^T + lambda 1)^-1 e,   lambda = |e|^2/1000
///
/// with e what is missing, angles counted as 0.3 m/rad, and J its derivative over the joints that are not at a limit
/// they would leave. A step moves no joint by more than 0.6 rad or m. The damping keeps steps finite where the arm is
/// singular and vanishes at the target, so that the last steps are Newton's. No step is kept that leads away: what is
/// returned is never farther from the target than q is, moved into the joints' limits where it lies outside.
///
/// Throws InputError unless q has one finite value per joint, for options outside the ranges of their lines, and for a
/// target that is not finite or not a rotation; RobotError as contact_dynamics.
ReachResult reach(const Robot& robot, const ContactPoint& point, const AimTarget& target, const VectorRef& q,
                  const ReachOptions& options = {});

}  // namespace thud
