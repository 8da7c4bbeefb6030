#pragma once

/// Events on a piece of an impact in which the direction of slip turns. Private to the library.

#include <algorithm>
#include <cmath>
#include <optional>

#include "impact/instant.hpp"

namespace thud::impacting {

/// A parameter of a piece, and where the impact is there.
struct Bound {
  double t;
  Instant at;
};

/// What the curved pieces share. A Piece has at(t), its instant at a parameter t that grows with p, and
/// pace(t, instant), dp/dt there.
template <class Piece>
class Curve {
 public:
  explicit Curve(const Problem& problem) noexcept : problem_(problem) {}

  /// dv/dp.
  double rate(const Instant& at) const noexcept { return SlipRates(problem_, at.s).H; }

  // the t between two bounds of a value that lies between those at them
  double when_impulse(double value, const Bound& low, const Bound& high) const noexcept {
    const auto f = [&](const Instant& at, double pace) { return Value{at.p - value, pace}; };
    return root(f, low, high, fraction(value, low.at.p, high.at.p));
  }
  double when_velocity(double value, const Bound& low, const Bound& high) const noexcept {
    const auto f = [&](const Instant& at, double pace) { return Value{at.v - value, pace * rate(at)}; };
    return root(f, low, high, fraction(value, low.at.v, high.at.v));
  }
  double when_work(double value, const Bound& low, const Bound& high) const noexcept {
    const auto f = [&](const Instant& at, double pace) { return Value{at.work - value, pace * at.v}; };
    return root(f, low, high, std::sqrt(fraction(value, low.at.work, high.at.work)));  // from v = 0 it is quadratic
  }

  /// Where dv/dp is extreme between two bounds, if it is: where slip passes the direction of W_tn. On either side it is
  /// monotone, and v turns once at most.
  std::optional<double> extreme(const Bound& low, const Bound& high) const noexcept {
    if (!(aside(low.at) * aside(high.at) < 0)) return std::nullopt;
    const auto f = [&](const Instant& at, double pace) {
      return Value{aside(at), -problem_.d.dot(at.s) * SlipRates(problem_, at.s).G * pace / at.r};
    };
    return root(f, low, high, fraction(0, aside(low.at), aside(high.at)));
  }

  /// Where the normal velocity turns.
  double turn(const Bound& low, const Bound& high) const noexcept {
    const auto f = [&](const Instant& at, double pace) {
      const SlipRates rates(problem_, at.s);
      return Value{rates.H, -problem_.mu * aside(at) * rates.G * pace / at.r};
    };
    return root(f, low, high, fraction(0, rate(low.at), rate(high.at)));
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

  // W_tn across the slip.
  double aside(const Instant& at) const noexcept { return problem_.d.y * at.s.x - problem_.d.x * at.s.y; }

  // Of the way from one value to another.
  static double fraction(double value, double low, double high) noexcept {
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
  }

  // Newton's method from a guess, a fraction of the way, kept between the bounds by bisection. f changes its sign
  // there.
  template <class F>
  double root(const F& f, const Bound& from, const Bound& to, double guess) const noexcept {
    const auto& piece = static_cast<const Piece&>(*this);
    double low = from.t, high = to.t;
    const double at_low = f(from.at, 1).value, width = high - low;
    if (at_low == 0) return low;
    const bool rising = at_low < 0;
    double t = low + guess * width;
    for (int i = 0; i < max_iterations; ++i) {
      const Instant now = piece.at(t);
      const Value at = f(now, piece.pace(t, now));
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
