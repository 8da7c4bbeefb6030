#pragma once

/// The parameters that a fit reports, and their intervals. Private to the library.

#include <thud/contact.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "fit/likelihood.hpp"

namespace thud::fitting {

/// The law at a point, and its parameters with their gradients by the slots.
struct Reported {
  ContactLaw law;
  std::array<std::string_view, slots> names{};
  std::array<Quantity, slots> quantities{};
  std::size_t count = 0;

  void add(std::string_view name, const Quantity& quantity) {
    names[count] = name;
    quantities[count++] = quantity;
  }
};

Reported report(const Problem& problem, const Point& at);

/// Whether the record fixes all free slots: J'J is regular to working precision.
bool determined(const NormalMatrix& normal);

/// The linear intervals: the covariance of the free slots, carried to each quantity by its gradient.
///
/// reach  t times the standard deviation of the noise [N]
std::vector<Interval> linear_intervals(const Problem& problem, const NormalMatrix& normal, double reach,
                                       const Reported& reported);

/// By profile likelihood, along a likelihood profile that is not empty.
std::vector<Interval> profile_intervals(const Problem& problem, const LikelihoodProfile& profile);

}  // namespace thud::fitting
