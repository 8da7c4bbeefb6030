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

}  // namespace

Arc::Arc(const Problem& problem, const Instant& start) noexcept : Curve(problem), start_(start) {
  const Tangent& b = problem.b;
  const Tangent& d = problem.d;
  const double mu = problem.mu, anisotropy = mu * (b.y - b.x) / 2, mean = mu * (b.x + b.y) / 2;
  // F and G are linear in the direction and in twice its angle, (x^2 - y^2, 2 x y). G and r stand twice side by side.
  using Pair = Eigen::Array2d;
  Pairs twice, G, r, Fv;
  xy_[0] = {start.s.x, start.s.y};
  twice[0] = {start.s.x * start.s.x - start.s.y * start.s.y, 2 * start.s.x * start.s.y};
  rp_[0] = {1, 0};
  XY_[0].setZero();
  vA_[0].setZero();
  for (std::size_t k = 0; k < order; ++k) {
    // term k of the four products of series; what was found last comes last, so that the processor need not wait
    Pair Gs = Pair::Zero(), Gt = Pair::Zero(), rs = Pair::Zero(), rFv = Pair::Zero();
    for (std::size_t i = 1; i < k; ++i) {
      Gs += G[i] * xy_[k - i];
      Gt += G[i] * twice[k - i];
      rs += r[i] * xy_[k - i];
      rFv += r[i] * Fv[k - i];
    }
    const double x = xy_[k].x(), y = xy_[k].y();
    Fv[k] = {d.x * x + d.y * y + anisotropy * twice[k].x() - (k == 0 ? mean : 0), vA_[k].x()};
    G[k].setConstant(d.y * x - d.x * y - anisotropy * twice[k].y());
    r[k].setConstant(rp_[k].x());
    Gs += G[k] * xy_[0];
    Gt += G[k] * twice[0];
    rs += r[k] * xy_[0];
    rFv += r[k] * Fv[0];
    if (k > 0) {
      Gs += G[0] * xy_[k];
      Gt += G[0] * twice[k];
      rs += xy_[k];  // r[0] = 1
      rFv += Fv[k];
    }
    const double scale = inverse[k + 1];
    xy_[k + 1] = {-Gs.y() * scale, Gs.x() * scale};
    twice[k + 1] = {-2 * Gt.y() * scale, 2 * Gt.x() * scale};
    rp_[k + 1] = {rFv.x() * scale, rp_[k].x() * scale};
    XY_[k + 1] = rs * scale;
    vA_[k + 1] = {(rp_[k].x() - mu * (d.x * rs.x() + d.y * rs.y())) * scale, rFv.y() * scale};
  }
  // the term of an order, over the tolerance, is t^order at the length
  const auto reach = [&](std::size_t k) {
    const double term =
        std::max({xy_[k].abs().maxCoeff(), std::abs(rp_[k].x()), start.r * start.r * std::abs(vA_[k].y())});
    return std::pow(std::max(term, std::numeric_limits<double>::min()) / tolerance, -inverse[k]);
  };
  length_ = std::min(reach(order - 1), reach(order));
}

Instant Arc::at(double t) const noexcept {
  // even and odd powers on their own: half as long to wait
  static_assert(order % 2 == 0);
  const double square = t * t;
  Eigen::Array2d s = xy_[order], traverse = XY_[order], rp = rp_[order], vA = vA_[order];
  Eigen::Array2d s_odd = xy_[order - 1], traverse_odd = XY_[order - 1], rp_odd = rp_[order - 1],
                 vA_odd = vA_[order - 1];
  for (std::size_t k = order - 2; k > 0; k -= 2) {
    s = s * square + xy_[k];
    traverse = traverse * square + XY_[k];
    rp = rp * square + rp_[k];
    vA = vA * square + vA_[k];
    s_odd = s_odd * square + xy_[k - 1];
    traverse_odd = traverse_odd * square + XY_[k - 1];
    rp_odd = rp_odd * square + rp_[k - 1];
    vA_odd = vA_odd * square + vA_[k - 1];
  }
  s = s * square + xy_[0] + t * s_odd;
  traverse = traverse * square + XY_[0] + t * traverse_odd;
  rp = rp * square + rp_[0] + t * rp_odd;
  vA = vA * square + vA_[0] + t * vA_odd;
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
