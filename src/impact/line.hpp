#pragma once

/// A piece of an impact in which friction per normal impulse is constant: everything is linear in the normal impulse,
/// which is its parameter, and work is quadratic. Private to the library.

#include <cmath>

#include "impact/arc.hpp"

namespace thud::impacting {

class Line {
 public:
  /// friction  d(tangential impulse)/dp
  /// H         dv/dp
  /// F         dr/dp; the direction of slip is constant
  Line(const Instant& start, const Tangent& friction, double H, double F) noexcept
      : start_(start), friction_(friction), H_(H), F_(F) {}

  Instant at(double t) const noexcept {
    Instant state = start_;
    state.p += t;
    state.v = velocity(t);
    state.work += work(t);
    state.impulse = state.impulse + t * friction_;
    state.r = std::max(0.0, state.r + F_ * t);
    return state;
  }

  static double impulse(double t) noexcept { return t; }
  double velocity(double t) const noexcept { return H_ == 0 ? start_.v : start_.v + H_ * t; }
  double work(double t) const noexcept { return t * (start_.v + H_ / 2 * t); }
  double acceleration(double /*t*/) const noexcept { return H_; }

  static double when_impulse(double value, double /*low*/, double /*high*/) noexcept { return value; }
  double when_velocity(double value, double /*low*/, double /*high*/) const noexcept { return (value - start_.v) / H_; }
  double when_work(double value, double low, double /*high*/) const noexcept {
    const double v = velocity(low), gain = value - work(low);
    return gain > 0 ? low + 2 * gain / (v + std::sqrt(v * v + 2 * H_ * gain)) : low;
  }
  static double turn(double low, double /*high*/) noexcept { return low; }

 private:
  Instant start_;
  Tangent friction_;
  double H_, F_;
};

}  // namespace thud::impacting
