#include "fit/reported.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

namespace thud::fitting {
namespace {

// H with a unit diagonal, and what makes it so.
struct Factor {
  Free scale;
  Eigen::LLT<Normal> llt;

  explicit Factor(const Normal& h)
      : scale(h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse()),
        llt(scale.asDiagonal() * h * scale.asDiagonal()) {}
};

}  // namespace

Reported report(const Problem& p, const Point& at) {
  const double m = std::exp(at[log_mass]), T = std::exp(at[log_time]), a = at[shape];
  const double n = p.kind == LawKind::hunt_crossley ? at[exponent] : 1;
  const double kappa = n == 1 ? m / (T * T) : m * p.speed * p.speed / std::pow(T * p.speed, n + 1);
  const auto unit = [](Slot slot) { return Point(Point::Unit(slot)); };
  Point slope = Point::Zero();  // of kappa, relative
  slope[log_mass] = 1;
  slope[log_time] = -(n + 1);
  slope[exponent] = -std::log(T * p.speed);
  Reported out;
  switch (p.kind) {
    case LawKind::spring:
      out.law = Spring{kappa, a};
      out.add("stiffness", {kappa, kappa * slope, Scale::logarithm, true});
      out.add("restitution", {a, unit(shape), Scale::plain});
      break;
    case LawKind::maxwell: {
      const double c = m / (2 * a * T);
      out.law = Maxwell{kappa, c};
      out.add("stiffness", {kappa, kappa * slope, Scale::logarithm, true});
      out.add("damping", {1 / c, (unit(log_time) - unit(log_mass)) / c + unit(shape) * (2 * T / m), Scale::inverse});
      break;
    }
    default: {  // kappa = k + c|v0|, a = k/kappa
      const double k = a * kappa, c = (1 - a) * kappa / p.speed;
      out.add("stiffness", {k, k * slope + kappa * unit(shape), Scale::logarithm, true});
      out.add("damping", {c, c * slope - kappa / p.speed * unit(shape), Scale::logarithm, false});
      out.law = Viscoelastic{k, c};
      if (p.kind == LawKind::hunt_crossley) {
        out.law = HuntCrossley{k, c, n};
        out.add("exponent", {n, unit(exponent), Scale::plain});
      }
    }
  }
  out.add("mass", {m, m * unit(log_mass), Scale::logarithm, true});
  out.add("start", {at[start], unit(start), Scale::plain});
  out.add("baseline", {at[baseline], unit(baseline), Scale::plain});
  if (p.free[p.count - 1] == drift) out.add("drift", {at[drift], unit(drift), Scale::plain});
  return out;
}

bool determined(const Normal& h) {
  const Factor factor(h);
  return factor.llt.info() == Eigen::Success && factor.llt.rcond() > 1e-14;
}

std::vector<Interval> linear_intervals(const Problem& p, const Normal& h, double reach, const Reported& reported) {
  std::vector<Interval> out;
  out.reserve(reported.count);
  const Factor factor(h);
  for (std::size_t i = 0; i < reported.count; ++i) {
    const Quantity& quantity = reported.quantities[i];
    Free part(p.count);
    for (int j = 0; j < p.count; ++j) part[j] = quantity.gradient[p.free[j]] * factor.scale[j];
    const double width = reach * factor.llt.matrixL().solve(part).norm();
    const double ratio = std::exp(width / quantity.value);
    if (quantity.positive) out.push_back({quantity.value / ratio, quantity.value * ratio});
    if (!quantity.positive) out.push_back({quantity.value - width, quantity.value + width});
  }
  return out;
}

std::vector<Interval> profile_intervals(const Problem& p, const Ridge& ridge) {
  std::vector<Interval> out;
  std::vector<Reported> along;
  for (const Slice& slice : ridge.slices) along.push_back(report(p, slice.at));
  std::vector<Quantity> quantity(along.size());
  for (std::size_t i = 0; i < along.front().count; ++i) {
    std::transform(along.begin(), along.end(), quantity.begin(), [i](const Reported& r) { return r.quantities[i]; });
    out.push_back(extent(ridge, quantity));
  }
  // Without end: u = 0 is k = 0, and whatever else is still moving at a limit of the shape has no bound here
  const bool damped = p.kind == LawKind::viscoelastic || p.kind == LawKind::hunt_crossley;
  if (ridge.open_low && damped) out[0].low = 0;
  if (ridge.open_high) out[0].high = std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace thud::fitting
