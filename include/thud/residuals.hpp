#pragma once

/// What a law leaves over of a record: is it noise, or does it have a shape of its own?

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/fit.hpp>
#include <thud/record.hpp>

#include <limits>
#include <vector>

namespace THUD_EXPORT thud {

/// Residuals at a glance. Unknown numbers are NaN.
struct ResidualSummary {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double rmse = none;   ///< root mean square                                                    [N]
  double noise = none;  ///< that of their second differences over sqrt(6): what changes from sample to sample  [N]

  // Runs test (Wald and Wolfowitz): a run is a stretch of residuals of one sign
  int runs = 0;                 ///< how many                                                    [1]
  double expected_runs = none;  ///< of white noise with as many of either sign                  [1]
  double runs_p = none;         ///< probability that white noise has so few or fewer            [1]

  // The sine that explains most of them, of frequencies k/(2 T), T the duration: up to half of the mean rate, and at
  // most the first thousand. A hum of 50 Hz, or a second hump, stands out; of white noise a sine explains 5 % in 250
  double frequency = none;        ///< of that sine                                               [Hz]
  double frequency_share = none;  ///< of the residuals' squares that it explains                [1]
  double resolution = none;       ///< 1/(2 T), the first frequency and the step to the next    [Hz]
  VectorX spectrum;               ///< share that the sine of each frequency explains, from the first on  [1]
};

/// Summarizes residuals, f_i less the law's force at t_i.
///
/// times      increasing, evenly spaced or not [s]
/// residuals  [N]
/// Throws InputError for sizes that differ, times that do not increase, and numbers that are not finite. Of fewer than
/// 8 residuals, or of residuals that are all 0, there are only rmse and noise.
ResidualSummary summarize_residuals(const VectorRef& times, const VectorRef& residuals);

/// Each of several residuals at the same times, as by itself and faster together; of an empty one there is nothing.
std::vector<ResidualSummary> summarize_residuals(const VectorRef& times, const std::vector<VectorX>& residuals);

/// What a fitted law leaves over: force less that of the law, baseline and drift, at every sample [N]. Empty unless the
/// fit converged.
///
/// contact  the samples that the law was fitted to
VectorX residuals(const Record& contact, const FitResult& law);

}  // namespace thud
