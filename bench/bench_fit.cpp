// One viscoelastic fit of 250 samples (25 kHz, 1 % noise, mass and start free; 32 records in turn): thud against Ceres
// with RK4 and autodiff, in interleaved rounds. Checks that they agree before it times them. Prints one JSON object,
// times in microseconds.
//
// bench_fit [rounds]      all of it
// bench_fit --fit N       thud's fit alone, N times: the median, for fit_rivals.py
// bench_fit --record      the record as CSV, for fit_rivals.py

#include <thud/fit.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <ceres/ceres.h>

#include "rivals.hpp"

namespace {

constexpr double mass = 4, velocity = -0.12, stiffness = 3e5, damping = 7.5e6, touch = 0.41e-3;

struct Record {
  Eigen::VectorXd times, forces;
};

Record make_record(unsigned seed) {
  const thud::ForceProfile profile = thud::force_profile(thud::Viscoelastic{stiffness, damping}, mass, velocity);
  Record out{Eigen::VectorXd(250), Eigen::VectorXd(250)};
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, 0.01 * profile.peak.force);
  for (int i = 0; i < 250; ++i) {
    out.times[i] = i / 25e3;
    out.forces[i] = thud::state(profile, out.times[i] - touch).force + normal(generator);
  }
  return out;
}

thud::FitResult fit_thud(const Record& record) {
  return thud::fit(record.times, record.forces, thud::LawKind::viscoelastic, {.velocity = velocity, .baseline = 0.0});
}

// Residuals of a record by RK4 between samples, differentiated automatically. Parameters: ln k, ln c, ln m, t0 in ms.
struct RungeKutta {
  const Record& record;

  template <class T>
  bool operator()(const T* p, T* residual) const {
    using std::exp;
    const T k = exp(p[0]), c = exp(p[1]), m = exp(p[2]), t0 = p[3] * 1e-3;
    const auto force = [&](const T& x, const T& v) { return x < T(0) ? x * (c * v - k) : T(0); };
    T x(0), v(velocity), now = t0;
    for (int i = 0; i < record.times.size(); ++i) {
      const T h = record.times[i] - now;
      if (h > T(0)) {
        const T a1 = force(x, v) / m, v2 = v + h / 2.0 * a1, a2 = force(x + h / 2.0 * v, v2) / m;
        const T v3 = v + h / 2.0 * a2, a3 = force(x + h / 2.0 * v2, v3) / m;
        const T v4 = v + h * a3, a4 = force(x + h * v3, v4) / m;
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        now = T(record.times[i]);
      }
      residual[i] = record.forces[i] - (h > T(0) ? force(x, v) : T(0));
    }
    return true;
  }
};

// From the same start that a user would take from the record by eye: 20 % off.
std::array<double, 4> fit_ceres(const Record& record) {
  std::array<double, 4> p{std::log(stiffness * 1.2), std::log(damping * 0.8), std::log(mass * 1.2), 0.4};
  ceres::Problem problem;
  problem.AddResidualBlock(new ceres::AutoDiffCostFunction<RungeKutta, ceres::DYNAMIC, 4>(new RungeKutta{record}, 250),
                           nullptr, p.data());
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.logging_type = ceres::SILENT;
  options.function_tolerance = 1e-8;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return p;
}

void require(bool agree, const char* what) {
  if (agree) return;
  std::fprintf(stderr, "bench_fit: %s disagree\n", what);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  std::vector<Record> records;
  for (unsigned seed = 1; seed <= 32; ++seed) records.push_back(make_record(seed));
  const Record& record = records[0];
  const auto in_turn = [&records](std::size_t& turn) -> const Record& { return records[turn++ % records.size()]; };
  std::size_t ours_at = 0, theirs_at = 0;  // every rival meets every record
  if (mode == "--record") {
    for (int i = 0; i < 250; ++i) std::printf("%.17g,%.17g\n", record.times[i], record.forces[i]);
    return 0;
  }
  volatile double sink = 0;
  if (mode == "--fit") {
    Rival rival{"thud", [&] { sink = sink + fit_thud(in_turn(ours_at)).mass; }, 1};
    for (int i = 0; i < std::max(1, std::atoi(argv[2])); ++i) rival.times.push_back(seconds(rival.run, 1));
    const thud::FitResult result = fit_thud(record);
    const auto& law = std::get<thud::Viscoelastic>(result.law);
    std::printf("%.3f %.10g %.10g %.10g %.10g\n", rival.median(), law.stiffness, law.damping, result.mass,
                result.start);
    return 0;
  }

  // Agreement first
  const thud::FitResult ours = fit_thud(record);
  const auto theirs = fit_ceres(record);
  const auto& law = std::get<thud::Viscoelastic>(ours.law);
  require(ours.ok() && std::abs(std::log(law.damping) - theirs[1]) < 0.02 &&
              std::abs(std::log(ours.mass) - theirs[2]) < 0.02,
          "fits of thud and Ceres");

  const int rounds = std::max(1, argc > 1 ? std::atoi(argv[1]) : 31);
  std::vector<Rival> rivals = {{"thud", [&] { sink = sink + fit_thud(in_turn(ours_at)).mass; }, 1},
                               {"ceres_rk4_autodiff", [&] { sink = sink + fit_ceres(in_turn(theirs_at))[0]; }, 1}};
  compete(rivals, static_cast<int>(records.size()) * rounds);
  std::printf("{\n  \"fit_250_samples_us\": {");
  for (Rival& rival : rivals)
    std::printf("%s\n    \"%s\": {\"median\": %.3f, \"min\": %.3f, \"ratio\": %.2f}", &rival == &rivals[0] ? "" : ",",
                rival.name.c_str(), rival.median(), rival.least(), rival.median() / rivals[0].median());
  std::printf("}\n}\n");
}
