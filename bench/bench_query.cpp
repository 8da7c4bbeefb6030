// One query (M, J, A_G, mass, centre of mass, Ic, four inverse inertias, effective masses) of the Panda, alone and in
// batches, against Pinocchio: at its best, and as usually written. bench_query [ROUNDS] [--json FILE]

#include <thud/batch.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <nlohmann/json.hpp>

#include "kernel/kernel.hpp"
#include "queries.hpp"
#include "rivals.hpp"
#include "thud_query.hpp"

namespace {

constexpr Eigen::Index postures = 512;  // a ring of them: more than a branch predictor learns by heart
constexpr double agreement = 1e-9;      // between rivals, relative to the largest entry; 6 x 6 inverses 1e-6
constexpr double agreement_of_inverse = 1e-6;

Eigen::MatrixXd random_postures(const thud::Robot& robot) {
  std::mt19937_64 random(1);
  Eigen::MatrixXd q(robot.size(), postures);
  for (Eigen::Index i = 0; i < postures; ++i)
    for (Eigen::Index j = 0; j < q.rows(); ++j) {
      const thud::Joint& joint = robot.joints()[static_cast<std::size_t>(j)];
      q(j, i) = std::uniform_real_distribution<double>(joint.lower, joint.upper)(random);
    }
  return q;
}

Answer answer(const thud::ContactDynamics& dynamics, const thud::PerModel<thud::InverseInertia>& inertias) {
  Answer out{dynamics.M, dynamics.J, dynamics.A_G, dynamics.mass, dynamics.p_WC, dynamics.com_W, dynamics.Ic_W, {}, {}};
  for (std::size_t o = 0; o < 4; ++o) {
    out.W[o] = inertias[thud::all_inertia_models[o]].W;
    out.masses[o] = inertias[thud::all_inertia_models[o]].effective_mass();
  }
  return out;
}

Answer answer(const thud::Batch& batch, Eigen::Index i) {
  Answer out{batch.M.col(i).reshaped(7, 7),
             batch.J.col(i).reshaped(6, 7),
             batch.A_G.col(i).reshaped(6, 7),
             NAN,
             batch.p_WC.col(i),
             batch.com_W.col(i),
             batch.Ic_W.col(i).reshaped(3, 3),
             {},
             {}};
  for (std::size_t o = 0; o < 4; ++o) {
    const thud::InertiaModel model = thud::all_inertia_models[o];
    out.W[o] = batch.W[model].col(i).reshaped(3, 3);
    out.masses[o] = batch.effective_mass[model][i];
  }
  return out;
}

double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / b.cwiseAbs().maxCoeff();
}

void require_agreement(const char* who, const Answer& a, const Answer& b) {
  double worst = std::max({error(a.M, b.M), error(a.J, b.J), error(a.A_G, b.A_G), error(a.com_W, b.com_W),
                           error(a.Ic_W, b.Ic_W), error(a.p_WC, b.p_WC)});
  if (!std::isnan(a.mass)) worst = std::max(worst, std::abs(a.mass - b.mass) / b.mass);
  for (std::size_t o = 1; o < 4; ++o)
    worst = std::max({worst, error(a.W[o], b.W[o]), std::abs(a.masses[o] - b.masses[o]) / b.masses[o]});
  const double inverse = std::max(error(a.W[0], b.W[0]), std::abs(a.masses[0] - b.masses[0]) / b.masses[0]);
  if (worst < agreement && inverse < agreement_of_inverse) return;
  std::fprintf(stderr, "%s does not agree with thud: %g, inverse of J M^-1 J^T %g\n", who, worst, inverse);
  std::exit(1);
}

volatile double sink = 0;

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 51);

  const thud::Robot panda = thud::load_robot("panda");
  const thud::ContactPoint point{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  const Eigen::MatrixXd q = random_postures(panda), none(7, 0);
  thud::DynamicsWorkspace workspace(panda, point);
  PinocchioQuery pinocchio(panda, point);
  thud::PerModel<thud::InverseInertia> inertias;
  Answer own, best, usual, other;
  const std::vector<std::pair<const char*, Query>> others = {
      {"MuJoCo", mujoco_query(panda, point)}, {"KDL", kdl_query(panda, point)}, {"DART", dart_query(panda, point)}};
  const auto batch = [&](thud::BatchOutputs outputs, thud::Batch& into) {
    thud::predict_batch(panda, point, q, none, {.outputs = outputs, .run = {.jobs = 1}}, into);
  };

  thud::Batch everything, masses;
  for (const char* const* set = thud::kernel::instruction_set_names(); *set; ++set) {
    thud::kernel::choose_instruction_set(*set);
    batch(thud::BatchOutputs::everything, everything);
    for (Eigen::Index i = 0; i < postures; ++i) {
      own = answer(ask(workspace, q.col(i), inertias), inertias);
      pinocchio.at_its_best(q.col(i).data(), best);
      pinocchio.as_usually_written(q.col(i).data(), usual);
      require_agreement("Pinocchio at its best", best, own);
      require_agreement("Pinocchio as usually written", usual, own);
      require_agreement("the batch", answer(everything, i), own);
      for (const auto& [name, query] : others) {
        query(q.col(i).data(), other);
        require_agreement(name, other, own);
      }
    }
  }

  const auto ring = [&](auto query) {
    return [&q, query] {
      double sum = 0;
      for (Eigen::Index i = 0; i < postures; ++i) sum += query(q.col(i).data());
      sink = sink + sum;
    };
  };
  // a turn of each takes a millisecond or more, so that to begin with cold caches costs nobody much
  std::vector<Rival> rivals;
  rivals.push_back({"Pinocchio, at its best", ring([&](const double* at) {
                      pinocchio.at_its_best(at, best);
                      return best.masses[0];
                    }),
                    2});
  rivals.push_back({"Pinocchio, as usually written", ring([&](const double* at) {
                      pinocchio.as_usually_written(at, usual);
                      return usual.masses[0];
                    }),
                    1});
  for (const char* const* set = thud::kernel::instruction_set_names(); *set; ++set) {
    const char* name = *set;
    const auto add = [&](const char* what, const std::function<void()>& run, int repeats) {
      rivals.push_back({std::string("thud, ").append(what).append(", ").append(name),
                        [=] {
                          thud::kernel::choose_instruction_set(name);
                          run();
                        },
                        repeats});
    };
    add("one query", ring([&](const double* at) {
          ask(workspace, Eigen::Map<const Eigen::VectorXd>(at, 7), inertias);
          return inertias[thud::InertiaModel::algebraic].effective_mass();
        }),
        4);
    add(
        "batch of everything", [&] { batch(thud::BatchOutputs::everything, everything); }, 20);
    add(
        "batch of masses", [&] { batch(thud::BatchOutputs::masses, masses); }, 20);
  }
  for (const auto& [name, query] : others)
    rivals.push_back({name, ring([&](const double* at) {
                        query(at, other);
                        return other.masses[0];
                      }),
                      1});
  compete(rivals, rounds);
  thud::kernel::choose_instruction_set(nullptr);

  nlohmann::json out = {{"rounds", rounds}, {"postures", postures}};
  const auto ns = [&](double us) { return us * 1e3 / static_cast<double>(postures); };
  const double best_ns = ns(rivals[0].median()), usual_ns = ns(rivals[1].median());
  std::printf("%-40s%12s%12s%12s%12s\n", "one core, ns a posture", "median", "min", "of best", "of usual");
  for (Rival& rival : rivals) {
    const double median = ns(rival.median()), least = ns(rival.least());
    std::printf("%-40s%12.1f%12.1f%12.3f%12.3f\n", rival.name.c_str(), median, least, median / best_ns,
                median / usual_ns);
    out["rivals"][rival.name] = {
        {"median_ns", median}, {"min_ns", least}, {"of_best", median / best_ns}, {"of_usual", median / usual_ns}};
  }
  if (!file.empty()) thud::write_file(file, out.dump(1) + "\n");
}
