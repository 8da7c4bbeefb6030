// The C++ side of fit_rivals.py: one viscoelastic fit of 250 samples (25 kHz, 1 % noise, mass and start free), by thud
// and by Ceres with RK4 and autodiff. Takes requests from standard input, one a line, and answers each with one line of
// JSON.
//
// record I     {"times": [s], "forces": [N]}, the record with seed I
// thud I N     N fits of that record, one after the other: {"seconds": [N of them], "parameters": [k, c, m, t0],
//              "errors": [their standard errors]}
// ceres I N    likewise, without errors

#include <thud/fit.hpp>
#include <thud/profile.hpp>

#include <array>
#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <ceres/ceres.h>
#include <nlohmann/json.hpp>

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
  return {std::exp(p[0]), std::exp(p[1]), std::exp(p[2]), p[3] * 1e-3};
}

// A standard error from a 95 % interval.
double error(const thud::FitResult& result, std::string_view name) {
  for (const thud::FitParameter& p : result.parameters)
    if (p.name == name) return (p.high - p.low) / (2 * 1.96);
  return 0;
}

template <class Fit>
std::vector<double> times_of(int count, const Fit& fit) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(seconds(fit, 1));
  return out;
}

nlohmann::json answer(const std::string& what, const Record& record, int count) {
  if (what == "record") return {{"times", record.times}, {"forces", record.forces}};
  if (what == "ceres") {
    std::array<double, 4> found{};
    const auto times = times_of(count, [&] { found = fit_ceres(record); });
    return {{"seconds", times}, {"parameters", found}};
  }
  thud::FitResult found;
  const auto times = times_of(count, [&] { found = fit_thud(record); });
  const auto& law = std::get<thud::Viscoelastic>(found.law);
  return {{"seconds", times},
          {"parameters", {law.stiffness, law.damping, found.mass, found.start}},
          {"errors", {error(found, "stiffness"), error(found, "damping"), error(found, "mass"), error(found, "start")}},
          {"ok", found.ok()}};
}

}  // namespace

int main() {
  std::string what;
  for (unsigned seed = 0; std::cin >> what >> seed;) {
    int count = 0;
    if (what != "record") std::cin >> count;
    std::cout << answer(what, make_record(seed), count) << std::endl;
  }
}
