#include <thud/elastic_fit.hpp>
#include <thud/profile.hpp>
#include <thud/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include <Eigen/LU>

#include "fit/outline.hpp"
#include "fit/residual_noise.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

Eigen::Map<const Eigen::VectorXd> samples_of(const std::vector<double>& values) {
  return {values.data(), std::ssize(values)};
}

VectorX left_over(const Record& contact, const FitResult& fitted, const VectorX& force) {
  const auto time = samples_of(contact.time).array();
  const double middle = (time[0] + time[time.size() - 1]) / 2;
  return samples_of(contact.force).array() - force.array() - fitted.baseline - fitted.drift * (time - middle);
}

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

// One of several residuals at the same times, and what is found of it.
struct Summarized {
  const VectorRef& residuals;
  ResidualSummary& out;
};

void find_frequencies(const VectorRef& times, const std::vector<Summarized>& all) {
  constexpr Eigen::Index most = 1000;
  const Eigen::Index n = times.size(), lines = std::min(n - 1, most);
  const double resolution = 1 / (2 * (times[n - 1] - times[0]));
  std::vector<double> whole;
  for (const auto& [residuals, out] : all) {
    whole.push_back(residuals.squaredNorm());
    out.frequency_share = 0;
    out.resolution = resolution;
    out.spectrum.resize(lines);
  }
  const Eigen::ArrayXd angle = 2 * std::numbers::pi * resolution * (times.array() - times[0]);
  const Eigen::ArrayXd first_sine = angle.sin(), first_cosine = angle.cos();
  Eigen::VectorXd sine = Eigen::VectorXd::Zero(n), cosine = Eigen::VectorXd::Ones(n), turned(n);
  for (Eigen::Index k = 1; k <= lines; ++k) {
    turned = sine.array() * first_cosine + cosine.array() * first_sine;  // to k times the angle, rounding but k times
    cosine = cosine.array() * first_cosine - sine.array() * first_sine;
    sine.swap(turned);
    const double mixed = sine.dot(cosine);
    Eigen::Matrix2d h;
    h << sine.squaredNorm(), mixed, mixed, cosine.squaredNorm();
    const bool told = h.determinant() > 1e-9 * h(0, 0) * h(1, 1);
    const Eigen::Matrix2d inverse = h.inverse();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [residuals, out] = all[i];
      const Eigen::Vector2d g(sine.dot(residuals), cosine.dot(residuals));
      const double share = told ? g.dot(inverse * g) / whole[i] : 0;
      out.spectrum[k - 1] = share;
      if (share <= out.frequency_share) continue;
      out.frequency = static_cast<double>(k) * resolution;
      out.frequency_share = share;
    }
  }
}

// All but the frequencies; whether these can be found.
bool begin_summary(const VectorRef& times, const VectorRef& residuals, ResidualSummary& out) {
  require_samples(times, residuals);
  const Eigen::Index n = residuals.size();
  if (n == 0) return false;
  out.rmse = std::sqrt(residuals.squaredNorm() / static_cast<double>(n));
  out.noise = second_difference_noise(residuals);
  if (n < 8 || out.rmse == 0) return false;
  test_runs(residuals, out);
  return true;
}

}  // namespace

ResidualSummary summarize_residuals(const VectorRef& times, const VectorRef& residuals) {
  ResidualSummary out;
  if (begin_summary(times, residuals, out)) find_frequencies(times, {{residuals, out}});
  return out;
}

std::vector<ResidualSummary> summarize_residuals(const VectorRef& times, const std::vector<VectorX>& residuals) {
  std::vector<ResidualSummary> out(residuals.size());
  const std::vector<VectorRef> all(residuals.begin(), residuals.end());
  std::vector<Summarized> told;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].size() > 0 && begin_summary(times, all[i], out[i])) told.push_back({all[i], out[i]});
  if (!told.empty()) find_frequencies(times, told);
  return out;
}

VectorX residuals(const Record& contact, const FitResult& law) {
  const auto profile = fitted_profile(law);
  if (!profile || contact.time.empty()) return {};
  const std::vector<ContactState> along = states(*profile, samples_of(contact.time).array() - law.start);
  VectorX force(std::ssize(along));
  std::ranges::transform(along, force.begin(), &ContactState::force);
  return left_over(contact, law, force);
}

VectorX residuals(const Record& contact, const ElasticFit& fit) {
  if (contact.time.empty()) return {};
  const VectorX since = samples_of(contact.time).array() - fit.result.start;
  const auto profile = fitted_profile(fit, std::max(since[since.size() - 1], ElasticOptions{}.horizon));
  if (!profile) return {};
  VectorX force(since.size());
  forces(*profile, since, force);
  return left_over(contact, fit.result, force);
}

}  // namespace thud
