#include "fit/outline.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Cholesky>

namespace thud::fitting {
namespace {

using Eigen::Index;

// The last index before `peak` at which the force was not above a level.
Index last_below(const VectorRef& f, Index peak, double level) {
  Index i = peak;
  while (i > 0 && f[i] > level) --i;
  return i;
}

// First touch: the root of a parabola through the rise, by least squares between 8 and 75 % of the peak.
double estimate_touch(const VectorRef& t, const VectorRef& f, Index top, const Outline& out) {
  const Index first = last_below(f, top, out.baseline + 0.08 * out.peak) + 1;
  const Index last = std::max(last_below(f, top, out.baseline + 0.75 * out.peak), first + 1);
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

}  // namespace

void require_samples(const VectorRef& times, const VectorRef& forces) {
  if (times.size() != forces.size())
    throw InputError("forces", std::to_string(forces.size()) + " samples",
                     "must be as many as the times, " + std::to_string(times.size()));
  for (Index i = 0; i < times.size(); ++i) {
    const auto where = [i](const char* name) { return name + ("[" + std::to_string(i) + "]"); };
    if (!std::isfinite(times[i])) throw InputError(where("times"), times[i], "must be finite");
    if (!std::isfinite(forces[i])) throw InputError(where("forces"), forces[i], "must be finite");
    if (i > 0 && !(times[i] > times[i - 1])) throw InputError(where("times"), times[i], "must increase");
  }
}

std::variant<Outline, NoOutline> outline(const VectorRef& t, const VectorRef& f, std::optional<double> baseline,
                                         std::optional<double> start) {
  const Index n = f.size();
  if (n < 8) return NoOutline::few_samples;

  // Baseline from the quieter end of the record; peak of a running mean of three
  Outline out{};
  out.baseline = baseline.value_or(std::min(f.head<4>().mean(), f.tail<4>().mean()));
  Index top = 1;
  for (Index i = 1; i + 1 < n; ++i)
    if (f[i - 1] + f[i] + f[i + 1] > f[top - 1] + f[top] + f[top + 1]) top = i;
  out.peak = f.segment<3>(top - 1).mean() - out.baseline;
  if (!(out.peak > 0)) return NoOutline::no_rise;

  out.start = start.value_or(estimate_touch(t, f, top, out));
  out.peak_time = t[top];
  if (!(out.peak_time > out.start)) return NoOutline::no_rise;

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
  if (!(out.peak > 0)) return NoOutline::no_rise;
  if (last - first < fewest_in_contact) return NoOutline::few_samples;
  add_moments(t, f, first, last, out.peak_time - out.start, out);
  return out;
}

}  // namespace thud::fitting
