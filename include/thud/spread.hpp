#pragma once

#include <thud/export.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace THUD_EXPORT thud {

/// Mean, standard deviation (NaN for one value), minimum and maximum of the values that exist.
struct Spread {
  std::size_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double std = std::numeric_limits<double>::quiet_NaN();  ///< of a sample: its sum of squares over count - 1
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
};

/// The spread of the values that are finite.
Spread spread(const std::vector<double>& values);

}  // namespace thud
