#include "study/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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

// The slopes of all pairs of points with different x. They are half as many as the square of the points: too many to
// keep, so that every pass makes them again.
class Slopes {
 public:
  Slopes(std::span<const double> x, std::span<const double> y) : x_(x), y_(y) {
    for_each([&](double slope) {
      low_ = std::min(low_, slope);
      high_ = std::max(high_, slope);
      ++count_;
    });
  }

  std::size_t size() const noexcept { return count_; }

  /// The slope of a rank, from 1 on: those below it are counted by parts of the range until few are left to choose
  /// from.
  double at(std::size_t rank) const {
    constexpr std::size_t few = 1 << 20, parts = 4096;
    struct Part {
      std::size_t count = 0;
      double low = infinity, high = -infinity;
    };
    Part within{count_, low_, high_};
    while (within.count > few && within.low < within.high) {
      std::vector<Part> all(parts);
      const double scale = parts / (within.high - within.low);
      for_each([&](double slope) {
        if (slope < within.low || slope > within.high) return;
        Part& part = all[std::min(static_cast<std::size_t>((slope - within.low) * scale), parts - 1)];
        ++part.count;
        part.low = std::min(part.low, slope);
        part.high = std::max(part.high, slope);
      });
      auto part = all.begin();
      for (; rank > part->count; ++part) rank -= part->count;
      within = *part;
    }
    if (within.low == within.high) return within.low;
    std::vector<double> left;
    left.reserve(within.count);
    for_each([&](double slope) {
      if (slope >= within.low && slope <= within.high) left.push_back(slope);
    });
    const auto wanted = left.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(left.begin(), wanted, left.end());
    return *wanted;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (x_[i] != x_[j]) visit((y_[i] - y_[j]) / (x_[i] - x_[j]));
  }

  std::span<const double> x_, y_;
  std::size_t count_ = 0;
  double low_ = infinity, high_ = -infinity;
};

}  // namespace

std::optional<Trend> theil_sen(std::span<const double> x, std::span<const double> y) {
  const Slopes slopes(x, y);
  std::map<double, double> ties;
  for (const double each : x) ++ties[each];
  const auto n = static_cast<double>(x.size());
  double variance = n * (n - 1) * (2 * n + 5);
  for (const auto& [value, t] : ties) variance -= t * (t - 1) * (2 * t + 5);
  const double half_width = z_975 * std::sqrt(std::max(0.0, variance) / 18);

  // the interval lies between the slopes of rank (M - C)/2 from either end
  const auto m = static_cast<double>(slopes.size());
  const double low = std::round((m - half_width) / 2), high = m + 1 - low;
  if (low < 1) return std::nullopt;
  const auto at = [&](double rank) { return slopes.at(static_cast<std::size_t>(rank)); };
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
