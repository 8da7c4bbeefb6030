#pragma once

#include <map>
#include <string>
#include <string_view>

namespace thud::drives {

/// The TOML text of the drives that ship, by name.
const std::map<std::string, std::string_view>& shipped();

}  // namespace thud::drives
