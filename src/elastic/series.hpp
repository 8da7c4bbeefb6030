#pragma once

/// Power series in time, as arrays of coefficients. Private to the library.

#include <cstddef>
#include <utility>

#include "contact/impact.hpp"

namespace thud::elastic {

inline constexpr int order = contact::laws::series_order;
inline constexpr int terms = order + 1;
inline constexpr int scans = 8;  // instants of a piece at which signs are compared
inline constexpr int width = 4;  // joints, or instants, that are computed side by side

/// The sum of a series at an instant.
inline double sum(const double* series, double t) noexcept {
  double value = series[order];
  for (int i = order - 1; i >= 0; --i) value = value * t + series[i];
  return value;
}

/// The sums of one series at several instants, those of a group side by side.
inline void sum(const double* series, const double* t, std::ptrdiff_t count, double* values) noexcept {
  std::ptrdiff_t k = 0;
  for (; k + width <= count; k += width) {
    double value[width];
    for (int l = 0; l < width; ++l) value[l] = series[order];
    for (int i = order - 1; i >= 0; --i)
      for (int l = 0; l < width; ++l) value[l] = value[l] * t[k + l] + series[i];
    for (int l = 0; l < width; ++l) values[k + l] = value[l];
  }
  for (; k < count; ++k) values[k] = sum(series, t[k]);
}

/// The sum of its derivative.
inline double slope(const double* series, double t) noexcept {
  double value = order * series[order];
  for (int i = order - 1; i >= 1; --i) value = value * t + i * series[i];
  return value;
}

/// The sum of its integral from the start.
inline double integral(const double* series, double t) noexcept {
  double value = series[order] / terms;
  for (int i = order - 1; i >= 0; --i) value = value * t + series[i] / (i + 1);
  return value * t;
}

/// The sum of the integral of its integral from the start.
inline double second_integral(const double* series, double t) noexcept {
  double value = series[order] / (terms * (terms + 1));
  for (int i = order - 1; i >= 0; --i) value = value * t + series[i] / ((i + 1) * (i + 2));
  return value * t * t;
}

/// The sums of a block.
inline void sum(const double* block, std::size_t lanes, double t, double* values) noexcept {
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    double value[width];
    for (int l = 0; l < width; ++l) value[l] = block[order * lanes + lane + static_cast<std::size_t>(l)];
    for (int i = order - 1; i >= 0; --i)
      for (int l = 0; l < width; ++l)
        value[l] = value[l] * t + block[static_cast<std::size_t>(i) * lanes + lane + static_cast<std::size_t>(l)];
    for (int l = 0; l < width; ++l) values[lane + static_cast<std::size_t>(l)] = value[l];
  }
}

/// The root between two instants at which a function has different signs: regula falsi, Illinois variant, and where the
/// function bends so much that this leaves a wide bracket, bisection of the rest.
template <class Function>
double root(Function&& function, double low, double high) noexcept {
  double at_low = function(low), at_high = function(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
    double middle = high - at_high * (high - low) / (at_high - at_low);
    if (!(middle > low && middle < high)) middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    const double at_middle = function(middle);
    if (at_middle == 0) return middle;
    if ((at_middle < 0) == (at_high < 0)) {
      at_low /= 2;  // the low end stays
    } else {
      low = high;
      at_low = at_high;
    }
    high = middle;
    at_high = at_middle;
    if (low > high) {
      std::swap(low, high);
      std::swap(at_low, at_high);
    }
  }
  for (double middle = low + (high - low) / 2; middle > low && middle < high; middle = low + (high - low) / 2)
    ((function(middle) < 0) == (at_high < 0) ? high : low) = middle;
  return high;
}

}  // namespace thud::elastic
