#pragma once

/// Packs of postures into columns of one posture each. Private to the library.

#include "pack.hpp"

namespace thud {
namespace {

// Of two rows: the even blocks of `step` entries of both, then the odd ones.
template <int width, int step, class Real>
void exchange(Real& a, Real& b) {
  const auto even = [](int lane) constexpr {
    return lane & step ? width + lane - step : lane;
  };
  const auto odd = [](int lane) constexpr {
    return lane & step ? width + lane : lane + step;
  };
  const Real x = a, y = b;
  if constexpr (width == 2) {
    a = __builtin_shufflevector(x, y, even(0), even(1));
    b = __builtin_shufflevector(x, y, odd(0), odd(1));
  } else if constexpr (width == 4) {
    a = __builtin_shufflevector(x, y, even(0), even(1), even(2), even(3));
    b = __builtin_shufflevector(x, y, odd(0), odd(1), odd(2), odd(3));
  } else {
    a = __builtin_shufflevector(x, y, even(0), even(1), even(2), even(3), even(4), even(5), even(6), even(7));
    b = __builtin_shufflevector(x, y, odd(0), odd(1), odd(2), odd(3), odd(4), odd(5), odd(6), odd(7));
  }
}

// Rows to columns, in place: blocks of 1, 2, 4 entries change places.
template <int width, int step = 1, class Real>
void transpose(Real* rows) {
  for (long i = 0; i < width; ++i)
    if (!(i & step)) exchange<width, step>(rows[i], rows[i + step]);
  if constexpr (2 * step < width) transpose<width, 2 * step>(rows);
}

// `count` columns of so many entries each.
template <int width, class Real>
void write_columns(const Real* from, long entries, long count, double* to) {
  if (entries < width || count < width) {
    for (long lane = 0; lane < count; ++lane)
      for (long k = 0; k < entries; ++k) to[lane * entries + k] = from[k][lane];
    return;
  }
  for (long k = 0; k < entries; k += width) {
    const long begin = k + width > entries ? entries - width : k;  // the last block may overlap the one before
    Real rows[width];
    for (long i = 0; i < width; ++i) rows[i] = from[begin + i];
    transpose<width>(rows);
    for (long i = 0; i < width; ++i) store<width>(rows[i], to + i * entries + begin);
  }
}

}  // namespace
}  // namespace thud
