#pragma once

/// How hard may an arm hit? Limits of its joints, of the contact and of a person; the highest approach speed that keeps
/// them all; and the same limits as rows for a controller.
///
/// With j = n.J_v, an approach at the speed s > 0 along joint rates d, j d = -1, is dq = s d. After a hit with the
/// restitution e, the jump of the models written as a projector,
///
///   dq+ = (1 - (1 + e) P) dq,   P = p j,   j p = 1
///   p = m_n M^-1 j^T               generalized momentum                                              [Zheng85]
///   p = J_v^+ W n/(n.W n)          the other models                                                  [Wang22b]
///
/// An engineering aid. No number of it is a certified safety function.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/drives.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>
#include <thud/warning.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What limits the speed of an approach.
enum class LimitKind {
  joint_speed_before,
  joint_speed_after,
  joint_torque,      ///< during the hit, with what gravity takes
  collision_torque,  ///< external torque at which the robot's own safety stops it
  collision_force,   ///< external force at which it does
  peak_force,        ///< of the contact
  body_force,        ///< on a person
  body_pressure      ///< on a person
};

/// The words of the command line: "joint_speed_before", ...
std::string_view to_string(LimitKind kind) noexcept;

/// Limits of an arm of n joints and of its contact. A vector is empty, or an entry NaN, where there is no limit.
struct Limits {
  VectorX speed{};             ///< of the joints, before and after a hit [rad/s or m/s]  (n)
  VectorX torque{};            ///< of the joints, during a hit [N m or N]                (n)
  VectorX collision_torque{};  ///< threshold of the robot's own safety [N m or N]        (n)
  double collision_force = std::numeric_limits<double>::quiet_NaN();  ///< threshold of it at the contact [N]
  double force = std::numeric_limits<double>::quiet_NaN();            ///< largest at the contact [N]
};

/// Throws InputError, naming quantity and joint, for a vector that has neither n values nor none, and for a value that
/// is not positive.
void validate(const Limits& limits, int joints);

/// Those of the robot's description: speed and effort of its joints.
Limits robot_limits(const Robot& robot);

/// The first, with the values of the second where it has any.
Limits with_limits(const Limits& limits, const Limits& over);

/// A region of a person's body.                                                           [ISO15066, (A.2)]
struct BodyRegion {
  std::string name{};
  double force = 0;      ///< F_s > 0, that a person bears for long [N]
  double pressure = 0;   ///< p_s > 0, the least of the region's places [Pa]
  double stiffness = 0;  ///< k > 0 [N/m]
  double mass = 0;       ///< m_H > 0, of the region when it is free to move [kg]
  double transient = 2;  ///< how many times as much it bears for a moment; 0: no hit is permitted [1]
};

/// Throws InputError unless the values are in the ranges of their lines and finite.
void validate(const BodyRegion& region);

/// A hit on a person.
struct BodyContact {
  BodyRegion region{};
  bool clamped = false;                                    ///< against something that does not give way
  double area = std::numeric_limits<double>::quiet_NaN();  ///< of the contact [m^2]; NaN: pressure is not judged
};

/// The highest speeds at which a person's body may be met [m/s].
struct BodySpeeds {
  double force, pressure;  // by force and by pressure
};

/// The highest speed at which a mass may meet a person's body by force and by pressure [m/s]:
///
///   v = F/sqrt(k mu),  v = p A/sqrt(k mu),   1/mu = 1/m_R + 1/m_H                        [ISO15066, (A.3)]
///
/// F, p are the transient limits of a body that is free to move; those of long contacts, and 1/m_H = 0, of one that is
/// clamped. 0 where no hit is permitted; the second is NaN without an area. mass  m_R > 0 [kg]. Real-time.
BodySpeeds body_speeds(const BodyContact& contact, double mass) noexcept;

struct SpeedLimitOptions {
  std::optional<InertiaModel> model{};  ///< none: the cautious one, with the lowest speed
  std::optional<ContactLaw> law{};      ///< of what is hit: gives peak force, contact time and restitution
  std::optional<double> restitution{};  ///< e, 0 to 1, of the joints' jump; none: the law's own, 0 without a law
  std::optional<Drives>
      drives{};  ///< with a law: peaks of force and torque are the elastic arm's, ringing after the hit
  std::optional<BodyContact> body{};
};

/// One limit, and the approach speed at which it is met.
struct SpeedLimitRow {
  LimitKind kind = LimitKind::joint_speed_before;
  int joint = -1;    // -1: of no joint
  double bound = 0;  // rad/s, m/s; N m, N; Pa
  double speed = 0;  // along the normal [m/s]; infinite where the limit does not bind below 100 m/s
};

/// How fast an arm may hit.
struct SpeedLimit {
  double speed = 0;                      // along the normal, v_n = -speed [m/s]; infinite without any limit that binds
  std::optional<std::size_t> binding{};  // the row that says so
  InertiaModel model = InertiaModel::generalized_momentum;
  VectorX dq{};  // joint rates of the approach at that speed; at 1 m/s where it is infinite    (n)
  std::vector<SpeedLimitRow> rows{};
  std::vector<Warning> warnings{};
};

/// The highest speed of an approach along the joint rates `direction`, of any length, that meets every limit during and
/// after the hit.
///
///   joint speed         |d_i| s,  |d_i + (1 + e) p_i| s
///   joint torque        |g_i| + (pi/2) (1 + e) m_n s |j_i|/T: mean over the contact time T of the law, times what the
///                       peak of a half sine has above its mean; with drives the largest torque of the transmission,
///                       in a contact of at most 50 ms and while the arm rings for 100 ms after it
///   collision torque    the same without gravity's
///   forces              the law's peak with the model's mass; with drives the elastic arm's
///
/// Joints and forces are judged as against something that does not move, a person's body by its own mass. Limits that
/// cannot be judged, torques without a law or without an end of its contact, have no row, and a warning says so.
/// Throws InputError, also where `direction` does not approach, and where no model exists; Interrupted once run.stop is
/// true: an arm with drives takes up to a second. Of `run` nothing else is used.
SpeedLimit speed_limit(const Robot& robot, const ContactPoint& point, const VectorRef& q, const VectorRef& direction,
                       const Limits& limits, const SpeedLimitOptions& options = {}, const RunOptions& run = {});

/// The same over all approaches: max -j dq subject to every limit, a linear programme. The rows are those along the
/// approach that was found.
SpeedLimit fastest_approach(const Robot& robot, const ContactPoint& point, const VectorRef& q, const Limits& limits,
                            const SpeedLimitOptions& options = {}, const RunOptions& run = {});

/// What a controller knows of a hit that may come.
struct ExpectedHit {
  InertiaModel model = InertiaModel::generalized_momentum;
  double restitution = 0;                                          ///< e, 0 to 1
  double contact_time = std::numeric_limits<double>::quiet_NaN();  ///< T [s]; NaN: torques are not limited
};

/// The speed limit by the joints alone, of plain numbers that are known to be good: speeds before and after, and
/// torques with (pi/2) (1 + e) m_n s |j_i|/T. gravity  torques that hold the arm (n). Infinite where nothing binds, NaN
/// where the model does not exist. Real-time.
double joint_speed_limit(const ContactDynamics& dynamics, const VectorRef& direction, const Limits& limits,
                         const VectorRef& gravity, const ExpectedHit& hit) noexcept;

/// lower <= A ddq <= upper. The first n rows keep the joint speeds after a hit, the others the torques during it; rows
/// without a limit are infinite on both sides.
struct ImpactRows {
  explicit ImpactRows(int joints);

  MatrixX A;             // (2n x n)
  VectorX lower, upper;  // (2n)
};

/// Rows for a controller that decides joint accelerations over a period, for a hit that may happen at its end, with
/// dq' = dq + ddq dt:
///
///   -speed <= (1 - (1 + e) P) dq' <= speed
///   |g_i| - (pi/2) (1 + e) m_n |j_i| (j dq')/T <= torque_i
///
/// Exact for a hit at the end of the period; a controller uses them only while a hit may come. period  dt > 0 [s].
/// NaN where the model does not exist. Real-time.
void impact_rows(const ContactDynamics& dynamics, const VectorRef& dq, double period, const Limits& limits,
                 const VectorRef& gravity, const ExpectedHit& hit, ImpactRows& rows) noexcept;

/// The same, checked and in memory of its own. Throws InputError.
ImpactRows impact_rows(const ContactDynamics& dynamics, const VectorRef& dq, double period, const Limits& limits,
                       const VectorRef& gravity, const ExpectedHit& hit = {});

}  // namespace thud
