#pragma once

/// Private: rank tests, which are robust against outliers and do not assume a distribution.

#include <optional>
#include <span>
#include <vector>

namespace thud::studying::ranks {

/// A trend of y over x and its 95 % interval.
struct Trend {
  double slope = 0, low = 0, high = 0;  ///< [unit of y / unit of x]
};

/// Theil-Sen slope: the median over all pairs with different x; the interval from the variance of Kendall's S with
/// ties in x, (N (N-1) (2N+5) - sum over ties of t (t-1) (2t+5))/18. Empty if there are too few pairs to bound it.
std::optional<Trend> theil_sen(std::span<const double> x, std::span<const double> y);

/// Whether groups of values differ, by the Kruskal-Wallis test with correction for ties.
struct Difference {
  double p = 1;           ///< probability of as large a difference among equal groups
  double p_smallest = 1;  ///< the same for non-overlapping groups of these sizes: the smallest p possible
};
Difference kruskal_wallis(const std::vector<std::vector<double>>& groups);

}  // namespace thud::studying::ranks
