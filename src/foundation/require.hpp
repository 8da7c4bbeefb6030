#pragma once

/// Checks at the door of every impact, inline: they would cost a profile as much as its solution. Private to the
/// library.

#include <thud/contact.hpp>

#include <limits>

namespace thud::foundation {

inline constexpr double greatest = std::numeric_limits<double>::max();

/// Throws InputError. A call of its own, so that the texts cost nothing where all is well.
[[noreturn]] void refuse(const char* argument, double value, const char* rule);

inline void require_positive(const char* argument, double value) {
  if (!(value > 0 && value <= greatest)) refuse(argument, value, "must be finite and greater than 0");
}

inline void require_not_negative(const char* argument, double value) {
  if (!(value >= 0 && value <= greatest)) refuse(argument, value, "must be finite and at least 0");
}

inline void require_approach(double velocity) {
  if (!(velocity < 0 && velocity >= -greatest))
    refuse("velocity", velocity, "must be finite and less than 0 (towards the environment)");
}

inline void require_valid(const Spring& law) {
  require_positive("stiffness", law.stiffness);
  require_not_negative("restitution", law.restitution);
}

inline void require_valid(const Maxwell& law) {
  require_positive("stiffness", law.stiffness);
  require_positive("damping", law.damping);
}

inline void require_valid(const Viscoelastic& law) {
  require_positive("stiffness", law.stiffness);
  require_not_negative("damping", law.damping);
}

inline void require_valid(const HuntCrossley& law) {
  require_positive("stiffness", law.stiffness);
  require_not_negative("damping", law.damping);
  require_positive("exponent", law.exponent);
}

}  // namespace thud::foundation
