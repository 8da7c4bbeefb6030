// Whatever the text, what is MJCF gives a robot or a RobotError in one line, and a robot that it gives can be used.
// MuJoCo's own reader and compiler lie behind; they are neither instrumented nor ours.

#include <thud/impulse.hpp>
#include <thud/mjcf.hpp>

#include <string>

#include "target.hpp"

bool takes(std::string_view input) {
  const std::string text(input);
  if (!thud::is_mjcf(text)) return false;
  try {
    const thud::Robot robot = thud::parse_mjcf(text, "/nowhere/fuzz.xml", {.joints = 50});
    const thud::VectorX q = thud::VectorX::Constant(robot.size(), 0.3);
    const auto dynamics = thud::contact_dynamics(
        robot, {.frame = robot.joints().back().link, .offset = {0.1, 0, 0}, .normal_W = {1, 2, 3}}, q);
    static_cast<void>(thud::warnings(thud::predict(dynamics, q, {.restitution = 0.5, .pseudo_inverse = true})));
    return true;
  } catch (const thud::RobotError& error) {
    check_message(error, "");
    return false;
  }
}
