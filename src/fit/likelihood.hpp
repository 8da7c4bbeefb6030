#pragma once

/// Profile likelihood over the shape: its minimum, and intervals where it is not parabolic. Private to the library.
///
/// At a fixed shape (and only there) the sum of squares is nearly quadratic in all other parameters, even where the
/// record determines the shape poorly. A profile holds its minima at fixed shapes, closely enough spaced to
/// interpolate. The region S <= S* is then the union of ellipsoids, one for each shape, and the interval of a parameter
/// by profile likelihood is the extent of that region.
///
/// S* would be S (1 + t^2/(N - P)) if the forces of all shapes lay on a straight line in the space of records. They do
/// not: the end of contact moves from sample to sample, each in a different direction, and a search over many of them
/// finds a low S by chance more often than over one. So S* is set at each shape by the effect of noise there. With the
/// true shape at point i, and D the forces at the minima less what the other parameters can reproduce,
///
///   S_j - S_i = |D_j - D_i|^2 - 2 noise.(D_j - D_i),
///
/// whose least value over j gives the signed root R_i = sign(x_j - x_i) sqrt(S_i - S_j). It is N(0, 1) on a straight
/// line; here its mean over seeded noise is subtracted, so that S* = S + (t +- mean)^2 S/(N - P). For a parameter that
/// depends on the shape only in part, only that part of the mean is subtracted.

#include <vector>

#include "fit/descent.hpp"

namespace thud::fitting {

/// The minimum over the other parameters at one shape.
struct ConditionalMinimum {
  double x;        // of the shape: ln u or ln e; zeta
  double squares;  // S
  Point at;
  NormalMatrix normal;    // J'J of the other parameters
  Eigen::VectorXd force;  // model at the samples
  double rise = 0;        // S above its least, in noise variances
  double bias = 0;        // mean of R, + if it widens the region here
};

struct LikelihoodProfile {
  std::vector<ConditionalMinimum> minima;    // by increasing x
  int free[parameter_count] = {};            // the other parameters
  int count = 0;                             // their number
  double t = 0, noise = 0;                   // Student's; standard deviation of the noise [N]
  bool open_low = false, open_high = false;  // whether S stays below the limit up to the end of the shape's range
};

/// Whether S is parabolic around its minimum, and that minimum the global one. Unless the standard error of the shape
/// or the noise decides, one evaluation does: at the lower end of the shape's linear interval S must have risen by 0.7
/// to 1.5 of what the curvature at the minimum predicts. It has not where the curvature changes inside the interval,
/// nor at most local minima: these lie at too large a u, which ends the contact early, because noise can mimic an end.
bool parabolic(Problem& problem, Descent& best, double t);

/// Moves the shape away from the best point in both directions until S is well above the limit of the intervals.
/// Updates the best point if it finds a lower one.
///
/// t  Student's, at 97.5 % for N - P
LikelihoodProfile trace_profile(Problem& problem, Descent& best, double t, int max_evaluations);

/// How the other parameters change a quantity: additively, or, for one of constant sign, by a factor. With `inverse`
/// the value is the reciprocal of the reported quantity, changed by a factor.
enum class Scale { plain, logarithm, inverse };

/// A quantity at a point, with its gradient by the parameters.
struct Quantity {
  double value = 0;
  Point gradient = Point::Zero();
  Scale scale = Scale::plain;
  bool positive = false;  // for every shape
};

struct Interval {
  double low, high;
};

/// The extent of S <= S* in a quantity, given at each shape.
Interval profile_interval(const LikelihoodProfile& profile, const std::vector<Quantity>& quantity);

}  // namespace thud::fitting
