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

#include "impact/curve.hpp"

namespace thud::impacting {

class Arc : public Curve<Arc> {
 public:
  /// The problem has to outlive the arc.
  Arc(const Problem& problem, const Instant& start) noexcept;

  /// How far in tau the series hold.
  double length() const noexcept { return length_; }

  Instant at(double t) const noexcept;

  static double pace(double /*t*/, const Instant& at) noexcept { return at.r; }

  static constexpr std::size_t order = 18;

 private:
  using Pairs = std::array<Eigen::Array2d, order + 1>;

  Instant start_;
  double length_;
  Pairs xy_, XY_, rp_, vA_;
};

}  // namespace thud::impacting
