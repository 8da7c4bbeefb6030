#pragma once

/// How a quantity of a hit grows with the approach speed, and where it meets its limit. Private to the library.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <boost/math/tools/toms748_solve.hpp>

namespace thud::limit {

/// No arm is faster: a limit that is met beyond it never binds [m/s].
inline constexpr double highest_speed = 100;

/// Speeds at which a quantity is looked at: 20 a decade, up to the highest [m/s].
inline constexpr std::size_t speeds = 121;
inline double grid_speed(std::size_t i) noexcept {
  return highest_speed * std::pow(10, (static_cast<double>(i) + 1 - speeds) / 20);
}

/// The lowest speed at which a quantity that begins at 0 exceeds its bound: between two of the speeds, of which `at`
/// gives the quantity as it was found once, and then by the function itself. Infinite where it does not, NaN
/// where it does not exist at some speed before.
template <class At, class Function>
double first_crossing(double bound, At&& at, Function&& function) {
  for (std::size_t i = 0; i < speeds; ++i) {
    const double value = at(i);
    if (std::isnan(value)) return value;
    if (!(value > bound)) continue;
    const double low = i == 0 ? 0 : grid_speed(i - 1), high = grid_speed(i);
    const double at_low = i == 0 ? -bound : at(i - 1) - bound;
    if (at_low >= 0) return low;
    std::uintmax_t most = 200;
    const auto found =
        boost::math::tools::toms748_solve([&](double s) { return function(s) - bound; }, low, high, at_low,
                                          value - bound, boost::math::tools::eps_tolerance<double>(48), most);
    return found.first;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace thud::limit
