#pragma once

/// Intervals of a fit with an arm, by profile likelihood. Private to the library.
///
/// Of a parameter on its scale, the interval is where S, minimised over all else, is below S + q^2 V, V = S/(N - P).
/// The signed root of the rise over V is nearly linear in the parameter: its ends are first taken from the curvature at
/// the minimum and, where S there is not what they predict, found by descents with the parameter pulled to a value.
///
/// q^2 is t^2, Student's, times the variance of the estimate over that by white noise of variance V. The estimate is a
/// sum a.r over the residuals with a = J H^-1 g, g the parameter's gradient, and varies by sum_ij a_i a_j c(|t_i -
/// t_j|), c being the sum of two covariances: that of the residuals, which is white unless their own autocovariance
/// shows otherwise, and that of the model's error, which mostly hides in the parameters and leaves little in the
/// residuals: model_error^2 exp(-|t|/1 ms) in contact.

#include <vector>

#include "fit/elastic_problem.hpp"
#include "fit/likelihood.hpp"

namespace thud::fitting {

struct ElasticIntervals {
  std::vector<Interval> intervals;        // of every coordinate's parameter
  std::vector<bool> open_low, open_high;  // S does not rise enough within a factor of 30
  Eigen::MatrixXd correlation;            // of the coordinates
};

/// Variance of a.e over e's, for an error e of the model that is correlated over a time.
double correlated_part(const Eigen::VectorXd& a, const VectorRef& times);

/// Updates the best point if it finds a lower one.
ElasticIntervals elastic_intervals(ElasticProblem& problem, ElasticDescent& best, int max_iterations);

}  // namespace thud::fitting
