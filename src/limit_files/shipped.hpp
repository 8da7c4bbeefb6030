#pragma once

#include <map>
#include <string>
#include <string_view>

namespace thud::limit_files {

/// The TOML text of the limits that ship, by name.
const std::map<std::string, std::string_view>& shipped();

}  // namespace thud::limit_files
