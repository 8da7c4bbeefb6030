#pragma once

/// Force records with a known truth, made without the library: fixed-step Runge-Kutta and the closed forms of
/// docs/equations.md, so that reading, windows and fits have something independent to be measured against.

#include <thud/record.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace signals {

/// A contact force over the time since touch [s] -> [N], its length [s] and peak [N].
struct Impact {
  std::string name;
  std::function<double(double)> force;
  double duration = 0, peak = 0;
};

/// f = depth^n (k + c rate) by steps of 1/4 us, four times finer than it is looked up. Ends at depth 0 or after 60 ms.
inline Impact hunt_crossley(std::string name, double mass, double speed, double k, double c, double n) {
  constexpr double h = 0.25e-6, stored = 1e-6;
  const auto force = [=](double x, double v) { return x > 0 ? std::max(0.0, std::pow(x, n) * (k + c * v)) : 0.0; };
  std::vector<double> table{0};
  double x = 0, v = speed, t = 0;  // depth [m] and its rate [m/s]
  for (int i = 1; t < 0.06 && x >= 0; ++i) {
    const double a1 = -force(x, v) / mass, v2 = v + h / 2 * a1;
    const double a2 = -force(x + h / 2 * v, v2) / mass, v3 = v + h / 2 * a2;
    const double a3 = -force(x + h / 2 * v2, v3) / mass, v4 = v + h * a3;
    const double a4 = -force(x + h * v3, v4) / mass;
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    t = i * h;
    if (i % 4 == 0) table.push_back(force(x, v));
  }
  const double peak = *std::max_element(table.begin(), table.end());
  const auto look_up = [table = std::move(table)](double time) {
    const double at = time / stored;
    if (at <= 0 || at >= static_cast<double>(table.size() - 1)) return 0.0;
    const auto i = static_cast<std::size_t>(at);
    return table[i] + (at - static_cast<double>(i)) * (table[i + 1] - table[i]);
  };
  return {std::move(name), look_up, t, peak};
}

/// Spring and dashpot in series: f = (k v0/wd) exp(-zeta w0 t) sin(wd t) up to pi/wd.
inline Impact maxwell(double mass, double speed, double k, double c) {
  const double w0 = std::sqrt(k / mass), zeta = std::sqrt(k * mass) / (2 * c), wd = w0 * std::sqrt(1 - zeta * zeta);
  const double end = std::numbers::pi / wd;
  const auto force = [=](double t) {
    return t <= 0 || t >= end ? 0.0 : k * speed / wd * std::exp(-zeta * w0 * t) * std::sin(wd * t);
  };
  return {"maxwell", force, end, force(std::atan2(wd, zeta * w0) / wd)};
}

/// Spring k in compression, k/e^2 in restitution.
inline Impact spring(double mass, double speed, double k, double e) {
  const double w = std::sqrt(k / mass), tc = std::numbers::pi / (2 * w), peak = speed * std::sqrt(k * mass);
  const auto force = [=](double t) {
    if (t <= 0 || t >= tc * (1 + e)) return 0.0;
    return t < tc ? peak * std::sin(w * t) : peak * std::cos(w * (t - tc) / e);
  };
  return {"spring", force, tc * (1 + e), peak};
}

/// The laws at the experiment's mass and speed: 4 kg, 0.12 m/s, 3e5 N/m, d = c v0/k of 1 and 5 for the viscoelastic
/// one.
inline const std::vector<Impact>& impacts() {
  static const std::vector<Impact> all{
      spring(4, 0.12, 3e5, 0.6),
      maxwell(4, 0.12, 3e5, 1200),
      hunt_crossley("viscoelastic", 4, 0.12, 3e5, 2.5e6, 1),
      hunt_crossley("viscoelastic_damped", 4, 0.12, 3e5, 1.25e7, 1),
      hunt_crossley("hertz", 4, 0.12, 1e7, 5e7, 1.5),
  };
  return all;
}

/// What surrounds the contact.
struct Scene {
  double rate = 25000;   ///< [Hz]
  double before = 4e-3;  ///< from the first sample to the touch                        [s]
  double after = 8e-3;   ///< from the end of the contact to the last sample            [s]
  double noise = 0;      ///< standard deviation over the peak                          [1]
  double offset = 0;     ///< [N]
  double drift = 0;      ///< [N/s]
  double press = 0;      ///< force kept up after the impact, over the peak             [1]
  double sign = 1;       ///< -1: a sensor of the other sign
  std::uint64_t seed = 1;
};

/// Normal numbers by Box and Muller: the same on every machine, which the standard library does not promise.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : engine_(seed) {}
  double operator()() {
    const double u = uniform(), v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }
  /// In (0, 1].
  double uniform() { return (static_cast<double>(engine_() >> 11) + 1) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// A record of the impact; the touch is at t = 0.
inline thud::Record make_record(const Impact& impact, const Scene& scene) {
  Normal normal(scene.seed);
  thud::Record record;
  const auto count = static_cast<int>((scene.before + impact.duration + scene.after) * scene.rate);
  for (int i = 0; i < count; ++i) {
    const double t = i / scene.rate - scene.before;
    // The pressing force takes over smoothly as the impact decays.
    const double pressing = t > 0 ? scene.press * impact.peak * (1 - std::exp(-t / (0.5 * impact.duration))) : 0;
    const double contact = std::max(impact.force(t), pressing) + scene.noise * impact.peak * normal();
    record.time.push_back(i / scene.rate);
    record.force.push_back(scene.sign * contact + scene.offset + scene.drift * t);
  }
  return record;
}

}  // namespace signals
