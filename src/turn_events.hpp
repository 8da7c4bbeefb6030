#pragma once

/// Events of the viscoelastic and Hunt-Crossley impact, in units of half_turn.hpp. Private to the library.
///
/// For exponent 1 and a fixed fraction they are functions of d = c|v0|/k alone, analytic for d > -1 and smooth in
/// ln(1 + d), so a table of polynomials in d over cells of equal relative width of 1 + d holds them from c = 0 on.

#include "half_turn.hpp"

namespace thud {

/// Each is finite and not 0 at d = 0, so that the table keeps their relative accuracy.
struct TurnEvents {
  double peak;          // time of the greatest force
  double peak_depth;    // D there; df/dt = 0 is n s = d D^(n+1)
  double compression;   // time of the greatest depth
  double depth;         // there
  double end;           // time of the parting
  double end_of_force;  // time at which the force is a fraction of the greatest
  double restitution;   // e = -s at the parting
  double loss;          // energy dissipated until then, over d
};

/// By quadrature.
TurnEvents turn_events(const HalfTurn& turn, double fraction);

/// The fraction for which the events are tabulated: the default of force_profile.
inline constexpr double tabulated_fraction = 0.01;

/// From the table, for exponent 1 and d >= 0: the quadrature's value to 1e-13 relative, 5e-13 beyond d = 1e6, where the
/// quadrature itself is no better. Beyond d = 2e9 by quadrature. The first call between two powers of 2 of 1 + d
/// fills that part of the table, which takes a millisecond; any number of threads may call.
TurnEvents tabulated_turn_events(double d);

}  // namespace thud
