#include "contact/motion_interpolant.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <boost/math/quadrature/gauss.hpp>

#include "contact/polynomials.hpp"

namespace thud::contact {
namespace {

constexpr double negligible_exp = -8;  // below this w, e^eta < 1e-14: eta' is -w, and y a parabola in time

struct Rotation {
  double cosine, sine;
};

// By their series: up to 0.25 rad the next terms are below 1e-16.
Rotation rotation(double x) {
  double cosine = 1, sine = 1;
  for (int k = 10; k >= 2; k -= 2) {
    cosine = 1 - cosine * x * x * (1.0 / (k * (k - 1)));
    sine = 1 - sine * x * x * (1.0 / (k * (k + 1)));
  }
  return {cosine, x * sine};
}

// Time to advance by an angle from a phase angle with this cosine and sine, by one Gauss rule.
double time_to_advance(double w0, double cosine, double sine, double angle) {
  using Rule = boost::math::quadrature::gauss<double, 7>;
  const Rotation half = rotation(angle / 2);
  const double c = w0 * (cosine * half.cosine - sine * half.sine), s = w0 * (sine * half.cosine + cosine * half.sine);
  double sum = Rule::weights()[0] * phase::eta(c).d1;
  for (std::size_t i = 1; i < Rule::abscissa().size(); ++i) {
    const Rotation r = rotation(angle / 2 * Rule::abscissa()[i]);
    sum += Rule::weights()[i] * (phase::eta(c * r.cosine - s * r.sine).d1 + phase::eta(c * r.cosine + s * r.sine).d1);
  }
  return angle / 2 * sum;
}

}  // namespace

MotionInterpolant::MotionInterpolant(double d) : cycle_(half_cycle(d, 1)), inverse_d_(1 / d) {
  start();
}

void MotionInterpolant::start() {
  to_ = node(1, 0, 0);
  step();
}

MotionInterpolant::Node MotionInterpolant::node(double cosine, double sine, double time) const {
  const double w = cycle_.w0 * cosine;
  const phase::Eta eta = phase::eta(w);
  const double y = cycle_.ratio * cosine * (w == 0 ? 1 : eta.value / w);
  const double depth = cycle_.ratio * sine, rate = cycle_.ratio * cosine / eta.d1;
  const double growth = w < negligible_exp ? 0 : 1 + cycle_.d * rate;
  return {cosine, sine, time, y, depth, rate, depth * growth, growth * (rate - cycle_.d * depth * depth)};
}

void MotionInterpolant::step() {
  from_ = to_;
  const double w0 = cycle_.w0, c = from_.cosine, s = from_.sine, w = w0 * c;
  if (w < negligible_exp) {
    to_ = node(-1, 0, from_.time + w0 * s);
  } else {
    // A bounded angle, and a bounded fraction of the distance in w to the singularities of eta'
    constexpr double max_angle = 0.2, fraction = 0.4;
    const double distance = std::sqrt((w + 2.5) * (w + 2.5) + 6.25),
                 angle = max_angle * distance / (distance + max_angle / fraction * w0 * s);
    if (c < 0 && s < angle) {
      to_ = node(-1, 0, from_.time + time_to_advance(w0, c, s, std::asin(s)));
    } else {
      const Rotation r = rotation(angle);
      to_ = node(c * r.cosine - s * r.sine, s * r.cosine + c * r.sine, from_.time + time_to_advance(w0, c, s, angle));
    }
  }

  // With x from 0 to 1: the Taylor polynomial a at 0, plus x^5 q(x - 1) for its remainder at 1, which has the Taylor
  // coefficients r. So q is r times the series of x^-5 about 1.
  const double h = to_.time - from_.time, h2 = h * h / 2, h3 = h * h2 / 3, h4 = h * h3 / 4;
  const double a0 = from_.y, a1 = -from_.depth * h, a2 = -from_.rate * h2, a3 = from_.force * h3, a4 = from_.slope * h4;
  const double r0 = to_.y - (a0 + a1 + a2 + a3 + a4), r1 = -to_.depth * h - (a1 + 2 * a2 + 3 * a3 + 4 * a4);
  const double r2 = -to_.rate * h2 - (a2 + 3 * a3 + 6 * a4), r3 = to_.force * h3 - (a3 + 4 * a4);
  const double r4 = to_.slope * h4 - a4;
  const double q1 = r1 - 5 * r0, q2 = r2 - 5 * r1 + 15 * r0, q3 = r3 - 5 * r2 + 15 * r1 - 35 * r0;
  const double q4 = r4 - 5 * r3 + 15 * r2 - 35 * r1 + 70 * r0;
  const double y[] = {
      a0,          a1, a2, a3, a4, r0 - q1 + q2 - q3 + q4, q1 - 2 * q2 + 3 * q3 - 4 * q4, q2 - 3 * q3 + 6 * q4,
      q3 - 4 * q4, q4, 0};
  inverse_duration_ = 1 / h;
  for (std::size_t k = 0; k < std::size(coefficients_); ++k)
    coefficients_[k] = {y[k], -inverse_duration_ * static_cast<double>(k + 1) * y[k + 1]};
}

UnitState MotionInterpolant::at(double time) {
  if (time < from_.time) start();
  while (time > to_.time && to_.cosine > -1) step();
  const double x = (time - from_.time) * inverse_duration_;
  const auto [y, slope] = evaluate(coefficients_, x);

  // The maximum potential energy exceeds the present one by (s - y)/d = (e^eta - 1 - eta)/d^2, by its series for small
  // d. It follows from y, not from the depth, so the conservation of energy remains a check of both.
  const double d = cycle_.d, eta = d * y, depth = std::max(slope, 0.0);
  double rate, deficit, growth;
  if (d < 0.1) {
    deficit = 0;
    for (int k = 10; k >= 2; --k) deficit = deficit * eta * (1.0 / (k + 1)) + 1;
    deficit *= y * y / 2;
    rate = y + d * deficit;
    growth = 1 + d * rate;
  } else {
    growth = eta > -700 ? std::exp(eta) : 0;  // an underflow would be slow
    rate = (growth - 1) * inverse_d_;
    deficit = (rate - y) * inverse_d_;
  }
  const double stored = cycle_.ratio * cycle_.ratio / 2 - deficit;
  return {depth, rate, depth * growth, depth * depth / 2, (1 - rate) * (1 + rate) / 2 - stored};
}

}  // namespace thud::contact
