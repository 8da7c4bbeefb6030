#include <thud/error.hpp>
#include <thud/impulse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <Eigen/Dense>

#include "kernel/kernel.hpp"
#include "mechanics/contact_velocities.hpp"
#include "mechanics/least_norm.hpp"

namespace THUD_EXPORT thud {
using namespace mechanics;
namespace {

// The rule of [Wang22, (Sec. VII-C)]
constexpr double rule_ratio = 0.85;
constexpr double rule_speed = 0.1;  // [m/s]

// Joint rates produce the approach if the relative residual is below this: the accuracy of a pseudo-inverse.
constexpr double max_residual = 1e-8;

// Sliding faster than this fraction of the approach speed, it is no longer a normal impact.
constexpr double max_sliding_ratio = 0.1;

// Moving faster across the normal than along it, the contact point does not approach.
constexpr double max_sideways_ratio = 1;

void validate_restitution(double restitution) {
  if (!(restitution >= 0 && restitution <= 1)) throw InputError("restitution", restitution, "must be from 0 to 1");
}

// Joint rates of least norm that give the first `rows` of a twist of the contact point; none if no rates do.
template <int rows>
std::optional<VectorX> rates_of(const ContactDynamics& dynamics, const Vector6& twist) {
  using Jacobian = Eigen::Matrix<double, rows, Eigen::Dynamic>;
  const Jacobian J = dynamics.J.topRows<rows>();
  Eigen::CompleteOrthogonalDecomposition<Jacobian> decomposition;
  decomposition.setThreshold(kernel::cancellation_limit);
  decomposition.compute(J);
  const Eigen::Matrix<double, rows, 1> wanted = twist.head<rows>();
  const Eigen::VectorXd dq = decomposition.solve(wanted);
  if (!((J * dq - wanted).norm() < max_residual)) return std::nullopt;
  return VectorX(dq);
}

}  // namespace

double contact_velocity(const ContactDynamics& dynamics, const VectorRef& dq) noexcept {
  double v = 0;
  for (Eigen::Index i = 0; i < dq.size(); ++i) v += dynamics.normal_W.dot(dynamics.J.col(i).head<3>()) * dq[i];
  return v;
}

double approximate_contact_velocity(const ContactDynamics& dynamics, const VectorRef& dq) noexcept {
  return contact_velocities(dynamics, dq, composite_rigid_body(dynamics).exists()).approximate;
}

double approximate_to_exact(const ContactDynamics& dynamics, const VectorRef& dq) noexcept {
  return contact_velocities(dynamics, dq, composite_rigid_body(dynamics).exists()).ratio;
}

bool small_restitution(double ratio, double v_before) noexcept {
  return ratio > rule_ratio && v_before < -rule_speed;
}

NormalImpulse normal_impulse(double mass, double v_before, double restitution) noexcept {
  const double compression =
      std::isnan(mass) ? std::numeric_limits<double>::quiet_NaN() : mass * std::max(0.0, -v_before);
  return {compression, (1 + restitution) * compression};
}

NormalImpulse normal_impulse(const InverseInertia& inertia, double v_before, const ImpulseOptions& options) {
  validate_restitution(options.restitution);
  if (!std::isfinite(v_before)) throw InputError("v_before", v_before, "must be finite");
  return normal_impulse(inertia.effective_mass(), v_before, options.restitution);
}

VectorX joint_velocity_jump(const ContactDynamics& dynamics, const Vector3& impulse_W) {
  return dynamics.M_inv_JT.leftCols<3>() * impulse_W;
}

std::optional<VectorX> joint_velocity_jump_least_norm(const ContactDynamics& dynamics, const InverseInertia& inertia,
                                                      const Vector3& impulse_W) {
  VectorX jump(dynamics.J.cols());
  least_norm_jump(dynamics.J, inertia.W * impulse_W, jump);
  if (!jump.allFinite()) return std::nullopt;
  return jump;
}

VectorX joint_impulse(const ContactDynamics& dynamics, const Vector3& impulse_W) {
  return dynamics.J.topRows<3>().transpose() * impulse_W;
}

VectorX joint_torque_jump(const ContactDynamics& dynamics, const Vector3& impulse_W, double duration) {
  if (!(duration > 0) || !std::isfinite(duration)) throw InputError("duration", duration, "must be finite and > 0");
  return joint_impulse(dynamics, impulse_W) / duration;
}

Approach approach(const ContactDynamics& dynamics, double speed) {
  if (auto found = find_approach(dynamics, speed)) return std::move(*found);
  const Vector3& n = dynamics.normal_W;
  throw InputError("speed", speed,
                   "the contact point cannot move along the normal " + to_text(n[0]) + "," + to_text(n[1]) + "," +
                       to_text(n[2]) + " alone at this posture");
}

std::optional<Approach> find_approach(const ContactDynamics& dynamics, double speed) {
  if (!(speed >= 0) || !std::isfinite(speed)) throw InputError("speed", speed, "must be finite and >= 0");
  // For unit speed, so that a small one is not mistaken for rounding
  Vector6 twist = Vector6::Zero();
  twist.head<3>() = -dynamics.normal_W;
  if (const auto dq = rates_of<6>(dynamics, twist)) return Approach{speed * *dq, false};
  if (const auto dq = rates_of<3>(dynamics, twist)) return Approach{speed * *dq, true};
  return std::nullopt;
}

std::optional<Approach> nearest_approach(const ContactDynamics& dynamics, double speed) {
  if (auto exact = find_approach(dynamics, speed)) return exact;
  const Eigen::MatrixXd J_v = dynamics.J.topRows<3>();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(kernel::cancellation_limit);
  decomposition.compute(J_v);
  const Eigen::VectorXd toward = decomposition.solve(Eigen::VectorXd(-dynamics.normal_W));
  // n.P n = |P n|^2: what is left of the normal is rounding, or motion
  const double along = -dynamics.normal_W.dot(Vector3(J_v * toward));
  if (!(along > max_residual * max_residual)) return std::nullopt;
  Approach nearest{speed / along * toward};
  const Vector3 v = J_v * nearest.dq;
  nearest.sideways = (v + speed * dynamics.normal_W).norm();
  if (nearest.sideways > max_sideways_ratio * speed)
    throw InputError("speed", speed,
                     "the nearest motion of the contact point is " + to_text(nearest.sideways / speed, 6) +
                         " times as fast across the normal as along it; that is not an approach");
  nearest.turns = (dynamics.J.bottomRows<3>() * nearest.dq).norm() > max_residual * speed;
  return nearest;
}

Prediction::Prediction(int joints) {
  for (auto& model : models)
    model.joint_velocity_jump = model.joint_velocity_jump_least_norm = model.joint_impulse =
        VectorX::Constant(joints, std::numeric_limits<double>::quiet_NaN());
}

void predict(const ContactDynamics& dynamics, const VectorRef& dq, const PredictOptions& options,
             Prediction& prediction) noexcept {
  const Vector3& n = dynamics.normal_W;
  const auto inertias = inverse_inertias(dynamics, {.pseudo_inverse = options.pseudo_inverse});
  const ContactVelocities velocities =
      contact_velocities(dynamics, dq, inertias[InertiaModel::composite_rigid_body].exists());
  prediction.v_exact = velocities.exact;
  prediction.v_approximate = velocities.approximate;
  prediction.ratio = velocities.ratio;
  prediction.small_restitution = small_restitution(prediction.ratio, prediction.v_exact);
  Vector3 v = Vector3::Zero();
  for (Eigen::Index i = 0; i < dq.size(); ++i) v += dynamics.J.col(i).head<3>() * dq[i];
  prediction.v_tangential = (v - n.dot(v) * n).norm();

  for (const InertiaModel model : all_inertia_models) {
    ModelPrediction& result = prediction.models[model];
    result.inertia = inertias[model];
    const double mass = result.inertia.effective_mass();
    result.impulse = normal_impulse(mass, prediction.v_exact, options.restitution);
    result.impulse_approximate = normal_impulse(mass, prediction.v_approximate, options.restitution);
    result.impulse_W = result.impulse.total * n;
    result.joint_velocity_jump.noalias() = dynamics.M_inv_JT.leftCols<3>() * result.impulse_W;
    result.joint_impulse.noalias() = dynamics.J.topRows<3>().transpose() * result.impulse_W;
    least_norm_jump(dynamics.J, result.inertia.W * result.impulse_W, result.joint_velocity_jump_least_norm);
  }
}

Prediction predict(const ContactDynamics& dynamics, const VectorRef& dq, const PredictOptions& options) {
  validate_restitution(options.restitution);
  if (dq.size() != dynamics.J.cols())
    throw InputError("dq", std::to_string(dq.size()) + " values",
                     "needs " + std::to_string(dynamics.J.cols()) + ", one per joint");
  if (!dq.allFinite()) throw InputError("dq", dq.sum(), "must be finite");
  Prediction prediction(static_cast<int>(dq.size()));
  predict(dynamics, dq, options, prediction);
  return prediction;
}

std::vector<Warning> warnings(const Prediction& prediction) {
  std::vector<Warning> found;
  const double v = prediction.v_exact;
  if (v >= 0)
    found.push_back({WarningCode::no_approach, "",
                     "the contact point does not approach (v_n = " + to_text(v, 6) +
                         " m/s >= 0): effective masses still apply, impulses are 0"});
  else if (prediction.v_tangential > max_sliding_ratio * -v)
    found.push_back({WarningCode::sliding, "",
                     "the contact point also slides at " + to_text(prediction.v_tangential, 6) +
                         " m/s: the models are of normal impacts, and only the normal part of the velocity is used"});
  for (const InertiaModel model : all_inertia_models) {
    const std::string name(to_string(model));
    switch (prediction[model].inertia.status) {
      case InertiaStatus::not_run:
      case InertiaStatus::ok:
        break;
      case InertiaStatus::singular:
        found.push_back(
            {WarningCode::singular_model, name, name + " does not exist here: the posture is singular for it"});
        break;
      case InertiaStatus::underactuated:
        found.push_back({WarningCode::underactuated_model, name,
                         name + " does not exist: fewer than six joints move the contact point"});
        break;
      case InertiaStatus::massless:
        found.push_back({WarningCode::massless_model, name,
                         name + " does not exist: something that moves has no inertia, or too much to compute with"});
        break;
      case InertiaStatus::pseudo_inverse:
        found.push_back({WarningCode::pseudo_inverse_model, name,
                         name + " uses a pseudo-inverse in SI units; its value depends on the unit of length"});
        break;
    }
  }
  return found;
}

}  // namespace thud
