#pragma once

/// The viscoelastic impact at increasing times. Private to the library.
///
/// With y = eta/d of phase.hpp, in units of half_cycle.hpp, the impact is
///
///   y' = -depth,   y'' = -s,   y''' = force,      s = -v/|v0| = (e^(d y) - 1)/d,
///
/// so between two phase angles y is the polynomial of degree nine that matches its value and four derivatives at both,
/// and everything else follows from y and y'. Late in a strongly damped contact y'' is constant, and one polynomial
/// reaches its end.

#include <array>

#include "contact/half_cycle.hpp"

namespace thud::contact {

class MotionInterpolant {
 public:
  explicit MotionInterpolant(double d);

  /// The impact at a time since first touch, in contact. Cheap when times increase: a time before the current
  /// interval restarts from the touch.
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
  Node from_{}, to_{};                        // the current interval
  double inverse_duration_;                   // of its duration
  std::array<double, 2> coefficients_[10]{};  // y and depth, by powers of the elapsed fraction of the interval
};

}  // namespace thud::contact
