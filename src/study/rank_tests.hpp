#pragma once

/// Private: tests by ranks, which neither a few odd trials nor the shape of the scatter upset.

#include <optional>
#include <span>
#include <vector>

namespace thud::studying::ranks {

/// A trend of y over x and its 95 % interval.
struct Trend {
  double slope = 0, low = 0, high = 0;  ///< [unit of y / unit of x]
};

/// Slope by Theil and Sen: the median over all pairs of different x; the interval from the variance of Kendall's S with
/// ties in x, (N (N-1) (2N+5) - sum over ties of t (t-1) (2t+5))/18. Nothing if the pairs are too few to bound it.
std::optional<Trend> theil_sen(std::span<const double> x, std::span<const double> y);

/// Whether groups of values differ, by Kruskal and Wallis with correction for ties.
struct Difference {
  double p = 1;           ///< chance of as large a difference among equal groups
  double p_smallest = 1;  ///< the same for groups of these sizes that do not overlap: what could be reached at all
};
Difference kruskal_wallis(const std::vector<std::vector<double>>& groups);

}  // namespace thud::studying::ranks
