#pragma once

/// The options that describe an arm with elastic joints at a contact.

#include <thud/elastic_arm.hpp>
#include <thud/robot.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "sources.hpp"

namespace thud::cli {

struct ArmArguments {
  std::string robot, q, frame, offset = "0,0,0", normal, drives, servo;

  /// Whether an arm is described at all. Throws InputError for an option of it without the robot, which is given by
  /// `robot_option`.
  bool given(const std::string& robot_option) const;
};

/// What --drives takes, for its help.
inline constexpr const char* drives_help =
    "Motors, transmissions and servo: a shipped name (panda, iiwa14), a TOML file, such as a campaign, or MJCF";

/// --q, --frame, --offset, --normal, --drives, --servo.
void add_arm_options(CLI::App& command, ArmArguments& arguments);

/// The robot and its arm. Throws InputError naming the option.
struct DescribedArm {
  Robot robot;
  ElasticArm arm;
};
DescribedArm described_arm(const ArmArguments& arguments, const Sources& sources = {});

/// The drives of a robot: of a TOML file or a shipped name, or what an MJCF file says of joints of the same names.
/// Throws InputError where the program is built without the virtual lab.
Drives named_drives(const std::string& name_or_path, const Robot& robot);

/// The same as --servo says: as they are, or "off". Throws InputError for another word.
Drives servoed(const Drives& drives, const std::string& servo);

}  // namespace thud::cli
