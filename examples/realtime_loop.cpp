// In a 1 kHz loop: everything is allocated before it, and nothing in it throws.

#include <thud/thud.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  const auto robot = thud::load_robot("panda");
  thud::DynamicsWorkspace workspace(robot, {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}});
  thud::Prediction prediction(robot.size());
  thud::VectorX q(7), dq(7);
  q << 0, 0.1, 0, -1.5, 0, 3.1708, 0.7854;
  dq << 0, 0.4207, 0, 0.5445, 0, -0.1238, 0;  // the foot moves on at 0.12 m/s

  double hardest = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    const auto& dynamics = thud::contact_dynamics(workspace, q);
    thud::predict(dynamics, dq, {.restitution = 0}, prediction);
    hardest = std::max(hardest, prediction[thud::InertiaModel::composite_rigid_body].impulse.total);
    q -= 1e-6 * dq;  // the arm creeps back
  }
  std::printf("hardest of 1000 cycles: %.2f N s\n", hardest);
}
