#pragma once

/// The parameters that a fit reports, and their intervals. Private to the library.

#include <thud/contact.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "fit/likelihood.hpp"

namespace thud::fitting {

/// The law at a point, and its parameters with their gradients.
struct Reported {
  ContactLaw law;
  std::array<std::string_view, parameter_count> names{};
  std::array<Quantity, parameter_count> quantities{};
  std::size_t count = 0;

  void add(std::string_view name, const Quantity& quantity) {
    names[count] = name;
    quantities[count++] = quantity;
  }
};

Reported report(const Problem& problem, const Point& at);

/// Whether the record determines all free parameters: J'J is regular to working precision.
bool determined(const NormalMatrix& normal);

/// Linear intervals: the covariance of the free parameters, propagated to each quantity by its gradient.
///
/// margin  t times the standard deviation of the noise [N]
std::vector<Interval> linear_intervals(const Problem& problem, const NormalMatrix& normal, double margin,
                                       const Reported& reported);

/// Intervals by profile likelihood, from a profile that is not empty.
std::vector<Interval> profile_intervals(const Problem& problem, const LikelihoodProfile& profile);

}  // namespace thud::fitting
