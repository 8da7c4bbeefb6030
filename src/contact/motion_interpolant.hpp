#pragma once

/// The viscoelastic impact at increasing times. Private to the library.
///
/// With y = eta/d of phase.hpp, in units of half_cycle.hpp, the impact is
///
///   y' = -depth,   y'' = -s,   y''' = force,      s = -v/|v0| = (e^(d y) - 1)/d,
///
/// so between two phase angles y is the polynomial of degree nine that has this value and four derivatives at both, and
/// everything else follows from y and y'. Late in a strongly damped contact y'' is constant, and one polynomial leads
/// to its end.

#include <array>

#include "contact/half_cycle.hpp"

namespace thud::contact {

class MotionInterpolant {
 public:
  explicit MotionInterpolant(double d);

  /// The impact at a time since first touch, in contact. Cheap when times increase: for an earlier one than the
  /// polynomial at hand holds, it starts again from the touch.
  UnitState at(double time);

 private:
  struct Node {
    double cosine, sine;                        // of the phase angle
    double time, y, depth, rate, force, slope;  // slope: d(force)/dt
  };
  Node node(double cosine, double sine, double time) const;
  void start();
  void step();  // to the next interval

  HalfCycle cycle_;
  double inverse_d_;
  Node from_{}, to_{};                 // the interval at hand
  double inverse_;                     // of its duration
  std::array<double, 2> power_[10]{};  // y and depth, by powers of the share of it that has passed
};

}  // namespace thud::contact
