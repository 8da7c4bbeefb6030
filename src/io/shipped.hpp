#pragma once

/// Private: texts that ship with the library, by name. All in the header: several libraries have some.

#include <thud/error.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thud::io {

using Shipped = std::map<std::string, std::string_view>;

inline std::vector<std::string> names_of(const Shipped& shipped) {
  std::vector<std::string> names;
  for (const auto& [name, text] : shipped) names.push_back(name);
  return names;
}

/// What to throw for a `what` that is neither a shipped name nor a file that can be read.
inline FileError not_found(const std::string& what, const std::string& name_or_path, const Shipped& shipped,
                           const FileError& reading) {
  std::string names;
  for (const auto& [name, text] : shipped) names += (names.empty() ? "" : ", ") + name;
  return {what, name_or_path, "cannot be read (" + reading.rule() + "), and is not a shipped name (" + names + ")"};
}

}  // namespace thud::io
