#pragma once

/// Several polynomials at once. Private to the library.

#include <array>
#include <bit>
#include <cstddef>

namespace thud::contact {

/// The terms of polynomial i from one power to another, over x^from, by Estrin's scheme: recursive halving keeps the
/// dependency chain short. square[j] is x^(2^j).
template <std::size_t from, std::size_t to, class Powers, class Squares>
double estrin(const Powers& coefficients, std::size_t i, const Squares& square) {
  if constexpr (to - from == 1) {
    return coefficients[from][i];
  } else {
    constexpr std::size_t half = std::bit_floor(to - from - 1);
    return estrin<from, from + half>(coefficients, i, square) +
           square[std::countr_zero(half)] * estrin<from + half, to>(coefficients, i, square);
  }
}

/// Values at x of `count` polynomials. Coefficients are grouped by power, so that compilers evaluate the polynomials
/// with vector instructions.
template <std::size_t count, std::size_t terms>
std::array<double, count> evaluate(const std::array<double, count> (&coefficients)[terms], double x) {
  std::array<double, std::bit_width(terms - 1)> square{x};
  for (std::size_t j = 1; j < square.size(); ++j) square[j] = square[j - 1] * square[j - 1];
  std::array<double, count> out;
  for (std::size_t i = 0; i < count; ++i) out[i] = estrin<0, terms>(coefficients, i, square);
  return out;
}

}  // namespace thud::contact
