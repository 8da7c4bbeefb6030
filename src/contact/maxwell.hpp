#pragma once

/// The Maxwell impact in dimensionless form. Private to the library.
///
/// Units: time T = sqrt(m/k), length |v0| T, force m|v0|/T, energy m v0^2. With zeta = sqrt(k m)/(2 c), b^2 = 1 -
/// zeta^2:
///
///   F = e^(-zeta t) S,   s = -v/|v0| = e^(-zeta t) (C + zeta S),   S = sin(b t)/b, C = cos(b t)      [Stronge00,
///   (5.1.1)]
///
/// and sinh, cosh for zeta > 1. The depth is the spring's F and the dashpot's 2 zeta (1 - s).

#include <cmath>

namespace thud::contact::maxwell {

/// e^(-zeta t) S and e^(-zeta t) C.
struct Oscillation {
  double sine, cosine;
};

inline Oscillation oscillation(double zeta, double t) {
  const double b2 = (1 - zeta) * (1 + zeta), b = std::sqrt(std::abs(b2)), angle = b * t;
  if (angle < 1e-4) {  // also zeta = 1; the next terms are below 1e-16
    const double decay = std::exp(-zeta * t), a2 = b2 * t * t;
    return {decay * t * (1 - a2 / 6), decay * (1 - a2 / 2)};
  }
  if (b2 > 0) {
    const double decay = std::exp(-zeta * t);
    return {decay * std::sin(angle) / b, decay * std::cos(angle)};
  }
  const double slow = std::exp(-t / (zeta + b)), fast = std::exp(-t * (zeta + b));  // zeta - b = 1/(zeta + b)
  return {(slow - fast) / (2 * b), (slow + fast) / 2};
}

/// Rate s of compression.
inline double rate(double zeta, const Oscillation& w) {
  return w.cosine + zeta * w.sine;
}

/// Energy in the dashpot, the integral of 2 zeta F^2.
inline double dissipated(double zeta, double t, const Oscillation& w) {
  return -std::expm1(-2 * zeta * t) / 2 - zeta * w.sine * rate(zeta, w);
}

/// dF/dt = 0: C = zeta S, where S = 1.
inline double peak_time(double zeta) {
  const double b = std::sqrt(std::abs((1 - zeta) * (1 + zeta)));
  if (b < 1e-4) return 1 + (1 - zeta) / 3;  // the next term is below 1e-16
  return (zeta < 1 ? std::atan2(b, zeta) : std::log1p(zeta - 1 + b)) / b;
}

}  // namespace thud::contact::maxwell
