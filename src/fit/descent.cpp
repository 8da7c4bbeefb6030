#include "fit/descent.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "fit/laws.hpp"

namespace thud::fitting {
namespace {

using Eigen::Index;

// The force is clamped at 0 where the contact begins and ends. Its derivatives jump there: the sum of squares has a
// kink wherever the end passes a sample, the descent could stop at any of them, and samples that a small change takes
// out of the contact would count as if they stayed. Inside the contact, within three samples of its ends or two
// standard errors of its end time, the derivatives are therefore tapered to 0, and J'r = 0 has one smooth root. The
// residual is not tapered: an exact record is fitted exactly.
void taper(Problem& p, double end, double T) {
  const Index n = p.tau.size();
  const double spacing = (p.tau[n - 1] - p.tau[0]) / static_cast<double>(n - 1);
  const double reach = 3 * spacing, reach_end = std::min(reach + p.taper_width / T, std::max(end / 2, reach));
  const double* tau = p.tau.data();
  const auto at = [&](double t) { return std::lower_bound(tau, tau + n, t) - tau; };
  const bool exponent_free = fit_law(p.kind).free_exponent;
  const auto scale_derivatives = [&](Index i, double weight) {
    p.columns.by_time[i] *= weight;
    p.columns.by_shape[i] *= weight;
    if (exponent_free) p.columns.by_exponent[i] *= weight;
  };
  for (Index i = at(0); i < n && tau[i] < reach; ++i) scale_derivatives(i, tau[i] / reach);
  for (Index i = at(end) - 1; i >= 0 && tau[i] > end - reach_end; --i) scale_derivatives(i, (end - tau[i]) / reach_end);
}

}  // namespace

double evaluate(Problem& p, const Point& at) {
  const FitLaw& law = fit_law(p.kind);
  const Unpacked unpacked = law.unpack(at);
  const double T = std::exp(unpacked.log_time), scale = std::exp(at[log_mass]) * p.speed / T;
  p.tau = (p.times.array() - at[start]) * (1 / T);
  const ShapeEnd end = law.evaluate({unpacked.a, at[exponent]}, p.tau, p.table, p.columns);
  p.end_time = at[start] + T * end.time;
  p.end.setZero();
  if (std::isfinite(end.time)) {
    p.end[log_time] = T * end.time;
    p.end[shape] = T * (end.by_shape * unpacked.a_by_shape + end.time * unpacked.time_by_shape);
    p.end[exponent] = T * (end.by_exponent + end.time * unpacked.time_by_exponent);
    p.end[start] = 1;
  }
  if (p.tapered) taper(p, end.time, T);
  const ShapeColumns& phi = p.columns;
  p.residual = p.forces.array() - at[baseline] - scale * phi.value;
  if (at[drift] != 0) p.residual.array() -= at[drift] * (p.times.array() - p.middle);
  const auto by_log_time = p.jacobian.col(p.free[0] == log_time ? 0 : 1).array();  // always free, and before the shape
  for (int j = 0; j < p.count; ++j) {
    auto column = p.jacobian.col(j).array();
    switch (p.free[j]) {
      case log_mass:
        column = scale * phi.value;
        break;
      case log_time:
        column = -scale * (phi.value + p.tau * phi.by_time);
        break;
      case shape:
        column = scale * unpacked.a_by_shape * phi.by_shape;
        if (unpacked.time_by_shape != 0) column += unpacked.time_by_shape * by_log_time;
        break;
      case exponent:
        column = scale * phi.by_exponent + unpacked.time_by_exponent * by_log_time;
        break;
      case start:
        column = -scale / T * phi.by_time;
        break;
      case baseline:
        column = 1;
        break;
      case drift:
        column = p.times.array() - p.middle;
        break;
    }
  }
  return p.residual.squaredNorm();
}

namespace {

// H and g, row by row. A column is read once for all its products, two samples at a time: half the
// instructions of separate products.
template <int row = 0>
void multiply(const Problem& p, NormalMatrix& h, FreeVector& g) {
  if (row == p.count) return;
  using Pair = Eigen::Array2d;
  const auto pair = [](const double* at) { return Eigen::Map<const Pair>(at); };
  const double* column[row + 2];
  for (int j = 0; j <= row; ++j) column[j] = p.jacobian.col(j).data();
  column[row + 1] = p.residual.data();
  Pair sums[row + 2];
  for (Pair& sum : sums) sum.setZero();
  Index k = 0;
  for (; k + 1 < p.residual.size(); k += 2)
    for (int j = 0; j < row + 2; ++j) sums[j] += pair(column[row] + k) * pair(column[j] + k);
  const auto product = [&](int j) {
    return sums[j].sum() + (k < p.residual.size() ? column[row][k] * column[j][k] : 0);
  };
  for (int j = 0; j <= row; ++j) h(row, j) = h(j, row) = product(j);
  g[row] = product(row + 1);
  if constexpr (row + 1 < parameter_count) multiply<row + 1>(p, h, g);
}

}  // namespace

void normal_equations(const Problem& p, NormalMatrix& h, FreeVector& g) {
  multiply(p, h, g);
}

bool in_range(LawKind kind, const Point& at) {
  if (!at.allFinite() || std::abs(at[log_time]) > 100 || std::abs(at[log_mass]) > 100) return false;
  const ShapeRange range = fit_law(kind).range;
  return at[shape] >= range.low && at[shape] <= range.high && at[exponent] > 0.1 && at[exponent] < 10;
}

// Gauss-Newton with a line search; where that fails to improve, Marquardt's damping turns the step towards the
// gradient.
Descent descend(Problem& p, Point at, int max_evaluations) {
  Descent out;
  p.columns.resize(p.times.size());
  p.jacobian.resize(p.times.size(), p.count);
  const double floor = 1e-20 * p.forces.squaredNorm();
  const double degrees_of_freedom = static_cast<double>(p.times.size() - p.count);
  NormalMatrix h(p.count, p.count);
  FreeVector g(p.count), scale(p.count), step(p.count);
  double lambda = 1e-9, squares = evaluate(p, at);
  out.evaluations = 1;
  bool at_limit = false;
  while (out.status != FitStatus::converged && out.evaluations < max_evaluations && lambda < 1e6) {
    normal_equations(p, h, g);
    scale = h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    out.normal = h;
    const double variance = squares / degrees_of_freedom;

    // One step down, with as much damping as necessary
    bool improved = false;
    while (!improved && lambda < 1e6 && out.evaluations < max_evaluations) {
      NormalMatrix damped = scale.asDiagonal() * h * scale.asDiagonal();
      damped.diagonal().array() += lambda;
      const Eigen::LLT<NormalMatrix> factor(damped);
      for (int i = 0; i < p.count; ++i) step[i] = scale[i] * p.end[p.free[i]];
      p.taper_width = 1.7 * std::sqrt(variance) * factor.matrixL().solve(step).norm();
      step = scale.cwiseProduct(factor.solve(scale.cwiseProduct(g)));
      const double size = step.dot(h * step), slope = step.dot(g);
      const auto point_at = [&](double fraction) {
        Point next = at;
        for (int i = 0; i < p.count; ++i) next[p.free[i]] += fraction * step[i];
        return next;
      };
      double fraction = 1;
      while (fraction > 1e-3 && !in_range(p.kind, point_at(fraction))) fraction /= 2;
      at_limit = fraction < 1;
      if (!in_range(p.kind, point_at(fraction))) {
        // At a limit, pointing outwards: only a damped step can make progress
        lambda = std::max(lambda * 10, 1e-4);
        continue;
      }
      for (int index : {log_mass, log_time, exponent})
        fraction = std::min(fraction, 0.5 / std::abs(point_at(1)[index] - at[index]));
      const double scale_of_shape = std::max(std::abs(at[shape]), fit_law(p.kind).least_scale);
      fraction = std::min(fraction, 0.5 * scale_of_shape / std::abs(point_at(1)[shape] - at[shape]));
      if (!at_limit && lambda < 1e-3 && size <= std::max(0.02 * variance, floor)) {
        out.status = FitStatus::converged;
        at = point_at(1);
        squares = std::max(squares - slope, 0.0);
        break;
      }
      for (int tries = 0; !improved && tries < 3 && out.evaluations < max_evaluations; ++tries) {
        const Point next = point_at(fraction);
        const double squares_next = evaluate(p, next);
        ++out.evaluations;
        if (squares_next < squares) {
          improved = true;
          if (squares - squares_next < 0.01 * variance && size < 0.3 * variance) out.status = FitStatus::converged;
          at = next;
          squares = squares_next;
          lambda = std::max(lambda / 100, 1e-9);
        } else if (size < 0.3 * variance) {
          out.status = FitStatus::converged;
          improved = true;
        } else {
          const double fall = 2 * slope * fraction;  // of the parabola through both values and the slope
          fraction *= std::clamp(fall / (2 * (squares_next - squares + fall)), 0.1, 0.5);
        }
      }
      if (!improved && lambda < 1e-3 && size < variance) {
        out.status = FitStatus::converged;
        improved = true;
      }
      if (!improved) lambda = std::max(lambda * 10, 1e-4);
    }
  }
  if (out.status != FitStatus::converged && at_limit) out.status = FitStatus::at_limit;
  out.at = at;
  out.squares = squares;
  out.end = p.end_time;
  out.in_contact = static_cast<int>((p.columns.value > 0).count());
  return out;
}

}  // namespace thud::fitting
