#pragma once

/// A contact law as contact parameters of a simulator.
///
/// What a simulator can express of a hit by a mass m, with depth x >= 0 and its rate v, both positive inwards:
///
///   MuJoCo         f = m D(x) (b v + k D(x) x),  D = d(x)/d_width from impedance d: a spring and a dashpot per mass
///   Drake          f = k x (1 + d v):            the viscoelastic law with d = c/k, point contact by Hunt and Crossley
///   Gazebo, ODE    f = kp x + kd v:              by an implicit step, erp = h kp/(h kp + kd), cfm = 1/(h kp + kd)
///   Bullet         f = kp x + kd v:              likewise, from contactStiffness and contactDamping
///
/// None of them pulls. A law that a simulator has not is replaced by what it has with the same peak force and
/// restitution, for MuJoCo the same duration as well, at one mass and one speed; docs/translate.md says how far off the
/// rest is, and what remains of it at other masses and speeds.

#include <thud/contact.hpp>
#include <thud/export.hpp>
#include <thud/profile.hpp>
#include <thud/warning.hpp>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// A simulator with a contact that gives way.
enum class Simulator { mujoco, drake, gazebo, bullet };

inline constexpr Simulator all_simulators[] = {Simulator::mujoco, Simulator::drake, Simulator::gazebo,
                                               Simulator::bullet};

/// "mujoco", "drake", "gazebo" or "bullet".
std::string_view to_string(Simulator simulator) noexcept;

/// The simulator of that name; none for another name.
std::optional<Simulator> simulator_from_name(std::string_view name) noexcept;

/// The names of all simulators, for people: "mujoco, drake, gazebo or bullet".
std::string simulator_names();

/// What can be seen of a hit.
struct HitOutcome {
  double peak = std::numeric_limits<double>::quiet_NaN();      ///< force                                          [N]
  double duration = std::numeric_limits<double>::quiet_NaN();  ///< until the force is down to 1 % of its peak     [s]
  double restitution = std::numeric_limits<double>::quiet_NaN();  ///< speed after over speed before               [1]
};

/// A parameter by the name that the simulator has for it.
struct SimulatorParameter {
  std::string name{};
  std::vector<double> values{};  ///< one, or those of an attribute with several
  std::string unit{};            ///< of each of them, in order, where they differ
};

struct TranslateOptions {
  /// Of the simulator, h > 0 [s]: the parameters are then those that give peak and restitution at this step, on average
  /// over where in a step the touch falls. Without it: those of an exact integration, which small steps tend to.
  std::optional<double> step{};

  /// MuJoCo: one impedance for every depth, without the duration. For contacts of an arm or of anything else of several
  /// joints, whose inertia MuJoCo guesses unless its flag `diagexact` is enabled.
  bool constant_impedance = false;
};

/// A law in the words of a simulator, and what becomes of it there.
struct Translation {
  // The hit
  ContactLaw law{};
  double mass = std::numeric_limits<double>::quiet_NaN();   ///< m [kg]
  double speed = std::numeric_limits<double>::quiet_NaN();  ///< of approach [m/s]
  Simulator simulator = Simulator::mujoco;
  std::optional<double> step{};  ///< h [s]; none: exact integration

  // The contact
  std::vector<SimulatorParameter> parameters{};
  bool exact = false;  ///< the simulator has this very law
  std::vector<std::string>
      matched{};  ///< "peak", "duration", "restitution": what is the law's by choice of the parameters

  // What becomes of it
  HitOutcome of_law{};
  HitOutcome of_simulator{};  ///< with a step: the mean over where in a step the touch falls
  HitOutcome lowest{};        ///< over where it falls
  HitOutcome highest{};

  std::string snippet{};  ///< the parameters as text to paste: MJCF, Python with Drake, SDF, Python with PyBullet
  std::vector<Warning> warnings{};
};

/// The parameters that make a simulator's contact behave as the law.
///
/// mass   effective mass m > 0 [kg]: MuJoCo's parameters are per mass, so that they hold for one pair of bodies
/// speed  of approach > 0 [m/s]
/// Throws InputError.
Translation translate(const ContactLaw& law, double mass, double speed, Simulator to,
                      const TranslateOptions& options = {});

/// What a law gives: its profile in these few numbers. speed > 0 [m/s]. Throws InputError.
HitOutcome law_outcome(const ContactLaw& law, double mass, double speed);

/// What the translated parameters give at another mass and speed, at the same step. Throws InputError.
HitOutcome simulated_outcome(const Translation& translation, double mass, double speed);

}  // namespace thud
