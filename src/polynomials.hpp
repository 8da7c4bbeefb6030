#pragma once

/// Several polynomials at once. Private to the library.

#include <array>
#include <cstddef>

namespace thud {

/// Their values at x from their coefficients by powers, all of one power together: in step, so that compilers use
/// vector instructions, and even and odd powers apart, so that one operation does not wait for the one before.
template <std::size_t count, std::size_t terms>
std::array<double, count> evaluate(const std::array<double, count> (&power)[terms], double x) {
  static_assert(terms >= 3);
  const double x2 = x * x;
  std::array<double, count> high = power[terms - 1], low = power[terms - 2];
  for (std::size_t k = terms - 2; k >= 2; k -= 2)
    for (std::size_t i = 0; i < count; ++i) {
      high[i] = high[i] * x2 + power[k - 1][i];
      low[i] = low[i] * x2 + power[k - 2][i];
    }
  for (std::size_t i = 0; i < count; ++i)
    high[i] = terms % 2 == 0 ? high[i] * x + low[i] : (high[i] * x2 + power[0][i]) + low[i] * x;
  return high;
}

}  // namespace thud
