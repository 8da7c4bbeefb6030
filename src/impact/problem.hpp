#pragma once

/// An impact in dimensionless form. Private to the library.
///
/// Masses are in units of 1/(n.W n), velocities of |u_n|; the two tangential axes are the eigenvectors of W_tt:
///
///   W -> [b1 0 d1; 0 b2 d2; d1 d2 1],   u -> (slip, -1)

#include <thud/impact.hpp>

#include <cmath>

namespace thud::impacting {

/// What is smaller than this, relative to its kind, is rounding.
inline constexpr double rounding = 1e-12;

/// A number along each of the two tangential axes.
struct Tangent {
  double x = 0, y = 0;

  double dot(const Tangent& o) const noexcept { return x * o.x + y * o.y; }
  double norm() const noexcept { return std::sqrt(x * x + y * y); }
  friend Tangent operator*(double a, const Tangent& t) noexcept { return {a * t.x, a * t.y}; }
  friend Tangent operator+(const Tangent& a, const Tangent& b) noexcept { return {a.x + b.x, a.y + b.y}; }
  friend Tangent operator-(const Tangent& a, const Tangent& b) noexcept { return {a.x - b.x, a.y - b.y}; }
};

/// Throws InputError for friction or restitution outside their ranges.
void validate(const ImpactOptions& options);

struct Problem {
  Tangent b, d;  // W_tt, W_tn
  double mu = 0;
  Tangent slip;  // before the impact

  // back to the world
  Vector3 axis_x, axis_y, normal;
  double inverse_mass = 0;  // n.W n [1/kg]
  double speed = 0;         // |u_n| [m/s]

  /// Smallest pivot of W in these units: below -rounding, W is indefinite.
  double smallest_pivot = 0;
};

/// What W, a velocity and a unit normal are in these units. Semidefinite W: an axis along which an impulse moves
/// nothing has b = d = 0. For a velocity without approach, speed is <= 0 and slip means nothing.
Problem problem(const Matrix3& W, const Vector3& velocity, const Vector3& normal, double friction) noexcept;

/// W_tt^-1 W_tn, or its least-norm solution: friction per normal impulse that keeps the point sticking is its opposite.
inline Tangent sticking(const Problem& problem) noexcept {
  const auto ratio = [](double d, double b) { return b > 0 ? d / b : 0; };
  return {ratio(problem.d.x, problem.b.x), ratio(problem.d.y, problem.b.y)};
}

/// The direction in which slip leaves from rest, and the rate lambda > 0 at which it does by p. Only where the point
/// cannot stick.
struct Leaving {
  Tangent s;
  double lambda = 0;
};
Leaving leaving(const Problem& problem) noexcept;

/// Rates while slipping along s: r the slip, theta its direction, s' = ds/dtheta = (-s_y, s_x).
///
///   dr/dp = F(theta),   r dtheta/dp = G(theta),   du_n/dp = H(theta)                                    [Bhatt95]
struct SlipRates {
  double F, G, H;
  double dF, dG;  // by theta

  SlipRates(const Problem& q, const Tangent& s) noexcept {
    const double anisotropy = q.mu * (q.b.y - q.b.x), along = q.d.dot(s), across = q.d.y * s.x - q.d.x * s.y;
    F = along - q.mu * (q.b.x * s.x * s.x + q.b.y * s.y * s.y);
    G = across - anisotropy * s.x * s.y;
    H = 1 - q.mu * along;
    dF = across - 2 * anisotropy * s.x * s.y;
    dG = -along - anisotropy * (s.x * s.x - s.y * s.y);
  }
};

}  // namespace thud::impacting
