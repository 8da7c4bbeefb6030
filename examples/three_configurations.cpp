// The paper's experiment before the hit: three postures of the Panda in front of a wall, four ways to say how heavy the
// arm is there. Joint rates are the smallest that move the foot straight on.

#include <thud/thud.hpp>

#include <cstdio>
#include <numbers>

int main() {
  const auto robot = thud::load_robot("panda");
  const auto point = thud::ContactPoint{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  struct {
    const char* name;
    double q2, q4;
  } const configurations[] = {{"one", 0.1, -1.5}, {"two", 0.4, -1.3}, {"three", 0.8, -1.1}};

  std::printf("effective mass of the Panda against a wall [kg], and the approximate-to-exact velocity ratio e_a\n");
  std::printf("%-14s%10s%12s%12s%12s%16s\n", "configuration", "e_a", "algebraic", "composite", "flexible",
              "gen. momentum");
  for (const auto& [name, q2, q4] : configurations) {
    thud::VectorX q(7);
    q << 0, q2, 0, q4, 0, std::numbers::pi / 2 + q2 - q4, std::numbers::pi / 4;
    const auto dynamics = thud::contact_dynamics(robot, point, q);
    const auto prediction = thud::predict(dynamics, thud::approach(dynamics, 0.12).dq);
    const auto mass = [&](thud::InertiaModel option) { return prediction[option].inertia.effective_mass(); };
    std::printf("%-14s%10.4f%12.4f%12.4f%12.4f%16.4f\n", name, prediction.ratio, mass(thud::InertiaModel::algebraic),
                mass(thud::InertiaModel::composite_rigid_body), mass(thud::InertiaModel::flexible_joints),
                mass(thud::InertiaModel::generalized_momentum));
  }
}
