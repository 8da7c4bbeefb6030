// The C++ side of fit_rivals.py: one viscoelastic fit of 250 samples (25 kHz, 1 % noise, mass and start free), by thud
// and by Ceres with RK4 and autodiff. Takes requests from standard input, one a line, and answers each with one line of
// JSON. I and J count records, from 0; there are 32.
//
// record I     {"times": [s], "forces": [N]}
// thud I J     one fit of each record from I to J - 1: {"seconds": [...], "parameters": [[k, c, m, t0], ...], "errors":
//              [[their standard errors], ...]}
// ceres I J    likewise, without errors

#include <thud/fit.hpp>
#include <thud/profile.hpp>

#include <array>
#include <cmath>
#include <iostream>
#include <random>
#include <span>
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
  return thud::fit(record.times, record.forces, thud::LawKind::viscoelastic, velocity, {.baseline = 0.0});
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

nlohmann::json fits_of_ceres(std::span<const Record> records) {
  std::vector<double> times;
  std::vector<std::array<double, 4>> found(records.size());
  for (std::size_t i = 0; i < records.size(); ++i)
    times.push_back(seconds([&] { found[i] = fit_ceres(records[i]); }, 1));
  return {{"seconds", times}, {"parameters", found}};
}

nlohmann::json fits_of_thud(std::span<const Record> records) {
  std::vector<double> times;
  std::vector<thud::FitResult> found(records.size());
  for (std::size_t i = 0; i < records.size(); ++i)
    times.push_back(seconds([&] { found[i] = fit_thud(records[i]); }, 1));
  nlohmann::json out = {{"seconds", times}};
  for (const thud::FitResult& f : found) {
    const auto& law = std::get<thud::Viscoelastic>(f.law);
    out["parameters"].push_back({law.stiffness, law.damping, f.mass, f.start});
    out["errors"].push_back({error(f, "stiffness"), error(f, "damping"), error(f, "mass"), error(f, "start")});
  }
  return out;
}

}  // namespace

int main() {
  std::vector<Record> records;
  for (unsigned seed = 1; seed <= 32; ++seed) records.push_back(make_record(seed));
  std::string what;
  std::size_t from = 0, to = 0;
  while (std::cin >> what >> from) {
    if (what == "record") {
      std::cout << nlohmann::json{{"times", records.at(from).times}, {"forces", records.at(from).forces}} << std::endl;
      continue;
    }
    std::cin >> to;
    const auto some = std::span(records).subspan(from, to - from);
    std::cout << (what == "ceres" ? fits_of_ceres(some) : fits_of_thud(some)) << std::endl;
  }
}
