#pragma once

/// Private: the keys of drives in TOML files.

#include <thud/drives.hpp>

#include <string_view>

#include "toml/keys.hpp"

namespace thud::drives {

using toml::Rule;

/// Of the table `joints`.
inline constexpr toml::PerJoint<Drives> joints[] = {
    {"rotor_inertia", &Drives::rotor_inertia, Rule::positive, "reflected to the joint [kg m^2]"},
    {"stiffness", &Drives::stiffness, Rule::positive, "of the transmission [N m/rad]"},
    {"damping", &Drives::damping, Rule::not_negative, "of the transmission [N m s/rad]"},
    {"effort", &Drives::effort, Rule::positive, "largest motor torque [N m]"},
};

/// Of the table `controller`.
inline constexpr toml::PerJoint<Drives> servo[] = {
    {"stiffness", &Drives::servo_stiffness, Rule::positive, "of the servo on the motors' positions [N m/rad]"},
};
inline constexpr const char* servo_damping = "damping";
inline constexpr const char* servo_damping_ratio = "damping_ratio";

/// What else a campaign has in these tables.
inline constexpr std::string_view joints_of_campaign[] = {"friction_level", "friction_slope", "friction_offset"};
inline constexpr std::string_view controller_of_campaign[] = {"period",
                                                              "ramp",
                                                              "cruise",
                                                              "after",
                                                              "retreat_speed",
                                                              "retreat_acceleration",
                                                              "position_gain",
                                                              "linear_weight",
                                                              "angular_weight",
                                                              "posture_weight",
                                                              "acceleration",
                                                              "detection_joints",
                                                              "detection_delay",
                                                              "command_delay",
                                                              "impact_contact_time",
                                                              "impact_restitution"};

}  // namespace thud::drives
