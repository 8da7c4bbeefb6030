#include "impact/problem.hpp"

#include <algorithm>

#include <Eigen/Geometry>

namespace thud::impacting {
namespace {

// Two unit vectors across n and each other.
void basis(const Vector3& n, Vector3& x, Vector3& y) noexcept {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  x = n.cross(Vector3::Unit(least)).normalized();
  y = n.cross(x);
}

}  // namespace

Problem problem(const Matrix3& W, const Vector3& velocity, const Vector3& normal, double friction) noexcept {
  Problem q;
  q.mu = friction;
  q.normal = normal;
  basis(normal, q.axis_x, q.axis_y);
  q.inverse_mass = normal.dot(W * normal);
  q.speed = -normal.dot(velocity);

  // eigenvectors of W_tt by one Jacobi rotation
  const Vector3 Wx = W * q.axis_x / q.inverse_mass, Wy = W * q.axis_y / q.inverse_mass;
  const double xx = q.axis_x.dot(Wx), yy = q.axis_y.dot(Wy), xy = q.axis_x.dot(Wy);
  q.b = {xx, yy};
  q.d = {normal.dot(Wx), normal.dot(Wy)};
  const double size = std::max({1.0, std::abs(xx), std::abs(yy)});
  if (std::abs(xy) > std::numeric_limits<double>::epsilon() * size) {
    const double zeta = (yy - xx) / (2 * xy);
    const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
    const double c = 1 / std::sqrt(1 + t * t), s = t * c;
    q.b = {xx - t * xy, yy + t * xy};
    q.d = {c * q.d.x - s * q.d.y, s * q.d.x + c * q.d.y};
    const Vector3 x = c * q.axis_x - s * q.axis_y;
    q.axis_y = s * q.axis_x + c * q.axis_y;
    q.axis_x = x;
  }
  q.slip = {q.axis_x.dot(velocity) / q.speed, q.axis_y.dot(velocity) / q.speed};

  double pivot = 1;  // of the normal, once the tangential axes are eliminated
  const auto eliminate = [&](double& b, double& d) {
    q.smallest_pivot = std::min(q.smallest_pivot, b / size);
    if (b <= rounding * size) {
      q.smallest_pivot = std::min(q.smallest_pivot, rounding - d * d / size);
      b = d = 0;
    } else {
      pivot -= d * d / b;
    }
  };
  eliminate(q.b.x, q.d.x);
  eliminate(q.b.y, q.d.y);
  q.smallest_pivot = std::min(q.smallest_pivot, pivot);
  return q;
}

Leaving leaving(const Problem& problem) noexcept {
  // (mu W_tt + lambda) s = W_tn with |s| = 1. 1/|s| is concave and increasing in lambda, so that Newton's method comes
  // to 1/|s| = 1 from the left.
  constexpr int max_iterations = 60;
  const Tangent& d = problem.d;
  Leaving result;
  result.lambda = std::max(0.0, d.norm() - problem.mu * std::max(problem.b.x, problem.b.y));
  const auto along = [](double d, double gain) { return d == 0 ? 0 : d / gain; };
  for (int i = 0; i < max_iterations; ++i) {
    const double gain_x = problem.mu * problem.b.x + result.lambda, gain_y = problem.mu * problem.b.y + result.lambda;
    result.s = {along(d.x, gain_x), along(d.y, gain_y)};
    const double length = result.s.norm();
    const double slope = along(result.s.x * result.s.x, gain_x) + along(result.s.y * result.s.y, gain_y);
    const double step = length * length * (1 - 1 / length) / slope;
    result.lambda += step;
    if (!(step > std::numeric_limits<double>::epsilon() * result.lambda)) break;
  }
  result.s = 1 / result.s.norm() * result.s;
  return result;
}

}  // namespace thud::impacting
