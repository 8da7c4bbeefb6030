#include "lab/controller.hpp"

#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/lagrange.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

namespace thud::lab {
namespace {

// Rotation vector from `from` to `to`.
Vector3 rotation_vector(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  const Eigen::AngleAxisd difference(to * from.inverse());
  const double angle = std::remainder(difference.angle(), 2 * M_PI);
  return angle * difference.axis();
}

}  // namespace

Controller::Controller(const Campaign& campaign, const Robot& robot, const VectorX& touch)
    : robot_(robot),
      control_(campaign.control),
      normal_W_(campaign.point.normal_W.normalized()),
      touch_(touch),
      arm_(robot.with_rotor_inertia(campaign.drives.rotor_inertia), campaign.point, PlantJoints::rigid, campaign.drives,
           earth_gravity_W, campaign.control.period, touch),
      impact_limits_(robot_limits(robot)),
      links_(robot, campaign.point),
      program_(robot.size(), campaign.control.impact_contact_time > 0 ? 4 * robot.size() : 0) {
  arm_.set_state(touch, VectorX::Zero(robot.size()), VectorX::Zero(robot.size()));
  path_W_ = arm_.contact_position();
  orientation_ = arm_.contact_orientation();
  servo_damping_ = 2 * campaign.drives.servo_damping_ratio.value() *
                   (campaign.drives.servo_stiffness.array() * arm_.inertia_diagonal().array()).sqrt().matrix();
}

VectorX Controller::posture_before_touch(double distance) {
  const double tolerance = 1e-9;  // [m and rad]
  VectorX q = touch_;
  const VectorX rest = VectorX::Zero(robot_.size());
  for (int iteration = 0; iteration < 100; ++iteration) {
    arm_.set_state(q, rest, rest);
    Vector6 error;
    error << path_W_ + distance * normal_W_ - arm_.contact_position(),
        rotation_vector(arm_.contact_orientation(), orientation_);
    // with fewer than six joints the orientation is not controlled
    const bool full_pose = robot_.size() >= 6;
    if ((full_pose ? error.norm() : error.head<3>().norm()) < tolerance) return q;
    if (!full_pose) error.tail<3>().setZero();
    Eigen::MatrixXd J = arm_.jacobian();
    if (!full_pose) J.bottomRows<3>().setZero();
    Eigen::MatrixXd damped = J * J.transpose();
    damped.diagonal().array() += 1e-12;
    q += J.transpose() * damped.ldlt().solve(error);
    if (!q.allFinite()) break;
  }
  throw InputError("configuration", to_text(distance, 3) + " m before the touch",
                   "the arm cannot reach the start of the approach: shorten ramp or cruise, or take another posture");
}

void Controller::start(const VectorX& q) {
  const VectorX rest = VectorX::Zero(robot_.size());
  command_ = {q, rest, rest, arm_.inverse_dynamics(q, rest, rest)};
}

// Near a position limit the velocity is bounded so that the joint can still brake: dq <= g (upper - q).
void Controller::limits(double brake, VectorX& lower, VectorX& upper) const {
  for (int i = 0; i < robot_.size(); ++i) {
    const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
    const double change = brake * control_.acceleration[i] * control_.period;
    const double highest = std::min(joint.velocity, control_.position_gain * (joint.upper - command_.q[i]));
    const double lowest = std::max(-joint.velocity, control_.position_gain * (joint.lower - command_.q[i]));
    // the acceleration limit has priority: a bound that can no longer be kept is approached as fast as possible
    lower[i] = std::clamp(lowest, command_.dq[i] - change, command_.dq[i] + change);
    upper[i] = std::clamp(highest, lower[i], command_.dq[i] + change);
    upper[i] = std::max(upper[i], lower[i]);
  }
}

// Rows in the rates of the next cycle, by the models that bound an arm's answer from both sides.
Rows Controller::impact_limits(const VectorX& q, const VectorX& before) {
  const Eigen::Index n = q.size();
  if (!(control_.impact_contact_time > 0)) return {};
  const VectorX gravity = arm_.inverse_dynamics(q, VectorX::Zero(n), VectorX::Zero(n));
  const ContactDynamics& dynamics = contact_dynamics(links_, q);
  Rows rows{Eigen::MatrixXd(4 * n, n), Eigen::VectorXd(4 * n), Eigen::VectorXd(4 * n)};
  Eigen::Index row = 0;
  for (const InertiaModel model : {InertiaModel::generalized_momentum, InertiaModel::composite_rigid_body}) {
    const ImpactRows found = impact_rows(dynamics, before, control_.period, impact_limits_, gravity,
                                         {model, control_.impact_restitution, control_.impact_contact_time});
    // from accelerations to rates: A ddq = A (dq - before)/period
    const VectorX offset = found.A * before / control_.period;
    rows.A.middleRows(row, 2 * n) = found.A / control_.period;
    rows.lower.segment(row, 2 * n) = found.lower + offset;
    rows.upper.segment(row, 2 * n) = found.upper + offset;
    row += 2 * n;
  }
  // torques and rates on one scale, however short the contact
  for (Eigen::Index i = 0; i < rows.A.rows(); ++i)
    if (!rows.A.row(i).allFinite()) {  // a model that does not exist here
      rows.A.row(i).setZero();
      rows.lower[i] = rows.upper[i] = 0;
    } else if (const double scale = rows.A.row(i).cwiseAbs().maxCoeff(); scale > 0) {
      rows.A.row(i) /= scale;
      rows.lower[i] /= scale;
      rows.upper[i] /= scale;
    }
  rows.lower = rows.lower.cwiseMax(-1e20);  // as the solver has infinity
  rows.upper = rows.upper.cwiseMin(1e20);
  return rows;
}

const Command& Controller::next(double normal_velocity, double brake) {
  const int n = robot_.size();
  const VectorX q = command_.q + control_.period * command_.dq;
  const VectorX before = command_.dq;
  command_.q = q;
  arm_.set_state(q, VectorX::Zero(n), before);

  // the contact point moves along the normal; lateral and orientation errors decay
  const Vector3 position_error = path_W_ - arm_.contact_position();
  const Vector3 lateral_error = position_error - normal_W_ * normal_W_.dot(position_error);
  const Vector3 v = normal_velocity * normal_W_ + control_.position_gain * lateral_error;
  const Vector3 w = control_.position_gain * rotation_vector(arm_.contact_orientation(), orientation_);
  const Eigen::MatrixXd J = arm_.jacobian();
  const Eigen::MatrixXd J_v = J.topRows<3>(), J_w = J.bottomRows<3>();
  const VectorX posture_velocity = control_.position_gain * (touch_ - q);
  const double w_l = control_.linear_weight, w_a = control_.angular_weight, w_p = control_.posture_weight;
  Eigen::MatrixXd H = w_l * J_v.transpose() * J_v + w_a * J_w.transpose() * J_w;
  H.diagonal().array() += w_p;
  const Eigen::VectorXd g = -(w_l * J_v.transpose() * v + w_a * J_w.transpose() * w + w_p * posture_velocity);
  VectorX lower(n), upper(n);
  limits(brake, lower, upper);
  const Rows rows = impact_limits(q, before);
  arm_.set_state(q, VectorX::Zero(n), before);

  command_.dq = program_.solve(H, g, lower, upper, rows);
  command_.ddq = (command_.dq - before) / control_.period;
  command_.torque_reference = arm_.inverse_dynamics(q, command_.dq, command_.ddq);
  return command_;
}

}  // namespace thud::lab
