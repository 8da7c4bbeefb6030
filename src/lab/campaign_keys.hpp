#pragma once

/// Private: the keys of a campaign file, each once: its field, its range and its meaning.

#include <thud/campaign.hpp>

#include "toml/keys.hpp"

namespace thud::lab::keys {

using toml::Number;
using toml::PerJoint;
using toml::Rule;

inline constexpr PerJoint<MotorFriction> friction[] = {
    {"friction_level", &MotorFriction::level, Rule::not_negative, "of the motor, a [N m]"},
    {"friction_slope", &MotorFriction::slope, Rule::not_negative, "s [s/rad]"},
    {"friction_offset", &MotorFriction::offset, Rule::finite, "d [rad/s]"},
};

inline constexpr Number<Control> control[] = {
    {"period", &Control::period, Rule::positive, "of a cycle [s]"},
    {"ramp", &Control::ramp, Rule::positive, "time to come to speed [s]"},
    {"cruise", &Control::cruise, Rule::not_negative, "time at speed before the expected touch [s]"},
    {"after", &Control::after, Rule::positive, "time recorded after it [s]"},
    {"retreat_speed", &Control::retreat_speed, Rule::not_negative, "after the alarm [m/s]"},
    {"retreat_acceleration", &Control::retreat_acceleration, Rule::positive,
     "of the pull-back, in those of the approach"},
    {"position_gain", &Control::position_gain, Rule::not_negative, "of path, orientation, posture and limits [1/s]"},
    {"linear_weight", &Control::linear_weight, Rule::positive, "of the contact point's velocity"},
    {"angular_weight", &Control::angular_weight, Rule::not_negative, "of its rotation"},
    {"posture_weight", &Control::posture_weight, Rule::positive, "of the way back to the nominal posture"},
};

/// Written only where they are not 0.
inline constexpr Number<Control> unusual[] = {
    {"detection_delay", &Control::detection_delay, Rule::not_negative, "from the threshold to the alarm [s]"},
    {"command_delay", &Control::command_delay, Rule::not_negative, "from the alarm to the pull-back [s]"},
    {"impact_contact_time", &Control::impact_contact_time, Rule::not_negative,
     "of a hit that may come: limits are kept through it [s]"},
    {"impact_restitution", &Control::impact_restitution, Rule::not_negative, "of that hit"},
};

inline constexpr PerJoint<Control> control_joints[] = {
    {"acceleration", &Control::acceleration, Rule::positive, "largest of each joint [rad/s^2]"},
};

inline constexpr Number<Sensor> sensor[] = {
    {"rate", &Sensor::rate, Rule::positive, "of the force [Hz]"},
    {"bandwidth", &Sensor::bandwidth, Rule::positive, "of its low-pass [Hz]"},
    {"noise", &Sensor::noise, Rule::not_negative, "standard deviation of a sample [N]"},
    {"resolution", &Sensor::resolution, Rule::not_negative, "[N]"},
    {"range", &Sensor::range, Rule::positive, "largest force [N]"},
    {"torque_noise", &Sensor::torque_noise, Rule::not_negative, "standard deviation of a sample [N m]"},
    {"torque_resolution", &Sensor::torque_resolution, Rule::not_negative, "[N m]"},
    {"encoder_resolution", &Sensor::encoder_resolution, Rule::not_negative, "[rad]"},
    {"velocity_noise", &Sensor::velocity_noise, Rule::not_negative, "standard deviation of a sample [rad/s]"},
};

inline constexpr Number<Variation> variation[] = {
    {"wall", &Variation::wall, Rule::not_negative, "position of the wall along its normal [m]"},
    {"posture", &Variation::posture, Rule::not_negative, "each joint [rad]"},
    {"law", &Variation::law, Rule::not_negative, "each parameter of the contact law, relative"},
    {"baseline", &Variation::baseline, Rule::not_negative, "offset of the force sensor [N]"},
    {"clock_offset", &Variation::clock_offset, Rule::not_negative,
     "between the clocks, uniform within plus or minus [s]"},
};

inline constexpr Number<Box> box[] = {
    {"floor_friction", &Box::floor_friction, Rule::not_negative, "of box and floor [1]"},
    {"rate", &Box::rate, Rule::positive, "of the poses [Hz]"},
    {"position_noise", &Box::position_noise, Rule::not_negative, "standard deviation of a coordinate [m]"},
    {"orientation_noise", &Box::orientation_noise, Rule::not_negative, "of a rotation about each axis [rad]"},
};

inline constexpr Number<Campaign> plant[] = {
    {"step", &Campaign::step, Rule::positive, "[s]; must divide the controller's period"},
};

}  // namespace thud::lab::keys
