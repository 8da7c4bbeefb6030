#pragma once

/// Impact detection from joint torques.
///
/// A detector watches a residual: a number that is small while the arm moves freely and large once something pushes it.
/// It works on any stream of torques, simulated or measured, sample by sample in a control loop or over a whole log.
/// There are two residuals. The first compares the torques with those the controller expects. It needs no model here,
/// and is as good as the controller's. The second needs the robot's inertias, and no accelerations: the momentum tells
/// what the torques do not explain.
///
///   bool hit = detector.update(torque, torque_reference);               // the paper's way
///   bool hit = detector.update(observer.update(q, dq, torque, dt));     // by the momentum
///
/// The momentum observer is that of De Luca and Mattone (2005). By Lagrange's equations the generalized momentum
/// p = M dq obeys
///
///   d/dt p = tau + dL/dq + tau_ext,   dL/dq = C^T dq - g
///
/// with tau the torques that the joints exert on the links and tau_ext what else acts: a force F_W on the robot at a
/// point with Jacobian J_v counts as +J_v^T F_W. All but tau_ext is known, so let
///
///   r = K (p - p(0) - integral of (tau + dL/dq + r) dt),   that is   dr/dt = K (tau_ext - r),   r(0) = 0
///
/// and r follows tau_ext joint by joint, as a low-pass of time constant 1/K: after a step of tau_ext at t = 0 it is
/// tau_ext (1 - exp(-K t)). A larger gain K answers faster and lets more of the noise of dq through.
///
/// Model errors are in r as well: friction behind the torque sensor, wrong inertias, a payload.
///
/// Joints count from 0 in the robot's order; the paper's joints 5 and 6 are 4 and 5.
/// At a residual of exactly the threshold there is no alarm. One that is not a number counts as above the threshold: a
/// sensor that fails is no reason to continue.

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/lagrange.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace THUD_EXPORT thud {

/// How far the torques of some joints are from what the controller expects.
///
///   sum over the joints of |tau_i - tau*_i|                                   [Wang22, (sec:robot_configuration)]
///
/// joints            indices into the vectors; each counts as often as it is listed
/// torque            tau, measured                                    [N m or N]
/// torque_reference  tau*, of the controller's inverse dynamics       [N m or N]
/// Returns [N m]; a prismatic joint's newtons are added as they are. Real-time.
double torque_residual(std::span<const int> joints, const VectorRef& torque,
                       const VectorRef& torque_reference) noexcept;

/// The same against a reference of zero, for torques that are external ones already. Real-time.
double torque_residual(std::span<const int> joints, const VectorRef& external_torque) noexcept;

/// Raises an alarm once the residual was above a threshold for a number of consecutive cycles. The alarm stays until
/// reset.
class ThresholdDetector {
 public:
  /// joints       whose torques are watched, from 0
  /// threshold    largest residual of free motion                                       [N m]
  /// consecutive  cycles in a row above it that make an alarm: 1 is the paper's rule, more ignores single spikes
  /// Throws InputError for no joint, a negative one or one that is named twice, a threshold that is not finite and
  /// greater than 0, consecutive below 1.
  ThresholdDetector(std::vector<int> joints, double threshold, int consecutive = 1);

  /// One cycle. Returns alarm(). The vectors have an entry for every joint in `joints`. Real-time.
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

/// A gain for control at 1 kHz [1/s]: a time constant of 2 ms, two cycles. Lab and study observe with it.
inline constexpr double usual_gain = 500;

/// Estimates the external torque on each joint from positions, rates and torques: r above.
class MomentumObserver {
 public:
  /// robot      with its rotor inertias if the torque is the motors', reflected to the joint; without them if it is
  ///            measured between transmission and link
  /// gain       K, inverse of the time constant  [1/s]
  /// Throws InputError for a gain that is not finite and greater than 0 or a gravity that is not finite.
  MomentumObserver(const Robot& robot, double gain, const Vector3& gravity_W = earth_gravity_W);

  /// One cycle. Returns external_torque(): zero in the first cycle, whose momentum is p(0) and whose dt is not used.
  ///
  /// q, dq, torque  measured at the same instant, a finite value per joint  [rad or m], [rad/s or m/s], [N m or N]
  /// dt             time since the cycle before, > 0                        [s]
  ///
  /// The step is exact for a tau_ext that is constant in it, so that no gain and no gap makes it unstable; the integral
  /// of the torques is by the trapezoidal rule. A number that is not finite stays in r until reset. Real-time.
  const VectorX& update(const VectorRef& q, const VectorRef& dq, const VectorRef& torque, double dt) noexcept;

  const VectorX& external_torque() const noexcept { return external_torque_; }  // r [N m or N]  (joints)
  void reset() noexcept;                                                        // begins anew with the next cycle

 private:
  LagrangeWorkspace workspace_;
  double gain_;
  bool running_ = false;
  VectorX momentum_;         // p of the last cycle
  VectorX momentum_rate_;    // tau + dL/dq of the last cycle
  VectorX external_torque_;  // r
};

/// When a detector would have raised its alarm on a log.
struct Alarm {
  std::size_t sample = 0;                                      ///< row of the log
  double time = std::numeric_limits<double>::quiet_NaN();      ///< of that sample                         [s]
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< there                                  [N m]
};

/// The first alarm of a log at or after the time `start`, by a detector that starts there; empty if there is none.
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

/// What a MomentumObserver makes of a log: the external torque at each sample [N m or N] (samples x joints), for
/// find_alarm and quiet_level.
///
/// time, torque         as for find_alarm
/// position, velocity   of the joints at the same times         [rad or m], [rad/s or m/s]   (samples x joints)
/// robot, gain, gravity as for MomentumObserver
/// Throws InputError as find_alarm and MomentumObserver do.
MatrixX external_torques(const Robot& robot, const VectorRef& time, const MatrixRef& position,
                         const MatrixRef& velocity, const MatrixRef& torque, double gain,
                         const Vector3& gravity_W = earth_gravity_W);

}  // namespace thud
