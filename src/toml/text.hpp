#pragma once

/// Private: a check of TOML text before toml++ sees it.

#include <string>
#include <string_view>

namespace thud::toml {

/// Throws FileError (`file:line`) for a character outside ASCII that is in neither a string nor a comment, or follows a
/// backslash, and for a quote where no string can begin. This is not TOML (except for a letter that begins a line after
/// one ending in a backslash), and toml++ 3.3 has undefined behaviour there instead of reporting an error.
void require_plain_toml(std::string_view text, const std::string& file);

}  // namespace thud::toml
