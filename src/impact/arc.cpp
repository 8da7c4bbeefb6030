#include "impact/arc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thud::impacting {
namespace {

// The last two terms kept are at most this: what is left out is less.
constexpr double tolerance = 1e-13;

constexpr int max_iterations = 60;

template <class Series>
double sum(const Series& series, double t) noexcept {
  double value = 0;
  for (std::size_t k = series.size(); k-- > 0;) value = value * t + series[k];
  return value;
}

struct Value {
  double value, slope;
};

// Newton's method, kept inside the bracket by bisection. f changes its sign in [low, high].
template <class F>
double root(const F& f, double low, double high) noexcept {
  const double at_low = f(low).value;
  const bool rising = at_low < 0 || (at_low == 0 && f(high).value > 0);
  double t = low + (high - low) / 2;
  for (int i = 0; i < max_iterations; ++i) {
    const Value at = f(t);
    if (at.value == 0) return t;
    ((at.value < 0) == rising ? low : high) = t;
    double next = t - at.value / at.slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (std::abs(next - t) <= std::numeric_limits<double>::epsilon() * std::abs(next)) return next;
    t = next;
  }
  return t;
}

}  // namespace

Arc::Arc(const Problem& problem, const Instant& start) noexcept : start_(start), mu_(problem.mu) {
  const Tangent& b = problem.b;
  const Tangent& d = problem.d;
  const double mu = problem.mu, anisotropy = mu * (b.y - b.x);
  std::array<double, order> F, G;
  x_[0] = start.s.x;
  y_[0] = start.s.y;
  r_[0] = 1;
  p_[0] = X_[0] = Y_[0] = v_[0] = A_[0] = 0;
  for (std::size_t k = 0; k < order; ++k) {
    double xx = 0, xy = 0, rx = 0, ry = 0, vr = 0;
    for (std::size_t i = 0; i <= k; ++i) {
      const double x = x_[k - i], y = y_[k - i];
      xx += x_[i] * x;
      xy += x_[i] * y;
      rx += r_[i] * x;
      ry += r_[i] * y;
      vr += v_[i] * r_[k - i];
    }
    F[k] = d.x * x_[k] + d.y * y_[k] + anisotropy * xx - (k == 0 ? mu * b.y : 0);  // x^2 + y^2 = 1
    G[k] = d.y * x_[k] - d.x * y_[k] - anisotropy * xy;
    double yG = 0, xG = 0, rF = 0;
    for (std::size_t i = 0; i <= k; ++i) {
      yG += y_[i] * G[k - i];
      xG += x_[i] * G[k - i];
      rF += r_[i] * F[k - i];
    }
    const double scale = 1 / static_cast<double>(k + 1);
    x_[k + 1] = -yG * scale;
    y_[k + 1] = xG * scale;
    p_[k + 1] = r_[k] * scale;
    r_[k + 1] = rF * scale;
    X_[k + 1] = rx * scale;
    Y_[k + 1] = ry * scale;
    v_[k + 1] = p_[k + 1] - mu * (d.x * X_[k + 1] + d.y * Y_[k + 1]);
    A_[k + 1] = vr * scale;
  }
  // the term of an order, over the tolerance, is t^order at the length
  const auto reach = [&](std::size_t k) {
    const double term =
        std::max({std::abs(x_[k]), std::abs(y_[k]), std::abs(r_[k]), start.r * start.r * std::abs(A_[k])});
    return std::pow(std::max(term, std::numeric_limits<double>::min()) / tolerance, -1 / static_cast<double>(k));
  };
  length_ = std::min(reach(order - 1), reach(order));
}

Instant Arc::at(double t) const noexcept {
  Instant state = start_;
  const double r = start_.r, p = sum(p_, t);
  state.p += r * p;
  state.v += r * sum(v_, t);
  state.work += r * (start_.v * p + r * sum(A_, t));
  state.impulse = state.impulse - mu_ * r * Tangent{sum(X_, t), sum(Y_, t)};
  state.r = r * sum(r_, t);
  state.s = {sum(x_, t), sum(y_, t)};
  state.s = 1 / state.s.norm() * state.s;
  return state;
}

double Arc::impulse(double t) const noexcept {
  return start_.r * sum(p_, t);
}

double Arc::velocity(double t) const noexcept {
  return start_.v + start_.r * sum(v_, t);
}

double Arc::work(double t) const noexcept {
  return start_.r * (start_.v * sum(p_, t) + start_.r * sum(A_, t));
}

double Arc::acceleration(double t) const noexcept {
  double slope = 0;
  for (std::size_t k = order; k > 0; --k) slope = slope * t + static_cast<double>(k) * v_[k];
  return start_.r * slope;
}

double Arc::when_impulse(double value, double low, double high) const noexcept {
  return root([&](double t) { return Value{impulse(t) - value, start_.r * sum(r_, t)}; }, low, high);
}

double Arc::when_velocity(double value, double low, double high) const noexcept {
  return root([&](double t) { return Value{velocity(t) - value, acceleration(t)}; }, low, high);
}

double Arc::when_work(double value, double low, double high) const noexcept {
  return root([&](double t) { return Value{work(t) - value, velocity(t) * start_.r * sum(r_, t)}; }, low, high);
}

double Arc::turn(double low, double high) const noexcept {
  return root(
      [&](double t) {
        double slope = 0;
        for (std::size_t k = order; k > 1; --k) slope = slope * t + static_cast<double>(k * (k - 1)) * v_[k];
        return Value{acceleration(t), start_.r * slope};
      },
      low, high);
}

}  // namespace thud::impacting
