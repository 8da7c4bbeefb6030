#pragma once

/// Transposes packs of postures to columns, one per posture, and back. Private to the library.

#include "kernel/simd.hpp"

namespace thud::kernel {
namespace {

// Four entries of four postures, from rows of `width` postures each to columns. Pairs of postures are adjacent
// in memory, so that only one shuffle within registers is needed.
template <int width>
[[gnu::always_inline]] inline void transpose_4x4(const double* from, long entries, double* to) {
  using Real2 = PackOf<2>::Real;
  using Real4 = PackOf<4>::Real;
  const auto rows = [&](long row, long lane) {
    const Real2 low = load<2>(from + row * width + lane), high = load<2>(from + (row + 2) * width + lane);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
  };
  for (long lane = 0; lane < 4; lane += 2) {
    const Real4 even = rows(0, lane), odd = rows(1, lane);
    store<4>(__builtin_shufflevector(even, odd, 0, 4, 2, 6), to + lane * entries);
    store<4>(__builtin_shufflevector(even, odd, 1, 5, 3, 7), to + (lane + 1) * entries);
  }
}

template <int width>
[[gnu::always_inline]] inline void transpose_2x2(const double* from, long entries, double* to) {
  const PackOf<2>::Real first = load<2>(from), second = load<2>(from + width);
  store<2>(__builtin_shufflevector(first, second, 0, 2), to);
  store<2>(__builtin_shufflevector(first, second, 1, 3), to + entries);
}

// Four rows of four to columns, with the packs of this instruction set.
template <int width>
[[gnu::always_inline]] inline void transpose_block(const double* from, long entries, double* to) {
#ifdef __AVX__
  transpose_4x4<width>(from, entries, to);
#else
  for (long k = 0; k < 4; k += 2)
    for (long lane = 0; lane < 4; lane += 2)
      transpose_2x2<width>(from + k * width + lane, entries, to + lane * entries + k);
#endif
}

// Columns of three: the fourth entry of each store is overwritten by the next column, and is not stored for the last.
template <int width, class Real>
[[gnu::always_inline]] inline void write_columns_of_3(const Real* packs, double* to) {
  using Real4 = PackOf<4>::Real;
  const double* from = reinterpret_cast<const double*>(packs);
  for (long lane = 0; lane < width; lane += 2) {
    const PackOf<2>::Real x = load<2>(from + lane), y = load<2>(from + width + lane),
                          z = load<2>(from + 2L * width + lane);
    const Real4 even = __builtin_shufflevector(x, z, 0, 1, 2, 3), odd = __builtin_shufflevector(y, y, 0, 1, 0, 1);
    store<4>(__builtin_shufflevector(even, odd, 0, 4, 2, 6), to + 3 * lane);
    const Real4 second = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    if (lane + 2 < width) {
      store<4>(second, to + 3 * lane + 3);
    } else {
      store<2>(__builtin_shufflevector(second, second, 0, 1), to + 3 * lane + 3);
      to[3 * lane + 5] = second[2];
    }
  }
}

// Two of four columns: lanes 0 and 2, or 1 and 3 (odd). Where their memory is aligned for pairs but not for fours,
// they begin with a pair: an unaligned store costs twice as much.
template <int width, int odd>
[[gnu::always_inline]] inline void write_column_pair(const double* from, long entries, long head, double* to) {
  using Real4 = PackOf<4>::Real;
  double* const third = to + 2 * entries;
  const auto pairs = [&](long k) {
    const Real4 a = load<4>(from + k * width), b = load<4>(from + (k + 1) * width);
    return odd ? __builtin_shufflevector(a, b, 1, 5, 3, 7) : __builtin_shufflevector(a, b, 0, 4, 2, 6);
  };
  const auto one_pair = [&](long k) {
    const Real4 a = pairs(k);
    store<2>(__builtin_shufflevector(a, a, 0, 1), to + k);
    store<2>(__builtin_shufflevector(a, a, 2, 3), third + k);
  };
  long k = head;
  if (head != 0) one_pair(0);
  for (; k + 4 <= entries; k += 4) {
    const Real4 a = pairs(k), b = pairs(k + 2);
    store<4>(__builtin_shufflevector(a, b, 0, 1, 4, 5), to + k);
    store<4>(__builtin_shufflevector(a, b, 2, 3, 6, 7), third + k);
  }
  if (k < entries) one_pair(k);
}

// `width` columns of an even number of entries, in memory aligned for pairs.
template <int width>
[[gnu::always_inline]] inline void write_pairs(const double* from, long entries, double* to) {
  const long head = reinterpret_cast<unsigned long>(to) % 32 == 0 ? 0 : 2, other = (head + entries) % 4;
  for (long lane = 0; lane < width; lane += 4) {
    write_column_pair<width, 0>(from + lane, entries, head, to + lane * entries);
    write_column_pair<width, 1>(from + lane, entries, other, to + (lane + 1) * entries);
  }
}

// `width` columns of `entries` each, at least 4, or 2 where packs hold 2. The last block may overlap the previous one.
template <int width, class Real>
[[gnu::always_inline]] inline void write_full_columns(const Real* packs, long entries, double* to) {
  constexpr long block = width > 2 ? 4 : 2;
  const double* from = reinterpret_cast<const double*>(packs);
  if constexpr (block == 4)
    if (entries % 2 == 0 && reinterpret_cast<unsigned long>(to) % 16 == 0) return write_pairs<width>(from, entries, to);
  const auto transpose_block_at = [&](long k) {
    for (long lane = 0; lane < width; lane += block) {
      if constexpr (block == 4)
        transpose_4x4<width>(from + k * width + lane, entries, to + lane * entries + k);
      else
        transpose_2x2<width>(from + k * width + lane, entries, to + lane * entries + k);
    }
  };
  for (long k = 0; k + block <= entries; k += block) transpose_block_at(k);
  if (entries % block != 0) transpose_block_at(entries - block);
}

// `count` columns of `entries` each, `count` at most `width`.
template <int width, class Real>
[[gnu::always_inline]] inline void write_columns(const Real* packs, long entries, long count, double* to) {
  if (entries >= (width > 2 ? 4 : 2) && count == width) return write_full_columns<width>(packs, entries, to);
  if constexpr (width > 2)
    if (entries == 3 && count == width) return write_columns_of_3<width>(packs, to);
  for (long lane = 0; lane < count; ++lane)
    for (long k = 0; k < entries; ++k) to[lane * entries + k] = packs[k][lane];
}

// Four entries of four columns, `stride` apart: one pack per entry.
struct Block4x4 {
  PackOf<4>::Real entry[4];
};
[[gnu::always_inline]] inline Block4x4 read_4x4(const double* from, long stride) {
  using Real4 = PackOf<4>::Real;
  Block4x4 out;
  for (long k = 0; k < 4; k += 2) {
    const Real4 even = __builtin_shufflevector(load<2>(from + k), load<2>(from + 2 * stride + k), 0, 1, 2, 3);
    const Real4 odd = __builtin_shufflevector(load<2>(from + stride + k), load<2>(from + 3 * stride + k), 0, 1, 2, 3);
    out.entry[k] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    out.entry[k + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  }
  return out;
}

// Columns of `entries` each, `stride` apart, into packs; with fewer columns than lanes, the last one is repeated.
template <int width, class Real>
[[gnu::always_inline]] inline void read_columns(const double* from, long stride, long entries, long count,
                                                Real* packs) {
  if (width == 2 || entries < 4 || count < width) {
    for (long lane = 0; lane < width; ++lane) {
      const double* column = from + stride * (lane < count ? lane : count - 1);
      for (long k = 0; k < entries; ++k) packs[k][lane] = column[k];
    }
    return;
  }
  for (long k = 0; k < entries; k += 4) {
    const long begin = k + 4 > entries ? entries - 4 : k;
    const Block4x4 low = read_4x4(from + begin, stride);
    if constexpr (width == 8) {
      const Block4x4 high = read_4x4(from + 4 * stride + begin, stride);
      for (long i = 0; i < 4; ++i)
        packs[begin + i] = __builtin_shufflevector(low.entry[i], high.entry[i], 0, 1, 2, 3, 4, 5, 6, 7);
    } else if constexpr (width == 4) {
      for (long i = 0; i < 4; ++i) packs[begin + i] = low.entry[i];
    }
  }
}

}  // namespace
}  // namespace thud::kernel
