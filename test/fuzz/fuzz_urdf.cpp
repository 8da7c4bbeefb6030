// Whatever the text, parse_urdf gives a robot or a RobotError, and a robot that it gives can be used.

#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const thud::Robot robot = thud::parse_urdf(text, "fuzz");
    if (robot.size() > 50) return 0;
    const thud::VectorX q = thud::VectorX::Constant(robot.size(), 0.3);
    const auto dynamics = thud::contact_dynamics(
        robot, {.frame = robot.joints().back().link, .offset = {0.1, 0, 0}, .normal_W = {1, 2, 3}}, q);
    (void)thud::warnings(thud::predict(dynamics, q, {.restitution = 0.5, .pseudo_inverse = true}));
  } catch (const thud::RobotError&) {
  }
  return 0;
}
