#include "fit/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

#include "fit/laws.hpp"

namespace thud::fitting {
namespace {

using Eigen::Index;

constexpr double max_step = 0.4;  // largest step of the trace in x, which aims at a rise of one noise variance
constexpr double guard = 25;      // how far above the limit the trace ends, in noise variances
constexpr int draws = 60;         // antithetic pairs of seeded noise: the mean is due to the curvature alone

// Where the record determines the shape, S is parabolic: the standard error of x is at most `narrow` times that of a
// factor on the whole force. It is not where the error is above `wide`, or the noise above the fraction of the peak
// that lets it mimic an end of contact. In between S is evaluated, if the record covers enough of the contact for the
// end to matter.
constexpr double narrow = 7.5, wide = 0.12, max_noise = 0.015, min_coverage = 0.8;

// The shape's coordinate x along the profile, and its range.
ShapeRange coordinate_range(const FitLaw& law) {
  if (!law.logarithmic) return law.range;
  return {std::log(law.range.low), std::log(law.range.high)};
}

double coordinate(const FitLaw& law, const Point& at) {
  return law.logarithmic ? std::log(at[shape]) : at[shape];
}

double shape_at(const FitLaw& law, double x) {
  return law.logarithmic ? std::clamp(std::exp(x), law.range.low, law.range.high) : x;
}

// H^-1 e of the shape, and its standard error per unit of noise.
struct Direction {
  FreeVector step;
  double error;
};

Direction shape_direction(const Problem& p, const NormalMatrix& normal) {
  const auto index = std::find(p.free, p.free + p.count, static_cast<int>(shape)) - p.free;
  const FreeVector scale = normal.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::LLT<NormalMatrix> factor(scale.asDiagonal() * normal * scale.asDiagonal());
  Direction out{FreeVector::Unit(p.count, index) * scale[index], 0};
  factor.solveInPlace(out.step);
  out.step.array() *= scale.array();
  out.error = std::sqrt(out.step[index]);
  out.step /= out.error;
  return out;
}

double relative_error(const Problem& p, const Point& at, double error) {
  return fit_law(p.kind).logarithmic ? error / at[shape] : error;
}

// The mean of the signed root that noise gives at each shape.
void add_bias(LikelihoodProfile& profile, const Eigen::MatrixXd& others, double x_best) {
  const double variance = profile.noise * profile.noise;
  const auto count = static_cast<Index>(profile.minima.size());
  Eigen::MatrixXd force(others.rows(), count);
  for (Index i = 0; i < count; ++i)
    force.col(i) = profile.minima[static_cast<std::size_t>(i)].force - profile.minima.front().force;
  const Eigen::MatrixXd basis =
      others.householderQr().householderQ() * Eigen::MatrixXd::Identity(others.rows(), others.cols());
  force -= basis * (basis.transpose() * force);
  Eigen::MatrixXd gram = force.transpose() * force / variance;  // D_i.D_j
  const Eigen::VectorXd square = gram.diagonal();
  gram.diagonal().array() += 1e-9 * square.maxCoeff() + 1e-12;
  const Eigen::MatrixXd root = gram.llt().matrixL();

  Eigen::ArrayXd mean = Eigen::ArrayXd::Zero(count);
  boost::random::mt19937 generator;
  boost::random::normal_distribution<double> normal;
  for (int draw = 0; draw < draws; ++draw) {
    const Eigen::VectorXd noise = root * Eigen::VectorXd::NullaryExpr(count, [&] { return normal(generator); });
    for (double sign : {-1, 1}) {
      for (Index i = 0; i < count; ++i) {
        // |D_j - D_i|^2 - 2 noise.(D_j - D_i), without the terms that do not depend on j
        Index j;
        const double least = (square - 2 * gram.col(i) - 2 * sign * noise).minCoeff(&j);
        const double fall = -square[i] - 2 * sign * noise[i] - least;
        mean[i] += (j < i ? -1 : 1) * std::sqrt(std::max(fall, 0.0)) / (2 * draws);
      }
    }
  }
  for (Index i = 0; i < count; ++i) {
    ConditionalMinimum& minimum = profile.minima[static_cast<std::size_t>(i)];
    minimum.bias = minimum.x < x_best ? mean[i] : -mean[i];
  }
}

}  // namespace

bool parabolic(Problem& p, Descent& best, double t) {
  const Index last = p.times.size() - 1;
  const double variance = best.squares / static_cast<double>(p.times.size() - p.count), noise = std::sqrt(variance);
  const Direction down = shape_direction(p, best.normal);
  const double error = relative_error(p, best.at, noise * down.error);
  const double peak = p.forces.maxCoeff() - best.at[baseline];
  if (error * std::sqrt(static_cast<double>(best.in_contact)) < narrow * noise / peak) return true;
  if (!(error < wide && noise < max_noise * peak)) return false;
  if (p.times[last] < best.at[start] + min_coverage * (best.end - best.at[start])) return true;
  Point low = best.at;
  for (int i = 0; i < p.count; ++i) low[p.free[i]] -= t * noise * down.step[i];
  ++best.evaluations;
  const double rise = (descend(p, low, 1).squares - best.squares) / (t * t * variance);
  return rise > 0.7 && rise < 1.5;
}

LikelihoodProfile trace_profile(Problem& p, Descent& best, double t, int max_evaluations) {
  LikelihoodProfile out;
  Problem conditional{p.times, p.forces, p.kind, p.speed, p.middle};
  conditional.count = static_cast<int>(
      std::remove_copy(p.free, p.free + p.count, conditional.free, static_cast<int>(shape)) - conditional.free);
  std::copy_n(conditional.free, conditional.count, out.free);
  out.count = conditional.count;
  const double degrees_of_freedom = static_cast<double>(p.times.size() - p.count);
  const FitLaw& law = fit_law(p.kind);
  const ShapeRange ends = coordinate_range(law);
  const auto minimum_at = [&](double x, Point at) {
    at[shape] = shape_at(law, x);
    Descent found = descend(conditional, at, max_evaluations);
    best.evaluations += found.evaluations;
    if (found.status != FitStatus::converged) found.squares = std::numeric_limits<double>::infinity();
    return ConditionalMinimum{x, found.squares, found.at, found.normal, p.forces - conditional.residual};
  };

  const double error =
      best.normal.size() > 0
          ? relative_error(p, best.at,
                           shape_direction(p, best.normal).error * std::sqrt(best.squares / degrees_of_freedom))
          : max_step;
  const ConditionalMinimum centre = minimum_at(coordinate(law, best.at), best.at);
  if (!std::isfinite(centre.squares)) return out;
  ConditionalMinimum least = centre;
  for (int side : {-1, 1}) {
    bool& open = side < 0 ? out.open_low : out.open_high;
    ConditionalMinimum last = centre, before = centre;
    double step = std::clamp(std::isfinite(error) ? 0.5 * error : max_step, 1e-3, max_step);
    for (int i = 0; i < 200; ++i) {
      const double x = std::clamp(last.x + side * step, ends.low, ends.high);
      Point guess = last.at;
      if (before.x != last.x) guess += (x - last.x) / (last.x - before.x) * (last.at - before.at);
      ConditionalMinimum next = minimum_at(x, guess);
      if (!std::isfinite(next.squares)) next = minimum_at(x, last.at);
      const double variance = std::min(least.squares, best.squares) / degrees_of_freedom;
      const double rise = (next.squares - last.squares) / variance;
      const double above = (next.squares - std::min(least.squares, best.squares)) / variance - t * t;
      if (rise > 3 && last.squares < least.squares + t * t * variance && step > 1e-3) {
        step /= 2;  // the limit lies between
        continue;
      }
      if (!std::isfinite(next.squares)) {
        open = true;  // the other parameters leave their range
        break;
      }
      before = std::move(last);
      last = next;
      if (next.squares < least.squares) least = next;
      out.minima.push_back(std::move(next));
      if (above > guard) break;
      if (x == ends.low || x == ends.high) {
        open = above < 0;
        break;
      }
      step = std::min(std::abs(rise) < 0.5 ? step * 1.6 : std::abs(rise) > 1.5 ? step * 0.7 : step, max_step);
    }
    if (side < 0) {
      std::reverse(out.minima.begin(), out.minima.end());
      out.minima.push_back(centre);
    }
  }

  // The lowest of them is a better start, and if necessary a better point
  if (least.squares < best.squares || best.status != FitStatus::converged) {
    Descent again = descend(p, least.at, max_evaluations);
    const int evaluations = best.evaluations + again.evaluations;
    if (again.status == FitStatus::converged && again.squares < std::min(best.squares, least.squares)) {
      best = std::move(again);
    } else {
      best.at = least.at;
      best.squares = least.squares;
      best.status = least.x == ends.low || least.x == ends.high ? FitStatus::at_limit : FitStatus::converged;
    }
    best.evaluations = evaluations;
  }
  best.in_contact = descend(conditional, best.at, 1).in_contact;
  out.t = t;
  out.noise = std::sqrt(best.squares / degrees_of_freedom);
  for (ConditionalMinimum& each : out.minima) each.rise = (each.squares - best.squares) / (out.noise * out.noise);
  // Not with a free exponent, for empirical reasons: at 5 % noise the interval of the mass would cover 98 %, and covers
  // 96 % without.
  if (!law.free_exponent) add_bias(out, conditional.jacobian, coordinate(law, best.at));
  return out;
}

Interval profile_interval(const LikelihoodProfile& profile, const std::vector<Quantity>& quantity) {
  constexpr int parts = 8;  // subdivisions between two minima
  const std::vector<ConditionalMinimum>& minima = profile.minima;
  const bool factors = quantity.front().scale != Scale::plain;

  // How far the other parameters change the quantity at each shape, for a rise of one noise variance
  std::vector<double> widths;
  for (std::size_t i = 0; i < minima.size(); ++i) {
    const NormalMatrix& h = minima[i].normal;
    const FreeVector scale = h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::LLT<NormalMatrix> factor(scale.asDiagonal() * h * scale.asDiagonal());
    FreeVector part(profile.count);
    for (int j = 0; j < profile.count; ++j) part[j] = quantity[i].gradient[profile.free[j]] * scale[j];
    const double width = profile.noise * factor.matrixL().solve(part).norm(), size = std::abs(quantity[i].value);
    widths.push_back(!factors ? width : size > 0 ? width / size : 0);
  }
  const auto widen = [&](Interval& out, double slack, double value, double width) {
    const double reach = width * std::sqrt(std::max(slack, 0.0));
    for (double sign : {-1, 1}) {
      const double end = factors ? value * std::exp(sign * reach) : value + sign * reach;
      out = {std::min(out.low, end), std::max(out.high, end)};
    }
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto region = [&](double bias_fraction) {
    const auto slack = [&](std::size_t i) {
      const double limit = std::max(profile.t + bias_fraction * minima[i].bias, 0.0);
      return limit * limit - minima[i].rise;
    };
    Interval out{infinity, -infinity};
    for (std::size_t i = 1; i < minima.size(); ++i) {
      // The part between two minima where S is below the limit
      const double last = slack(i - 1), next = slack(i), zero = last / (last - next);
      const double from = last < 0 ? zero : 0, to = next < 0 ? zero : 1;
      for (int k = 0; k <= parts && std::max(last, next) > 0; ++k) {
        const double at = from + (to - from) * k / parts;
        const auto mix = [at](double a, double b) { return a + at * (b - a); };
        widen(out, mix(last, next), mix(quantity[i - 1].value, quantity[i].value), mix(widths[i - 1], widths[i]));
      }
    }
    return out;
  };

  // The shape's contribution to the quantity: the width that remains when the shape is fixed is not due to it.
  const auto lowest =
      std::min_element(minima.begin(), minima.end(),
                       [](const ConditionalMinimum& a, const ConditionalMinimum& b) { return a.squares < b.squares; });
  const auto centre = static_cast<std::size_t>(lowest - minima.begin());
  const Interval whole = region(0);
  Interval fixed{infinity, -infinity};
  widen(fixed, profile.t * profile.t, quantity[centre].value, widths[centre]);
  const double remainder = (fixed.high - fixed.low) / (whole.high - whole.low);
  return region(std::sqrt(std::max(1 - remainder * remainder, 0.0)));
}

}  // namespace thud::fitting
