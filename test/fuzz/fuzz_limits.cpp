// Any bytes: limits that obey their rules, or a refusal that names the file; for a number of joints, and for as many as
// the text says.

#include <thud/limits_file.hpp>

#include "target.hpp"

namespace {

bool takes_for(int joints, std::string_view text) {
  try {
    const thud::LimitsFile file = thud::parse_limits(text, "fuzz.toml", joints);
    const auto known = joints < 0 ? file.limits.speed.size() : joints;
    if (known > 0) thud::validate(file.limits, static_cast<int>(known));
    for (const auto& [name, region] : file.bodies) thud::validate(region);
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.toml");
    return false;
  }
}

}  // namespace

bool takes(std::string_view text) {
  const bool by_seven = takes_for(7, text);
  return takes_for(-1, text) || by_seven;
}
