#pragma once

/// Intervals of a fit with an arm, by profile likelihood. Private to the library.
///
/// Of a parameter on its scale, the interval is where S, minimised over all else, is below S + q^2 V, V = S/(N - P).
/// The signed root of the rise over V is nearly linear in the parameter: its ends are first taken from the curvature at
/// the minimum and, where S there is not what they predict, found by descents with the parameter pulled to a value.
///
/// q is Student's t for white residuals. Where they are correlated, as those of a model that is not the arm, the
/// estimate of a parameter is a sum a.r over the residuals with a = J H^-1 g, g its gradient, and varies by
/// sum_ij a_i a_j c(|i-j|) with the autocovariance c; q is t times the root of that over V a.a, and at least t.

#include <vector>

#include "fit/elastic_problem.hpp"
#include "fit/likelihood.hpp"

namespace thud::fitting {

struct ElasticIntervals {
  std::vector<Interval> intervals;        // of every coordinate's parameter
  std::vector<bool> open_low, open_high;  // S does not rise enough within a factor of 30
  Eigen::MatrixXd correlation;            // of the coordinates
};

/// Updates the best point if it finds a lower one.
ElasticIntervals elastic_intervals(ElasticProblem& problem, ElasticDescent& best, int max_iterations);

}  // namespace thud::fitting
