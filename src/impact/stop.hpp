#pragma once

/// The last part of a slip that comes to rest. Private to the library.
///
/// The direction of such a slip tends to a theta* with G = 0, G' < 0 and F < 0 there, and tau -> infinity on the way.
/// What is left of an integral of f(theta) dp is r Y(theta), where
///
///   G Y' + F Y = -f
///
/// has one solution that is regular at theta*: its power series in delta = theta - theta* comes from a recurrence. With
/// a = F/G' at theta*, the slip itself is r = r0 w exp(P(delta) - P(delta0)), w = (delta/delta0)^a, where P is another.

#include <array>
#include <cstddef>
#include <optional>

#include "impact/curve.hpp"

namespace thud::impacting {

/// From somewhere near theta* to the stop; its parameter is 1 - w, from 0 to 1.
class Stop : public Curve<Stop> {
 public:
  /// Empty where the slip does not stop, or is still too far from theta* for the series to hold to `tolerance` of an
  /// impulse of order 1. The problem has to outlive it.
  static std::optional<Stop> from(const Problem& problem, const Instant& now, double tolerance) noexcept;

  Instant at(double t) const noexcept;
  double pace(double t, const Instant& at) const noexcept;

  static constexpr std::size_t terms = 17;

 private:
  using Series = std::array<double, terms>;

  Stop(const Problem& problem, const Instant& start) noexcept : Curve(problem), start_(start) {}

  // Fills the series around the direction s_; how large their last terms are at the start.
  double expand() noexcept;

  Instant start_, stopped_;
  Tangent s_;                         // at the stop
  double delta_ = 0;                  // of the start
  double a_ = 0;                      // F/G'
  double offset_ = 0;                 // P at the start
  Series Q_, X_, Y_, R_, A_, P_, G_;  // p, path along s_ and across it, v, work, ln r, G/delta
};

}  // namespace thud::impacting
