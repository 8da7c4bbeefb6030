#include "contact/half_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <boost/math/quadrature/gauss.hpp>

namespace thud::contact {
namespace {

using std::numbers::pi;

// Newton's method for an increasing function, kept inside a bracket by bisection. f returns value and slope.
template <class Function>
double solve(Function f, double low, double high, double x) {
  for (int i = 0; i < 200; ++i) {
    const auto [value, slope] = f(x);
    (value > 0 ? high : low) = x;
    double next = x - value / slope;
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    const double step = next - x;
    x = next;
    if (std::abs(step) <= 1e-10 * std::abs(x)) break;  // the error of x is now of the order of its square
  }
  return x;
}

// Integral of expm1(u)^2 from 0 to eta, over eta^3: 1/3 at 0.
double dashpot_work(double eta) {
  if (std::abs(eta) > 0.5) return (std::exp(2 * eta) / 2 - 2 * std::exp(eta) + eta + 1.5) / (eta * eta * eta);
  double sum = 0, power = 524288;  // 2^(k-1), coefficient (2^(k-1) - 2)/k!, nested
  for (int k = 20; k >= 3; --k, power /= 2) sum = sum * eta / (k + 1) + (power - 2);
  return sum / 6;
}

// The integral of the clock for exponent 1 by a Gauss rule. Its points lie in pairs about the middle, and one sine and
// cosine of the distance, by their series up to 1.2 rad, serve both.
template <unsigned points>
double integrate_clock(double w0, double from, double to) {
  using Rule = boost::math::quadrature::gauss<double, points>;
  const double middle = (from + to) / 2, half = (to - from) / 2;
  const double c = w0 * std::cos(middle), s = w0 * std::sin(middle);
  double sum = 0;
  for (std::size_t i = 0; i < points / 2; ++i) {
    const double y = half * Rule::abscissa()[i], y2 = y * y;
    double cosine = 1, sine = 1;
    for (int k = 18; k >= 2; k -= 2) {
      cosine = 1 - cosine * y2 * (1.0 / (k * (k - 1)));
      sine = 1 - sine * y2 * (1.0 / (k * (k + 1)));
    }
    const double across = s * y * sine, along = c * cosine;
    sum += Rule::weights()[i] * (phase::clock(along - across).rate + phase::clock(along + across).rate);
  }
  return half * sum;
}

// Time across angles over which the clock is smooth enough for one Gauss rule.
double panel(const HalfCycle& cycle, double from, double to) {
  const auto& [d, n, w0, ratio, alpha, scale] = cycle;

  // Beyond w = -8, e^eta < 1e-14 and the clock is -w: integrated exactly.
  if (w0 * std::cos((from + to) / 2) < -8) {
    const double b = 1 + alpha;
    return scale * w0 / b * (std::pow(std::sin(from), b) - (to == pi ? 0 : std::pow(std::sin(to), b)));
  }

  if (alpha == 0) {
    // Ten points do where w moves little against its distance from the singularities.
    const bool slow = (to - from) * std::max(1.0, std::abs(w0)) < 1.6;
    return slow ? integrate_clock<10>(w0, from, to) : integrate_clock<20>(w0, from, to);
  }

  // Exponents other than 1: theta^alpha at an end of the half cycle is smoothed by theta = span y^power.
  const bool ascending = from == 0, singular = from == 0 || to == pi;
  const double span = to - from, power = singular ? 2 / (1 + alpha) : 1;
  using Rule = boost::math::quadrature::gauss<double, 20>;
  double sum = 0;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    for (double sign : {-1.0, 1.0}) {
      const double y = (1 + sign * Rule::abscissa()[i]) / 2;
      const double share = singular ? std::pow(y, power) : y;
      const double theta = !singular || ascending ? from + span * share : to - span * share;
      double value = phase::clock(w0 * std::cos(theta)).rate;
      value *= std::pow(std::sin(singular ? span * share : theta), alpha);
      if (singular) value *= power * share / y;
      sum += Rule::weights()[i] * value;
    }
  }
  return scale * sum * span / 2;
}

}  // namespace

HalfCycle half_cycle(double d, double n) {
  const double w0 = phase::start(d), ratio = d == 0 ? 1 : w0 / d;
  const double scale = n == 1 ? 1 : ratio * std::pow((n + 1) / 2 * ratio * ratio, -n / (n + 1));
  return {d, n, w0, ratio, (1 - n) / (1 + n), scale};
}

UnitState at(const HalfCycle& cycle, double theta) {
  const auto& [d, n, w0, ratio, alpha, scale] = cycle;
  const double sine = theta == pi ? 0 : std::sin(theta), cosine = std::cos(theta), w = w0 * cosine;
  const phase::Clock clock = phase::clock(w);
  const double potential = ratio * ratio * sine * sine / 2;
  const double depth = n == 1 ? ratio * sine : std::pow((n + 1) * potential, 1 / (n + 1));
  const double force = (n == 1 ? depth : std::pow(depth, n)) * std::exp(clock.eta);
  // eta/d, without a division by d: d y^3 times the dashpot's work, from first touch to here
  const double y0 = d == 0 ? 1 : std::log1p(d) / d, y = ratio * cosine * (w == 0 ? 1 : clock.eta / w);
  const double dissipated = d * (y0 * y0 * y0 * dashpot_work(d * y0) - y * y * y * dashpot_work(clock.eta));
  return {depth, ratio * cosine / clock.rate, force, potential, dissipated};
}

double peak_angle(const HalfCycle& cycle) {
  // d(force)/dt = 0 is n (e^eta - 1) = (n+1)/2 (w0^2 - w^2). The start takes e^eta - 1 = w + w^2/2.
  const double n = cycle.n, w0 = cycle.w0;
  const double guess = (std::sqrt(n * n + (2 * n + 1) * (n + 1) * w0 * w0) - n) / (2 * n + 1);
  if (w0 == 0) return pi / 2;
  const auto slope = [&](double w) {
    const phase::Clock clock = phase::clock(w);
    const double rise = w / clock.rate;
    return std::pair(n * rise - (n + 1) / 2 * (w0 - w) * (w0 + w), n * (1 + rise) * clock.rate + (n + 1) * w);
  };
  return std::acos(solve(slope, 0, std::abs(w0), guess) / w0);
}

double force_angle(const HalfCycle& cycle, double peak, double fraction) {
  // ln(force) = a ln sin(theta) + eta + constant; either term alone bounds the angle from above.
  const double a = 2 * cycle.n / (cycle.n + 1), w0 = cycle.w0;
  const double goal = a * std::log(std::sin(peak)) + phase::clock(w0 * std::cos(peak)).eta + std::log(fraction);
  double high = pi;
  if (goal < 0) {
    const double w = -std::sqrt(2 * (std::expm1(goal) - goal));
    if (w > -w0) high = std::acos(w / w0);
  }
  const double start = std::min(high, pi - std::asin(std::exp(std::min(goal / a, 0.0))));
  const auto fall = [&](double theta) {
    const phase::Clock clock = phase::clock(w0 * std::cos(theta));
    return std::pair(goal - a * std::log(std::sin(theta)) - clock.eta,
                     clock.rate * w0 * std::sin(theta) - a / std::tan(theta));
  };
  return solve(fall, peak, high, std::max(start, peak));
}

double duration(const HalfCycle& cycle, double from, double to) {
  // Panels end where the distance to the clock's singularities, w = -2.5 +- 2.5 i, has grown with w, and at w = -8.
  const double w0 = cycle.w0, w_from = w0 * std::cos(from), w_to = w0 * std::cos(to);
  double sum = 0, w = w0;
  const auto cross = [&](double edge) {
    if (edge >= w_from || edge <= w_to) return;
    const double theta = std::acos(edge / w0);
    if (cycle.alpha != 0 && (theta < pi / 8 || theta > 7 * pi / 8)) return;  // too near to a singular end
    sum += panel(cycle, from, theta);
    from = theta;
  };
  while (w > 15) cross(w /= 5);
  cross(3);
  cross(cycle.alpha == 0 ? -3 : -2);
  if (cycle.alpha != 0) cross(-4);
  cross(-8);
  if (cycle.alpha != 0 && from == 0 && to == pi) {  // one singular end for each panel
    sum += panel(cycle, 0, pi / 2);
    from = pi / 2;
  }
  return sum + panel(cycle, from, to);
}

double angle(const HalfCycle& cycle, double time, double compression, double restitution) {
  const double power = 1 / (1 + cycle.alpha), total = compression + restitution;
  const auto late = [&](double theta) {
    const double elapsed = theta <= 3 * pi / 4 ? duration(cycle, 0, theta) : total - duration(cycle, theta, pi);
    const double rate = cycle.scale * phase::clock(cycle.w0 * std::cos(theta)).rate;
    return std::pair(elapsed - time, cycle.alpha == 0 ? rate : rate * std::pow(std::sin(theta), cycle.alpha));
  };
  if (time <= 0) return 0;
  if (time >= total) return pi;
  if (time <= compression) return solve(late, 0, pi / 2, pi / 2 * std::pow(time / compression, power));
  return solve(late, pi / 2, pi, pi - pi / 2 * std::pow((total - time) / restitution, power));
}

}  // namespace thud::contact
