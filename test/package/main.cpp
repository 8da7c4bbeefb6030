// Matrices cross the border both ways, and their memory is freed on the other side, whatever this file is compiled for.

#include <thud/thud.hpp>

#include <cmath>
#include <cstdio>

int main() {
  const auto robot = thud::load_robot("panda");
  thud::VectorX q(7);
  q << 0, 0.1, 0, -1.5, 0, std::acos(0.0) + 1.6, std::acos(0.0) / 2;
  double mass = 0;
  for (int i = 0; i < 100; ++i) {
    const auto dynamics =
        thud::contact_dynamics(robot, {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}}, q);
    const auto copy =
        thud::contact_dynamics(dynamics.M, dynamics.J, dynamics.A_G, {dynamics.mass, dynamics.com_W, dynamics.Ic_W},
                               {dynamics.p_WC, dynamics.normal_W});
    auto prediction = thud::predict(copy, thud::approach(copy, 0.12).dq);
    prediction.models[thud::InertiaModel::algebraic].joint_impulse.resize(100 + i);
    mass = prediction[thud::InertiaModel::composite_rigid_body].inertia.effective_mass();
  }
  try {
    thud::load_robot("nobody");
  } catch (const thud::FileError& error) {
    std::printf("%.4f kg; %s\n", mass, error.value().c_str());
    return std::abs(mass - 8.7165) < 0.5e-4 ? 0 : 1;
  }
  return 1;
}
