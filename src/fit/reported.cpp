#include "fit/reported.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "fit/laws.hpp"

namespace thud::fitting {
namespace {

// Cholesky factor of H scaled to a unit diagonal, and that scale.
struct Factor {
  FreeVector scale;
  Eigen::LLT<NormalMatrix> llt;

  explicit Factor(const NormalMatrix& h)
      : scale(h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse()),
        llt(scale.asDiagonal() * h * scale.asDiagonal()) {}
};

}  // namespace

Reported report(const Problem& p, const Point& at) {
  const auto unit = [](ParameterIndex index) { return Point(Point::Unit(index)); };
  const double m = std::exp(at[log_mass]);
  Reported out;
  fit_law(p.kind).report(at, p.speed, out);
  out.add("mass", {m, m * unit(log_mass), Scale::logarithm, true});
  out.add("start", {at[start], unit(start), Scale::plain});
  out.add("baseline", {at[baseline], unit(baseline), Scale::plain});
  if (p.free[p.count - 1] == drift) out.add("drift", {at[drift], unit(drift), Scale::plain});
  return out;
}

bool determined(const NormalMatrix& h) {
  const Factor factor(h);
  return factor.llt.info() == Eigen::Success && factor.llt.rcond() > 1e-14;
}

std::vector<Interval> linear_intervals(const Problem& p, const NormalMatrix& h, double margin,
                                       const Reported& reported) {
  std::vector<Interval> out;
  out.reserve(reported.count);
  const Factor factor(h);
  for (std::size_t i = 0; i < reported.count; ++i) {
    const Quantity& quantity = reported.quantities[i];
    FreeVector part(p.count);
    for (int j = 0; j < p.count; ++j) part[j] = quantity.gradient[p.free[j]] * factor.scale[j];
    const double width = margin * factor.llt.matrixL().solve(part).norm();
    const double ratio = std::exp(width / quantity.value);
    if (quantity.positive) out.push_back({quantity.value / ratio, quantity.value * ratio});
    if (!quantity.positive) out.push_back({quantity.value - width, quantity.value + width});
  }
  return out;
}

std::vector<Interval> profile_intervals(const Problem& p, const LikelihoodProfile& profile) {
  std::vector<Interval> out;
  std::vector<Reported> along;
  for (const ConditionalMinimum& minimum : profile.minima) along.push_back(report(p, minimum.at));
  std::vector<Quantity> quantity(along.size());
  for (std::size_t i = 0; i < along.front().count; ++i) {
    std::transform(along.begin(), along.end(), quantity.begin(), [i](const Reported& r) { return r.quantities[i]; });
    out.push_back(profile_interval(profile, quantity));
  }
  // Open intervals: u = 0 is k = 0, and at the upper limit of the shape the stiffness has no bound
  if (profile.open_low && fit_law(p.kind).stiffness_vanishes) out[0].low = 0;
  if (profile.open_high) out[0].high = std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace thud::fitting
