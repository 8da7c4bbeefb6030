#include "fit/fit_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>

namespace thud::fitting {
namespace {

using Eigen::Index;
using std::numbers::pi;

// The last index before `peak` at which the force was not above a level.
Index below(const VectorRef& f, Index peak, double level) {
  Index i = peak;
  while (i > 0 && f[i] > level) --i;
  return i;
}

// First touch: the root of a parabola through the rise, by least squares between 8 and 75 % of the peak.
double touch(const VectorRef& t, const VectorRef& f, Index top, const Outline& out) {
  const Index first = below(f, top, out.baseline + 0.08 * out.peak) + 1;
  const Index last = std::max(below(f, top, out.baseline + 0.75 * out.peak), first + 1);
  const double origin = t[first], unit = std::max(t[std::min(last, t.size() - 1)] - origin, t[1] - t[0]);
  Eigen::Matrix3d h = Eigen::Matrix3d::Zero();
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  for (Index i = first; i <= last && i < t.size(); ++i) {
    const double x = (t[i] - origin) / unit;
    const Eigen::Vector3d row(1, x, x * x);
    h += row * row.transpose();
    g += row * (f[i] - out.baseline);
  }
  const Eigen::Vector3d c = h.ldlt().solve(g);
  const double inside = c[1] * c[1] - 4 * c[0] * c[2];
  const bool curved = last - first > 4 && inside > 0 && c[1] > 0;
  const double root = curved ? -2 * c[0] / (c[1] + std::sqrt(inside)) : -0.2;
  return origin + unit * std::clamp(root, -0.5, 0.3);
}

void add_moments(const VectorRef& t, const VectorRef& f, Index first, Index last, double unit, Outline& out) {
  const double time = 1 / unit, force = 1 / out.peak;
  double m[6][6] = {}, impulse = 0, twice = 0, t_before = 0, f_before = 0;
  for (Index i = first; i < last; ++i) {
    const double now = (t[i] - out.start) * time, value = (f[i] - out.baseline) * force, step = now - t_before;
    const double impulse_now = impulse + step * (f_before + value) / 2;
    twice += step * (impulse + impulse_now) / 2 - step * step * (value - f_before) / 12;
    impulse = impulse_now;
    t_before = now;
    f_before = value;
    if (t[i] <= out.peak_time) out.impulse_peak = impulse;
    const double row[6] = {now, twice, now * impulse, twice * impulse, impulse, value};
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b <= a; ++b) m[a][b] += row[a] * row[b];
  }
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) out.moments(a, b) = m[std::max(a, b)][std::min(a, b)];
  out.impulse_peak *= unit * out.peak;
  out.impulse_total = impulse * unit * out.peak;
}

// For a given mass the law is linear in kappa and gamma. The mass lies between the halves of the impulse m|v0| (1 + e)
// for e = 0 and 1, with a margin for what the record leaves out; the one with the smallest residual is taken, or the
// one with the shape nearest to a wanted one.
StartingPoint viscoelastic_point(const Outline& out, double speed, std::optional<double> mass,
                                 std::optional<double> wanted) {
  const double unit = out.peak_time - out.start, scale = out.peak * unit / speed;  // [kg]
  const auto& m = out.moments;
  StartingPoint best{mass.value_or(out.impulse_total / (1.5 * speed)), unit / 1.2, 0.5};  // d = 1, should all fail
  double least = std::numeric_limits<double>::infinity();
  const int masses = mass ? 1 : 30;
  for (int i = 0; i < masses; ++i) {
    const double guess = mass.value_or(out.impulse_total / speed * (0.47 + 0.02 * i)), beta = -scale / guess;
    // Moments of X = t + beta II, Y = X I and f
    const double xx = m(0, 0) + beta * (2 * m(1, 0) + beta * m(1, 1));
    const double xy = m(2, 0) + beta * (m(3, 0) + m(2, 1) + beta * m(3, 1));
    const double yy = m(2, 2) + beta * (2 * m(3, 2) + beta * m(3, 3));
    const double xf = m(5, 0) + beta * m(5, 1), yf = m(5, 2) + beta * m(5, 3), det = xx * yy - xy * xy;
    const double kappa = (yy * xf - xy * yf) / det, gamma = (xx * yf - xy * xf) / det;
    const double u = std::max(1 - gamma / (kappa * beta), 0.02);
    const double cost = wanted ? std::abs(std::log(u / *wanted)) : m(5, 5) - kappa * xf - gamma * yf;
    if (!(kappa > 0 && u < 1.5 && cost < least)) continue;
    least = cost;
    best = {guess, unit / std::sqrt(-kappa * beta), u};
  }
  if (wanted) best.shape = *wanted;
  return best;
}

StartingPoint maxwell_point(const Outline& out, double speed, std::optional<double> mass) {
  const double unit = out.peak_time - out.start;
  const int pick[] = {0, 1, 4};
  Eigen::Matrix3d h;
  Eigen::Vector3d g;
  for (int a = 0; a < 3; ++a) {
    g[a] = out.moments(pick[a], 5);
    for (int b = 0; b < 3; ++b) h(a, b) = out.moments(pick[a], pick[b]);
  }
  const Eigen::Vector3d x = h.ldlt().solve(g);
  if (x[0] > 0 && x[1] < 0 && x[2] < 0) {
    const double T = unit / std::sqrt(-x[1]);
    return {mass.value_or(x[0] * out.peak / (unit * speed) * T * T), T, -x[2] * T / (2 * unit)};
  }
  return {mass.value_or(out.impulse_peak / speed), unit / 1.2, 0.2};
}

}  // namespace

std::optional<Outline> outline(const VectorRef& t, const VectorRef& f, std::optional<double> baseline,
                               std::optional<double> start) {
  const Index n = f.size();
  if (n < 8) return {};

  // Baseline from the quieter end of the record; peak of a running mean of three
  Outline out{};
  out.baseline = baseline.value_or(std::min(f.head<4>().mean(), f.tail<4>().mean()));
  Index top = 1;
  for (Index i = 1; i + 1 < n; ++i)
    if (f[i - 1] + f[i] + f[i + 1] > f[top - 1] + f[top] + f[top + 1]) top = i;
  out.peak = f.segment<3>(top - 1).mean() - out.baseline;
  if (!(out.peak > 0)) return {};

  out.start = start.value_or(touch(t, f, top, out));
  out.peak_time = t[top];
  if (!(out.peak_time > out.start)) return {};

  // With a quiet stretch before the touch, its mean is a better baseline
  const Index first = std::upper_bound(t.data(), t.data() + n, out.start) - t.data();
  const Index quiet = std::lower_bound(t.data(), t.data() + n, out.start - (out.peak_time - out.start) / 4) - t.data();
  if (!baseline && quiet >= 8) {
    const double mean = f.head(quiet).mean();
    out.peak += out.baseline - mean;
    out.baseline = mean;
  }
  Index last = top;
  while (last < n && f[last] - out.baseline > 0.05 * out.peak) ++last;
  if (last - first < 4 || !(out.peak > 0)) return {};
  add_moments(t, f, first, last, out.peak_time - out.start, out);
  return out;
}

StartingPoint starting_point(LawKind kind, const Outline& out, double speed, std::optional<double> mass,
                             std::optional<double> shape) {
  switch (kind) {
    case LawKind::spring: {
      const double rest = (out.impulse_total - out.impulse_peak) / out.impulse_peak;
      return {mass.value_or(out.impulse_peak / speed), (out.peak_time - out.start) * 2 / pi,
              std::clamp(rest, 0.05, 5.0)};
    }
    case LawKind::maxwell:
      return maxwell_point(out, speed, mass);
    default:
      return viscoelastic_point(out, speed, mass, shape);
  }
}

}  // namespace thud::fitting
