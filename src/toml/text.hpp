#pragma once

/// Private: a check that TOML text must pass before toml++ sees it.

#include <string>
#include <string_view>

namespace thud::toml {

/// Throws FileError (`file:line`) for a character outside ASCII that stands neither in a string nor in a comment, or
/// behind a backslash, and for a quote where no string can begin. That is not TOML (but for a letter that begins a line
/// after one that ends in a backslash), and toml++ 3.3 runs into undefined behaviour there instead of saying so.
void require_plain_toml(std::string_view text, const std::string& file);

}  // namespace thud::toml
