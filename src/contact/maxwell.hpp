#pragma once

/// The Maxwell impact in dimensionless form. Private to the library.
///
/// Units: time T = sqrt(m/k), length |v0| T, force m|v0|/T, energy m v0^2. With zeta = sqrt(k m)/(2 c), b^2 = 1 -
/// zeta^2:
///
///   F = e^(-zeta t) S,   s = -v/|v0| = e^(-zeta t) (C + zeta S),   S = sin(b t)/b, C = cos(b t)      [Stronge00,
///   (5.1.1)]
///
/// and sinh, cosh for zeta > 1. The depth is the spring's F and the dashpot's 2 zeta (1 - s).

#include <cmath>
#include <optional>

#include "contact/half_cycle.hpp"
#include "contact/impact.hpp"

namespace thud::contact::maxwell {

/// e^(-zeta t) S and e^(-zeta t) C.
struct Oscillation {
  double sine, cosine;
};

inline Oscillation oscillation(double zeta, double t) {
  const double b2 = (1 - zeta) * (1 + zeta), b = std::sqrt(std::abs(b2)), angle = b * t;
  if (angle < 1e-4) {  // also zeta = 1; the next terms are below 1e-16
    const double decay = std::exp(-zeta * t), a2 = b2 * t * t;
    return {decay * t * (1 - a2 / 6), decay * (1 - a2 / 2)};
  }
  if (b2 > 0) {
    const double decay = std::exp(-zeta * t);
    return {decay * std::sin(angle) / b, decay * std::cos(angle)};
  }
  const double slow = std::exp(-t / (zeta + b)), fast = std::exp(-t * (zeta + b));  // zeta - b = 1/(zeta + b)
  return {(slow - fast) / (2 * b), (slow + fast) / 2};
}

/// Rate s of compression.
inline double rate(double zeta, const Oscillation& w) {
  return w.cosine + zeta * w.sine;
}

/// Energy in the dashpot, the integral of 2 zeta F^2.
inline double dissipated(double zeta, double t, const Oscillation& w) {
  return -std::expm1(-2 * zeta * t) / 2 - zeta * w.sine * rate(zeta, w);
}

/// dF/dt = 0: C = zeta S, where S = 1.
inline double peak_time(double zeta) {
  const double b = std::sqrt(std::abs((1 - zeta) * (1 + zeta)));
  if (b < 1e-4) return 1 + (1 - zeta) / 3;  // the next term is below 1e-16
  return (zeta < 1 ? std::atan2(b, zeta) : std::log1p(zeta - 1 + b)) / b;
}

}  // namespace thud::contact::maxwell

namespace thud::contact::laws {

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

/// The force is a state. Once it has vanished it stays so, though the dashpot is still compressed.
class MaxwellSeries {
 public:
  explicit MaxwellSeries(const Maxwell& law) : law_(law) {}

  double coefficient(int i, const double*, const double* v, const double* f) noexcept {
    if (spent_) return 0;
    return i == 0 ? force_ : force_rate(law_, f[i - 1], v[i - 1]) / i;
  }

  /// The force at the end of a series begins the next.
  void carry(double f) noexcept { force_ = f; }

  double guard(double, double, double f) const noexcept { return spent_ ? -1 : -f; }
  void cross(double) noexcept { spent_ = true; }
  double stored(double, double f) const noexcept { return f * f / (2 * law_.stiffness); }

 private:
  Maxwell law_;
  double force_ = 0;
  bool spent_ = false;
};

inline MaxwellSeries series_of(const Maxwell& law) {
  return MaxwellSeries(law);
}

}  // namespace thud::contact::laws
