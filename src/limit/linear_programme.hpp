#pragma once

/// Private: the linear programme of the fastest approach.

#include <Eigen/Core>

namespace thud::limit {

struct Maximum {
  Eigen::VectorXd x;
  bool bounded = true;  // false: c.x grows without end along x
};

/// max c.x subject to |A x| <= b, row by row; b > 0, infinite where there is no bound. x = 0 is inside, so that one
/// phase is enough: up along the part of c that the rows which are met leave free, and away from a row whose multiplier
/// is negative. Rows are taken by the lowest index where several may be (Bland), so that it ends.
Maximum maximize(const Eigen::VectorXd& c, const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace thud::limit
