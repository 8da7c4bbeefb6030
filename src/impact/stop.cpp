#include "impact/stop.hpp"

#include <algorithm>
#include <cmath>

namespace thud::impacting {
namespace {

constexpr std::size_t terms = Stop::terms;

// Beyond this angle [rad] from theta* the series are not tried.
constexpr double max_angle = 1;

// At best they converge as powers of the angle over this: where that will not do, they are not tried.
constexpr double hopeful_radius = 2;

// Normal impulse up to the stop beyond which digits would be lost: the impact, of order 1, ends long before.
constexpr double max_impulse = 10;

constexpr int max_newton = 8;
constexpr double newton_step = 1e-9;  // leaves an error of its square [rad]

// (-1)^(k/2)/k!, of cosine at even k and sine at odd k
constexpr auto alternating = [] {
  std::array<double, terms + 1> values{1};
  double factorial = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    factorial *= static_cast<double>(k);
    values[k] = (k / 2 % 2 == 0 ? 1 : -1) / factorial;
  }
  return values;
}();

Tangent across(const Tangent& s) noexcept {
  return {-s.y, s.x};
}

// The direction that slip tends to from s, by Newton's method.
std::optional<Tangent> settled(const Problem& problem, Tangent s) noexcept {
  for (int i = 0; i < max_newton; ++i) {
    const SlipRates rates(problem, s);
    if (!(rates.dG < 0)) return std::nullopt;
    const double turn = -rates.G / rates.dG;
    if (std::abs(turn) > max_angle) return std::nullopt;
    s = s + turn * across(s);
    s = 1 / s.norm() * s;
    if (std::abs(turn) < newton_step) return s;
  }
  return std::nullopt;
}

double power(double base, std::size_t exponent) noexcept {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

}  // namespace

std::optional<Stop> Stop::from(const Problem& problem, const Instant& now, double tolerance) noexcept {
  const SlipRates rates(problem, now.s);
  if (!(rates.F < 0 && rates.dG < 0)) return std::nullopt;
  const double left = (1 + problem.mu) * now.r / -rates.F;
  const double hope = power(std::abs(rates.G / rates.dG) / hopeful_radius, terms);
  if (!(left < max_impulse && left * hope < tolerance)) return std::nullopt;
  const std::optional<Tangent> direction = settled(problem, now.s);
  if (!direction) return std::nullopt;
  Stop made(problem, now);
  made.s_ = *direction;
  made.delta_ = std::atan2(across(made.s_).dot(now.s), made.s_.dot(now.s));
  if (!(made.expand() < tolerance)) return std::nullopt;
  return made;
}

double Stop::expand() noexcept {
  // F and G around theta*, with s.W_tt s = (b_x + b_y)/2 + C cos 2 delta + S sin 2 delta
  const Tangent& b = problem_.b;
  const Tangent& s = s_;
  const Tangent n = across(s);
  const double mu = problem_.mu, along = problem_.d.dot(s), aside = problem_.d.dot(n);
  const double C = (b.x - b.y) / 2 * (s.x * s.x - s.y * s.y), S = (b.y - b.x) * s.x * s.y;
  std::array<double, terms + 1> F, G;
  double two = 1;
  for (std::size_t k = 0; k <= terms; ++k, two *= 2) {
    const double even = along - mu * C * two, odd = aside - mu * S * two;
    F[k] = alternating[k] * (k % 2 == 0 ? even : odd);
    G[k] = alternating[k] * (k % 2 == 0 ? odd : -even);
  }
  F[0] -= mu * (b.x + b.y) / 2;
  if (!(F[0] < 0 && G[1] < 0 && (1 + mu) * start_.r < max_impulse * -F[0])) return INFINITY;
  a_ = F[0] / G[1];

  const double r = start_.r;
  double delta = 1, p = 0, x = 0, y = 0, v = 0, work = 0, last = 0;  // sums at the start, and delta^j
  for (std::size_t j = 0; j < terms; ++j, delta *= delta_) {
    double q_j = j == 0 ? 1 : 0, x_j = j % 2 == 0 ? alternating[j] : 0, y_j = j % 2 == 1 ? alternating[j] : 0;
    double a_j = 0, p_j = F[j] - a_ * G[j + 1];
    for (std::size_t i = 1; i <= j; ++i) {
      const double gain = F[i] + static_cast<double>(j - i) * G[i + 1];
      q_j += gain * Q_[j - i];
      x_j += gain * X_[j - i];
      y_j += gain * Y_[j - i];
      a_j += (gain + F[i]) * A_[j - i];
      p_j -= static_cast<double>(j - i) * G[i + 1] * P_[j - i];
    }
    const double drift = static_cast<double>(j) * G[1], divisor = -1 / (F[0] + drift);
    Q_[j] = q_j * divisor;
    X_[j] = x_j * divisor;
    Y_[j] = y_j * divisor;
    R_[j] = Q_[j] - mu * (along * X_[j] + aside * Y_[j]);
    A_[j] = -(a_j + R_[j]) / (2 * F[0] + drift);
    P_[j] = j == 0 ? 0 : p_j / drift;  // delta P' = (F - a G/delta)/(G/delta)
    G_[j] = G[j + 1];
    p += Q_[j] * delta;
    x += X_[j] * delta;
    y += Y_[j] * delta;
    v += R_[j] * delta;
    work += A_[j] * delta;
    offset_ += P_[j] * delta;
    if (j + 2 < terms) continue;
    const double impulses =
        (1 + mu) * r * (std::abs(Q_[j]) + std::abs(X_[j]) + std::abs(Y_[j]) + std::abs(Q_[0] * P_[j]));
    last = std::max(last, std::abs(delta) * (impulses + r * r * std::abs(A_[j])));
  }
  stopped_ = start_;
  stopped_.p += r * p;
  stopped_.v += r * v;
  stopped_.work += r * (stopped_.v * p - r * work);
  stopped_.impulse = stopped_.impulse - mu * r * (x * s + y * n);
  stopped_.r = 0;
  stopped_.s = s;
  return last;
}

Instant Stop::at(double t) const noexcept {
  if (t <= 0) return start_;
  if (t >= 1) return stopped_;
  const double delta = delta_ * std::pow(1 - t, 1 / a_);
  double p = 0, x = 0, y = 0, v = 0, work = 0, shape = 0;
  for (std::size_t j = terms; j-- > 0;) {
    p = p * delta + Q_[j];
    x = x * delta + X_[j];
    y = y * delta + Y_[j];
    v = v * delta + R_[j];
    work = work * delta + A_[j];
    shape = shape * delta + P_[j];
  }
  Instant now = stopped_;
  now.r = start_.r * (1 - t) * std::exp(shape - offset_);
  now.p -= now.r * p;
  now.v -= now.r * v;
  now.work -= now.r * (stopped_.v * p - now.r * work);
  now.impulse = now.impulse + problem_.mu * now.r * (x * s_ + y * across(s_));
  now.s = std::cos(delta) * s_ + std::sin(delta) * across(s_);
  return now;
}

double Stop::pace(double t, const Instant& at) const noexcept {
  // dp = r dtau = r d(delta)/G, and delta goes as (1 - t)^(1/a)
  if (t >= 1) return start_.r * Q_[0] * std::exp(-offset_);
  const double delta = delta_ * std::pow(1 - t, 1 / a_);
  double slope = 0;
  for (std::size_t j = terms; j-- > 0;) slope = slope * delta + G_[j];
  return -at.r / (a_ * (1 - t) * slope);
}

}  // namespace thud::impacting
