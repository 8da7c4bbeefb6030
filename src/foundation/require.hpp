#pragma once

/// Validation of numeric arguments, inline: in a call of 20 ns, function calls would cost as much as the rest. Private
/// to the library.

#include <limits>

namespace thud::foundation {

inline constexpr double largest_double = std::numeric_limits<double>::max();

/// Throws InputError. Out of line, so that building the message costs nothing on the valid path.
[[noreturn]] void refuse(const char* argument, double value, const char* rule);

inline void require_positive(const char* argument, double value) {
  if (!(value > 0 && value <= largest_double)) refuse(argument, value, "must be finite and greater than 0");
}

inline void require_approach(double velocity) {
  if (!(velocity < 0 && velocity >= -largest_double))
    refuse("velocity", velocity, "must be finite and less than 0 (towards the environment)");
}

}  // namespace thud::foundation
