#pragma once

/// A simulator's contact as an equation of motion, and as the rule by which the simulator steps it.

#include <thud/translate.hpp>

namespace thud::translating {

/// Of one pair of bodies. Depth and rate are positive inwards.
struct ContactModel {
  Simulator simulator = Simulator::mujoco;
  double stiffness = 0;  // MuJoCo: per mass [1/s^2]; others [N/m]
  double damping = 0;    // MuJoCo: per mass [1/s]; Drake: d [s/m]; others [N s/m]
  double first = 1;      // MuJoCo: impedance at the surface, of that at depth `width` and beyond [1]
  double width = 0;      // [m]
  double power = 1;      // of its growth in between [1]
};

/// MuJoCo's impedances and midpoints are within [1e-4, 1 - 1e-4]; with the last, growth is a power law up to `width`.
inline constexpr double least_impedance = 1e-4, full_impedance = 1 - 1e-4, midpoint = full_impedance;

/// The force of an exact integration [N]; less than 0 where the contact would pull.
double force(const ContactModel& model, double mass, double depth, double rate);

/// The force over the step that begins at this depth (less than 0: a gap) and rate [N], by the simulator's own rule:
///
///   MuJoCo       as above, then a semi-implicit step
///   Drake        f = k (x + h v')+ (1 + d v')+ with v' = v - h f/m, its discrete Hunt-Crossley ("lagged" or "similar")
///   Gazebo, ODE  (h/m + cfm) f = erp x/h + v
///   Bullet       likewise, and before the touch already where the step would end in contact
double stepped_force(const ContactModel& model, double mass, double depth, double rate, double step);

/// Of an exact integration.
HitOutcome outcome(const ContactModel& model, double mass, double speed);

struct SteppedOutcome {
  HitOutcome mean, lowest, highest;  // over where in a step the touch falls
};
SteppedOutcome stepped_outcome(const ContactModel& model, double mass, double speed, double step);

}  // namespace thud::translating
