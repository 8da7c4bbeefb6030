#include "statistics/robust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace thud::statistics {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median(std::span<const double> values) {
  return median(std::vector<double>(values.begin(), values.end()));
}

double grouped_median(std::span<const double> values, double first_step) {
  const double middle = median(values);
  std::size_t smaller = 0, equal = 0;
  double below = 0, above = std::numeric_limits<double>::infinity();  // its neighbours
  for (const double value : values) {
    if (value < middle)
      below = smaller++ == 0 ? value : std::max(below, value);
    else if (value > middle)
      above = std::min(above, value);
    else
      ++equal;
  }
  if (smaller == 0) below = -middle;  // the step of the smallest value begins at 0
  if (smaller + equal == values.size()) above = middle;
  if (middle == 0) above = std::min(above, first_step);
  const double fraction =
      (static_cast<double>(values.size()) / 2 - static_cast<double>(smaller)) / static_cast<double>(equal);
  return (below + middle) / 2 + fraction * (above - below) / 2;
}

double difference_noise(const std::vector<double>& f) {
  // A sensor's quantization step is no larger than any difference of two samples. Without this bound the differences of
  // a short pulse would pass for steps where all other differences vanish.
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < f.size(); ++i)
    if (f[i] != f[i + 1]) step = std::min(step, std::abs(f[i + 1] - f[i]));
  std::vector<double> differences(f.size() - 2);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = std::abs(f[i] - 2 * f[i + 1] + f[i + 2]);
  return mad_to_deviation * grouped_median(differences, step) / std::sqrt(6.0);
}

std::pair<double, double> line_residuals(const std::vector<double>& t, const std::vector<double>& f) {
  const auto n = static_cast<double>(t.size());
  double mean_t = 0, mean_f = 0, tt = 0, tf = 0, largest = 0, squares = 0;
  for (std::size_t i = 0; i < t.size(); ++i) mean_t += t[i] / n, mean_f += f[i] / n;
  for (std::size_t i = 0; i < t.size(); ++i) {
    tt += (t[i] - mean_t) * (t[i] - mean_t);
    tf += (t[i] - mean_t) * (f[i] - mean_f);
  }
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double distance = std::abs(f[i] - mean_f - tf / tt * (t[i] - mean_t));
    largest = std::max(largest, distance);
    squares += distance * distance;
  }
  return {largest, std::sqrt(squares / n)};
}

// A median's variance is pi/2 that of the mean.
double Baseline::level_deviation() const {
  return noise * std::sqrt(std::numbers::pi / 2 / static_cast<double>(samples));
}

Baseline fit_baseline(std::span<const double> t, std::span<const double> f, double noise) {
  const auto n = f.size();
  Baseline baseline{.at = t.back(), .samples = n};
  const auto third = n / 3;
  const double rise = median(f.last(third)) - median(f.first(third));
  std::vector<double> values(f.begin(), f.end());
  const auto deviation_of = [&](double slope) {
    for (std::size_t i = 0; i < n; ++i) values[i] = f[i] - slope * (t[i] - baseline.at);
    baseline.level = median(values);
    for (double& value : values) value = std::abs(value - baseline.level);
    return mad_to_deviation * grouped_median(values);
  };
  const double slope = rise / (t[n - third + third / 2] - t[third / 2]);
  baseline.noise = n >= enough_quiet ? deviation_of(slope) : noise;
  // The difference of two medians of a third each.
  const double deviation = baseline.noise * std::sqrt(std::numbers::pi / static_cast<double>(third));
  baseline.slope = n >= enough_quiet && std::abs(rise) > 5 * deviation ? slope : 0;
  const double deviation_here = deviation_of(baseline.slope);
  baseline.noise = n >= enough_quiet ? deviation_here : noise;
  return baseline;
}

}  // namespace thud::statistics
