// How many instructions a single query and a fit take, counted by callgrind: `instructions baseline`, `instructions
// avx2` (a query with that instruction set; status 3 where the machine has none) or `instructions fit`. Without
// valgrind it only runs them.

#include <thud/fit.hpp>
#include <thud/impulse.hpp>
#include <thud/profile.hpp>
#include <thud/urdf.hpp>

#include <cstdio>
#include <random>
#include <string_view>

#include <valgrind/callgrind.h>

#include "kernel/kernel.hpp"

namespace {

// Everything about one posture of the Panda: dynamics and the four models.
void query() {
  const auto robot = thud::load_robot("panda");
  thud::DynamicsWorkspace workspace(robot, {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}});
  std::mt19937_64 generator(1);
  constexpr int postures = 1000;
  thud::MatrixX q(robot.size(), postures);
  for (auto& angle : q.reshaped()) angle = std::uniform_real_distribution(-1.5, 1.5)(generator);
  double sum = 0;
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < postures; ++i) {
    const auto& dynamics = thud::contact_dynamics(workspace, q.col(i));
    const auto inertias = thud::inverse_inertias(dynamics);
    for (const auto model : thud::all_inertia_models) sum += inertias[model].effective_mass();
  }
  CALLGRIND_TOGGLE_COLLECT;
  std::printf("%d runs, mean mass %.4f kg\n", postures, sum / (4 * postures));
}

// The viscoelastic law on records of 250 samples at 25 kHz with 1 % noise.
void fit() {
  constexpr double mass = 4, velocity = -0.12;  // [kg], [m/s]
  const auto profile = thud::force_profile(thud::Viscoelastic{.stiffness = 3e5, .damping = 7.5e6}, mass, velocity);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(250, 0, 249 / 25e3);
  constexpr int records = 16;
  std::mt19937_64 generator(1);
  std::normal_distribution<double> noise(0, 0.01 * profile.peak.force);
  thud::MatrixX forces(times.size(), records);
  for (int i = 0; i < records; ++i)
    for (Eigen::Index j = 0; j < times.size(); ++j)
      forces(j, i) = thud::state(profile, times[j] - 1e-3).force + noise(generator);
  double sum = 0;
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < records; ++i) sum += thud::fit(times, forces.col(i), thud::LawKind::viscoelastic, velocity).mass;
  CALLGRIND_TOGGLE_COLLECT;
  std::printf("%d runs, mean mass %.4f kg\n", records, sum / records);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "fit") {
    fit();
    return 0;
  }
  for (const char* const* name = thud::kernel::instruction_set_names(); *name; ++name)
    if (what == *name) {
      thud::kernel::choose_instruction_set(*name);
      query();
      return 0;
    }
  return 3;
}
