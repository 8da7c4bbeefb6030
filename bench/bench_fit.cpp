// Rivals side by side, in interleaved rounds:
//   one viscoelastic fit of 250 samples (25 kHz, 1 % noise, mass and start free; 32 records in turn), thud against
//   Ceres with RK4 and autodiff; one force profile with its events, thud against Boost.Odeint's adaptive integrators.
// Checks that rivals agree before it times them. Prints one JSON object, times in microseconds.
//
// bench_fit [rounds]      all of it
// bench_fit --fit N       thud's fit alone, N times: the median, for fit_rivals.py
// bench_fit --record      the record as CSV, for fit_rivals.py

#include <thud/fit.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <boost/numeric/odeint.hpp>
#include <ceres/ceres.h>

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

// Event times of an impact by an adaptive integrator in units of the impact: peak, v = 0, x = 0.
template <class Stepper>
std::array<double, 3> events_odeint(double d, double tolerance) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, 2>;
  const auto rate = [d](const State& s, State& ds, double) { ds = {s[1], -s[0] * (1 + d * s[1])}; };
  const auto event = [&](int which, const State& s) {
    return which == 0 ? d * s[0] * s[0] - s[1] : which == 1 ? -s[1] : -s[0];
  };
  odeint::runge_kutta_fehlberg78<State> step;  // keeps no derivative from its last call, unlike dopri5
  auto controlled = odeint::make_controlled<Stepper>(tolerance, tolerance);
  State s{0, 1};
  double t = 0, h = 1e-3;
  std::array<double, 3> out{};
  for (int which = 0; which < 3; ++which) {
    State before = s;
    double t_before = t;
    do {
      before = s;
      t_before = t;
      while (controlled.try_step(rate, s, t, h) != odeint::success) {
      }
    } while (event(which, s) <= 0);
    // Secant steps from the last state before the event
    double low = 0, high = t - t_before, f_low = event(which, before), f_high = event(which, s);
    State there = s;
    for (int i = 0; i < 8 && std::abs(f_high) > 1e-16; ++i) {
      const double next = high - f_high * (high - low) / (f_high - f_low);
      there = before;
      step.do_step(rate, there, t_before, next);
      low = high;
      f_low = f_high;
      high = next;
      f_high = event(which, there);
      if (f_high == f_low) break;
    }
    out[static_cast<std::size_t>(which)] = t_before + high;
    s = there;
    t = t_before + high;
  }
  return out;
}

double seconds(const std::function<void()>& run, int repeats) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeats;
}

struct Rival {
  std::string name;
  std::function<void()> run;
  int repeats;
  std::vector<double> times = {};

  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e6;
  }
  double least() const { return *std::min_element(times.begin(), times.end()) * 1e6; }
};

void compete(const char* title, std::vector<Rival> rivals, int rounds, bool last) {
  for (int round = 0; round < rounds; ++round)
    for (Rival& rival : rivals) rival.times.push_back(seconds(rival.run, rival.repeats));
  const double ours = rivals[0].median();
  std::printf("  \"%s\": {", title);
  for (std::size_t i = 0; i < rivals.size(); ++i)
    std::printf("%s\n    \"%s\": {\"median\": %.3f, \"min\": %.3f, \"ratio\": %.2f}", i ? "," : "",
                rivals[i].name.c_str(), rivals[i].median(), rivals[i].least(), rivals[i].median() / ours);
  std::printf("}%s\n", last ? "" : ",");
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
  std::size_t turn = 0;  // each run takes the next record
  const auto next = [&]() -> const Record& { return records[turn++ % records.size()]; };
  if (mode == "--record") {
    for (int i = 0; i < 250; ++i) std::printf("%.17g,%.17g\n", record.times[i], record.forces[i]);
    return 0;
  }
  volatile double sink = 0;
  if (mode == "--fit") {
    Rival rival{"thud", [&] { sink = sink + fit_thud(next()).mass; }, 1};
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
  using Dopri5 = boost::numeric::odeint::runge_kutta_dopri5<std::array<double, 2>>;
  using Fehlberg = boost::numeric::odeint::runge_kutta_fehlberg78<std::array<double, 2>>;
  const auto profile = [](double d) { return thud::force_profile(thud::Viscoelastic{1, d}, 1, -1); };
  double worst[3] = {0, 0, 0};
  for (double d : {0.1, 1.0, 3.0, 10.0}) {
    const thud::ForceProfile p = profile(d);
    const double exact[] = {p.peak.time, p.end_of_compression->time, p.end_of_contact->time};
    const std::array<double, 3> found[] = {events_odeint<Dopri5>(d, 1e-12), events_odeint<Dopri5>(d, 1e-15),
                                           events_odeint<Fehlberg>(d, 1e-14)};
    for (int i = 0; i < 3; ++i)
      for (std::size_t e = 0; e < 3; ++e) worst[i] = std::max(worst[i], std::abs(found[i][e] / exact[e] - 1));
  }
  require(std::max({worst[0], worst[1], worst[2]}) < 1e-8, "event times of thud and Odeint");

  const int rounds = std::max(1, argc > 1 ? std::atoi(argv[1]) : 31);
  std::printf("{\n");
  compete("fit_250_samples_us",
          {{"thud", [&] { sink = sink + fit_thud(next()).mass; }, 1},
           {"ceres_rk4_autodiff", [&] { sink = sink + fit_ceres(next())[0]; }, 1}},
          32 * rounds, false);
  std::printf("  \"event_time_error\": {\"dopri5_1e-12\": %.1e, \"dopri5_1e-15\": %.1e, \"fehlberg78_1e-14\": %.1e},\n",
              worst[0], worst[1], worst[2]);
  for (double d : {0.1, 1.0, 3.0, 10.0, 1e3, 1e5}) {
    const std::string title = "profile_with_events_us_d_" + std::to_string(static_cast<int>(d * 10)) + "_tenths";
    compete(title.c_str(),
            {{"thud", [&, d] { sink = sink + profile(d).peak.time; }, 200},
             {"odeint_dopri5_1e-12", [&, d] { sink = sink + events_odeint<Dopri5>(d, 1e-12)[0]; }, 5},
             {"odeint_dopri5_1e-15", [&, d] { sink = sink + events_odeint<Dopri5>(d, 1e-15)[0]; }, 2},
             {"odeint_fehlberg78_1e-14", [&, d] { sink = sink + events_odeint<Fehlberg>(d, 1e-14)[0]; }, 5}},
            d < 1e4 ? rounds : 3, d == 1e5);
  }
  std::printf("}\n");
}
