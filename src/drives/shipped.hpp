#pragma once

#include "io/shipped.hpp"

namespace thud::drives {

/// The TOML text of the drives that ship, by name.
const io::Shipped& shipped();

}  // namespace thud::drives
