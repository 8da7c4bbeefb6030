#pragma once

/// A piece of an impact in which the direction of slip turns, as Taylor series. Private to the library.
///
/// With d(tau) = dp/r the equations of slip are polynomials in the direction s = (x, y) and regular at r -> 0:
///
///   dx = -y G,  dy = x G,  dr = r F,  dp = r,  dX = r x,  dY = r y,  dv = r H,  dA = v dp   by d(tau)
///
/// p is the normal impulse, -mu (X, Y) the tangential one, v the normal velocity, A the work of the normal force. The
/// series are in units of the slip r at the start of the piece.

#include <array>
#include <cstddef>

#include <Eigen/Core>

#include "impact/problem.hpp"

namespace thud::impacting {

/// Where an impact is.
struct Instant {
  double p = 0, v = -1, work = 0;  // normal impulse, normal velocity, work of the normal force
  Tangent impulse{};               // tangential
  double r = 0;                    // slip
  Tangent s{};                     // its direction, of unit length where r > 0

  Tangent slip() const noexcept { return r * s; }
};

class Arc {
 public:
  /// The problem has to outlive the arc.
  Arc(const Problem& problem, const Instant& start) noexcept;

  /// How far in tau the series hold.
  double length() const noexcept { return length_; }

  Instant at(double t) const noexcept;

  /// Whether the normal velocity grows.
  bool rising(const Instant& at) const noexcept { return SlipRates(problem_, at.s).H > 0; }

  // the t in [low, high] of a value that lies between those at the two ends
  double when_impulse(double value, double low, double high) const noexcept;
  double when_velocity(double value, double low, double high) const noexcept;
  double when_work(double value, double low, double high) const noexcept;
  double turn(double low, double high) const noexcept;  // of the normal velocity

  static constexpr std::size_t order = 18;

 private:
  using Pairs = std::array<Eigen::Array2d, order + 1>;

  const Problem& problem_;
  Instant start_;
  double length_;
  Pairs xy_, XY_, rp_, vA_;
};

}  // namespace thud::impacting
