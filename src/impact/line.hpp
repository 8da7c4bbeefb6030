#pragma once

/// A piece of an impact in which friction per normal impulse is constant: everything is linear in the normal impulse,
/// which is its parameter, and work is quadratic. Private to the library.

#include <algorithm>
#include <cmath>
#include <optional>

#include "impact/curve.hpp"

namespace thud::impacting {

class Line {
 public:
  /// friction  d(tangential impulse)/dp
  /// H         dv/dp
  /// F         dr/dp; the direction of slip is constant
  Line(const Instant& start, const Tangent& friction, double H, double F) noexcept
      : start_(start), friction_(friction), H_(H), F_(F) {}

  Instant at(double t) const noexcept {
    Instant now = start_;
    now.p += t;
    now.v += H_ == 0 ? 0 : H_ * t;
    now.work += t * (start_.v + now.v) / 2;
    now.impulse = now.impulse + t * friction_;
    now.r = std::max(0.0, now.r + F_ * t);
    return now;
  }

  double rate(const Instant& /*at*/) const noexcept { return H_; }

  double when_impulse(double value, const Bound& /*low*/, const Bound& /*high*/) const noexcept {
    return value - start_.p;
  }
  double when_velocity(double value, const Bound& /*low*/, const Bound& /*high*/) const noexcept {
    return (value - start_.v) / H_;
  }
  double when_work(double value, const Bound& low, const Bound& /*high*/) const noexcept {
    const double v = low.at.v, gain = value - low.at.work;
    return gain > 0 ? low.t + 2 * gain / (v + std::sqrt(v * v + 2 * H_ * gain)) : low.t;
  }
  static std::optional<double> extreme(const Bound& /*low*/, const Bound& /*high*/) noexcept { return std::nullopt; }
  static double turn(const Bound& low, const Bound& /*high*/) noexcept { return low.t; }  // it has none

 private:
  Instant start_;
  Tangent friction_;
  double H_, F_;
};

}  // namespace thud::impacting
