#pragma once

/// Checks of numbers at the door, inline: in a call that takes 20 ns they would cost as much as the rest. Private to
/// the library.

#include <limits>

namespace thud {

inline constexpr double greatest = std::numeric_limits<double>::max();

/// Throws InputError. A call of its own, so that the texts cost nothing where all is well.
[[noreturn]] void refuse(const char* argument, double value, const char* rule);

inline void require_positive(const char* argument, double value) {
  if (!(value > 0 && value <= greatest)) refuse(argument, value, "must be finite and greater than 0");
}

inline void require_approach(double velocity) {
  if (!(velocity < 0 && velocity >= -greatest))
    refuse("velocity", velocity, "must be finite and less than 0 (towards the environment)");
}

}  // namespace thud
