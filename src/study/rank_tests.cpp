#include "study/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

#include <boost/math/distributions/chi_squared.hpp>

namespace thud::studying::ranks {
namespace {

constexpr double z_975 = 1.959963984540054;  // of the normal distribution

double cube_minus(double t) {
  return t * t * t - t;
}

// Probability that chi^2 with groups - 1 degrees of freedom exceeds h.
double chi_squared_tail(double h, std::size_t groups) {
  if (!(h > 0)) return 1;
  const boost::math::chi_squared distribution(static_cast<double>(groups - 1));
  return boost::math::cdf(boost::math::complement(distribution, h));
}

// H from mean ranks of the groups, N values in all, before correction for ties.
double statistic(const std::vector<double>& rank_sums, const std::vector<std::vector<double>>& groups, double n) {
  double sum = 0;
  for (std::size_t i = 0; i < groups.size(); ++i)
    sum += rank_sums[i] * rank_sums[i] / static_cast<double>(groups[i].size());
  return 12 / (n * (n + 1)) * sum - 3 * (n + 1);
}

}  // namespace

std::optional<Trend> theil_sen(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  std::map<double, double> ties;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ++ties[x[i]];
    for (std::size_t j = 0; j < i; ++j)
      if (x[i] != x[j]) slopes.push_back((y[i] - y[j]) / (x[i] - x[j]));
  }
  const auto n = static_cast<double>(x.size());
  double variance = n * (n - 1) * (2 * n + 5);
  for (const auto& [value, t] : ties) variance -= t * (t - 1) * (2 * t + 5);
  const double half_width = z_975 * std::sqrt(std::max(0.0, variance) / 18);

  // the interval lies between the slopes of rank (M - C)/2 from either end
  const auto m = static_cast<double>(slopes.size());
  const double low = std::round((m - half_width) / 2), high = m + 1 - low;
  if (low < 1) return std::nullopt;
  const auto at = [&](double rank) {
    const auto wanted = slopes.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(slopes.begin(), wanted, slopes.end());
    return *wanted;
  };
  return Trend{at(std::ceil(m / 2)), at(low), at(high)};
}

Difference kruskal_wallis(const std::vector<std::vector<double>>& groups) {
  struct Value {
    double value;
    std::size_t group;
  };
  std::vector<Value> all;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const double value : groups[i]) all.push_back({value, i});
  std::ranges::sort(all, {}, &Value::value);

  // ranks, with the mean rank for equal values
  const auto n = static_cast<double>(all.size());
  std::vector<double> sums(groups.size(), 0), separated(groups.size(), 0);
  double ties = 0;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last < all.size() && all[last].value == all[first].value) ++last;
    for (std::size_t i = first; i < last; ++i) sums[all[i].group] += static_cast<double>(first + last + 1) / 2;
    ties += cube_minus(static_cast<double>(last - first));
    first = last;
  }
  double before = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto size = static_cast<double>(groups[i].size());
    separated[i] = size * (before + (size + 1) / 2);
    before += size;
  }
  const double correction = 1 - ties / cube_minus(n);
  const double h = correction > 0 ? statistic(sums, groups, n) / correction : 0;  // all values equal: no difference
  return {chi_squared_tail(h, groups.size()), chi_squared_tail(statistic(separated, groups, n), groups.size())};
}

}  // namespace thud::studying::ranks
