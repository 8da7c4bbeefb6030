#pragma once

/// Private: the controller's quadratic programme.

#include <thud/conventions.hpp>

#include <memory>

namespace thud::lab {

/// Rows of a programme, lower <= A x <= upper.
struct Rows {
  Eigen::MatrixXd A;
  Eigen::VectorXd lower, upper;
};

/// min 1/2 x^T H x + g^T x  subject to  lower <= x <= upper and rows, solved by ProxSuite from the last solution.
class BoxProgram {
 public:
  explicit BoxProgram(Eigen::Index unknowns, Eigen::Index rows = 0);
  ~BoxProgram();

  /// The minimum, inside the box to the last digit, within the rows to the solver's. Rows that the box does not allow
  /// are met as nearly as it does.
  VectorX solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& lower,
                const Eigen::VectorXd& upper, const Rows& rows = {});

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace thud::lab
