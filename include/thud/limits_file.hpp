#pragma once

/// Limits from TOML files.

#include <thud/export.hpp>
#include <thud/limit.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// What a limits file says of a robot, and of people.
struct LimitsFile {
  Limits limits{};
  std::map<std::string, BodyRegion> bodies{};
};

/// Limits from TOML: the tables `joints` (`speed`, `torque`, `collision_torque`, each with one value per joint or one
/// for all), `contact` (`force`, `collision_force`) and `body.NAME` (`force`, `pressure`, `stiffness`, `mass`, and
/// `transient`), in SI units. All of them may be left out. `name` is the file in messages. `joints` less than 0: as
/// many as the file's lists are for, 1 where it has none. Throws FileError naming file, line, key, value and rule.
LimitsFile parse_limits(std::string_view text, const std::string& name, int joints);

/// Names of the limits that ship with the library.
std::vector<std::string> shipped_limits();

/// The limits that ship under a name, or those of a file. Throws FileError.
LimitsFile load_limits(const std::string& name_or_path, int joints);

/// Their text.
std::string limits_text(const std::string& name_or_path);

/// The regions of a person's body that ship, those of `iso_ts_15066`.
const std::map<std::string, BodyRegion>& body_regions();

}  // namespace thud
