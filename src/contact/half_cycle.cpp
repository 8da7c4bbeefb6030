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

// Integral of eta' over theta for exponent 1 by a Gauss rule. Its points are symmetric about the middle, so each pair
// shares one sine and cosine of the distance, by their series up to 1.2 rad.
template <unsigned points>
double integrate_eta_rate(double w0, double from, double to) {
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
    sum += Rule::weights()[i] * (phase::eta(along - across).d1 + phase::eta(along + across).d1);
  }
  return half * sum;
}

// Duration over angles across which eta' is smooth enough for one Gauss rule.
double panel_duration(const HalfCycle& cycle, double from, double to) {
  const auto& [d, n, w0, ratio, alpha, scale] = cycle;

  // Below w = -8, e^eta < 1e-14 and eta' is -w: integrated exactly.
  if (w0 * std::cos((from + to) / 2) < -8) {
    const double b = 1 + alpha;
    return scale * w0 / b * (std::pow(std::sin(from), b) - (to == pi ? 0 : std::pow(std::sin(to), b)));
  }

  if (alpha == 0) {
    // Ten points suffice where w changes little compared with its distance to the singularities.
    const bool smooth = (to - from) * std::max(1.0, std::abs(w0)) < 1.6;
    return smooth ? integrate_eta_rate<10>(w0, from, to) : integrate_eta_rate<20>(w0, from, to);
  }

  // Exponents other than 1: theta^alpha at an end of the half cycle is smoothed by theta = span y^power.
  const bool ascending = from == 0, singular = from == 0 || to == pi;
  const double span = to - from, power = singular ? 2 / (1 + alpha) : 1;
  using Rule = boost::math::quadrature::gauss<double, 20>;
  double sum = 0;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    for (double sign : {-1.0, 1.0}) {
      const double y = (1 + sign * Rule::abscissa()[i]) / 2;
      const double fraction = singular ? std::pow(y, power) : y;
      const double theta = !singular || ascending ? from + span * fraction : to - span * fraction;
      double value = phase::eta(w0 * std::cos(theta)).d1;
      value *= std::pow(std::sin(singular ? span * fraction : theta), alpha);
      if (singular) value *= power * fraction / y;
      sum += Rule::weights()[i] * value;
    }
  }
  return scale * sum * span / 2;
}

}  // namespace

HalfCycle half_cycle(double d, double n) {
  const double w0 = phase::initial_w(d), ratio = d == 0 ? 1 : w0 / d;
  const double scale = n == 1 ? 1 : ratio * std::pow((n + 1) / 2 * ratio * ratio, -n / (n + 1));
  return {d, n, w0, ratio, (1 - n) / (1 + n), scale};
}

UnitState unit_state(const HalfCycle& cycle, double theta) {
  const auto& [d, n, w0, ratio, alpha, scale] = cycle;
  const double sine = theta == pi ? 0 : std::sin(theta), cosine = std::cos(theta), w = w0 * cosine;
  const phase::Eta eta = phase::eta(w);
  const double potential = ratio * ratio * sine * sine / 2;
  const double depth = n == 1 ? ratio * sine : std::pow((n + 1) * potential, 1 / (n + 1));
  const double force = (n == 1 ? depth : std::pow(depth, n)) * std::exp(eta.value);
  // eta/d, without a division by d: d y^3 times the dashpot's work, from first touch to here
  const double y0 = d == 0 ? 1 : std::log1p(d) / d, y = ratio * cosine * (w == 0 ? 1 : eta.value / w);
  const double dissipated = d * (y0 * y0 * y0 * dashpot_work(d * y0) - y * y * y * dashpot_work(eta.value));
  return {depth, ratio * cosine / eta.d1, force, potential, dissipated};
}

double peak_angle(const HalfCycle& cycle) {
  // d(force)/dt = 0 is n (e^eta - 1) = (n+1)/2 (w0^2 - w^2). The start takes e^eta - 1 = w + w^2/2.
  const double n = cycle.n, w0 = cycle.w0;
  const double guess = (std::sqrt(n * n + (2 * n + 1) * (n + 1) * w0 * w0) - n) / (2 * n + 1);
  if (w0 == 0) return pi / 2;
  const auto slope = [&](double w) {
    const phase::Eta eta = phase::eta(w);
    const double rise = w / eta.d1;
    return std::pair(n * rise - (n + 1) / 2 * (w0 - w) * (w0 + w), n * (1 + rise) * eta.d1 + (n + 1) * w);
  };
  return std::acos(solve(slope, 0, std::abs(w0), guess) / w0);
}

double force_angle(const HalfCycle& cycle, double peak, double fraction) {
  // ln(force) = a ln sin(theta) + eta + constant; either term alone bounds the angle from above.
  const double a = 2 * cycle.n / (cycle.n + 1), w0 = cycle.w0;
  const double goal = a * std::log(std::sin(peak)) + phase::eta(w0 * std::cos(peak)).value + std::log(fraction);
  double high = pi;
  if (goal < 0) {
    const double w = -std::sqrt(2 * (std::expm1(goal) - goal));
    if (w > -w0) high = std::acos(w / w0);
  }
  const double start = std::min(high, pi - std::asin(std::exp(std::min(goal / a, 0.0))));
  const auto fall = [&](double theta) {
    const phase::Eta eta = phase::eta(w0 * std::cos(theta));
    return std::pair(goal - a * std::log(std::sin(theta)) - eta.value,
                     eta.d1 * w0 * std::sin(theta) - a / std::tan(theta));
  };
  return solve(fall, peak, high, std::max(start, peak));
}

double duration(const HalfCycle& cycle, double from, double to) {
  // Panels grow with the distance to the singularities of eta', w = -2.5 +- 2.5 i, and one ends at w = -8.
  const double w0 = cycle.w0, w_from = w0 * std::cos(from), w_to = w0 * std::cos(to);
  double sum = 0, w = w0;
  const auto split_at = [&](double edge) {
    if (edge >= w_from || edge <= w_to) return;
    const double theta = std::acos(edge / w0);
    if (cycle.alpha != 0 && (theta < pi / 8 || theta > 7 * pi / 8)) return;  // too close to a singular end
    sum += panel_duration(cycle, from, theta);
    from = theta;
  };
  while (w > 15) split_at(w /= 5);
  split_at(3);
  split_at(cycle.alpha == 0 ? -3 : -2);
  if (cycle.alpha != 0) split_at(-4);
  split_at(-8);
  if (cycle.alpha != 0 && from == 0 && to == pi) {  // at most one singular end per panel
    sum += panel_duration(cycle, 0, pi / 2);
    from = pi / 2;
  }
  return sum + panel_duration(cycle, from, to);
}

double phase_angle(const HalfCycle& cycle, double time, double compression, double restitution) {
  const double power = 1 / (1 + cycle.alpha), total = compression + restitution;
  const auto late = [&](double theta) {
    const double elapsed = theta <= 3 * pi / 4 ? duration(cycle, 0, theta) : total - duration(cycle, theta, pi);
    const double rate = cycle.scale * phase::eta(cycle.w0 * std::cos(theta)).d1;
    return std::pair(elapsed - time, cycle.alpha == 0 ? rate : rate * std::pow(std::sin(theta), cycle.alpha));
  };
  if (time <= 0) return 0;
  if (time >= total) return pi;
  if (time <= compression) return solve(late, 0, pi / 2, pi / 2 * std::pow(time / compression, power));
  return solve(late, pi / 2, pi, pi - pi / 2 * std::pow((total - time) / restitution, power));
}

}  // namespace thud::contact
