#include "map/aim_reach.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace thud::map {
namespace {

constexpr double arm_length = 0.3;    // by which an angle is compared with a distance [m/rad]
constexpr double at_target = 1e-10;   // at the target [m, or m by that length]
constexpr double largest_step = 0.6;  // of a joint [rad or m]
constexpr int patience = 12;          // steps without getting nearer by a tenth

constexpr double rotation_error = 1e-6;  // of a matrix that is to be a rotation

// The rotation vector that turns the direction a to b, both of unit length.
Vector3 turn(const Vector3& a, const Vector3& b) {
  const Vector3 axis = a.cross(b);
  const double sine = axis.norm(), cosine = a.dot(b);
  if (sine > 1e-12) return std::atan2(sine, cosine) / sine * axis;
  return cosine > 0 ? axis : std::numbers::pi * b.unitOrthogonal();
}

}  // namespace

void validate_target(const AimTarget& target) {
  if (!target.p_W.allFinite())
    throw InputError("at", to_text(target.p_W[0]) + "," + to_text(target.p_W[1]) + "," + to_text(target.p_W[2]),
                     "must be finite");
  if (target.orientation != ToolOrientation::fixed) return;
  const Matrix3 difference = target.R_WF * target.R_WF.transpose() - Matrix3::Identity();
  if (!(difference.cwiseAbs().maxCoeff() < rotation_error) || !(target.R_WF.determinant() > 0))
    throw InputError("R_WF", difference.cwiseAbs().maxCoeff(), "must be a rotation (how far it is from one is given)");
}

Reach::Reach(const Robot& robot, const ContactPoint& point, const AimTarget& target)
    : tree_(robot, point), target_(target), box_(robot), J_(6, robot.size()) {
  const Vector3 n = point.normal_W.normalized(), side = n.unitOrthogonal();
  across_ << side.transpose(), n.cross(side).transpose(), -n.transpose();
  const Eigen::Index rows = target.orientation == ToolOrientation::free                ? 3
                            : target.orientation == ToolOrientation::tool_along_normal ? 5
                                                                                       : 6;
  error_.resize(rows);
  jacobian_.resize(rows, robot.size());
}

void Reach::place(const VectorX& q) {
  tree_.place(q);
  tree_.jacobian(J_);
  error_.head<3>() = target_.p_W - tree_.p_WC();
  jacobian_.topRows<3>() = J_.topRows<3>();
  if (target_.orientation == ToolOrientation::tool_along_normal) {
    const Vector3 against = across_.row(2), missing = turn(tree_.R_WF().col(2), against);
    error_.tail<2>() = arm_length * across_.topRows<2>() * missing;
    jacobian_.bottomRows<2>() = arm_length * across_.topRows<2>() * J_.bottomRows<3>();
  } else if (target_.orientation == ToolOrientation::fixed) {
    const Eigen::AngleAxisd missing(Matrix3(target_.R_WF * tree_.R_WF().transpose()));
    error_.tail<3>() = arm_length * missing.angle() * missing.axis();
    jacobian_.bottomRows<3>() = arm_length * J_.bottomRows<3>();
  }
}

Reach::Distance Reach::distance() const noexcept {
  return {error_.head<3>().norm(), error_.tail(error_.size() - 3).norm() / arm_length};
}

bool Reach::reached() const noexcept {
  return error_.norm() < at_target;
}

// Damped least squares of the free joints. One that is at a limit and would leave it is not free.
void Reach::step(const VectorX& q, std::vector<bool>& free, double damping, Eigen::VectorXd& dq) const {
  const Eigen::Index n = q.size(), rows = error_.size();
  for (bool again = true; again;) {
    Eigen::MatrixXd A = jacobian_;
    for (Eigen::Index i = 0; i < n; ++i)
      if (!free[static_cast<std::size_t>(i)]) A.col(i).setZero();
    Eigen::MatrixXd G = A * A.transpose();
    G.diagonal().array() += damping;
    dq.noalias() = A.transpose() * Eigen::LDLT<Eigen::MatrixXd>(G).solve(error_.head(rows));
    const double longest = dq.cwiseAbs().maxCoeff();
    if (longest > largest_step) dq *= largest_step / longest;
    again = false;
    for (Eigen::Index i = 0; i < n; ++i)
      if (free[static_cast<std::size_t>(i)] &&
          ((dq[i] < 0 && box_.at_lower(q, i)) || (dq[i] > 0 && box_.at_upper(q, i)))) {
        free[static_cast<std::size_t>(i)] = false;
        again = true;
      }
  }
}

bool Reach::solve(VectorX& q, int steps, const std::vector<bool>& held) {
  VectorX nearest = q;
  double least = std::numeric_limits<double>::infinity(), mark = least;
  int since = 0;
  Eigen::VectorXd dq(q.size());
  std::vector<bool> free(held.size());
  for (int k = 0;; ++k) {
    place(q);
    if (reached()) return true;
    const double missing = error_.norm();
    if (missing < least) {
      least = missing;
      nearest = q;
    }
    if (missing < 0.9 * mark) {
      mark = missing;
      since = 0;
    } else if (++since > patience) {
      break;
    }
    if (k == steps) break;
    for (std::size_t i = 0; i < held.size(); ++i) free[i] = !held[i];
    step(q, free, 1e-3 * missing * missing, dq);
    q += dq;
    box_.clamp(q);
  }
  q = nearest;
  place(q);
  return reached();
}

}  // namespace thud::map
