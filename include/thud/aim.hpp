#pragma once

/// From which posture should an arm hit? The best one for a hit at a given point, and the approach that makes an object
/// leave at a given speed.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/drives.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>
#include <thud/limit.hpp>
#include <thud/object.hpp>
#include <thud/robot.hpp>
#include <thud/run.hpp>
#include <thud/warning.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Gradient of the inverse of the effective mass along the normal, d(1/m_n)/dq [1/(kg rad) or 1/(kg m)] (n). With
/// a = J_v^T n, y = M^-1 a, r = p - c, z = Ic^-1 (r x n):
///
///   generalized momentum   2 (da)^T y - y^T dM y
///   composite rigid body   2 ((dp - dc) x n).z - z^T dIc z
///   flexible joints        the sum of both, less the gradient of (n/m, z).A_G y, the velocity of the point if the arm
///                          had the momentum of the rates y as one rigid body
///   algebraic              (2 u.dJ y - y^T dM y)/m_n^2 with u = (J M^-1 J^T)^-1 (n, 0) and y = M^-1 J^T u
///
/// Derivatives of quadratic forms are those of kinetic energies: with U, V two motions of the arm, S_i the twist of
/// joint i, and h the momenta of all that it moves,
///
///   d/dq_i sum U.I V = h_U.(V x S_i) + h_V.(U x S_i)
///
/// for y^T dM y the motion at the rates y twice, for z^T dIc z the whole body turning with z about its centre of mass.
/// NaN where the model does not exist. Throws what contact_dynamics throws.
VectorX inverse_mass_gradient(const Robot& robot, const ContactPoint& point, const VectorRef& q, InertiaModel model);

/// What the best posture is best in. v is the approach speed, mu the reduced mass of the arm with what it hits,
/// 1/mu = 1/m_n + n.W_o n, and m_n itself for a wall.
enum class AimQuantity {
  effective_mass,  ///< m_n by the model [kg]
  speed,           ///< the highest that speed_limit allows along the approach of least norm [m/s]
  impulse,         ///< (1 + e) mu v along the normal, without friction [N s]
  energy_loss,     ///< (1 - e^2) mu v^2/2, without friction [J]
  object_speed,    ///< the highest at which an object can be made to leave within the speed limits of the joints [m/s]
};
inline constexpr std::array all_aim_quantities = {AimQuantity::effective_mass, AimQuantity::speed, AimQuantity::impulse,
                                                  AimQuantity::energy_loss, AimQuantity::object_speed};

/// The words of the command line: "effective_mass", ...
std::string_view to_string(AimQuantity quantity) noexcept;

/// How the tool, that is the frame of the link that is hit, may be turned.
enum class ToolOrientation {
  free,               ///< any way
  tool_along_normal,  ///< the frame's z axis against the normal, into what is hit; any way about it
  fixed,              ///< as told
};
inline constexpr std::array all_tool_orientations = {ToolOrientation::free, ToolOrientation::tool_along_normal,
                                                     ToolOrientation::fixed};

/// "free", "tool_along_normal", "fixed".
std::string_view to_string(ToolOrientation orientation) noexcept;

/// Where a hit is to happen. The normal is the contact point's.
struct AimTarget {
  Vector3 p_W = Vector3::Zero();  // where the contact point is to be [m]
  ToolOrientation orientation = ToolOrientation::free;
  Matrix3 R_WF = Matrix3::Identity();  // orientation of the frame that is hit, where it is fixed
};

struct AimOptions {
  AimQuantity quantity = AimQuantity::effective_mass;
  bool maximize = true;                 ///< or minimize
  std::optional<InertiaModel> model{};  ///< none: composite_rigid_body; of the quantity speed, the cautious one
  double speed = 1;                     ///< v > 0, of the approach [m/s]
  std::optional<double> restitution{};  ///< e, 0 to 1; none: 0, and of the quantity speed the law's own
  double friction = 0;                  ///< mu of Coulomb, >= 0, of a hit on an object
  std::optional<Object> object{};       ///< what is hit, at rest; none: a wall
  double object_speed =
      std::numeric_limits<double>::quiet_NaN();  ///< at which the object is to leave [m/s]; NaN: none is asked for
  std::optional<Limits> limits{};                ///< none: those of the robot's description
  std::optional<ContactLaw> law{};               ///< of the quantity speed, as the next two: SpeedLimitOptions
  std::optional<Drives> drives{};
  std::optional<BodyContact> body{};
  int starts = 64;         ///< random postures that are tried, > 0
  int count = 5;           ///< postures that are returned at most, > 0
  double distinct = 0.1;   ///< by which two of them differ in a joint at least, full turns aside, > 0 [rad or m]
  std::uint64_t seed = 1;  ///< of the random postures
  RunOptions run{};        ///< progress counts starts
};

/// A posture for a hit, and the approach to it.
struct Aim {
  VectorX q{};                                                       // within the joints' limits [rad or m]        (n)
  double value = std::numeric_limits<double>::quiet_NaN();           // of the quantity
  PerModel<double> effective_mass{};                                 // by each model [kg]; NaN where there is none
  double limit_distance = std::numeric_limits<double>::quiet_NaN();  // to the nearest position limit [rad or m]
  double position_error = std::numeric_limits<double>::quiet_NaN();  // of the contact point [m]
  double angle_error = std::numeric_limits<double>::quiet_NaN();     // of the orientation; 0 where it is free [rad]

  // the approach of least norm, and the hit by the model; NaN where the point cannot approach
  double speed = std::numeric_limits<double>::quiet_NaN();    // needed for the object's speed if one is asked for; the
                                                              // value of the quantity speed; else that of the options
  VectorX dq{};                                               // at that speed [rad/s or m/s]                       (n)
  double allowed = std::numeric_limits<double>::quiet_NaN();  // by the limits: those of speed_limit for the quantity
                                                              // speed, else of joint speeds before and after [m/s]
  ObjectMotion object{};                                      // after the hit; NaN without an object
  std::vector<Warning> warnings{};
};

/// Whether there is a posture.
enum class AimStatus {
  not_run,      ///< not computed yet
  ok,           ///< there is one at least
  unreachable,  ///< no start came to the point, in the orientation that was told
  no_value,     ///< the quantity does not exist at any posture that came there, or nothing limits it
};

/// "not_run", "ok", ...
std::string_view to_string(AimStatus status) noexcept;

/// The postures that were found, and how many starts it took.
struct AimResult {
  AimStatus status = AimStatus::not_run;
  std::vector<Aim> aims{};                                          // best first
  int reached = 0;                                                  // starts that came to the point
  double nearest = std::numeric_limits<double>::quiet_NaN();        // of all starts, to the point [m]
  double nearest_angle = std::numeric_limits<double>::quiet_NaN();  // and how far that one was turned away [rad]
  std::vector<Warning> warnings{};
};

/// The postures from which a hit at a point is best: local optima of a quantity over all postures that bring the
/// contact point there within the joints' position limits.
///
/// Random postures are brought to the point by damped least squares. From each that comes there, sequential quadratic
/// programming follows the quantity along the null space of the constraint: with inverse_mass_gradient where it rises
/// with the effective mass and depends on nothing else; otherwise, because the least of many limits has kinks, with
/// differences of a p-norm of them, and from the best at last by a search along random directions. Joints without
/// limits start within half a turn or metre, and joints of other limbs stay at 0. What is returned depends on the seed,
/// not on the number of threads.
///
/// Where an object is to leave at a speed, `speed` is what that takes, `allowed` what the joints' limits allow, and the
/// quantity object_speed finds the posture that leaves most room between them.
/// Throws InputError for options outside the ranges of their lines, an object that contact_response refuses or that
/// moves, and a target that is not finite or not a rotation; RobotError as contact_dynamics.
AimResult aim(const Robot& robot, const ContactPoint& point, const AimTarget& target, const AimOptions& options = {});

}  // namespace thud
