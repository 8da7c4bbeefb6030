#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact/maxwell.hpp"
#include "contact/turn_events.hpp"
#include "contact/turn_walk.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
using namespace contact;
using namespace foundation;
namespace {

using std::numbers::pi;

// Units of an impact's own.
struct Units {
  double time, speed, length, momentum, force, energy;
};

// Its events in those units.
struct UnitImpact {
  double peak, peak_force, peak_rate;        // rate s = -v/|v0|
  double compression, depth, deepest_force;  // infinite times for a contact that never parts
  double end, end_of_force;
  double restitution, stored_max, dissipated;
};

constexpr double never = std::numeric_limits<double>::infinity();

template <class Law>
Units units_of(const Law& law, double mass, double velocity) {
  const double time = std::sqrt(mass / law.stiffness), speed = -velocity, momentum = mass * speed;
  return {time, speed, speed * time, momentum, speed * law.stiffness * time, momentum * speed};
}

Units units_of(const HuntCrossley& law, double mass, double velocity) {
  const double speed = -velocity, momentum = mass * speed, energy = momentum * speed;
  const double length = std::pow(energy / law.stiffness, 1 / (law.exponent + 1)), time = length / speed;
  return {time, speed, length, momentum, momentum / time, energy};
}

Phase spring_phase(double e, double t) {
  if (t <= pi / 2) {
    const double f = std::sin(t);
    return {f, std::cos(t), f, f * f / 2, 0};
  }
  const double a = e > 0 ? (t - pi / 2) / e : pi / 2, f = a < pi / 2 ? std::cos(a) : 0, loss = (1 - e) * (1 + e);
  return {loss + e * e * f, -e * std::sin(a), f, e * e * f * f / 2, loss / 2};
}

UnitImpact solve(const Spring& law, double, double, double fraction) {
  const double e = law.restitution, t_c = pi / 2;
  return {.peak = t_c,
          .peak_force = 1,
          .peak_rate = 0,
          .compression = t_c,
          .depth = 1,
          .deepest_force = 1,
          .end = t_c * (1 + e),
          .end_of_force = t_c + e * std::acos(fraction),
          .restitution = e,
          .stored_max = 0.5,
          .dissipated = (1 - e) * (1 + e) / 2};
}

double zeta_of(const Maxwell& law, double mass) {
  return std::sqrt(law.stiffness) * std::sqrt(mass) / (2 * law.damping);
}

Phase maxwell_phase(double zeta, double t) {
  const maxwell::Wave w = maxwell::wave(zeta, t);
  const double s = maxwell::rate(zeta, w);
  return {w.sine + 2 * zeta * (1 - s), s, w.sine, w.sine * w.sine / 2, maxwell::dissipated(zeta, t, w)};
}

// The force falls from the peak to nothing, in a finite time or never: bisection between the peak and a time by which
// it is below the fraction.
double maxwell_end_of_force(double zeta, double peak, double limit, double goal) {
  double low = peak, high = std::isfinite(limit) ? limit : 2 * peak + 1;
  while (!std::isfinite(limit) && maxwell::wave(zeta, high).sine > goal) high *= 2;
  while (high - low > 1e-15 * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (maxwell::wave(zeta, middle).sine > goal ? low : high) = middle;
  }
  return high;
}

UnitImpact solve(const Maxwell& law, double mass, double, double fraction) {
  const double zeta = zeta_of(law, mass), t_p = maxwell::peak_time(zeta);
  const Phase peak = maxwell_phase(zeta, t_p);
  UnitImpact out{.peak = t_p,
                 .peak_force = peak.force,
                 .peak_rate = peak.rate,
                 .compression = never,
                 .depth = never,
                 .deepest_force = 0,
                 .end = never,
                 .end_of_force = never,
                 .restitution = 0,
                 .stored_max = peak.potential,
                 .dissipated = 0.5};
  if (zeta < 1) {
    const double b = std::sqrt((1 - zeta) * (1 + zeta));
    out.end = pi / b;
    out.compression = (pi - std::atan2(b, zeta)) / b;
    const Phase deepest = maxwell_phase(zeta, out.compression);
    out.depth = deepest.depth;
    out.deepest_force = deepest.force;
    out.restitution = std::exp(-zeta * out.end);
    out.dissipated = (1 - out.restitution) * (1 + out.restitution) / 2;
  }
  out.end_of_force = maxwell_end_of_force(zeta, t_p, out.end, fraction * peak.force);
  return out;
}

double damping_number(const auto& law, double velocity) {
  return law.damping * -velocity / law.stiffness;
}

// Given the powers D^n of the depth at the peak and of the greatest depth.
UnitImpact unit_impact(const TurnEvents& at, double d, double n, double peak_power, double power) {
  const double rate = d * at.peak_depth * peak_power / n;  // from df/dt = 0
  return {.peak = at.peak,
          .peak_force = peak_power * (1 + d * rate),
          .peak_rate = rate,
          .compression = at.compression,
          .depth = at.depth,
          .deepest_force = power,
          .end = at.end,
          .end_of_force = at.end_of_force,
          .restitution = at.restitution,
          .stored_max = at.depth * power / (n + 1),
          .dissipated = d * at.loss};
}

UnitImpact solve(const Viscoelastic& law, double, double velocity, double fraction) {
  const double d = damping_number(law, velocity);
  const TurnEvents at =
      fraction == tabulated_fraction ? tabulated_turn_events(d) : turn_events(half_turn(d, 1), fraction);
  return unit_impact(at, d, 1, at.peak_depth, at.depth);
}

UnitImpact solve(const HuntCrossley& law, double, double velocity, double fraction) {
  const double d = damping_number(law, velocity), n = law.exponent;
  const TurnEvents at = turn_events(half_turn(d, n), fraction);
  return unit_impact(at, d, n, std::pow(at.peak_depth, n), std::pow(at.depth, n));
}

// The phase as a function of unit time in contact.
auto course(const Spring& law, const ForceProfile&, double) {
  return [e = law.restitution](double t) { return spring_phase(e, t); };
}

auto course(const Maxwell& law, const ForceProfile& profile, double) {
  return [zeta = zeta_of(law, profile.mass)](double t) { return maxwell_phase(zeta, t); };
}

template <class Law>
auto turn_course(const Law& law, double n, const ForceProfile& profile, double unit) {
  const HalfTurn turn = half_turn(damping_number(law, profile.velocity), n);
  const double t_c = profile.end_of_compression->time / unit, t_e = profile.end_of_contact->time / unit;
  return [=](double t) { return at(turn, angle(turn, t, t_c, t_e - t_c)); };
}

auto course(const HuntCrossley& law, const ForceProfile& profile, double unit) {
  return turn_course(law, law.exponent, profile, unit);
}

auto course(const Viscoelastic& law, const ForceProfile& profile, double unit) {
  return turn_course(law, 1, profile, unit);
}

// The same where many times are asked for.
template <class Law>
auto long_course(const Law& law, const ForceProfile& profile, double unit) {
  if constexpr (std::is_same_v<Law, Viscoelastic>) {
    return [walk = TurnWalk(damping_number(law, profile.velocity))](double t) mutable { return walk.at(t); };
  } else {
    return course(law, profile, unit);
  }
}

// Depth that is left when the force has gone [|v0| T].
double permanent_set(const ForceProfile& profile) {
  const double e = profile.restitution;
  if (std::holds_alternative<Spring>(profile.law)) return (1 - e) * (1 + e);
  if (const auto* law = std::get_if<Maxwell>(&profile.law)) return 2 * zeta_of(*law, profile.mass) * (1 + e);
  return 0;
}

// The impact at an instant, in SI units.
template <class Course>
ContactState state_at(const ForceProfile& profile, const Units& unit, double time, Course&& course) {
  if (!std::isfinite(time)) throw InputError("time", time, "must be finite");

  // Free flight before and after
  const auto& end = profile.end_of_contact;
  if (time < 0) return {time, 0, profile.velocity * time, profile.velocity, 0, profile.energy.initial, 0, 0};
  if (end && time >= end->time) {
    const double x = -permanent_set(profile) * unit.length + end->velocity * (time - end->time);
    return {time, 0, x, end->velocity, profile.impulse.total, profile.energy.final, 0, profile.energy.dissipated};
  }

  const Phase phase = course(time / unit.time);
  return {time,
          phase.force * unit.force,
          -phase.depth * unit.length,
          -phase.rate * unit.speed,
          (1 - phase.rate) * unit.momentum,
          phase.rate * phase.rate / 2 * unit.energy,
          phase.potential * unit.energy,
          phase.dissipated * unit.energy};
}

// In SI units. The contact may never part.
template <class Law>
inline ForceProfile assemble(const Law& law, double mass, double velocity, double end_fraction, const Units& unit,
                             const UnitImpact& impact, bool parts) {
  const double e = impact.restitution;
  return {.law = law,
          .mass = mass,
          .velocity = velocity,
          .restitution = e,
          .peak = {impact.peak * unit.time, impact.peak_force * unit.force},
          .end_of_compression =
              parts ? std::optional(EndOfCompression{impact.compression * unit.time, impact.depth * unit.length,
                                                     impact.deepest_force * unit.force})
                    : std::nullopt,
          .end_of_contact = parts ? std::optional(EndOfContact{impact.end * unit.time, e * unit.speed}) : std::nullopt,
          .end_of_force = {impact.end_of_force * unit.time, end_fraction},
          .impulse = {(1 - impact.peak_rate) * unit.momentum, parts ? std::optional(unit.momentum) : std::nullopt,
                      (1 + e) * unit.momentum},
          .energy = {unit.energy / 2, impact.stored_max * unit.energy, impact.dissipated * unit.energy,
                     e * e / 2 * unit.energy}};
}

template <class Law>
ForceProfile profile_of(const Law& law, double mass, double velocity, double end_fraction) {
  require_valid(law);
  require_positive("mass", mass);
  require_approach(velocity);
  if (!(end_fraction > 0 && end_fraction < 1)) refuse("end_fraction", end_fraction, "must be between 0 and 1");
  const UnitImpact impact = solve(law, mass, velocity, end_fraction);
  return assemble(law, mass, velocity, end_fraction, units_of(law, mass, velocity), impact, impact.end < never);
}

// A call of its own, so that the table does not wait for what only the quadratures need.
[[gnu::noinline]] ForceProfile solved_profile(const ContactLaw& law, double mass, double velocity,
                                              double end_fraction) {
  return std::visit([&](const auto& own) { return profile_of(own, mass, velocity, end_fraction); }, law);
}

// One number of a law. A caller who has just written two of them, one by one, would have to wait for both to reach the
// cache if they were read as one; that is longer than the rest takes.
double read_alone(const volatile double& number) {
  return number;
}

}  // namespace

ForceProfile force_profile(const ContactLaw& law, double mass, double velocity, double end_fraction) {
  const auto* own = std::get_if<Viscoelastic>(&law);
  if (!own || end_fraction != tabulated_fraction) return solved_profile(law, mass, velocity, end_fraction);
  const Viscoelastic viscoelastic{read_alone(own->stiffness), read_alone(own->damping)};
  const auto& [k, c] = viscoelastic;
  const double d = damping_number(viscoelastic, velocity);
  const EventCell* cell = ready_event_cell(d);
  // All checks at once. A sum that is not finite has such a term, or terms so large that the others look after them.
  const bool good = std::min({k, mass, -velocity}) > 0 && c >= 0 && k + c + mass - velocity <= greatest;
  if (!cell || !good)
    return solved_profile(law, mass, velocity, end_fraction);  // fills the cell, or says what is wrong
  const TurnEvents at = cell->at(d);
  return assemble(viscoelastic, mass, velocity, tabulated_fraction, units_of(viscoelastic, mass, velocity),
                  unit_impact(at, d, 1, at.peak_depth, at.depth), true);
}

ContactState state(const ForceProfile& profile, double time) {
  return std::visit(
      [&](const auto& law) {
        const Units unit = units_of(law, profile.mass, profile.velocity);
        return state_at(profile, unit, time, course(law, profile, unit.time));
      },
      profile.law);
}

std::vector<ContactState> states(const ForceProfile& profile, const VectorRef& times) {
  std::vector<ContactState> out;
  out.reserve(static_cast<std::size_t>(times.size()));
  std::visit(
      [&](const auto& law) {
        const Units unit = units_of(law, profile.mass, profile.velocity);
        auto course = long_course(law, profile, unit.time);
        for (double time : times) out.push_back(state_at(profile, unit, time, course));
      },
      profile.law);
  return out;
}

std::vector<std::string> warnings(const ForceProfile& profile) {
  std::vector<std::string> out;
  const double e = profile.restitution;
  if (const auto* law = std::get_if<Viscoelastic>(&profile.law)) {
    const double asymptotic = restitution_asymptotic(*law, profile.velocity);
    if (std::abs(asymptotic - e) > 0.05 * e)
      out.push_back("restitution is " + to_text(e) + " exactly; the asymptotic value k/(c|v0|) is " +
                    to_text(asymptotic) + ", off by more than 5 %");
  }
  if (std::holds_alternative<Spring>(profile.law) && e > 1)
    out.push_back("restitution " + to_text(e) + " is above 1: the spring creates energy");
  if (std::holds_alternative<Maxwell>(profile.law) && !profile.end_of_contact)
    out.push_back("zeta = sqrt(k m)/(2 c) is at least 1: compression and contact have no end, and there is no rebound");
  return out;
}

}  // namespace thud
