#pragma once

/// The parameters that a fit reports, and their intervals. Private to the library.

#include <thud/contact.hpp>
#include <thud/fit.hpp>
#include <thud/warning.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "fit/likelihood.hpp"

namespace thud::fitting {

/// The law at a point, and its parameters with their gradients.
struct Reported {
  ContactLaw law;
  std::array<std::string_view, parameter_count + 1> names{};  // the last is the shape's, which has none
  std::array<Quantity, parameter_count + 1> quantities{};
  std::size_t count = 0;

  void add(std::string_view name, const Quantity& quantity) {
    names[count] = name;
    quantities[count++] = quantity;
  }
};

Reported report(const Problem& problem, const Point& at);

/// RMSE, R^2 and the criteria of a fit with so many free parameters, from its sum of squares.
void report_criteria(const VectorRef& forces, double squares, int count, FitResult& out);

/// Says so where the best law leaves more than a tenth of the variance: with its true parameters it leaves the noise;
/// and where it leaves far more than that.
void warn_of_poor_fit(const FitResult& best, std::vector<Warning>& warnings);

/// Integral of a force, sampled and without its baseline, over a time span; linear between samples.
double measured_impulse(const VectorRef& times, const VectorRef& forces, double from, double to);

/// Student's t at 97.5 %; for many degrees of freedom by the Cornish-Fisher expansion, to 1e-7.
double student_t(double degrees_of_freedom);

/// Whether the record determines all free parameters: J'J is regular to working precision.
bool determined(const NormalMatrix& normal);

/// Linear intervals: the covariance of the free parameters, propagated to each quantity by its gradient.
///
/// margin  t times the standard deviation of the noise [N]
std::vector<Interval> linear_intervals(const Problem& problem, const NormalMatrix& normal, double margin,
                                       const Reported& reported);

/// Linear intervals of what a record without the shape fixes: of a singular J'J whose shape has no column. NaN for what
/// depends on the shape, and for everything where that is not what makes it singular.
std::vector<Interval> remaining_intervals(const Problem& problem, NormalMatrix normal, double margin,
                                          const Reported& reported);

/// Standard error of the shape per unit of noise.
double shape_error(const Problem& problem, const NormalMatrix& normal);

/// Intervals by profile likelihood, from a profile that is not empty.
std::vector<Interval> profile_intervals(const Problem& problem, const LikelihoodProfile& profile);

}  // namespace thud::fitting
