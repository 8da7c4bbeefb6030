// Boost.Odeint copies steppers whose scratch arrays are still empty; GCC sees that at the place of the copy.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/numeric/odeint.hpp>

#include "impacts.hpp"

namespace {

using namespace thud;
using std::numbers::pi;
using support::agree;
using Wide = boost::multiprecision::cpp_bin_float_50;

constexpr double balance = 1e-9;      // the bound on the sum of energies
constexpr double event_time = 1e-10;  // the bound on event times
constexpr double digits = 1e-13;      // what the closed forms reach
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ForceProfile viscoelastic(double d) {
  return force_profile(Viscoelastic{3e5, d * 3e5 / 0.12}, 4, -0.12);
}

double end_time(const ForceProfile& profile) {
  return profile.end_of_contact ? profile.end_of_contact->time : 3 * profile.end_of_force.time;
}

// Laws

TEST(Profile, EnergySumIsConstant) {
  for (const auto& [name, law, mass, velocity] : support::impacts) {
    const ForceProfile profile = force_profile(law, mass, velocity);
    const double whole = mass * velocity * velocity / 2;
    for (int i = -5; i <= 220; ++i) {
      const ContactState s = state(profile, i / 200.0 * end_time(profile));
      EXPECT_NEAR((s.kinetic + s.potential + s.dissipated) / whole, 1, balance) << name << ", t = " << s.time;
    }
    EXPECT_NEAR((profile.energy.dissipated + profile.energy.final) / whole, 1, balance) << name;
    EXPECT_TRUE(agree(profile.energy.final, profile.restitution * profile.restitution * whole, digits)) << name;
  }
}

// The two integrals of motion, by quadrature of the sampled force and velocity between events.
TEST(Profile, ImpulseIsTheIntegralOfForceAndCompressionThatOfVelocity) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
  for (const auto& [name, law, mass, velocity] : support::impacts) {
    const ForceProfile profile = force_profile(law, mass, velocity);
    std::vector<double> edges{0, profile.peak.time};
    if (profile.end_of_compression) edges.push_back(profile.end_of_compression->time);
    for (double t = profile.end_of_force.time; t < end_time(profile); t *= 1.5) edges.push_back(t);
    edges.push_back(end_time(profile));
    std::sort(edges.begin(), edges.end());
    double impulse = 0, x = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (!(edges[i] > edges[i - 1])) continue;
      const auto integral = [&](double ContactState::*field) {
        return Rule::integrate([&](double t) { return state(profile, t).*field; }, edges[i - 1], edges[i], 5, 1e-10);
      };
      impulse += integral(&ContactState::force);
      x += integral(&ContactState::velocity);
      const ContactState s = state(profile, edges[i]);
      EXPECT_TRUE(agree(s.impulse, impulse, 1e-8)) << name << ", edge " << i;
      EXPECT_NEAR(s.compression, x, 1e-8 * std::abs(velocity) * edges[i]) << name << ", edge " << i;
      EXPECT_TRUE(agree(s.impulse, mass * (s.velocity - velocity), digits)) << name << ", edge " << i;
    }
    if (profile.end_of_contact) {
      EXPECT_TRUE(agree(profile.impulse.total, impulse, 1e-8)) << name;
    }
  }
}

TEST(Profile, ManyStatesAreTheStatesOneByOne) {
  for (const auto& [name, law, mass, velocity] : support::impacts) {
    const ForceProfile profile = force_profile(law, mass, velocity);
    Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(301, -0.1, 1.2) * end_time(profile);
    std::swap(times[40], times[90]);
    const std::vector<ContactState> all = states(profile, times);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ContactState one = state(profile, times[static_cast<Eigen::Index>(i)]);
      EXPECT_NEAR(all[i].force, one.force, 1e-11 * profile.peak.force) << name << ", sample " << i;
      EXPECT_NEAR(all[i].velocity, one.velocity, 1e-11 * -velocity) << name << ", sample " << i;
      EXPECT_NEAR(all[i].compression, one.compression, 1e-11 * -velocity * end_time(profile))
          << name << ", sample " << i;
    }
  }
}

TEST(Profile, EventsAreWhatTheirNamesSay) {
  for (const auto& [name, law, mass, velocity] : support::impacts) {
    const ForceProfile p = force_profile(law, mass, velocity, 0.02);
    if (p.restitution == 0 && p.end_of_contact) continue;  // a plastic spring ends at its peak, where the force jumps
    const ContactState peak = state(p, p.peak.time);
    EXPECT_TRUE(agree(peak.force, p.peak.force, 1e-12)) << name;
    EXPECT_TRUE(agree(peak.impulse, p.impulse.peak, 1e-9)) << name;
    for (double t : {0.99, 1.01}) EXPECT_LT(state(p, t * p.peak.time).force, p.peak.force) << name;
    if (p.end_of_compression) {
      const ContactState deepest = state(p, p.end_of_compression->time);
      EXPECT_NEAR(deepest.velocity, 0, 1e-12 * -velocity) << name;
      EXPECT_TRUE(agree(-deepest.compression, p.end_of_compression->depth, 1e-12)) << name;
      EXPECT_TRUE(agree(deepest.force, p.end_of_compression->force, 1e-11)) << name;
      EXPECT_TRUE(agree(*p.impulse.compression, mass * -velocity, digits)) << name;
    }
    if (p.end_of_contact) {
      const double t = p.end_of_contact->time;
      EXPECT_TRUE(agree(p.end_of_contact->velocity, p.restitution * -velocity, digits)) << name;
      EXPECT_NEAR(state(p, t * (1 - 1e-12)).velocity, p.end_of_contact->velocity, 1e-9 * -velocity) << name;
      EXPECT_EQ(state(p, t).force, 0) << name;
      EXPECT_GE(t, p.end_of_force.time) << name;
    }
    if (p.restitution > 0) {
      EXPECT_TRUE(agree(state(p, p.end_of_force.time).force, 0.02 * p.peak.force, 1e-9)) << name;
    }
    EXPECT_EQ(p.end_of_force.fraction, 0.02);
    EXPECT_LE(state(p, 0.7 * p.end_of_force.time).potential, p.energy.stored_max * (1 + digits)) << name;
  }
}

// Second road for the viscoelastic law: Hunt-Crossley with exponent 1, whose events come by quadrature

void expect_events_of_the_quadrature(double d) {
  const Viscoelastic law{3e5, d * 3e5 / 0.12};
  force_profile(law, 4, -0.12);  // fills the cell, so that the next call finds it filled
  const ForceProfile p = force_profile(law, 4, -0.12);
  const ForceProfile q = force_profile(HuntCrossley{3e5, d * 3e5 / 0.12, 1}, 4, -0.12);
  // Where d is large, the angle of the end of compression itself is known no better.
  const double tolerance = d < 1e6 ? digits : 1e-12;
  EXPECT_TRUE(agree(p.peak.time, q.peak.time, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.peak.force, q.peak.force, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_compression->time, q.end_of_compression->time, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_compression->depth, q.end_of_compression->depth, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_compression->force, q.end_of_compression->force, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_contact->time, q.end_of_contact->time, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_contact->velocity, q.end_of_contact->velocity, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.end_of_force.time, q.end_of_force.time, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.impulse.peak, q.impulse.peak, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.impulse.total, q.impulse.total, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.energy.stored_max, q.energy.stored_max, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.energy.dissipated, q.energy.dissipated, tolerance)) << "d = " << d;
  EXPECT_TRUE(agree(p.restitution, restitution(p.law, 4, -0.12), tolerance)) << "d = " << d;
}

TEST(Profile, TabulatedEventsAreThoseOfTheQuadrature) {
  for (double d : {0.0, 1e-300, 1e-12, 1e12}) expect_events_of_the_quadrature(d);
  for (double d = 1e-9; d < 5e9; d *= 1.17) expect_events_of_the_quadrature(d);
  // Both sides of each edge of a cell, and between
  for (double edge = 1; edge < 4e9; edge *= 2)
    for (int i = 0; i < 64; ++i)
      for (double share : {0.0, 1e-9, 0.3, 0.8, 1 - 1e-9})
        expect_events_of_the_quadrature(edge * (1 + (i + share) / 64) - 1);
}

TEST(Profile, ACellThatIsFilledGivesWhatTheFirstCallDid) {
  for (double d : {0.0, 0.1, 1.0, 5.0, 1e5}) {
    const Viscoelastic law{3e5, d * 3e5 / 0.12};
    const ForceProfile first = force_profile(law, 4, -0.12), next = force_profile(law, 4, -0.12);
    EXPECT_TRUE(agree(next.end_of_contact->time, first.end_of_contact->time, digits));
    EXPECT_TRUE(agree(next.peak.force, first.peak.force, digits));
    EXPECT_TRUE(agree(next.energy.final, first.energy.final, digits));
    EXPECT_EQ(next.end_of_force.fraction, 0.01);
    EXPECT_EQ(*next.impulse.compression, *first.impulse.compression);
    EXPECT_EQ(next.energy.initial, first.energy.initial);
    EXPECT_EQ(std::get<Viscoelastic>(next.law).stiffness, law.stiffness);
    EXPECT_EQ(std::get<Viscoelastic>(next.law).damping, law.damping);
    EXPECT_EQ(next.mass, 4);
    EXPECT_EQ(next.velocity, -0.12);
  }
}

// Under gtest_discover_tests each test is a process, so that the table is empty here.
TEST(Profile, AnyThreadFillsTheTable) {
  std::vector<double> times[8];
  {
    std::vector<std::jthread> threads;
    for (auto& found : times)
      threads.emplace_back([&found] {
        for (double d = 0.1; d < 1e3; d *= 1.5) found.push_back(viscoelastic(d).end_of_force.time);
      });
  }
  for (const auto& found : times) EXPECT_EQ(found, times[0]);
}

TEST(Profile, ManyStatesAreThoseOfTheQuadrature) {
  for (double d : {0.0, 1e-9, 1e-3, 0.09, 0.11, 1.0, 3.0, 10.0, 40.0, 300.0, 1e4, 1e6, 1e9}) {
    const ForceProfile profile = viscoelastic(d);
    // Denser towards first touch, where a strongly damped contact has its peak
    Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(400, 0, 1);
    const double t_p = profile.peak.time, t_e = profile.end_of_contact->time;
    for (double& t : times) t = t < 0.5 ? 8 * t * t_p : t_e * std::pow(4 * t_p / t_e, 2 - 2 * t);
    const std::vector<ContactState> all = states(profile, times);
    for (const ContactState& s : all) {
      const ContactState one = state(profile, s.time);
      EXPECT_NEAR(s.force, one.force, 2e-11 * profile.peak.force) << "d = " << d << ", t = " << s.time;
      EXPECT_NEAR(s.velocity, one.velocity, 1e-12 * 0.12) << "d = " << d << ", t = " << s.time;
      EXPECT_NEAR(s.compression, one.compression, 1e-10 * profile.end_of_compression->depth) << "d = " << d;
      EXPECT_NEAR(s.dissipated, one.dissipated, 1e-12 * profile.energy.initial) << "d = " << d << ", t = " << s.time;
      EXPECT_NEAR((s.kinetic + s.potential + s.dissipated) / profile.energy.initial, 1, 1e-11) << "d = " << d;
    }
  }
}

// Second road: adaptive integration of m dv/dt = f in SI units, events by stepping onto them

struct Integrated {
  double peak, peak_force, compression, depth, end, velocity;
};

template <class Law>
Integrated integrate(const Law& law, double mass, double velocity, double time_unit) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, 2>;  // depth/length, -v/|v0|, so that one tolerance suits both
  const double speed = -velocity, length = speed * time_unit;
  const auto rate = [&](const State& s, State& ds, double) {
    double f = force(law, -s[0] * length, -s[1] * speed);
    // Continued beyond x = 0, where a clamped force would not be smooth within the integrator's last step
    if constexpr (std::is_same_v<Law, Viscoelastic>) f = s[0] * length * (law.stiffness + law.damping * s[1] * speed);
    ds = {s[1], -f / mass * time_unit / speed};
  };
  double n = 1;
  if constexpr (std::is_same_v<Law, HuntCrossley>) n = law.exponent;
  const double d = law.damping * speed / law.stiffness;
  // sign changes of: df/dt, v, x
  const auto event = [&](int which, const State& s) {
    State ds;
    rate(s, ds, 0);
    return which == 0 ? -(n * s[1] * (1 + d * s[1]) + s[0] * d * ds[1]) : which == 1 ? -s[1] : -s[0];
  };
  odeint::runge_kutta_fehlberg78<State> step;
  auto controlled = odeint::make_controlled(1e-14, 1e-12, step);
  State s{0, 1};
  double t = 0, h = 1e-6, times[3];
  State at[3];
  controlled.try_step(rate, s, t, h);
  for (int which = 0; which < 3; ++which) {
    State before = s;
    double t_before = t;
    while (event(which, s) <= 0) {
      before = s;
      t_before = t;
      // towards the parting, where depth^n is not smooth, in steps that shrink with the depth
      if (which == 2) h = std::min(h, std::max(1e-7, s[0] / std::abs(3 * s[1])));
      while (controlled.try_step(rate, s, t, h) != odeint::success) {
      }
    }
    double low = 0, high = t - t_before;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      State there = before;
      step.do_step(rate, there, t_before, middle);
      (event(which, there) > 0 ? high : low) = middle;
    }
    times[which] = t_before + high;
    at[which] = before;
    step.do_step(rate, at[which], t_before, high);
    s = at[which];
    t = times[which];
  }
  return {times[0] * time_unit, force(law, -at[0][0] * length, -at[0][1] * speed),
          times[1] * time_unit, at[1][0] * length,
          times[2] * time_unit, -at[2][1] * speed};
}

void expect_equal(const ForceProfile& p, const Integrated& i, double tolerance, const std::string& name) {
  EXPECT_TRUE(agree(p.peak.time, i.peak, tolerance)) << name;
  EXPECT_TRUE(agree(p.peak.force, i.peak_force, tolerance)) << name;
  EXPECT_TRUE(agree(p.end_of_compression->time, i.compression, tolerance)) << name;
  EXPECT_TRUE(agree(p.end_of_compression->depth, i.depth, tolerance)) << name;
  EXPECT_TRUE(agree(p.end_of_contact->time, i.end, tolerance)) << name;
  EXPECT_TRUE(agree(p.end_of_contact->velocity, i.velocity, tolerance)) << name;
}

// m, k and v0 over nine decades each, c so that d covers nine; beyond d = 1e3 an explicit integrator needs hours.
TEST(Profile, ViscoelasticAgreesWithAdaptiveIntegration) {
  std::mt19937_64 generator(support::seed());
  for (int i = 0; i < 200; ++i) {
    const double m = support::log_uniform(generator, 1e-4, 1e5), k = support::log_uniform(generator, 1, 1e9);
    const double v = -support::log_uniform(generator, 1e-6, 1e3), d = support::log_uniform(generator, 1e-6, 1e3);
    const Viscoelastic law{k, d * k / -v};
    const std::string name = "m " + to_text(m) + " k " + to_text(k) + " v0 " + to_text(v) + " d " + to_text(d);
    expect_equal(force_profile(law, m, v), integrate(law, m, v, std::sqrt(m / k)), event_time, name);
  }
}

TEST(Profile, HuntCrossleyAgreesWithAdaptiveIntegration) {
  std::mt19937_64 generator(support::seed());
  for (int i = 0; i < 100; ++i) {
    const double n = std::uniform_real_distribution(1.0, 3.0)(generator),
                 d = support::log_uniform(generator, 1e-4, 1e2);
    const HuntCrossley law{1e5, d * 1e5 / 0.2, n};
    const double unit = std::pow(3 * 0.04 / 1e5, 1 / (n + 1)) / 0.2;
    expect_equal(force_profile(law, 3, -0.2), integrate(law, 3, -0.2, unit), 1e-9,
                 "n " + to_text(n) + " d " + to_text(d));
  }
}

TEST(Profile, MaxwellAgreesWithAdaptiveIntegration) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, 3>;  // f T/(m|v0|), v/|v0|, x/(|v0| T)
  for (double zeta : {1e-3, 0.1, 0.5, 0.99, 1.0, 1.01, 5.0}) {
    const double m = 2, k = 5e4, v0 = -0.3, unit = std::sqrt(m / k);
    const Maxwell law{k, std::sqrt(k * m) / (2 * zeta)};
    const ForceProfile profile = force_profile(law, m, v0);
    const auto rate = [&](const State& s, State& ds, double) {
      ds = {force_rate(law, s[0] * m * -v0 / unit, s[1] * -v0) * unit * unit / (m * -v0), s[0], s[1]};
    };
    State s{0, -1, 0};
    double now = 0;
    for (double t : {0.3, 1.0, 2.0, 3.0}) {
      odeint::integrate_adaptive(odeint::make_controlled(1e-14, 1e-12, odeint::runge_kutta_fehlberg78<State>()), rate,
                                 s, now, t, 0.01);
      now = t;
      const ContactState ours = state(profile, t * unit);
      EXPECT_NEAR(ours.force / (m * -v0 / unit), s[0], event_time) << "zeta " << zeta;
      EXPECT_NEAR(ours.velocity / -v0, s[1], event_time) << "zeta " << zeta;
      EXPECT_NEAR(ours.compression / (-v0 * unit), s[2], event_time) << "zeta " << zeta;
    }
  }
}

// Event times as integrals of deta/(d depth^n) in 50 digits, over the whole range of d.
void expect_times_of_the_integral(double d, double n) {
  boost::math::quadrature::tanh_sinh<Wide> rule;
  const auto h = [](const Wide& eta) { return Wide(exp(eta) - 1 - eta); };
  const Wide eta0 = log(1 + Wide(d)), h0 = h(eta0), m = Wide(n) + 1, power = Wide(n) / m;
  const auto root = [](Wide low, Wide high, auto above) {
    for (int i = 0; i < 220; ++i) {
      const Wide middle = (low + high) / 2;
      (above(middle) ? low : high) = middle;
    }
    return low;
  };
  const Wide end = root(-h0 - 2, 0, [&](const Wide& eta) { return h(eta) > h0; });
  const Wide peak = root(0, eta0, [&](const Wide& eta) { return Wide(n) * (exp(eta) - 1) < m * (h0 - h(eta)); });
  const auto time = [&](const Wide& from, const Wide& to) {
    const auto integrand = [&](const Wide& eta) {
      const Wide rest = h0 - h(eta);
      return rest > 0 ? Wide(exp(-power * log(m * rest / (Wide(d) * d))) / d) : Wide(0);
    };
    const Wide middle = (from + to) / 2, half = (to - from) / 2;
    return Wide(half * rule.integrate([&](const Wide& x) { return integrand(middle + half * x); }, Wide(1e-13)));
  };
  const Wide middle = d > 100 ? Wide(-50) : end / 2;
  const double t_p = static_cast<double>(time(peak, eta0));
  const double t_c = t_p + static_cast<double>(time(0, peak / 2) + time(peak / 2, peak));
  const double t_e = t_c + static_cast<double>(time(middle, 0) + time(end, middle));
  const ContactLaw law = n == 1 ? ContactLaw(Viscoelastic{1, d}) : HuntCrossley{1, d, n};
  const ForceProfile profile = force_profile(law, 1, -1);
  EXPECT_TRUE(agree(profile.peak.time, t_p, event_time)) << "d = " << d << ", n = " << n;
  EXPECT_TRUE(agree(profile.end_of_compression->time, t_c, event_time)) << "d = " << d << ", n = " << n;
  EXPECT_TRUE(agree(profile.end_of_contact->time, t_e, event_time)) << "d = " << d << ", n = " << n;
}

TEST(Profile, EventTimesHoldOverEighteenDecades) {
  for (double d : {1e-9, 1e-6, 1e-3, 0.03, 0.4, 1.0, 2.5, 7.0, 20.0, 150.0, 1e4, 1e6, 1e9})
    expect_times_of_the_integral(d, 1);
}

TEST(Profile, EventTimesHoldForOtherExponents) {
  for (double n : {0.6, 1.1, 1.5, 3.0})
    for (double d : {0.5, 30.0, 500.0}) expect_times_of_the_integral(d, n);
  // where an edge of the quadrature's panels comes in at an end of the turn: w0 of 2, 3, 4, 8 and 8 % more (phase.hpp)
  for (double d : {3.51, 3.9, 6.52, 7.2, 10.44, 11.8, 35.61, 41.0}) expect_times_of_the_integral(d, 2.9);
}

// Closed forms and the paper

TEST(Profile, TableOfSection5) {
  // d, x_max [mm], f_max [N], t at peak, t_c, t at x = 0 [ms]
  const double table[][6] = {{0.1, 0.42437, 127.905, 5.271, 5.620, 11.48},
                             {1, 0.34327, 128.833, 3.084, 4.913, 11.77},
                             {3, 0.26240, 159.433, 1.904, 4.143, 13.04},
                             {5, 0.22199, 187.905, 1.493, 3.723, 14.59},  // time of the peak: 1.49332
                             {10, 0.17086, 246.228, 1.066, 3.145, 18.36}};
  for (const auto& [d, depth, force, t_p, t_c, t_e] : table) {
    const ForceProfile p = viscoelastic(d);
    EXPECT_NEAR(p.end_of_compression->depth * 1e3, depth, 5.1e-6) << "d = " << d;
    EXPECT_NEAR(p.peak.force, force, 5.1e-4) << "d = " << d;
    EXPECT_NEAR(p.peak.time * 1e3, t_p, 5.1e-4) << "d = " << d;
    EXPECT_NEAR(p.end_of_compression->time * 1e3, t_c, 5.1e-4) << "d = " << d;
    EXPECT_NEAR(p.end_of_contact->time * 1e3, t_e, 5.1e-3) << "d = " << d;
  }
}

TEST(Profile, WithoutDampingAHalfSine) {
  for (double d : {0.0, 1e-12}) {
    const ForceProfile p = viscoelastic(d);
    const double w = std::sqrt(3e5 / 4);
    EXPECT_TRUE(agree(p.end_of_contact->time, pi / w, 1e-11));
    EXPECT_TRUE(agree(p.peak.force, 0.12 * std::sqrt(3e5 * 4), 1e-11));
    for (double t : {0.1, 0.7, 1.5, 2.9}) EXPECT_TRUE(agree(state(p, t / w).force, p.peak.force * std::sin(t), 1e-10));
  }
}

TEST(Profile, ViscoelasticPeaksBeforeTheEndOfCompression) {
  for (double d = 1e-6; d < 1e9; d *= 3) {
    const ForceProfile p = viscoelastic(d);
    EXPECT_LT(p.peak.time, p.end_of_compression->time) << "d = " << d;
    EXPECT_GT(p.peak.force, p.end_of_compression->force) << "d = " << d;
  }
}

TEST(Profile, SpringIsInPhase) {
  const ForceProfile p = force_profile(Spring{3e5, 0.6}, 4, -0.12);
  const double t_c = pi / 2 * std::sqrt(4 / 3e5);
  EXPECT_TRUE(agree(p.peak.time, t_c, digits));
  EXPECT_EQ(p.peak.time, p.end_of_compression->time);
  EXPECT_TRUE(agree(p.peak.force, 0.12 * std::sqrt(3e5 * 4), digits));
  EXPECT_TRUE(agree(p.end_of_contact->time, 1.6 * t_c, digits));
  EXPECT_TRUE(agree(p.energy.dissipated, (1 - 0.36) * 0.5 * 4 * 0.0144, digits));
}

TEST(Profile, MaxwellIsTheLinearOscillator) {
  const Maxwell law{3e5, 4e3};
  const ForceProfile p = force_profile(law, 4, -0.12), twice = force_profile(law, 4, -0.24);
  const double w0 = std::sqrt(3e5 / 4), zeta = std::sqrt(3e5 * 4) / 8e3, wd = w0 * std::sqrt(1 - zeta * zeta);
  EXPECT_TRUE(agree(p.end_of_contact->time, pi / wd, digits));
  for (double t : {1e-3, 4e-3, 9e-3})
    EXPECT_TRUE(agree(state(p, t).force, 3e5 * 0.12 / wd * std::exp(-zeta * w0 * t) * std::sin(wd * t), 1e-12));
  EXPECT_EQ(p.restitution, twice.restitution);
  EXPECT_TRUE(agree(state(p, pi / wd).compression, -1 * 4 * 0.12 * (1 + p.restitution) / 4e3, 1e-12));
  const ForceProfile over = force_profile(Maxwell{3e5, 100}, 4, -0.12);
  EXPECT_FALSE(over.end_of_compression || over.end_of_contact || over.impulse.compression);
  EXPECT_EQ(over.restitution, 0);
}

TEST(Profile, ExponentOneIsViscoelastic) {
  for (double d : {1e-9, 0.3, 4.0, 1e5}) {
    const ForceProfile a = force_profile(Viscoelastic{2e5, d * 1e6}, 3, -0.2);
    const ForceProfile b = force_profile(HuntCrossley{2e5, d * 1e6, 1}, 3, -0.2);
    const ForceProfile c = force_profile(HuntCrossley{2e5, d * 1e6, 1 + 1e-9}, 3, -0.2);
    EXPECT_TRUE(agree(a.peak.time, b.peak.time, digits));
    EXPECT_TRUE(agree(a.end_of_contact->time, b.end_of_contact->time, digits));
    EXPECT_TRUE(agree(a.end_of_contact->time, c.end_of_contact->time, 1e-7)) << "continuous in the exponent";
    EXPECT_TRUE(agree(a.end_of_compression->time, c.end_of_compression->time, 1e-7));
  }
}

TEST(Profile, Warnings) {
  EXPECT_TRUE(warnings(viscoelastic(10)).empty());
  const auto found = warnings(viscoelastic(1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, WarningCode::asymptotic_restitution);
  EXPECT_EQ(found[0].subject, "viscoelastic");
  EXPECT_NE(found[0].text.find("0.5936"), std::string::npos);
  EXPECT_NE(found[0].text.find("is 1,"), std::string::npos) << found[0].text;
  EXPECT_EQ(warnings(force_profile(Spring{1, 1.5}, 1, -1)).at(0).code, WarningCode::energy_created);
  EXPECT_EQ(warnings(force_profile(Maxwell{1, 0.1}, 1, -1)).at(0).code, WarningCode::endless_contact);
}

// Refusals

TEST(Profile, Refusals) {
  const Viscoelastic law{3e5, 2.5e6};
  for (const Viscoelastic& good : {law, Viscoelastic{1, 0}, Viscoelastic{1e308, 1e308}})
    EXPECT_NO_THROW(force_profile(good, 1, -1));  // and their cells are filled
  EXPECT_THROW(force_profile(Viscoelastic{-1, -1}, 1, -1), InputError);
  EXPECT_THROW(force_profile(Viscoelastic{1, -1e-20}, 1, -1), InputError);
  EXPECT_THROW(force_profile(Viscoelastic{1, nan}, 1, -1), InputError);
  EXPECT_THROW(force_profile(Viscoelastic{1, inf}, 1, -1), InputError);
  for (double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(force_profile(Viscoelastic{bad, 1}, 1, -1), InputError);
    EXPECT_THROW(force_profile(law, bad, -1), InputError);
    EXPECT_THROW(force_profile(law, 1, -1, bad), InputError);
  }
  for (double bad : {0.0, 0.12, nan, -inf}) EXPECT_THROW(force_profile(law, 1, bad), InputError);
  for (double bad : {nan, inf}) EXPECT_THROW(state(viscoelastic(1), bad), InputError);
  try {
    force_profile(law, -2, -1);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "mass: -2: must be finite and greater than 0");
  }
}

}  // namespace
