#pragma once

/// The sum of squares along the shape: its lowest point, and intervals where it is no parabola. Private to the library.
///
/// At a fixed shape (and only there) the sum of squares is close to a quadratic in all other slots, even where the
/// record says little about the shape. A profile holds its minima at fixed shapes, close enough to one another to
/// interpolate. The region S <= S* is then the union of ellipsoids, one for each shape, and the interval of a parameter
/// by profile likelihood is the extent of that region.
///
/// S* would be S (1 + t^2/(N - P)) if the forces of all shapes lay on a straight line in the space of records. They do
/// not: the end of contact moves from sample to sample, each in a direction of its own, and a search over many of them
/// finds a low S by chance more often than over one. So S* is set at each shape by what noise does there. With the true
/// shape at point i, and D the forces at the minima less what the other slots can imitate,
///
///   S_j - S_i = |D_j - D_i|^2 - 2 noise.(D_j - D_i),
///
/// whose least value over j gives the signed root R_i = sign(x_j - x_i) sqrt(S_i - S_j). It is N(0, 1) on a straight
/// line; here its mean over seeded noise is taken off, so that S* = S + (t +- mean)^2 S/(N - P). For a parameter that
/// the shape moves only in part, only that part of the mean.

#include <vector>

#include "fit/descent.hpp"

namespace thud::fitting {

/// The minimum over the other slots at one shape.
struct ConditionalMinimum {
  double x;        // of the shape: ln u or ln e; zeta
  double squares;  // S
  Point at;
  NormalMatrix normal;    // J'J of the other slots
  Eigen::VectorXd force;  // model at the samples
  double rise = 0;        // S above its least, in noise variances
  double bias = 0;        // mean of R, + if it widens the region here
};

struct LikelihoodProfile {
  std::vector<ConditionalMinimum> minima;    // by increasing x
  int free[slots] = {};                      // the other slots
  int count = 0;                             // of them
  double t = 0, noise = 0;                   // Student's; standard deviation of the noise [N]
  bool open_low = false, open_high = false;  // whether S stays below the limit up to the end of the shape's range
};

/// Whether S can be taken for a parabola around its minimum, and the minimum for the lowest. Unless the standard error
/// of the shape or the noise decide it, one evaluation does: at the lower end of the shape's linear interval S must
/// have risen by 0.7 to 1.5 of what the curvature at the minimum says. It has not where the curvature changes inside
/// the interval, nor at most minima that are not the lowest: these lie at too large a u, which ends the contact early,
/// as noise can imitate an end.
bool parabolic(Problem& problem, Descent& best, double t);

/// Moves the shape away from the best point both ways until S is well above the limit of the intervals. Moves the best
/// point to a lower one where there is.
///
/// t  Student's, at 97.5 % for N - P
LikelihoodProfile trace_profile(Problem& problem, Descent& best, double t, int max_evaluations);

/// How a quantity is moved by the other slots: by a sum, or, for those of one sign, by a factor. `inverse` stands for
/// the inverse of what is meant, moved by a factor.
enum class Scale { plain, logarithm, inverse };

/// A quantity at a point, with its gradient by the slots.
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
