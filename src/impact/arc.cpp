#include "impact/arc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thud::impacting {
namespace {

// The last two terms kept are at most this: what is left out is less.
constexpr double tolerance = 1e-12;

// 1, 1, 1/2, 1/3, ...
constexpr auto inverse = [] {
  std::array<double, Arc::order + 1> values{1};
  for (std::size_t k = 1; k < values.size(); ++k) values[k] = 1 / static_cast<double>(k);
  return values;
}();

// Term k of the product of a series with a pair of them. The terms that were found last come last, so that the
// processor need not wait.
template <class Factor, class Pairs>
Eigen::Array2d product(std::size_t k, const Factor& a, const Pairs& b) noexcept {
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

}  // namespace

Arc::Arc(const Problem& problem, const Instant& start) noexcept : Curve(problem), start_(start) {
  const Tangent& b = problem.b;
  const Tangent& d = problem.d;
  const double mu = problem.mu, anisotropy = mu * (b.y - b.x);
  std::array<double, order> G;
  Pairs Fv;
  xy_[0] = {start.s.x, start.s.y};
  rp_[0] = {1, 0};
  XY_[0].setZero();
  vA_[0].setZero();
  const auto r = [&](std::size_t i) { return rp_[i].x(); };
  for (std::size_t k = 0; k < order; ++k) {
    const double x = xy_[k].x(), y = xy_[k].y();
    const Eigen::Array2d xs = product(
        k, [&](std::size_t i) { return xy_[i].x(); }, xy_);                              // x^2, x y
    const double F = d.x * x + d.y * y + anisotropy * xs.x() - (k == 0 ? mu * b.y : 0);  // x^2 + y^2 = 1
    G[k] = d.y * x - d.x * y - anisotropy * xs.y();
    Fv[k] = {F, vA_[k].x()};
    const Eigen::Array2d Gs = product(
        k, [&](std::size_t i) { return G[i]; }, xy_);
    const Eigen::Array2d rs = product(k, r, xy_), rFv = product(k, r, Fv);
    const double scale = inverse[k + 1];
    xy_[k + 1] = {-Gs.y() * scale, Gs.x() * scale};
    rp_[k + 1] = {rFv.x() * scale, r(k) * scale};
    XY_[k + 1] = rs * scale;
    vA_[k + 1] = {(r(k) - mu * (d.x * rs.x() + d.y * rs.y())) * scale, rFv.y() * scale};
  }
  // the term of an order, over the tolerance, is t^order at the length
  const auto reach = [&](std::size_t k) {
    const double term = std::max({xy_[k].abs().maxCoeff(), std::abs(r(k)), start.r * start.r * std::abs(vA_[k].y())});
    return std::pow(std::max(term, std::numeric_limits<double>::min()) / tolerance, -inverse[k]);
  };
  length_ = std::min(reach(order - 1), reach(order));
}

Instant Arc::at(double t) const noexcept {
  Eigen::Array2d s = xy_[order], traverse = XY_[order], rp = rp_[order], vA = vA_[order];
  for (std::size_t k = order; k-- > 0;) {
    s = s * t + xy_[k];
    traverse = traverse * t + XY_[k];
    rp = rp * t + rp_[k];
    vA = vA * t + vA_[k];
  }
  Instant now;
  const double r = start_.r;
  now.p = start_.p + r * rp.y();
  now.v = start_.v + r * vA.x();
  now.work = start_.work + r * (start_.v * rp.y() + r * vA.y());
  now.impulse = start_.impulse - problem_.mu * r * Tangent{traverse.x(), traverse.y()};
  now.r = r * rp.x();
  now.s = 1 / std::sqrt(s.x() * s.x() + s.y() * s.y()) * Tangent{s.x(), s.y()};
  return now;
}

}  // namespace thud::impacting
