#include <thud/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "fit/outline.hpp"
#include "fit/residual_noise.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

void test_runs(const VectorRef& residuals, ResidualSummary& out) {
  double positive = 0, negative = 0;
  bool before = residuals[0] >= 0;
  out.runs = 1;
  for (const double each : residuals) {
    const bool now = each >= 0;
    out.runs += now != before;
    before = now;
    (now ? positive : negative) += 1;
  }
  const double n = positive + negative, product = 2 * positive * negative;
  out.expected_runs = product / n + 1;
  const double variance = product * (product - n) / (n * n * (n - 1));
  if (variance > 0)  // normal approximation, with the correction for continuity
    out.runs_p = std::erfc((out.expected_runs - out.runs - 0.5) / std::sqrt(2 * variance)) / 2;
}

void find_frequency(const VectorRef& times, const VectorRef& residuals, ResidualSummary& out) {
  constexpr Eigen::Index most = 1000;
  const Eigen::Index n = times.size();
  const double duration = times[n - 1] - times[0], whole = residuals.squaredNorm();
  out.frequency_share = 0;
  for (Eigen::Index k = 1; k <= std::min(n - 1, most); ++k) {
    const double frequency = static_cast<double>(k) / (2 * duration);
    const Eigen::ArrayXd angle = 2 * std::numbers::pi * frequency * (times.array() - times[0]);
    const Eigen::VectorXd sine = angle.sin().matrix(), cosine = angle.cos().matrix();
    Eigen::Matrix2d h;
    h << sine.squaredNorm(), sine.dot(cosine), sine.dot(cosine), cosine.squaredNorm();
    const Eigen::Vector2d g(sine.dot(residuals), cosine.dot(residuals));
    const double share = h.determinant() > 1e-9 * h(0, 0) * h(1, 1) ? g.dot(h.inverse() * g) / whole : 0;
    if (share <= out.frequency_share) continue;
    out.frequency = frequency;
    out.frequency_share = share;
  }
}

}  // namespace

ResidualSummary summarize_residuals(const VectorRef& times, const VectorRef& residuals) {
  require_samples(times, residuals);
  ResidualSummary out;
  const Eigen::Index n = residuals.size();
  if (n == 0) return out;
  out.rmse = std::sqrt(residuals.squaredNorm() / static_cast<double>(n));
  out.noise = second_difference_noise(residuals);
  if (n < 8 || out.rmse == 0) return out;
  test_runs(residuals, out);
  find_frequency(times, residuals, out);
  return out;
}

}  // namespace thud
