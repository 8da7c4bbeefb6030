#pragma once

/// Impact detection from joint torques.
///
/// A detector watches a residual: a number that is small while the arm moves freely and large once something pushes it.
/// It works on any stream of torques, simulated or measured, sample by sample in a control loop or over a whole log.
///
/// Joints count from 0 in the robot's order; the paper's joints 5 and 6 are 4 and 5.
/// At a residual of exactly the threshold there is no alarm. One that is not a number counts as above the threshold: a
/// sensor that fails is no reason to go on.

#include <thud/conventions.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace thud {

/// How far the torques of some joints are from what the controller expects.
///
///   sum over the joints of |tau_i - tau*_i|                                   [Wang22, (sec:robot_configuration)]
///
/// joints            indices into the vectors; each counts as often as it is named
/// torque            tau, measured                                    [N m or N]
/// torque_reference  tau*, of the controller's inverse dynamics       [N m or N]
/// Returns [N m]; a prismatic joint's newtons are added as they are. Real-time.
double torque_residual(std::span<const int> joints, const VectorRef& torque,
                       const VectorRef& torque_reference) noexcept;

/// The same against a reference of zero, for torques that are external ones already. Real-time.
double torque_residual(std::span<const int> joints, const VectorRef& external_torque) noexcept;

/// Raises an alarm once the residual was above a threshold so many cycles in a row. The alarm stays until reset.
class ThresholdDetector {
 public:
  /// joints       whose torques are watched, from 0
  /// threshold    largest residual of free motion                                       [N m]
  /// consecutive  cycles in a row above it that make an alarm: 1 is the paper's rule, more ignores single spikes
  /// Throws InputError for no joint, a negative one or one that is named twice, a threshold that is not finite and
  /// greater than 0, consecutive below 1.
  ThresholdDetector(std::vector<int> joints, double threshold, int consecutive = 1);

  /// One cycle. Returns alarm(). The vectors have an entry for every joint that is watched. Real-time.
  bool update(const VectorRef& torque, const VectorRef& torque_reference) noexcept;
  bool update(const VectorRef& external_torque) noexcept;
  bool update(double residual) noexcept;

  bool alarm() const noexcept { return above_ >= consecutive_; }
  double residual() const noexcept { return residual_; }  // of the last cycle [N m]; NaN before the first
  void reset() noexcept;                                  // forgets alarm and residual

  std::span<const int> joints() const noexcept { return joints_; }
  double threshold() const noexcept { return threshold_; }  // [N m]
  int consecutive() const noexcept { return consecutive_; }

 private:
  std::vector<int> joints_;
  double threshold_;
  int consecutive_;
  int above_ = 0;  // cycles in a row above the threshold
  double residual_ = std::numeric_limits<double>::quiet_NaN();
};

/// When a detector would have raised its alarm on a log.
struct Alarm {
  std::size_t sample = 0;                                      ///< row of the log
  double time = std::numeric_limits<double>::quiet_NaN();      ///< of that sample                         [s]
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< there                                  [N m]
};

/// The first alarm of a log at or after the time `start`, by a detector that begins there; none if there is none.
///
/// time              finite, strictly increasing; steps may be uneven        [s]          (samples)
/// torque            measured                                               [N m or N]   (samples x joints)
/// torque_reference  as in torque_residual, at the same times               [N m or N]   (samples x joints)
/// An alarm before the first touch is a false one; after it, its time less that of the touch is the delay.
/// Throws InputError for an empty log, shapes that do not fit, a number that is not finite, time that does not
/// increase, a watched joint that the log does not have, a start that is NaN.
std::optional<Alarm> find_alarm(const VectorRef& time, const MatrixRef& torque, const MatrixRef& torque_reference,
                                ThresholdDetector detector, double start = -std::numeric_limits<double>::infinity());
std::optional<Alarm> find_alarm(const VectorRef& time, const MatrixRef& external_torque, ThresholdDetector detector,
                                double start = -std::numeric_limits<double>::infinity());

/// The largest residual of a log at times in [from, to], where the arm is known to move freely [N m].
///
/// A threshold at this level or above raises no alarm there; how far above is the margin, for the user to state.
/// Throws InputError as find_alarm does, for no joints, and for a span without a sample.
double quiet_level(const VectorRef& time, const MatrixRef& torque, const MatrixRef& torque_reference,
                   std::span<const int> joints, double from, double to);
double quiet_level(const VectorRef& time, const MatrixRef& external_torque, std::span<const int> joints, double from,
                   double to);

}  // namespace thud
