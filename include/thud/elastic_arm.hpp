#pragma once

/// The arm with elastic joints: the whole force record of a hit, from motors, transmissions and servo.
///
/// Over the few milliseconds of a contact the posture is frozen. With q~ and th~ the deviations of links and motors
/// from the commanded motion, M the inertia of the links, j = n.J_v, and a contact law f(x, v):
///
///   M q~" + D (q~' - th~') + K (q~ - th~)          = j^T f
///   B th~" + D (th~' - q~') + K (th~ - q~) + sat(u) = 0
///   u = Kp (th~ - delta) + Kd (th~' - delta') - feedforward,   sat(u) = g - clip(g - u, -E, E)
///   x = v0 t + j q~,   v = v0 + j q~',   x(0) = 0,   v(0) = v0 < 0
///
/// What is hit may give way: a free object of inverse mass w_o along the normal adds its own motion, v = v0 + j q~' +
/// w_o iota with iota the impulse so far, and v0 is the velocity relative to it.
///
/// The motor holds the torque g, gravity's mostly, and cannot give more than its effort E. delta is a known change of
/// the command, with its feedforward. The joints are those of M. W. Spong, Modeling and Control of Elastic Joint Robots
/// (1987); docs/models.md compares the model with others.
///
/// Between two switches of the contact law or of a motor's limit all of it is analytic: the motion is a chain of power
/// series in time, each cut where its last terms are below 1e-10, and events are roots of these polynomials.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/drives.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>
#include <thud/profile.hpp>
#include <thud/robot.hpp>
#include <thud/warning.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

/// An arm in one posture at one contact, with what drives its joints. n joints.
struct ElasticArm {
  MatrixX M;        // inertia of the links, without rotors [kg m^2, kg m, kg]                         (n x n)
  VectorX j;        // rate of the contact point along the normal, per joint rate [m or 1]             (n)
  Drives drives;    // servo_damping in place of a ratio
  VectorX holding;  // g, the torque of each motor before the hit [N m or N]                           (n)
  MatrixX M_inv;    // inverse of M with the rotors behind rigid transmissions                         (n x n)

  double mass_links = 0;   // 1/(j M^-1 j^T): what a contact feels that is much shorter than the arm's oscillations [kg]
  double mass_rotors = 0;  // 1/(j (M + B)^-1 j^T), of free motors behind rigid transmissions [kg]
  std::vector<Warning> warnings;  // what was assumed
};

/// The arm of a robot at joint positions q [rad or m]; its rotors are those of the drives, not of the URDF. The motors
/// hold gravity's torque.
/// Throws what contact_dynamics and validate throw, and InputError where no joint moves the contact along its normal.
ElasticArm elastic_arm(const Robot& robot, const ContactPoint& point, const VectorRef& q, const Drives& drives);

/// The arm from matrices that another library computed. Empty `holding`: zero.
ElasticArm elastic_arm(const MatrixRef& M, const VectorRef& j, const Drives& drives,
                       const VectorRef& holding = VectorX());

/// A known change of the command from a time on, until the next one: a motor's position moves by
/// position + (t - time) rate from where it would have been, and the controller adds `feedforward` to its torque.
struct CommandChange {
  double time = 0;      // since first touch [s]
  VectorX position;     // delta [rad or m]                                    (n)
  VectorX rate;         // delta' [rad/s or m/s]                               (n)
  VectorX feedforward;  // (M + B) delta", where the controller has it [N m or N]   (n)
};

struct ElasticOptions {
  double horizon = 0.05;                 // the record ends there, if the contact does not before [s]
  std::vector<CommandChange> command{};  // in order of time
  double ringing = 0;                    // for how long the arm is followed after the contact, nothing touching it [s]
  double object_inverse_mass = 0;        // w_o = n.W_o n of what is hit, by contact_response [1/kg]; 0: a wall
};

/// Throws InputError unless the horizon is positive, the ringing and the inverse mass finite and at least 0, and the
/// changes are in order of time and finite, each with a value for every joint.
void validate(const ElasticOptions& options, int joints);

/// v = 0 during the contact.
struct Turn {
  double time;     // [s]
  double depth;    // -x [m]
  double force;    // [N]
  double impulse;  // up to then [N s]
};

/// In deviations from the commanded motion, at the end of the record [J]:
/// supplied = kinetic + transmission + servo + wall + dissipated.
struct ElasticEnergies {
  double supplied;      // |v0| times the impulse, which is what the approach gives
  double kinetic;       // of links and rotors, and of an object that is hit
  double transmission;  // in the transmissions' springs
  double servo;         // Kp th~^2/2
  double wall;          // in the contact
  double wall_max;      // the largest of it during the record
  double dissipated;    // in contact, transmissions and servo; with a motor at its limit or a changed command also the
                        // rest of the motor's work, which may be negative
};

/// The state of a hit at instants of time, a row each. n joints.
struct ElasticStates {
  VectorX time;                 // since first touch [s]
  VectorX force;                // f >= 0 [N]
  VectorX compression;          // x, negative in contact [m]
  VectorX velocity;             // v = dx/dt [m/s]
  VectorX impulse;              // up to then [N s]
  VectorX apparent_mass;        // of the arm: impulse/(v - v0 - w_o impulse); NaN at touch [kg]
  MatrixX joint_rate;           // q~', change of the links' rates by the hit [rad/s or m/s]          (rows x n)
  MatrixX motor_rate;           // th~' [rad/s or m/s]                                                (rows x n)
  MatrixX transmission_torque;  // K (th~ - q~) + D (th~' - q~'), beside what it was before [N m or N]  (rows x n)
};

/// A hit: its events, and its motion at any instant of the record.
class ElasticProfile {
 public:
  /// Memory for an arm of so many joints.
  explicit ElasticProfile(int joints);
  ElasticProfile(ElasticProfile&&) noexcept;
  ElasticProfile& operator=(ElasticProfile&&) noexcept;
  ~ElasticProfile();

  int size() const noexcept;  // number of joints

  double velocity = 0;                         // v0 < 0, relative to what is hit [m/s]
  double object_inverse_mass = 0;              // w_o of what is hit [1/kg]
  double end = 0;                              // of the record: end of contact or horizon [s]
  std::vector<Peak> peaks;                     // interior local maxima of the force, in order of time
  std::vector<Turn> turns;                     // every v = 0, in order of time; the first ends the compression
  std::optional<EndOfContact> end_of_contact;  // first x = 0 after the touch; none within the horizon
  double impulse = 0;                          // of the whole record [N s]

  /// The highest peak; the end of the record where the force only rises.
  Peak peak() const noexcept;
  /// The turn with the largest depth; none within the horizon.
  std::optional<Turn> deepest_turn() const noexcept;
  /// Of the arm up to the first turn: impulse/(|v0| - w_o impulse) [kg].
  std::optional<double> mass_compression() const noexcept;

  struct Motion;  // private to the library
  Motion& motion() noexcept { return *motion_; }
  const Motion& motion() const noexcept { return *motion_; }

 private:
  std::unique_ptr<Motion> motion_;
};

/// The hit of an arm at v0 < 0 [m/s]. Throws InputError.
ElasticProfile elastic_profile(const ElasticArm& arm, const ContactLaw& law, double velocity,
                               const ElasticOptions& options = {});

/// The same into a profile that is used again: nothing is allocated once it has held a record as long. The arm, the
/// law, v0 and the options must be valid. Without memory for it the record is empty: its end is 0. Real-time.
void elastic_profile(const ElasticArm& arm, const ContactLaw& law, double velocity, const ElasticOptions& options,
                     ElasticProfile& profile) noexcept;

/// The force alone at instants in ascending order [N], zero outside the record. Real-time.
void forces(const ElasticProfile& profile, const VectorRef& times, Eigen::Ref<Eigen::VectorXd> force) noexcept;

/// The states at instants in ascending order within the record.
ElasticStates states(const ElasticProfile& profile, const VectorRef& times);

/// The largest torque of each transmission, |g + K (th~ - q~) + D (th~' - q~')|, over the record and the ringing after
/// it [N m or N]; `before` is what each had before the hit, g of the arm or zero for what the hit adds. NaN behind a
/// rigid transmission. (n)
VectorX largest_torques(const ElasticProfile& profile, const VectorRef& before);

/// After the highest peak the force falls to this fraction of it for good; none within the record.
std::optional<EndOfForce> end_of_force(const ElasticProfile& profile, double fraction = 0.01);

/// The balance of the record.
ElasticEnergies energies(const ElasticProfile& profile);

}  // namespace thud
