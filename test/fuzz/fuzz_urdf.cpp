// Whatever the text, parse_urdf gives a robot or a RobotError, and a robot that it gives can be used.

#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <string>

#include "target.hpp"

bool takes(std::string_view text) {
  try {
    const thud::Robot robot = thud::parse_urdf(std::string(text), "fuzz");
    if (robot.size() > 50) return true;
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
