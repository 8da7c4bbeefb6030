#pragma once

#include "io/shipped.hpp"

namespace thud::io {

/// The URDF text of each shipped robot, by name.
const Shipped& shipped_urdf();

}  // namespace thud::io
