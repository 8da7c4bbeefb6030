#pragma once

/// Local optima of a quantity over the postures that reach a target. Private to the library.

#include <cstdint>
#include <functional>

#include "map/aim_reach.hpp"

namespace thud::map {

/// Random numbers of one start: the same on any platform, whatever thread draws them.
class StartNumbers {
 public:
  StartNumbers(std::uint64_t seed, std::uint64_t start);
  double uniform() noexcept;  // in (0, 1)
  double normal() noexcept;

 private:
  std::uint64_t next() noexcept;
  std::uint64_t state_;
};

/// Columns: directions of the joints, of unit length and across one another, that keep a constraint.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& jacobian);

/// What is minimized: its value at a posture, infinite where there is none, and if asked for its gradient.
using Objective = std::function<double(const VectorX& q, VectorX* gradient)>;

/// Follows the gradient of the objective from a posture at the target down to a local minimum: sequential quadratic
/// programming, with the Hessian by BFGS and limits of joints as active set; back to the target after each step.
struct Found {
  double value;    // of the objective
  bool converged;  // to a local minimum, not out of steps
};
Found descend(Reach& reach, const Objective& objective, int steps, VectorX& q);

/// The same without a gradient, for objectives with kinks: steps along random directions of the null space, shorter
/// after each round of them that finds nothing lower. `length` of the first [rad or m].
double poll(Reach& reach, const Objective& objective, StartNumbers& numbers, double length, VectorX& q);

}  // namespace thud::map
