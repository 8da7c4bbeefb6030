#pragma once

/// From the end of a descent to the minimum of the sum of squares itself. Private to the library.

#include "fit/descent.hpp"

namespace thud::fitting {

/// Moves the point to a minimum of S, with a last step of 0.007 standard errors. The descent ends where J'r = 0 with
/// tapered derivatives, up to a standard error from there. J'J stays as it is: intervals are made of the tapered one,
/// in which a sample counts less the more likely it is to leave the contact.
///
/// Returns J'J at the point, not tapered, and leaves the residual there in the problem. Where no step gets there, the
/// point is the lowest that was found.
NormalMatrix settle(Problem& problem, Descent& descent);

}  // namespace thud::fitting
