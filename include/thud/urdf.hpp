#pragma once

#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <string>
#include <vector>

namespace THUD_EXPORT thud {

/// A shipped robot by name, or a URDF file by path.
/// Throws FileError if the file cannot be read, RobotError for everything that parse_urdf rejects.
Robot load_robot(const std::string& name_or_path);

/// The URDF text of a shipped robot by name, or of a file by path, unchanged: parse_urdf validates it.
/// Throws FileError if the file cannot be read.
std::string urdf_text(const std::string& name_or_path);

/// A robot from URDF text: a fixed-base tree of revolute, continuous, prismatic and fixed joints. `name` is what error
/// messages call it. Joints are ordered depth first from the root, siblings by joint name.
///
/// Throws RobotError for: text that is not XML or not URDF; two roots, a cycle, a link with two parents; a floating or
/// planar joint; no moving joint; a negative or non-finite mass, a non-finite number, a zero axis, lower > upper, a
/// negative limit of velocity or effort.
/// A non-physical inertia (a negative principal moment, or one above the sum of the other two) is a warning.
Robot parse_urdf(const std::string& text, const std::string& name);

/// The names that load_robot knows.
std::vector<std::string> shipped_robots();

}  // namespace thud
