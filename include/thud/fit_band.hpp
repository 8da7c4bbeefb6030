#pragma once

/// How well a fit knows its own curve.

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/fit.hpp>
#include <thud/record.hpp>

namespace THUD_EXPORT thud {

/// Half the width of the 95 % band about a fitted curve, the law's force with baseline and drift, at every sample [N]:
///
///   t_0.975(N - P) sqrt(g_i' C g_i),   C = S/(N - P) (G'G)^-1
///
/// The rows g_i of G are the derivatives of the curve by the P parameters that were fitted. The band holds the curve
/// at each time by itself, to first order in the parameters: that of the samples is wider by their noise. As the
/// intervals do, it holds noise, and not what a wrong law does. Empty unless the fit converged and the samples fix
/// every parameter; also of the law of an elastic arm, which has no mass.
///
/// contact  the samples that the law was fitted to
VectorX fitted_band(const Record& contact, const FitResult& law);

}  // namespace thud
