#pragma once

/// The impact under each law, in dimensionless form: validation of the parameters, restitution, events and motion. A
/// new law adds its overloads here. Private to the library.

#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "contact/half_cycle.hpp"
#include "contact/maxwell.hpp"
#include "contact/motion_interpolant.hpp"
#include "contact/unit_events.hpp"
#include "foundation/require.hpp"

namespace thud::contact::laws {

using std::numbers::pi;

constexpr bool in_range(ParameterRange range, double value) {
  return (range == ParameterRange::positive ? value > 0 : value >= 0) && value <= foundation::largest_double;
}

/// Throws InputError for a parameter outside the range that the law's table states.
template <class Law>
void require_valid(const Law& law) {
  const auto check = [&]<std::size_t i>() {
    constexpr LawParameter<Law> parameter = Law::parameters[i];
    const double value = law.*parameter.field;
    if (!in_range(parameter.range, value))
      foundation::refuse(parameter.name.data(), value,
                         to_string(parameter.range).data());  // literals, hence null-terminated
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (check.template operator()<i>(), ...);
  }
  (std::make_index_sequence<std::size(Law::parameters)>());
}

/// The units that make an impact dimensionless.
struct Units {
  double time, speed, length, momentum, force, energy;
};

/// Events of the impact in those units.
struct UnitImpact {
  double peak, peak_force, peak_rate;        // rate s = -v/|v0|
  double compression, depth, deepest_force;  // infinite times for a contact that never ends
  double end, end_of_force;
  double restitution, stored_max, dissipated;
};

inline constexpr double never = std::numeric_limits<double>::infinity();

template <class Law>
Units units_of(const Law& law, double mass, double velocity) {
  const double time = std::sqrt(mass / law.stiffness), speed = -velocity, momentum = mass * speed;
  return {time, speed, speed * time, momentum, speed * law.stiffness * time, momentum * speed};
}

/// Defaults for most laws: no depth remains when the force has vanished [|v0| T], and there is no warning.
template <class Law>
double permanent_set(const Law&, const ForceProfile&) {
  return 0;
}
template <class Law>
std::optional<Warning> warning(const Law&, const ForceProfile&) {
  return std::nullopt;
}

// Spring

inline double restitution_of(const Spring& law, double, double) {
  return law.restitution;
}

inline UnitImpact solve(const Spring& law, double, double, double fraction) {
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

inline UnitState spring_state(double e, double t) {
  if (t <= pi / 2) {
    const double f = std::sin(t);
    return {f, std::cos(t), f, f * f / 2, 0};
  }
  const double a = e > 0 ? (t - pi / 2) / e : pi / 2, f = a < pi / 2 ? std::cos(a) : 0, loss = (1 - e) * (1 + e);
  return {loss + e * e * f, -e * std::sin(a), f, e * e * f * f / 2, loss / 2};
}

/// The state as a function of unit time in contact.
inline auto motion(const Spring& law, const ForceProfile&, double) {
  return [e = law.restitution](double t) { return spring_state(e, t); };
}

inline double permanent_set(const Spring& law, const ForceProfile&) {
  return (1 - law.restitution) * (1 + law.restitution);
}

inline std::optional<Warning> warning(const Spring&, const ForceProfile& profile) {
  const double e = profile.restitution;
  if (!(e > 1)) return std::nullopt;
  return Warning{WarningCode::energy_created, std::string(Spring::name),
                 "restitution " + to_text(e) + " is above 1: the spring creates energy"};
}

// Maxwell

inline double zeta_of(const Maxwell& law, double mass) {
  return std::sqrt(law.stiffness) * std::sqrt(mass) / (2 * law.damping);
}

inline double restitution_of(const Maxwell& law, double mass, double) {
  const double zeta = zeta_of(law, mass);
  return zeta < 1 ? std::exp(-pi * zeta / std::sqrt((1 - zeta) * (1 + zeta))) : 0.0;
}

inline UnitState maxwell_state(double zeta, double t) {
  const maxwell::Oscillation w = maxwell::oscillation(zeta, t);
  const double s = maxwell::rate(zeta, w);
  return {w.sine + 2 * zeta * (1 - s), s, w.sine, w.sine * w.sine / 2, maxwell::dissipated(zeta, t, w)};
}

// The force falls from the peak to zero, in finite or infinite time: bisection between the peak and a time at which it
// is below the fraction.
inline double maxwell_end_of_force(double zeta, double peak, double limit, double goal) {
  double low = peak, high = std::isfinite(limit) ? limit : 2 * peak + 1;
  while (!std::isfinite(limit) && maxwell::oscillation(zeta, high).sine > goal) high *= 2;
  while (high - low > 1e-15 * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (maxwell::oscillation(zeta, middle).sine > goal ? low : high) = middle;
  }
  return high;
}

inline UnitImpact solve(const Maxwell& law, double mass, double, double fraction) {
  const double zeta = zeta_of(law, mass), t_p = maxwell::peak_time(zeta);
  const UnitState peak = maxwell_state(zeta, t_p);
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
    const UnitState deepest = maxwell_state(zeta, out.compression);
    out.depth = deepest.depth;
    out.deepest_force = deepest.force;
    out.restitution = std::exp(-zeta * out.end);
    out.dissipated = (1 - out.restitution) * (1 + out.restitution) / 2;
  }
  out.end_of_force = maxwell_end_of_force(zeta, t_p, out.end, fraction * peak.force);
  return out;
}

inline auto motion(const Maxwell& law, const ForceProfile& profile, double) {
  return [zeta = zeta_of(law, profile.mass)](double t) { return maxwell_state(zeta, t); };
}

inline double permanent_set(const Maxwell& law, const ForceProfile& profile) {
  return 2 * zeta_of(law, profile.mass) * (1 + profile.restitution);
}

inline std::optional<Warning> warning(const Maxwell&, const ForceProfile& profile) {
  if (profile.end_of_contact) return std::nullopt;
  return Warning{WarningCode::endless_contact, std::string(Maxwell::name),
                 "zeta = sqrt(k m)/(2 c) is at least 1: compression and contact have no end, and there is no rebound"};
}

// Viscoelastic and Hunt-Crossley

double damping_number(const auto& law, double velocity) {
  return law.damping * -velocity / law.stiffness;
}

// The rate s = w0/d cos(theta)/eta'(w) at the end of the half cycle, where w = -w0; and w0/d = eta'(w0).
template <class Law>
double damped_restitution(const Law& law, double velocity) {
  const double w0 = phase::initial_w(damping_number(law, velocity));
  return phase::eta(w0).d1 / phase::eta(-w0).d1;
}

// From the powers D^n of the depth at the peak force and of the maximum depth.
inline UnitImpact unit_impact(const UnitEvents& at, double d, double n, double peak_power, double power) {
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

template <class Law>
auto damped_motion(const Law& law, double n, const ForceProfile& profile, double unit) {
  const HalfCycle cycle = half_cycle(damping_number(law, profile.velocity), n);
  const double t_c = profile.end_of_compression->time / unit, t_e = profile.end_of_contact->time / unit;
  return [=](double t) { return unit_state(cycle, phase_angle(cycle, t, t_c, t_e - t_c)); };
}

inline double restitution_of(const Viscoelastic& law, double, double velocity) {
  return damped_restitution(law, velocity);
}

inline UnitImpact solve(const Viscoelastic& law, double, double velocity, double fraction) {
  const double d = damping_number(law, velocity);
  const UnitEvents at = fraction == tabulated_fraction ? tabulated_events(d) : unit_events(half_cycle(d, 1), fraction);
  return unit_impact(at, d, 1, at.peak_depth, at.depth);
}

inline auto motion(const Viscoelastic& law, const ForceProfile& profile, double unit) {
  return damped_motion(law, 1, profile, unit);
}

inline std::optional<Warning> warning(const Viscoelastic& law, const ForceProfile& profile) {
  const double e = profile.restitution, asymptotic = restitution_asymptotic(law, profile.velocity);
  if (!(std::abs(asymptotic - e) > 0.05 * e)) return std::nullopt;
  return Warning{WarningCode::asymptotic_restitution, std::string(Viscoelastic::name),
                 "restitution is " + to_text(e) + " exactly; the asymptotic value k/(c|v0|) is " + to_text(asymptotic) +
                     ", off by more than 5 %"};
}

inline Units units_of(const HuntCrossley& law, double mass, double velocity) {
  const double speed = -velocity, momentum = mass * speed, energy = momentum * speed;
  const double length = std::pow(energy / law.stiffness, 1 / (law.exponent + 1)), time = length / speed;
  return {time, speed, length, momentum, momentum / time, energy};
}

inline double restitution_of(const HuntCrossley& law, double, double velocity) {
  return damped_restitution(law, velocity);
}

inline UnitImpact solve(const HuntCrossley& law, double, double velocity, double fraction) {
  const double d = damping_number(law, velocity), n = law.exponent;
  const UnitEvents at = unit_events(half_cycle(d, n), fraction);
  return unit_impact(at, d, n, std::pow(at.peak_depth, n), std::pow(at.depth, n));
}

inline auto motion(const HuntCrossley& law, const ForceProfile& profile, double unit) {
  return damped_motion(law, law.exponent, profile, unit);
}

/// As `motion`, efficient for many increasing times.
template <class Law>
auto motion_over(const Law& law, const ForceProfile& profile, double unit) {
  return motion(law, profile, unit);
}

inline auto motion_over(const Viscoelastic& law, const ForceProfile& profile, double) {
  return [interpolant = MotionInterpolant(damping_number(law, profile.velocity))](double t) mutable {
    return interpolant.at(t);
  };
}

}  // namespace thud::contact::laws
