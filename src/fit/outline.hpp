#pragma once

/// The samples of a fit, and where it starts. Private to the library.

#include <thud/conventions.hpp>

#include <optional>
#include <variant>

namespace thud::fitting {

/// Throws InputError for sizes that differ, times that do not increase and numbers that are not finite.
void require_samples(const VectorRef& times, const VectorRef& forces);

/// Rough estimates from the record, and the moments of its integrals I = int f, II = int I since the touch.
///
/// In units of the rise time and the peak force the laws are linear in products of their unknowns:
///
///   viscoelastic  f = (t + beta II)(kappa + gamma I),   beta = -1/m, kappa = k (1 + d), gamma = -k d/m   (|v0| = 1)
///   Maxwell       f = k t - (k/m) II - (k/c) I
struct Outline {
  double baseline;                      // [N]
  double start;                         // first touch [s]
  double peak_time;                     // [s]
  double peak;                          // above the baseline [N]
  double impulse_peak;                  // up to the peak [N s]
  double impulse_total;                 // [N s]
  Eigen::Matrix<double, 6, 6> moments;  // of t, II, t I, II I, I, f in those units, lower half
};

/// Fewest samples between the touch and the fall to a twentieth of the peak that a fit can start from.
inline constexpr int fewest_in_contact = 4;

/// Why there is no outline.
enum class NoOutline { no_rise, few_samples };

/// Nothing rises clearly above the baseline, or for too few samples.
std::variant<Outline, NoOutline> outline(const VectorRef& times, const VectorRef& forces,
                                         std::optional<double> baseline, std::optional<double> start);

/// A point to start from: mass [kg], time unit [s] and shape, as in descent.hpp.
struct StartingPoint {
  double mass, time_unit, shape;
};

}  // namespace thud::fitting
