#pragma once

/// Private: statistics that a few odd samples do not upset.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace thud::statistics {

/// Median absolute deviation of a normal distribution times this is its standard deviation.
inline constexpr double normal = 1.4826;

/// Fewest quiet samples that tell a noise and a slope of their own.
inline constexpr std::size_t many_quiet = 30;

/// The middle value, of an even number the upper one. Not of nothing.
double median(std::vector<double> values);
double median(std::span<const double> values);

/// The median of values >= 0 that may be rounded to steps: equal ones count as spread evenly over their step, so that
/// the scale of a noise of two or three steps is not itself rounded to a step. Not of nothing.
double scale_median(std::vector<double> values);

/// Standard deviation of white noise from second differences, in which a smooth force all but vanishes;
/// their variance is (1 + 4 + 1) that of a sample.
double difference_noise(const std::vector<double>& f);

/// Largest and root mean square distance of the samples from their straight line of least squares [N].
std::pair<double, double> distance_from_line(const std::vector<double>& t, const std::vector<double>& f);

/// The sensor at rest: level + slope (t - at).
struct Rest {
  double level = 0;  ///< [N]
  double slope = 0;  ///< [N/s]
  double at = 0;     ///< [s]
  double noise = 0;  ///< standard deviation of a sample [N]
  std::size_t samples = 0;
  double operator()(double t) const { return level + slope * (t - at); }
  /// Standard deviation of the level, a median [N].
  double level_deviation() const;
};

/// A robust line through quiet samples: the medians of the outer thirds give the slope. It counts only if it is more
/// than five of its own deviations, and never with few samples; those also keep the noise that is given.
Rest rest_from(std::span<const double> t, std::span<const double> f, double noise);

}  // namespace thud::statistics
