#include "impact/arc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thud::impacting {
namespace {

// The last two terms kept are at most this: what is left out is less.
constexpr double tolerance = 1e-13;

constexpr int max_iterations = 60;

// 1, 1, 1/2, 1/3, ...
constexpr auto inverse = [] {
  std::array<double, Arc::order + 1> values{1};
  for (std::size_t k = 1; k < values.size(); ++k) values[k] = 1 / static_cast<double>(k);
  return values;
}();

// Term k of the product of two series. The terms that were found last come last, so that the processor need not wait.
template <class Factor, class Series>
Eigen::Array2d product(std::size_t k, const Factor& a, const Series& b) noexcept {
  Eigen::Array2d even = Eigen::Array2d::Zero(), odd = Eigen::Array2d::Zero();
  std::size_t i = 1;
  for (; i + 1 < k; i += 2) {
    even += a(i) * b[k - i];
    odd += a(i + 1) * b[k - i - 1];
  }
  if (i < k) even += a(i) * b[k - i];
  even += a(0) * b[k];
  if (k > 0) odd += a(k) * b[0];
  return even + odd;
}

template <class Series>
auto sum(const Series& series, double t) noexcept {
  auto value = series.back();
  for (std::size_t k = series.size() - 1; k-- > 0;) value = value * t + series[k];
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
  std::array<double, order> G;
  PairSeries Fv;  // F, v
  s_[0] = {start.s.x, start.s.y};
  r_[0] = 1;
  traverse_[0].setZero();
  p_[0] = v_[0] = A_[0] = 0;
  for (std::size_t k = 0; k < order; ++k) {
    const double x = s_[k].x(), y = s_[k].y();
    const Eigen::Array2d xs = product(
        k, [&](std::size_t i) { return s_[i].x(); }, s_);                                // x^2, x y
    const double F = d.x * x + d.y * y + anisotropy * xs.x() - (k == 0 ? mu * b.y : 0);  // x^2 + y^2 = 1
    G[k] = d.y * x - d.x * y - anisotropy * xs.y();
    Fv[k] = {F, v_[k]};
    const Eigen::Array2d Gs = product(
        k, [&](std::size_t i) { return G[i]; }, s_);
    const Eigen::Array2d rs = product(
        k, [&](std::size_t i) { return r_[i]; }, s_);
    const Eigen::Array2d rFv = product(
        k, [&](std::size_t i) { return r_[i]; }, Fv);
    const double scale = inverse[k + 1];
    s_[k + 1] = {-Gs.y() * scale, Gs.x() * scale};
    p_[k + 1] = r_[k] * scale;
    r_[k + 1] = rFv.x() * scale;
    traverse_[k + 1] = rs * scale;
    v_[k + 1] = p_[k + 1] - mu * (d.x * traverse_[k + 1].x() + d.y * traverse_[k + 1].y());
    A_[k + 1] = rFv.y() * scale;
  }
  // the term of an order, over the tolerance, is t^order at the length
  const auto reach = [&](std::size_t k) {
    const double term = std::max({s_[k].abs().maxCoeff(), std::abs(r_[k]), start.r * start.r * std::abs(A_[k])});
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
  const Eigen::Array2d traverse = sum(traverse_, t), s = sum(s_, t);
  state.impulse = state.impulse - mu_ * r * Tangent{traverse.x(), traverse.y()};
  state.r = r * sum(r_, t);
  state.s = 1 / s.matrix().norm() * Tangent{s.x(), s.y()};
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
