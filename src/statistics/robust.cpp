#include "statistics/robust.hpp"

#include <algorithm>
#include <cmath>
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

double scale_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double middle = values[values.size() / 2];
  const auto [first, last] = std::equal_range(values.begin(), values.end(), middle);
  const double below = first == values.begin() ? -middle : *(first - 1);  // the step of the smallest begins at 0
  const double above = last == values.end() ? middle : *last;
  const double share = (static_cast<double>(values.size()) / 2 - static_cast<double>(first - values.begin())) /
                       static_cast<double>(last - first);
  return (below + middle) / 2 + share * (above - below) / 2;
}

double difference_noise(const std::vector<double>& f) {
  std::vector<double> differences(f.size() - 2);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = std::abs(f[i] - 2 * f[i + 1] + f[i + 2]);
  return normal * scale_median(std::move(differences)) / std::sqrt(6.0);
}

std::pair<double, double> distance_from_line(const std::vector<double>& t, const std::vector<double>& f) {
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
double Rest::level_deviation() const {
  return noise * std::sqrt(std::numbers::pi / 2 / static_cast<double>(samples));
}

Rest rest_from(std::span<const double> t, std::span<const double> f, double noise) {
  const auto n = f.size();
  Rest rest{.at = t.back(), .samples = n};
  const auto third = n / 3;
  const double rise = median(f.last(third)) - median(f.first(third));
  std::vector<double> values(f.begin(), f.end());
  const auto deviation_of = [&](double slope) {
    for (std::size_t i = 0; i < n; ++i) values[i] = f[i] - slope * (t[i] - rest.at);
    rest.level = median(values);
    for (double& value : values) value = std::abs(value - rest.level);
    return normal * scale_median(values);
  };
  const double slope = rise / (t[n - third + third / 2] - t[third / 2]);
  rest.noise = n >= many_quiet ? deviation_of(slope) : noise;
  // The difference of two medians of a third each.
  const double deviation = rest.noise * std::sqrt(std::numbers::pi / static_cast<double>(third));
  rest.slope = n >= many_quiet && std::abs(rise) > 5 * deviation ? slope : 0;
  const double own = deviation_of(rest.slope);
  rest.noise = n >= many_quiet ? own : noise;
  return rest;
}

}  // namespace thud::statistics
