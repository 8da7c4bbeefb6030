#pragma once

/// The impact under the virtual spring. Private to the library.

#include <cmath>
#include <optional>

#include "contact/half_cycle.hpp"
#include "contact/impact.hpp"

namespace thud::contact::laws {

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

/// Compressing until v = 0, restoring from there with the shifted rest length, slack while it is longer than that.
class SpringSeries {
 public:
  explicit SpringSeries(const Spring& law) : law_(law) {}

  double coefficient(int i, const double* x, const double*, const double*) const noexcept {
    if (phase_ == Phase::compressing) return -law_.stiffness * x[i];
    if (phase_ == Phase::slack) return 0;
    return -restoring_stiffness() * (i == 0 ? x[0] - rest_ : x[i]);
  }

  double guard(double x, double v, double) const noexcept {
    if (phase_ == Phase::compressing) return v;
    if (law_.restitution == 0) return -1;
    return phase_ == Phase::slack ? rest_ - x : x - rest_;
  }

  void cross(double x) noexcept {
    const double e = law_.restitution;
    if (phase_ == Phase::compressing) {
      rest_ = (1 - e) * (1 + e) * x;
      phase_ = e > 0 ? Phase::restoring : Phase::slack;
    } else {
      phase_ = phase_ == Phase::slack ? Phase::restoring : Phase::slack;
    }
  }

  double stored(double, double f) const noexcept {
    return f * f / (2 * (phase_ == Phase::compressing ? law_.stiffness : restoring_stiffness()));
  }

 private:
  enum class Phase { compressing, restoring, slack };

  double restoring_stiffness() const noexcept { return law_.stiffness / (law_.restitution * law_.restitution); }

  Spring law_;
  Phase phase_ = Phase::compressing;
  double rest_ = 0;  // x without force, after the compression [m]
};

inline SpringSeries series_of(const Spring& law) {
  return SpringSeries(law);
}

}  // namespace thud::contact::laws
