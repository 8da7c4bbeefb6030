#pragma once

/// Events on a piece of an impact in which the direction of slip turns. Private to the library.

#include <algorithm>
#include <cmath>

#include "impact/instant.hpp"

namespace thud::impacting {

/// What the curved pieces share. A Piece has at(t), its instant at a parameter t that grows with p, and
/// pace(t, instant), dp/dt there.
template <class Piece>
class Curve {
 public:
  explicit Curve(const Problem& problem) noexcept : problem_(problem) {}

  /// dv/dp.
  double rate(const Instant& at) const noexcept { return SlipRates(problem_, at.s).H; }

  // the t in [low, high] of a value that lies between those at the two ends
  double when_impulse(double value, double low, double high) const noexcept {
    return root([&](const Instant& at, double pace) { return Value{at.p - value, pace}; }, low, high);
  }
  double when_velocity(double value, double low, double high) const noexcept {
    return root(
        [&](const Instant& at, double pace) {
          return Value{at.v - value, pace * SlipRates(problem_, at.s).H};
        },
        low, high);
  }
  double when_work(double value, double low, double high) const noexcept {
    return root([&](const Instant& at, double pace) { return Value{at.work - value, pace * at.v}; }, low, high);
  }

  /// Where the normal velocity turns.
  double turn(double low, double high) const noexcept {
    return root(
        [&](const Instant& at, double pace) {
          const SlipRates rates(problem_, at.s);
          const double across = problem_.d.y * at.s.x - problem_.d.x * at.s.y;
          return Value{rates.H, -problem_.mu * across * rates.G * pace / at.r};
        },
        low, high);
  }

 protected:
  const Problem& problem_;

 private:
  struct Value {
    double value, slope;
  };

  static constexpr int max_iterations = 60;

  // A step of Newton's method below this part of the bracket leaves an error of its square.
  static constexpr double last_step = 1e-8;

  // Newton's method from the secant of the bracket, kept inside by bisection. f changes its sign in [low, high].
  template <class F>
  double root(const F& f, double low, double high) const noexcept {
    const auto& piece = static_cast<const Piece&>(*this);
    const auto value = [&](double t) {
      const Instant at = piece.at(t);
      return f(at, piece.pace(t, at));
    };
    const double at_low = value(low).value, at_high = value(high).value, width = high - low;
    if (at_low == 0) return low;
    const bool rising = at_low < 0;
    double t = low + width * std::clamp(at_low / (at_low - at_high), 0.0, 1.0);
    for (int i = 0; i < max_iterations; ++i) {
      const Value at = value(t);
      if (at.value == 0) return t;
      ((at.value < 0) == rising ? low : high) = t;
      const double step = -at.value / at.slope;
      if (!(t + step >= low && t + step <= high)) {
        t = low + (high - low) / 2;
      } else {
        t += step;
        if (std::abs(step) <= last_step * width) return t;
      }
    }
    return t;
  }
};

}  // namespace thud::impacting
