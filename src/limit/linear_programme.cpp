#include "limit/linear_programme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/QR>

namespace thud::limit {
namespace {

constexpr double cancellation = 1e-11;  // of a product of two vectors, relative to their lengths

struct Active {
  Eigen::Index row;
  double sign;  // of A x at the bound
};

}  // namespace

Maximum maximize(const Eigen::VectorXd& c, const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index n = c.size();
  Maximum out{Eigen::VectorXd::Zero(n)};
  std::vector<Active> active;
  std::vector<bool> met(static_cast<std::size_t>(A.rows()), false);
  for (Eigen::Index turn = 0; turn < 50 * (n + A.rows()); ++turn) {
    Eigen::MatrixXd normals(n, static_cast<Eigen::Index>(active.size()));
    for (std::size_t k = 0; k < active.size(); ++k)
      normals.col(static_cast<Eigen::Index>(k)) = active[k].sign * A.row(active[k].row).transpose();
    Eigen::VectorXd multipliers(normals.cols()), along = c;
    if (normals.cols() > 0) {
      multipliers = normals.colPivHouseholderQr().solve(c);
      along -= normals * multipliers;
    }
    if (along.norm() <= cancellation * c.norm() || normals.cols() == n) {
      auto leaving = active.end();
      for (auto each = active.begin(); each != active.end(); ++each) {
        const auto k = static_cast<Eigen::Index>(each - active.begin());
        const bool negative = multipliers[k] * normals.col(k).norm() < -cancellation * c.norm();
        if (negative && (leaving == active.end() || each->row < leaving->row)) leaving = each;
      }
      if (leaving == active.end()) return out;
      met[static_cast<std::size_t>(leaving->row)] = false;
      active.erase(leaving);
      continue;
    }
    double step = std::numeric_limits<double>::infinity();
    Active blocking{-1, 0};
    for (Eigen::Index row = 0; row < A.rows(); ++row) {
      if (met[static_cast<std::size_t>(row)]) continue;
      const double rate = A.row(row).dot(along);
      if (std::abs(rate) <= cancellation * A.row(row).norm() * along.norm()) continue;
      const double sign = rate > 0 ? 1 : -1;
      const double to = std::max(0.0, (b[row] - sign * A.row(row).dot(out.x)) / std::abs(rate));
      if (to < step) {
        step = to;
        blocking = {row, sign};
      }
    }
    if (blocking.row < 0) return {along, false};
    out.x += step * along;
    met[static_cast<std::size_t>(blocking.row)] = true;
    active.push_back(blocking);
  }
  return out;  // inside the rows, though rounding kept it from the top
}

}  // namespace thud::limit
