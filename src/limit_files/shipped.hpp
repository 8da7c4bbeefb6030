#pragma once

#include "io/shipped.hpp"

namespace thud::limit_files {

/// The TOML text of the limits that ship, by name.
const io::Shipped& shipped();

}  // namespace thud::limit_files
