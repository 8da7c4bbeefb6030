#pragma once

/// Several polynomials at once. Private to the library.

#include <array>
#include <bit>
#include <cstddef>

namespace thud::contact {

/// The part of polynomial i from one power to another, over x^from. Halved again and again, so that few operations wait
/// for one another; square[j] is x^(2^j).
template <std::size_t from, std::size_t to, class Powers, class Squares>
double part(const Powers& power, std::size_t i, const Squares& square) {
  if constexpr (to - from == 1) {
    return power[from][i];
  } else {
    constexpr std::size_t half = std::bit_floor(to - from - 1);
    return part<from, from + half>(power, i, square) +
           square[std::countr_zero(half)] * part<from + half, to>(power, i, square);
  }
}

/// Their values at x from their coefficients by powers, all of one power together: in step, so that compilers use
/// vector instructions.
template <std::size_t count, std::size_t terms>
std::array<double, count> evaluate(const std::array<double, count> (&power)[terms], double x) {
  std::array<double, std::bit_width(terms - 1)> square{x};
  for (std::size_t j = 1; j < square.size(); ++j) square[j] = square[j - 1] * square[j - 1];
  std::array<double, count> out;
  for (std::size_t i = 0; i < count; ++i) out[i] = part<0, terms>(power, i, square);
  return out;
}

}  // namespace thud::contact
