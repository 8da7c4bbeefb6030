#pragma once

/// Private: the motion of an object as text, with the columns time, x, y, z and, all four or none, qw, qx, qy, qz in
/// any order.

#include <thud/dataset.hpp>

#include <string>
#include <string_view>

namespace thud::dataset {

/// Fills times, positions and orientations. Throws FileError: argument `name:line`, the offending text, the rule.
void parse_motion(std::string_view text, const std::string& name, ObjectLog& object);

/// Text that parse_motion reads back to the same numbers.
std::string format_motion(const ObjectLog& object);

}  // namespace thud::dataset
