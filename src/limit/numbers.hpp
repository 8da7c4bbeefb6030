#pragma once

/// Private: no limit, and one that never binds.

#include <limits>

namespace thud::limit {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();
inline constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace thud::limit
