// What Pinocchio gains where it is compiled on the machine it runs on (-march=native, headers alone) instead of taken
// as a binary package. thud's own single query, as its library has it, stands beside it. bench_native [ROUNDS] [--json
// FILE]

#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "pinocchio_query.hpp"
#include "rivals.hpp"
#include "thud_query.hpp"

namespace {

constexpr Eigen::Index postures = 512;
constexpr double agreement = 1e-6;  // of effective masses, relative

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 51);

  const thud::Robot panda = thud::load_robot("panda");
  const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  thud::DynamicsWorkspace workspace(panda, point);
  PinocchioQuery pinocchio(panda, point);
  Answer answer;
  thud::PerModel<thud::InverseInertia> inertias;
  std::vector<Eigen::VectorXd> q(postures);
  for (Eigen::VectorXd& at : q) {
    at = Eigen::VectorXd::Random(7);
    ask(workspace, at, inertias);
    for (auto query : {&PinocchioQuery::at_its_best, &PinocchioQuery::as_usually_written}) {
      (pinocchio.*query)(at.data(), answer);
      for (std::size_t o = 0; o < 4; ++o)
        if (!(std::abs(inertias[thud::all_inertia_models[o]].effective_mass() / answer.masses[o] - 1) < agreement)) {
          std::fprintf(stderr, "Pinocchio does not agree with thud: %g and %g kg\n", answer.masses[o],
                       inertias[thud::all_inertia_models[o]].effective_mass());
          return 1;
        }
    }
  }

  static volatile double sink = 0;
  std::vector<Rival> rivals;
  const auto add = [&](const char* name, auto query) {
    rivals.push_back({name,
                      [&q, query] {
                        for (const Eigen::VectorXd& at : q) sink = sink + query(at);
                      },
                      2});
  };
  add("thud, one query", [&](const auto& at) {
    ask(workspace, at, inertias);
    return inertias[thud::InertiaModel::algebraic].effective_mass();
  });
  add("Pinocchio, at its best", [&](const auto& at) {
    pinocchio.at_its_best(at.data(), answer);
    return answer.masses[0];
  });
  add("Pinocchio, as usually written", [&](const auto& at) {
    pinocchio.as_usually_written(at.data(), answer);
    return answer.masses[0];
  });
  compete(rivals, rounds);

  nlohmann::ordered_json out = {{"rounds", rounds}};
  const auto ns = [](double us) { return us * 1e3 / static_cast<double>(postures); };
  const double ours = ns(rivals[0].median());
  std::printf("Pinocchio compiled with -march=native, ns a query\n");
  for (Rival& rival : rivals) {
    const double median = ns(rival.median()), least = ns(rival.least());
    std::printf("%-32s%12.1f (min %.1f)%10.2f of thud\n", rival.name.c_str(), median, least, median / ours);
    out["rivals"][rival.name] = {{"median_ns", median}, {"min_ns", least}, {"ratio", median / ours}};
  }
  if (!file.empty()) thud::write_file(file, out.dump(1) + "\n");
}
