#pragma once

#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace THUD_EXPORT thud {

/// How much URDF is accepted. Beyond it a description is taken for a mistake or an attack and is refused; whoever means
/// it raises the limit.
struct UrdfLimits {
  std::size_t joints = 1000;                   // that move: a matrix of 8 MB
  std::size_t bytes = std::size_t{64} << 20U;  // of text
};

/// A shipped robot by name, or a URDF file by path.
/// Throws FileError if the file cannot be read, RobotError for everything that parse_urdf rejects.
Robot load_robot(const std::string& name_or_path, const UrdfLimits& limits = {});

/// The URDF text of a shipped robot by name, or of a file by path, unchanged: parse_urdf validates it.
/// Throws FileError if the file cannot be read or has more than `limit` bytes.
std::string urdf_text(const std::string& name_or_path, std::size_t limit = UrdfLimits{}.bytes);

/// A robot from URDF text: a fixed-base tree of revolute, continuous, prismatic and fixed joints. `name` is what error
/// messages call it. Joints are ordered depth first from the root, siblings by joint name.
///
/// Throws RobotError for: text that is not XML or not URDF; two roots, a cycle, a link with two parents; a floating or
/// planar joint; no moving joint; a negative or non-finite mass, a non-finite number, a zero axis, lower > upper, a
/// negative limit of velocity or effort; an element of more than 1000 attributes, XML nested more than 64 deep, and
/// what is beyond the limits. A joint that mimics another becomes a follower of it. A warning is: a non-physical
/// inertia (a negative principal moment, or one above the sum of the other two); an implausible one (a mass above 1e6
/// kg, a radius of gyration beyond the link's reach and 0.5 m); a link that moves without inertia; a base that may not
/// be fixed to the world, as it is taken to be (see Base).
Robot parse_urdf(const std::string& text, const std::string& name, const UrdfLimits& limits = {});

/// The names that load_robot knows.
std::vector<std::string> shipped_robots();

}  // namespace thud
