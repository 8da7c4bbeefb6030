#pragma once

/// Private: robust statistics.

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace thud::statistics {

/// Ratio of the standard deviation of a normal distribution to its median absolute deviation.
inline constexpr double mad_to_deviation = 1.4826;

/// Fewest quiet samples from which a noise and a slope can be estimated.
inline constexpr std::size_t enough_quiet = 30;

/// The middle value, or the upper of the two middle ones. `values` must not be empty.
double median(std::vector<double> values);
double median(std::span<const double> values);

/// The median for grouped data, of values >= 0 that may be quantized: equal values count as spread evenly over their
/// quantization step, so that the estimate for a noise of two or three steps is not quantized itself. `values` must not
/// be empty. The step above zero is at most `first_step`.
double grouped_median(std::span<const double> values, double first_step = std::numeric_limits<double>::infinity());

/// Standard deviation of white noise from second differences, in which a smooth force nearly vanishes; their variance
/// is (1 + 4 + 1) times that of a sample.
double difference_noise(const std::vector<double>& f);

/// Largest and root mean square residual of the least-squares line through the samples [N].
std::pair<double, double> line_residuals(const std::vector<double>& t, const std::vector<double>& f);

/// The sensor's baseline: level + slope (t - at).
struct Baseline {
  double level = 0;  ///< [N]
  double slope = 0;  ///< [N/s]
  double at = 0;     ///< [s]
  double noise = 0;  ///< standard deviation of a sample [N]
  std::size_t samples = 0;
  double operator()(double t) const { return level + slope * (t - at); }
  /// Standard deviation of the level, a median [N].
  double level_deviation() const;
};

/// A robust line through quiet samples: the medians of the outer thirds give the slope. It is used only if it exceeds
/// five of its standard deviations, and never with few samples, for which `noise` is used as given.
Baseline fit_baseline(std::span<const double> t, std::span<const double> f, double noise);

}  // namespace thud::statistics
