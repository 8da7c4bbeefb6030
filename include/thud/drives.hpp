#pragma once

/// What moves the joints of an arm: motors, transmissions and the servo that holds them.

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/warning.hpp>

#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

/// The drives of n joints, reflected to the joint. A vector is empty, or an entry NaN, where a quantity is not known;
/// `assumptions` says what takes its place.
struct Drives {
  // Motor and transmission
  VectorX rotor_inertia{};  ///< B > 0                                              [kg m^2 or kg]       (n)
  VectorX stiffness{};      ///< K > 0, of the transmission                         [N m/rad or N/m]     (n)
  VectorX damping{};        ///< D >= 0, of the transmission                        [N m s/rad or N s/m] (n)
  VectorX effort{};         ///< E > 0, the largest torque of the motor             [N m or N]           (n)

  // Servo on the motor's position
  VectorX servo_stiffness{};                    ///< Kp >= 0                      [N m/rad or N/m]     (n)
  VectorX servo_damping{};                      ///< Kd >= 0                      [N m s/rad or N s/m] (n)
  std::optional<double> servo_damping_ratio{};  ///< in its place: Kd = 2 ratio sqrt(Kp (M_ii + B_i))   [1]

  /// The same arm with its motors left alone: no servo, on purpose.
  Drives without_servo() const;
};

/// Throws InputError, naming quantity and joint, for a vector that has neither n values nor none, for an infinite value
/// or one outside the range on its line, and for a servo with both a damping and a ratio.
void validate(const Drives& drives, int joints);

/// What is not known and what takes its place, a warning for each quantity:
///
///   rotor inertia  motors that do not move; without inertia where the stiffness is not known either
///   stiffness      rigid transmissions: motor and link move as one
///   damping        none
///   effort         motors without a limit
///   servo          motors left alone, where nothing of it is known; no damping, where only its stiffness is
std::vector<Warning> assumptions(const Drives& drives);

}  // namespace thud
