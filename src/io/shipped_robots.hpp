#pragma once

#include <map>
#include <string>
#include <string_view>

namespace thud::io {

/// The URDF text of each shipped robot, by name.
const std::map<std::string, std::string_view>& shipped_urdf();

}  // namespace thud::io
