#include "fit/reported.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <Eigen/Cholesky>
#include <boost/math/distributions/students_t.hpp>

#include "fit/laws.hpp"

namespace thud::fitting {
namespace {

// Numerical error of the model, relative to the root mean square of the force.
constexpr double model_error = 1e-6;

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
  out.add("", {at[shape], unit(shape), Scale::plain});
  return out;
}

void report_criteria(const VectorRef& forces, double squares, int count, FitResult& out) {
  const auto n = static_cast<double>(forces.size());
  out.rmse = std::sqrt(squares / n);
  out.r_squared = 1 - squares / (forces.array() - forces.mean()).square().sum();
  // The residual of an exact record is rounding, and no reason to prefer a law.
  const double deviance = n * std::log(std::max(squares / n, model_error * model_error * forces.squaredNorm() / n));
  out.aic = deviance + 2 * (count + 1);
  out.bic = deviance + std::log(n) * (count + 1);
}

void warn_of_poor_fit(const FitResult& best, std::vector<Warning>& warnings) {
  constexpr double enough = 0.9;  // of the variance
  if (best.r_squared < enough)
    warnings.push_back({WarningCode::poor_fit, std::string(to_string(best.kind)),
                        std::string(to_string(best.kind)) + ", the best law, leaves " +
                            to_text(100 * (1 - best.r_squared), 3) + " % of the force's variance unexplained"});
  // The residual of an exact record is rounding, whatever its differences are.
  constexpr double too_much = 1.5;
  if (best.misfit > too_much && best.rmse > model_error * best.impulse_compression / best.time_of_compression)
    warnings.push_back({WarningCode::above_noise, std::string(to_string(best.kind)),
                        std::string(to_string(best.kind)) + " leaves " + to_text(best.rmse, 3) + " N over, " +
                            to_text(best.misfit, 3) + " times the noise of the samples, " + to_text(best.noise, 3) +
                            " N: it does not describe all of the record, and its parameters may be off by more than "
                            "their intervals"});
}

double measured_impulse(const VectorRef& times, const VectorRef& forces, double from, double to) {
  double sum = 0;
  const Eigen::Index first = std::upper_bound(times.data(), times.data() + times.size(), from) - times.data();
  for (Eigen::Index i = std::max<Eigen::Index>(first, 1); i < times.size() && times[i - 1] < to; ++i) {
    const double h = times[i] - times[i - 1], low = std::max(from, times[i - 1]), high = std::min(to, times[i]);
    const double slope = (forces[i] - forces[i - 1]) / h;
    sum += (high - low) * (forces[i - 1] + slope * ((low + high) / 2 - times[i - 1]));
  }
  return sum;
}

double student_t(double degrees_of_freedom) {
  if (degrees_of_freedom < 60) return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.975);
  constexpr double z = 1.959963984540054, z2 = z * z;
  const double v = 1 / degrees_of_freedom;
  return z +
         v * z *
             ((z2 + 1) / 4 + v * ((5 * z2 + 16) * z2 + 3) / 96 + v * v * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384);
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

std::vector<Interval> remaining_intervals(const Problem& p, NormalMatrix h, double margin, const Reported& reported) {
  const Interval none{FitResult::none, FitResult::none};
  const auto index = std::find(p.free, p.free + p.count, static_cast<int>(shape)) - p.free;
  if (h.size() == 0 || h(index, index) != 0) return std::vector<Interval>(reported.count, none);
  h(index, index) = 1;  // whatever it is: nothing depends on it
  if (!determined(h)) return std::vector<Interval>(reported.count, none);
  std::vector<Interval> out = linear_intervals(p, h, margin, reported);
  for (std::size_t i = 0; i < reported.count; ++i)
    if (reported.quantities[i].gradient[shape] != 0) out[i] = none;
  return out;
}

double shape_error(const Problem& p, const NormalMatrix& h) {
  const auto index = std::find(p.free, p.free + p.count, static_cast<int>(shape)) - p.free;
  const Factor factor(h);
  const FreeVector part = FreeVector::Unit(p.count, index) * factor.scale[index];
  return factor.llt.matrixL().solve(part).norm();
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
  if (profile.open_low) out.back().low = fit_law(p.kind).range.low;
  if (profile.open_high) out.back().high = fit_law(p.kind).range.high;
  return out;
}

}  // namespace thud::fitting
