// How hard does a Panda hit a wall at 0.12 m/s, if its joints are so stiff that the arm is one rigid body?

#include <thud/thud.hpp>

#include <cstdio>

int main() {
  const auto robot = thud::load_robot("panda");  // a shipped name, or a URDF path
  const auto point = thud::ContactPoint{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  thud::VectorX q(7);
  q << 0, 0.1, 0, -1.5, 0, 3.1708, 0.7854;

  const auto dynamics = thud::contact_dynamics(robot, q, point);  // M, J, mass, centre of mass, ...
  const auto dq = thud::approach(dynamics, 0.12)->dq;             // joint rates that bring the foot on [rad/s]
  const auto inertia = thud::composite_rigid_body(dynamics);      // 1/kg
  const auto v_before = thud::contact_velocity(dynamics, dq);     // m/s, negative: approaching
  const auto impulse = thud::normal_impulse(inertia, v_before, {.restitution = 0});  // N s

  std::printf("%.2f kg, %.2f N s\n", inertia.effective_mass(), impulse.total);
}
