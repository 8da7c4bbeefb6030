#pragma once

/// The second road of the tests of impacts: the equations in the normal impulse as they stand, in world axes and with
/// the slip as a vector, by an adaptive integration that looks for its events. It shares nothing with the library.

#include <thud/impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>
#include <boost/numeric/odeint.hpp>

namespace thud::test {

struct AdaptiveImpact {
  Vector3 impulse = Vector3::Zero();
  Vector3 velocity_after = Vector3::Zero();
  double smallest_slip = INFINITY;  // while slipping, before any stop, over what it was
  bool stopped = false;
  bool recompressed = false;  // restitution turned into compression again
};

/// For W positive definite, a unit normal and an approach.
inline AdaptiveImpact adaptive_impact(const Matrix3& W, const Vector3& velocity, const Vector3& n,
                                      const ImpactOptions& options) {
  using Numbers = std::array<double, 10>;  // impulse (3), velocity (3), work and impulse of compression, of restitution
  const double mu = options.friction, e = options.restitution;
  const double unit = -velocity.dot(n);
  const Matrix3 across = Matrix3::Identity() - n * n.transpose();
  const auto vector = [](const Numbers& z, std::size_t at) { return Vector3(z[at], z[at + 1], z[at + 2]); };
  const auto normal_velocity = [&](const Numbers& z) { return vector(z, 3).dot(n); };

  // friction per normal impulse at rest: sticking, or the direction that opens
  const Matrix3 W_tt = across * W * across + n * n.transpose();
  const Vector3 stick = -W_tt.ldlt().solve(Vector3(across * W * n));
  Vector3 from_rest = stick;
  if (stick.norm() > mu) {  // (mu W_tt + lambda) s = W_tn by bisection
    double low = 0, high = (W * n).norm();
    Vector3 s;
    for (int i = 0; i < 200; ++i) {
      const double lambda = (low + high) / 2;
      s = (mu * W_tt + lambda * Matrix3::Identity()).ldlt().solve(Vector3(across * W * n));
      (s.norm() > 1 ? low : high) = lambda;
    }
    from_rest = -mu * s.normalized();
  }

  AdaptiveImpact result;
  const double slip_before = (across * velocity).norm();
  bool slipping = slip_before > 0;
  const auto rate = [&](const Numbers& z, Numbers& dz, double) {
    const Vector3 slip = across * vector(z, 3);
    const Vector3 push = n + (slipping ? Vector3(-mu * slip / std::max(slip.norm(), 1e-300)) : from_rest);
    const Vector3 dv = W * push;
    const double v = normal_velocity(z);
    dz = {push[0], push[1], push[2], dv[0], dv[1], dv[2], 0, 0, 0, 0};
    if (v < 0) {
      dz[6] = -v;
      dz[7] = 1;
    } else {
      dz[8] = v;
      dz[9] = 1;
    }
  };

  bool compressing = true;  // for the first time
  // negative until the event that the impact waits for
  const auto event = [&](const Numbers& z) {
    if (compressing) return normal_velocity(z) / unit;
    switch (options.kind) {
      case RestitutionKind::energetic:
        return z[8] / z[6] - e * e;
      case RestitutionKind::poisson:
        return z[9] / z[7] - e;
      case RestitutionKind::newton:
        break;
    }
    return normal_velocity(z) / unit - e;
  };

  namespace ode = boost::numeric::odeint;
  using Stepper = ode::runge_kutta_dopri5<Numbers>;  // not Fehlberg's, whose estimate of the error does not see steps
  auto controlled = ode::make_controlled(1e-15 * unit, 1e-13, Stepper());
  const auto partial_step = [&](Numbers from, double size) {
    Stepper().do_step(rate, from, 0.0, size);  // a new one each time: it remembers the rate where it stopped last
    return from;
  };
  Numbers z{0, 0, 0, velocity[0], velocity[1], velocity[2], 0, 0, 0, 0};
  double p = 0, h = 1e-3 * unit / n.dot(W * n);
  for (int step = 0; step < 1000000; ++step) {
    const Numbers before = z;
    const double p_before = p;
    controlled.reset();
    if (controlled.try_step(rate, z, p, h) != ode::success) continue;
    if (event(z) >= 0) {
      double low = 0, high = p - p_before;
      for (int i = 0; i < 100 && high - low > 1e-17 * (p + high); ++i) {
        (event(partial_step(before, (low + high) / 2)) < 0 ? low : high) = (low + high) / 2;
      }
      z = partial_step(before, high);
      p = p_before + high;
      h = std::max(h / 10, 1e-12 * p);
      if (!compressing || e == 0) break;
      compressing = false;
      z[8] = z[9] = 0;
      continue;
    }
    if (!compressing && normal_velocity(z) < -1e-12 * unit) result.recompressed = true;
    if (!slipping) continue;
    const Vector3 slip = across * vector(z, 3);
    result.smallest_slip = std::min(result.smallest_slip, slip.norm() / slip_before);
    const Vector3 s = slip.normalized();
    const double slowing = -s.dot(W * (n - mu * s));
    if (slip.norm() < 1e-11 * (slip_before + unit) && slowing > 0) {  // straight on to the stop
      const Vector3 push = slip.norm() / slowing * (n - mu * s), dv = W * push;
      const Vector3 stopped = vector(z, 3) + dv, left = stopped - across * stopped;
      const double mean = (normal_velocity(z) + left.dot(n)) / 2;
      z[mean < 0 ? 6 : 8] += push.dot(n) * std::abs(mean);
      z[mean < 0 ? 7 : 9] += push.dot(n);
      p += push.dot(n);
      for (std::size_t i = 0; i < 3; ++i) {
        z[i] += push[static_cast<Eigen::Index>(i)];
        z[3 + i] = left[static_cast<Eigen::Index>(i)];
      }
      slipping = false;
      result.stopped = true;
      h = 1e-3 * unit / n.dot(W * n);
    }
  }
  result.impulse = vector(z, 0);
  result.velocity_after = velocity + W * result.impulse;
  return result;
}

}  // namespace thud::test
