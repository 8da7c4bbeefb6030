#pragma once

/// Drives from TOML files, and what robots say of theirs.

#include <thud/drives.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Drives from TOML: the tables `joints` (`rotor_inertia`, `stiffness`, `damping`, `effort`) and `controller`
/// (`stiffness`, and `damping` or `damping_ratio`), each key with one value per joint or one for all. A key left out is
/// not known. A campaign file will do: what else it has is passed over. `name` is the file in messages. `joints` less
/// than 0: as many as the file's lists are for, 1 where it has none.
/// Throws FileError naming file, line, key, value and rule.
Drives parse_drives(std::string_view text, const std::string& name, int joints);
Drives read_drives(const std::string& path, int joints);

/// Names of the drives that ship with the library.
std::vector<std::string> shipped_drives();

/// The drives that ship under a name, or those of a file. Throws FileError.
Drives load_drives(const std::string& name_or_path, int joints);

/// Their text.
std::string drives_text(const std::string& name_or_path);

/// What a robot itself says of its drives, such as one from MJCF: the rotors of its joints that have one, and their
/// limits of effort, where they are finite and > 0. Nothing else is known.
Drives drives_of(const Robot& robot);

}  // namespace thud
