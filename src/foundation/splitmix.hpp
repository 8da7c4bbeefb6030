#pragma once

/// Private: random bits that are the same with every standard library. All in the header: several libraries draw.

#include <cstdint>

namespace thud::foundation {

/// SplitMix64 (Steele, Lea, Flood 2014): its state is a counter with this step, 2^64 over the golden ratio ...
inline constexpr std::uint64_t splitmix_step = 0x9e3779b97f4a7c15U;

/// ... and its number is this of the counter.
inline constexpr std::uint64_t splitmix(std::uint64_t counter) noexcept {
  counter = (counter ^ (counter >> 30U)) * 0xbf58476d1ce4e5b9U;
  counter = (counter ^ (counter >> 27U)) * 0x94d049bb133111ebU;
  return counter ^ (counter >> 31U);
}

}  // namespace thud::foundation
