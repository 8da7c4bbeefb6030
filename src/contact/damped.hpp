#pragma once

/// The impact under the viscoelastic law and Hunt and Crossley's. Private to the library.

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/half_cycle.hpp"
#include "contact/impact.hpp"
#include "contact/motion_interpolant.hpp"
#include "contact/unit_events.hpp"

namespace thud::contact::laws {

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
                 "restitution is " + to_text(e, 4) + " exactly; the asymptotic value k/(c|v0|) is " +
                     to_text(asymptotic, 4) + ", off by more than 5 %"};
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

inline auto motion_over(const Viscoelastic& law, const ForceProfile& profile, double) {
  return [interpolant = MotionInterpolant(damping_number(law, profile.velocity))](double t) mutable {
    return interpolant.at(t);
  };
}

/// Pressing, or without force where v > k/c: the contact never pulls.
class ViscoelasticSeries {
 public:
  explicit ViscoelasticSeries(const Viscoelastic& law) : law_(law) {}

  double coefficient(int i, const double* x, const double* v, const double*) const noexcept {
    if (clamped_) return 0;
    double product = 0;
    for (int a = 0; a <= i; ++a) product += x[a] * v[i - a];
    return law_.damping * product - law_.stiffness * x[i];
  }

  double guard(double, double v, double) const noexcept {
    const double factor = law_.stiffness - law_.damping * v;
    return clamped_ ? factor : -factor;
  }

  void cross(double) noexcept { clamped_ = !clamped_; }
  double stored(double x, double) const noexcept { return law_.stiffness * x * x / 2; }

 private:
  Viscoelastic law_;
  bool clamped_ = false;
};

/// The same with another power of the depth, whose coefficients follow from y P' = n y' P, P = y^n.
class HuntCrossleySeries {
 public:
  explicit HuntCrossleySeries(const HuntCrossley& law) : law_(law) {}

  bool singular() const noexcept { return law_.exponent != 1; }
  double exponent() const noexcept { return law_.exponent; }
  double leading(double v) const noexcept { return law_.stiffness - law_.damping * v; }

  double coefficient(int i, const double* x, const double* v, const double*) noexcept {
    if (clamped_) return 0;
    const double n = law_.exponent;
    if (!singular()) {
      power_[i] = -x[i];
    } else if (i == 0) {
      power_[0] = std::pow(-x[0], n);
    } else {
      double sum = 0;
      for (int a = 1; a <= i; ++a) sum += ((n + 1) * a - i) * x[a] * power_[i - a];
      power_[i] = sum / (i * x[0]);
    }
    double product = 0;
    for (int a = 0; a <= i; ++a) product += power_[a] * v[i - a];
    return law_.stiffness * power_[i] - law_.damping * product;
  }

  double guard(double, double v, double) const noexcept {
    const double factor = law_.stiffness - law_.damping * v;
    return clamped_ ? factor : -factor;
  }

  void cross(double) noexcept { clamped_ = !clamped_; }

  double stored(double x, double) const noexcept {
    return law_.stiffness * std::pow(std::max(-x, 0.0), law_.exponent + 1) / (law_.exponent + 1);
  }

 private:
  HuntCrossley law_;
  double power_[series_order + 1];  // y^n
  bool clamped_ = false;
};

inline ViscoelasticSeries series_of(const Viscoelastic& law) {
  return ViscoelasticSeries(law);
}

inline HuntCrossleySeries series_of(const HuntCrossley& law) {
  return HuntCrossleySeries(law);
}

}  // namespace thud::contact::laws
