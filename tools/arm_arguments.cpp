#include "arm_arguments.hpp"

#include <thud/error.hpp>

#include <utility>

#include "arguments.hpp"

namespace thud::cli {

bool ArmArguments::given(const std::string& robot_option) const {
  if (!robot.empty()) {
    for (const auto& [option, text] : {std::pair{"--q", &q}, {"--frame", &frame}, {"--normal", &normal}})
      if (text->empty()) throw InputError(option, "missing", "is needed with " + robot_option);
    return true;
  }
  const std::pair<const char*, const std::string*> options[] = {
      {"--q", &q}, {"--frame", &frame}, {"--normal", &normal}, {"--drives", &drives}, {"--servo", &servo}};
  for (const auto& [option, text] : options)
    if (!text->empty()) throw InputError(option, *text, "is of an arm: it needs " + robot_option);
  return false;
}

void add_arm_options(CLI::App& command, ArmArguments& arguments) {
  command.add_option("--q", arguments.q, "Joint positions: numbers in joint order, or joint=value,... (others 0)");
  command.add_option("--frame", arguments.frame, "Link that is hit");
  command.add_option("--offset", arguments.offset, "Contact point X,Y,Z in that link's frame [m]");
  command.add_option("--normal", arguments.normal, "X,Y,Z out of the environment, in the world; any length");
  command.add_option("--drives", arguments.drives, drives_help);
  command.add_option("--servo", arguments.servo, "off: the motors are not held, whatever the drives say");
}

Drives servoed(const Drives& drives, const std::string& servo) {
  if (!servo.empty() && servo != "off") throw InputError("--servo", servo, "must be off");
  return servo.empty() ? drives : drives.without_servo();
}

DescribedArm described_arm(const ArmArguments& arguments, const Sources& sources) {
  Robot robot = sources.robot(arguments.robot);
  const ContactPoint point{arguments.frame, vector3("--offset", arguments.offset),
                           vector3("--normal", arguments.normal)};
  const Drives drives =
      servoed(arguments.drives.empty() ? Drives{} : sources.drives(arguments.drives, robot), arguments.servo);
  ElasticArm arm = elastic_arm(robot, point, joint_values("--q", arguments.q, robot), drives);
  return {std::move(robot), std::move(arm)};
}

}  // namespace thud::cli
