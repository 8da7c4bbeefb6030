#pragma once

/// Robots from MJCF, MuJoCo's own format, read and compiled by MuJoCo.

#include <thud/export.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <string>
#include <string_view>

namespace THUD_EXPORT thud {

/// Whether an XML text is MJCF: its root element is <mujoco>.
bool is_mjcf(std::string_view text);

/// A robot from MJCF text. `path` is what messages call it; files that it includes are searched for from there.
///
/// Joints are the hinges and slides of all trees, in MuJoCo's order: q is its qpos, also where a joint has a `ref`, and
/// dq its qvel. Bodies and named sites are frames, the world is the base; a body without a name is called body3, by its
/// number, a joint joint3, and a site with the name of a body gets "_site" behind it. A body with several joints is
/// moved by the last of them, the others move nothing of their own. Armature, that of actuators among it, is rotor
/// inertia; effort is what the actuators of a joint can do by their ranges of force and the joint's own; there is no
/// limit of velocity.
///
/// A warning says what is left out: damping, stiffness and friction of joints, which are no part of a transmission;
/// equality constraints; tendons and what they move; bodies that a free joint alone moves, with all that is fixed to
/// them. Geometry counts where a body that moves has no <inertial>, and no mesh is read that does not; everything else
/// of MJCF plays no part.
///
/// Throws RobotError for what MuJoCo refuses, in one line; a ball joint; a free joint of a body that carries joints; no
/// hinge and no slide; more than limits.joints of them, or of copies of a part (<replicate>), more than limits.bytes;
/// and for what the constructor of Robot refuses.
Robot parse_mjcf(const std::string& text, const std::string& path, const UrdfLimits& limits = {});

/// A shipped robot by name, or a URDF or MJCF file by path, told by its root element. Throws FileError if the file
/// cannot be read, RobotError for everything that parse_urdf and parse_mjcf reject.
Robot load_any_robot(const std::string& name_or_path, const UrdfLimits& limits = {});

}  // namespace thud
