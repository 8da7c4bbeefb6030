#pragma once

/// Private: the controller's quadratic programme.

#include <thud/conventions.hpp>

#include <memory>

namespace thud::lab {

/// min 1/2 x^T H x + g^T x  subject to  lower <= x <= upper, solved by ProxSuite from the last solution.
class BoxProgram {
 public:
  explicit BoxProgram(Eigen::Index unknowns);
  ~BoxProgram();

  /// The minimum, inside the box to the last digit.
  VectorX solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& lower,
                const Eigen::VectorXd& upper);

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace thud::lab
