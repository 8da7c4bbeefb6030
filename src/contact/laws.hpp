#pragma once

/// The impact under each law. Private to the library.

#include "contact/damped.hpp"
#include "contact/impact.hpp"
#include "contact/maxwell.hpp"
#include "contact/spring.hpp"

namespace thud::contact::laws {

/// As `motion`, efficient for many increasing times.
template <class Law>
auto motion_over(const Law& law, const ForceProfile& profile, double unit) {
  return motion(law, profile, unit);
}

}  // namespace thud::contact::laws
