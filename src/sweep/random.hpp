#pragma once

/// Private: random numbers that are the same with every standard library.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "foundation/splitmix.hpp"

namespace thud::sweeping {

/// The next of a stream of 64-bit numbers, and the state moves on.
inline std::uint64_t next_random(std::uint64_t& state) noexcept {
  return foundation::splitmix(state += foundation::splitmix_step);
}

/// The first 53 bits of a number as one from 0 to below 1.
inline double unit(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// The state of a stream of its own for each pair of numbers.
inline std::uint64_t stream(std::uint64_t seed, std::uint64_t number) noexcept {
  std::uint64_t state = seed;
  state = next_random(state) ^ number;
  return next_random(state);
}

/// Fisher and Yates' shuffle. The modulus favours none by more than 2^-40 of what is swept here.
template <class T>
void shuffle(std::vector<T>& items, std::uint64_t& state) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[next_random(state) % i]);
}

}  // namespace thud::sweeping
