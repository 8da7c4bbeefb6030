// Whatever the text, what is MJCF gives a robot or a RobotError in one line, and a robot that it gives can be used.
// MuJoCo's own reader and compiler lie behind; they are neither instrumented nor ours.

#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/mjcf.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!thud::is_mjcf(text)) return 0;
  try {
    const thud::Robot robot = thud::parse_mjcf(text, "/nowhere/fuzz.xml", {.joints = 50});
    const thud::VectorX q = thud::VectorX::Constant(robot.size(), 0.3);
    const auto dynamics = thud::contact_dynamics(
        robot, {.frame = robot.joints().back().link, .offset = {0.1, 0, 0}, .normal_W = {1, 2, 3}}, q);
    (void)thud::warnings(thud::predict(dynamics, q, {.restitution = 0.5, .pseudo_inverse = true}));
  } catch (const thud::RobotError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
