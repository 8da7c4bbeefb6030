#pragma once

/// The viscoelastic and Hunt-Crossley impact in dimensionless form, as a function of the phase angle theta of
/// phase.hpp. Private to the library.
///
/// Units: length L with L^(n+1) = m v0^2/k, time T = L/|v0|, force m|v0|/T, energy m v0^2.

#include "contact/phase.hpp"

namespace thud::contact {

struct HalfCycle {
  double d;      // c|v0|/k
  double n;      // exponent
  double w0;     // w at first touch
  double ratio;  // w0/d, 1 for d = 0: maximum depth is ((n+1)/2 ratio^2)^(1/(n+1))
  double alpha;  // (1 - n)/(1 + n): dt/dtheta = scale eta'(w0 cos theta) sin(theta)^alpha
  double scale;
};

HalfCycle half_cycle(double d, double n);

/// The impact at a phase angle.
struct UnitState {
  double depth;  // > 0
  double rate;   // s = -v/|v0|, from 1 down to -e
  double force;
  double potential;
  double dissipated;  // integral of the dashpot's power, not a difference of the other energies
};

UnitState unit_state(const HalfCycle& cycle, double theta);

/// Phase angle of the peak force, in (0, pi/2).
double peak_angle(const HalfCycle& cycle);

/// Phase angle after the peak at which the force has fallen to a fraction of the peak force.
double force_angle(const HalfCycle& cycle, double peak, double fraction);

/// Time from one phase angle to another, 0 <= from <= to <= pi. Full precision for exponent 1. For others, to stay
/// away from the singular ends of the integrand, each argument must be 0, pi, or in [pi/8, 7 pi/8].
double duration(const HalfCycle& cycle, double from, double to);

/// Phase angle at a time since first touch, 0 <= time <= compression + restitution.
///
/// compression  duration(cycle, 0, pi/2)
/// restitution  duration(cycle, pi/2, pi)
double phase_angle(const HalfCycle& cycle, double time, double compression, double restitution);

}  // namespace thud::contact
