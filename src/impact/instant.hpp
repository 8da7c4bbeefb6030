#pragma once

/// Where an impact is, in the units of problem.hpp. Private to the library.

#include "impact/problem.hpp"

namespace thud::impacting {

struct Instant {
  double p = 0, v = -1, work = 0;  // normal impulse, normal velocity, work of the normal force
  Tangent impulse{};               // tangential
  double r = 0;                    // slip
  Tangent s{};                     // its direction, of unit length where r > 0

  Tangent slip() const noexcept { return r * s; }
};

}  // namespace thud::impacting
