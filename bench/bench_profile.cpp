// One viscoelastic impact with its events, without and with 250 samples of the force: thud against Boost.Odeint's
// adaptive integrators, in interleaved rounds. What it compares, it prints.
//
// bench_profile [rounds] [--json FILE]

#include <thud/file.hpp>
#include <thud/profile.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include <boost/numeric/odeint.hpp>
#include <nlohmann/json.hpp>

#include "rivals.hpp"

namespace {

namespace odeint = boost::numeric::odeint;

constexpr const char* what =
    R"(One viscoelastic impact with its events: peak force, end of compression, end of contact, end of force at 1 % of the peak.
  thud             thud::force_profile, all that it reports, of a law that stands ready; "new law": made for each call
  dopri5           the adaptive integrator: Boost.Odeint's controlled Dormand-Prince 5, the choice of its documentation,
                   events on its dense output
  fehlberg78       beside it: Odeint's controlled Runge-Kutta-Fehlberg 7(8), events by a step from the last state
Each integrator at tolerance 1e-12, and ("equal") at the coarsest power of ten whose event times are as accurate as
thud's or to 1e-14, below which roundings decide; where none is, at its most accurate. Event errors are relative, against
the same integration in long double at 1e-18; sample errors relative to the peak force, against thud's quadrature.
Times are medians of interleaved rounds, a turn being 16 impacts of nearly the same d = c|v0|/k.
)";
constexpr double goal_ratio = 500;  // thud against the adaptive integrator at equal accuracy, with events

constexpr int samples = 250;
constexpr double fraction = 0.01;
using Samples = std::array<double, samples>;

template <class Real>
using State = std::array<Real, 2>;  // depth and -v/|v0|, in units of the impact

template <class Real>
struct Impact {
  Real d;

  void operator()(const State<Real>& s, State<Real>& ds, Real) const { ds = {s[1], -force(s)}; }
  Real force(const State<Real>& s) const { return s[0] * (1 + d * s[1]); }
};

// Two ways to step and to look inside the last step.
template <class Real>
struct Dopri5 {
  using Stepper = odeint::runge_kutta_dopri5<State<Real>, Real>;
  odeint::dense_output_runge_kutta<odeint::controlled_runge_kutta<Stepper>> stepper;

  Dopri5(const Impact<Real>&, Real tolerance, Real first)
      : stepper(odeint::make_dense_output(tolerance, tolerance, Stepper())) {
    stepper.initialize(State<Real>{0, 1}, Real(0), first);
  }
  void step(const Impact<Real>& impact) { stepper.do_step(impact); }
  Real before() const { return stepper.previous_time(); }
  Real now() const { return stepper.current_time(); }
  const State<Real>& state() const { return stepper.current_state(); }
  State<Real> at(const Impact<Real>&, Real time) {
    State<Real> out;
    stepper.calc_state(time, out);
    return out;
  }
};

template <class Real>
struct Fehlberg78 {
  using Stepper = odeint::runge_kutta_fehlberg78<State<Real>, Real>;
  odeint::controlled_runge_kutta<Stepper> controlled;
  Stepper plain;
  State<Real> last{0, 1}, here{0, 1};
  Real t_last = 0, t = 0, h;

  Fehlberg78(const Impact<Real>&, Real tolerance, Real first)
      : controlled(odeint::make_controlled(tolerance, tolerance, Stepper())), h(first) {}
  void step(const Impact<Real>& impact) {
    last = here;
    t_last = t;
    while (controlled.try_step(impact, here, t, h) != odeint::success) {
    }
  }
  Real before() const { return t_last; }
  Real now() const { return t; }
  const State<Real>& state() const { return here; }
  State<Real> at(const Impact<Real>& impact, Real time) {
    State<Real> out;
    plain.do_step(impact, last, t_last, out, time - t_last);
    return out;
  }
};

template <class Real>
struct Events {
  Real peak = -1, compression = -1, end = -1, end_of_force = -1;
};

// Value and rate of what is positive after an event.
template <class Real, class Function>
Real locate(const Function& value_and_rate, Real low, Real high, Real low_value, Real high_value) {
  Real t = low - low_value * (high - low) / (high_value - low_value);
  for (int i = 0; i < 20; ++i) {
    const auto [value, rate] = value_and_rate(t);
    (value > 0 ? high : low) = t;
    Real next = t - value / rate;
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const Real step = std::abs(next - t);
    t = next;
    if (step <= std::sqrt(std::numeric_limits<Real>::epsilon()) * t) break;  // the error is of the order of its square
  }
  return t;
}

// Steps past x = 0 and finds the events, each within the step in which its sign changes. Samples, where asked for, are
// `spacing` apart.
template <class Method, class Real>
Events<Real> integrate(Real d, Real tolerance, Real spacing = 0, Samples* forces = nullptr) {
  const Impact<Real> impact{d};
  Method method(impact, tolerance, Real(0.01) / (1 + d));
  Events<Real> out;
  using Pair = std::pair<Real, Real>;
  const auto peak = [&](const State<Real>& s) {
    return Pair{d * s[0] * s[0] - s[1], 2 * d * s[0] * s[1] + impact.force(s)};
  };
  const auto compression = [&](const State<Real>& s) { return Pair{-s[1], impact.force(s)}; };
  const auto end = [](const State<Real>& s) { return Pair{-s[0], -s[1]}; };
  Real goal = 0;
  const auto faded = [&](const State<Real>& s) {
    return Pair{goal - impact.force(s), -(1 + d * s[1]) * (s[1] - d * s[0] * s[0])};
  };
  State<Real> last{0, 1};
  int sample = 0;
  for (int steps = 0; out.end < 0 && steps < 10000000; ++steps) {
    method.step(impact);
    const State<Real> here = method.state();
    const Real before = method.before(), now = method.now();
    const auto find = [&](Real& event, const auto& f, Real from, Real from_value) {
      if (event >= 0) return;
      const Real value = f(here).first;
      if (value <= 0) return;
      event = locate<Real>([&](Real t) { return f(method.at(impact, t)); }, from, now, from_value, value);
    };
    Real from = before, from_value = faded(last).first;
    if (out.peak < 0) {
      find(out.peak, peak, before, peak(last).first);
      if (out.peak >= 0) {
        const Real greatest = impact.force(method.at(impact, out.peak));
        goal = Real(fraction) * greatest;
        from = out.peak;
        from_value = goal - greatest;
      }
    }
    find(out.compression, compression, before, compression(last).first);
    if (out.peak >= 0) find(out.end_of_force, faded, from, from_value);
    if (steps > 0) find(out.end, end, before, end(last).first);
    if (forces)
      for (; sample < samples && sample * spacing <= now; ++sample)
        (*forces)[static_cast<std::size_t>(sample)] =
            static_cast<double>(impact.force(method.at(impact, sample * spacing)));
    last = here;
  }
  return out;
}

thud::ForceProfile profile_of(const thud::ContactLaw& law) {
  return thud::force_profile(law, 1, -1);
}

Events<double> events_of(const thud::ForceProfile& p) {
  return {p.peak.time, p.end_of_compression->time, p.end_of_contact->time, p.end_of_force.time};
}

double error(const Events<double>& found, const Events<long double>& exact) {
  const auto off = [](double value, long double truth) { return static_cast<double>(std::abs(value / truth - 1)); };
  return std::max({off(found.peak, exact.peak), off(found.compression, exact.compression), off(found.end, exact.end),
                   off(found.end_of_force, exact.end_of_force)});
}

double error(const Samples& found, const Samples& exact, double peak) {
  double worst = 0;
  for (std::size_t i = 0; i < samples; ++i) worst = std::max(worst, std::abs(found[i] - exact[i]) / peak);
  return worst;
}

// The coarsest tolerance that reaches the goal, or the most accurate one.
template <class Method>
double equal_tolerance(double d, const Events<long double>& exact, double goal) {
  double best = 0, least = 1;
  for (int power = -6; power >= -15; --power) {
    const double tolerance = std::pow(10, power), reached = error(integrate<Method, double>(d, tolerance), exact);
    if (reached < least) {
      least = reached;
      best = tolerance;
    }
    if (reached <= goal) break;
  }
  return best;
}

// A turn takes impacts of nearly the same d, given as numbers and as laws.
constexpr int batch = 16;

struct Impacts {
  std::array<double, batch> d;
  std::array<thud::ContactLaw, batch> laws;
};

Impacts impacts_near(double d) {
  Impacts out;
  for (std::size_t i = 0; i < batch; ++i) {
    out.d[i] = d * (1 + 1e-3 * static_cast<double>(i));
    out.laws[i] = thud::Viscoelastic{1, out.d[i]};
  }
  return out;
}

using Turn = std::function<double(const Impacts&)>;

template <class Item, class Function>
Turn turn(const std::array<Item, batch> Impacts::*items, Function solve) {
  return [=](const Impacts& impacts) {
    double sum = 0;
    for (const Item& item : impacts.*items) sum += solve(item);
    return sum;
  };
}

struct Entry {
  const char* name;
  double tolerance;  // 0: none
  Turn events, with_samples;
  double event_error, sample_error;
};

template <class Method>
Entry entry(const char* name, double d, double tolerance, double spacing, const Events<long double>& exact,
            const Samples& forces, double peak) {
  Samples found{};
  integrate<Method, double>(d, tolerance, spacing, &found);
  return {name,
          tolerance,
          turn(&Impacts::d, [=](double x) { return integrate<Method, double>(x, tolerance).end; }),
          turn(&Impacts::d,
               [=](double x) {
                 Samples out;
                 return integrate<Method, double>(x, tolerance, spacing, &out).end + out[100];
               }),
          error(integrate<Method, double>(d, tolerance), exact),
          error(found, forces, peak)};
}

nlohmann::json race(const char* title, const std::vector<Entry>& entries, Turn Entry::*run, double d, int rounds) {
  static volatile double sink = 0;
  const Impacts impacts = impacts_near(d);
  std::vector<Rival> rivals;
  for (const Entry& e : entries)
    rivals.push_back({e.name, [&] { sink = sink + (e.*run)(impacts); }, e.tolerance == 0 ? 50 : 1});
  compete(rivals, rounds);
  nlohmann::json out;
  const double ours = rivals[0].median() / batch;
  std::printf("d = %g, %s\n", d, title);
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const double us = rivals[i].median() / batch, least = rivals[i].least() / batch;
    std::printf("  %-18s%12.4f us (min %.4f)%12.1f times thud   event error %.0e, sample error %.0e\n", entries[i].name,
                us, least, us / ours, entries[i].event_error, entries[i].sample_error);
    out[entries[i].name] = {{"median_us", us},
                            {"min_us", least},
                            {"ratio", us / ours},
                            {"tolerance", entries[i].tolerance},
                            {"event_error", entries[i].event_error},
                            {"sample_error", entries[i].sample_error}};
  }
  return out;
}

nlohmann::json race_at(double d, int rounds) {
  const thud::ForceProfile profile = profile_of(thud::Viscoelastic{1, d});
  const Events<long double> exact = integrate<Fehlberg78<long double>, long double>(d, 1e-18L);
  const double reached = error(events_of(profile), exact), goal = std::max(reached, 1e-14);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(samples, 0, 0.999 * profile.end_of_contact->time);
  Samples forces{}, found{};
  const auto all = thud::states(profile, times);
  for (std::size_t i = 0; i < samples; ++i) {
    forces[i] = thud::state(profile, times[static_cast<Eigen::Index>(i)]).force;
    found[i] = all[i].force;
  }

  const auto make = [&]<class Method>(const char* name, double tolerance) {
    return entry<Method>(name, d, tolerance, times[1], exact, forces, profile.peak.force);
  };
  using thud::ContactLaw;
  const std::vector<Entry> entries = {
      {"thud", 0, turn(&Impacts::laws, [](const ContactLaw& law) { return profile_of(law).end_of_contact->time; }),
       turn(&Impacts::laws, [&](const ContactLaw& law) { return thud::states(profile_of(law), times)[100].force; }),
       reached, error(found, forces, profile.peak.force)},
      make.template operator()<Dopri5<double>>("dopri5", 1e-12),
      make.template operator()<Dopri5<double>>("dopri5 equal", equal_tolerance<Dopri5<double>>(d, exact, goal)),
      make.template operator()<Fehlberg78<double>>("fehlberg78", 1e-12),
      make.template operator()<Fehlberg78<double>>("fehlberg78 equal",
                                                   equal_tolerance<Fehlberg78<double>>(d, exact, goal)),
      {"thud, new law", 0,
       turn(&Impacts::d,
            [](double x) {
              return profile_of(thud::Viscoelastic{1, x}).end_of_contact->time;
            }),
       turn(&Impacts::d,
            [&](double x) {
              return thud::states(profile_of(thud::Viscoelastic{1, x}), times)[100].force;
            }),
       reached, error(found, forces, profile.peak.force)}};
  const auto events = race("events", entries, &Entry::events, d, rounds);
  return {{"d", d},
          {"rounds", rounds},
          {"events", events},
          {"with_250_samples", race("events and 250 samples", entries, &Entry::with_samples, d, rounds)}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rounds, file] = rounds_and_file(argc, argv, 31);
  std::printf("%s\n", what);
  nlohmann::json out = {{"rounds", rounds}, {"goal_ratio", goal_ratio}};
  for (double d : {0.1, 1.0, 5.0, 10.0, 1e5}) out["impacts"].push_back(race_at(d, d < 1e3 ? rounds : 10));
  std::printf("\nevents at equal accuracy, %g times faster than\n", goal_ratio);
  for (const auto& at : out["impacts"])
    for (const char* rival : {"dopri5 equal", "fehlberg78 equal"}) {
      const double ratio = at["events"][rival]["ratio"];
      std::printf("  %-12s %-18s d = %-8g %8.0f\n", ratio >= goal_ratio ? "reached" : "NOT REACHED", rival,
                  at["d"].get<double>(), ratio);
    }
  if (!file.empty()) thud::write_file(file, out.dump(1) + "\n");
}
