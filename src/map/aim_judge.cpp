#include "map/aim_judge.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "limit/jump.hpp"
#include "limit/numbers.hpp"
#include "map/aim_search.hpp"

namespace thud::map {
namespace {

constexpr double slope_step = 1e-5;  // [rad or m]
constexpr double rough_norm = 8;     // up to which differences on one side are good enough

std::optional<Approach> unit_approach(const ContactDynamics& dynamics) {
  try {
    return nearest_approach(dynamics, 1);
  } catch (const InputError&) {  // faster across the normal than along it
    return std::nullopt;
  }
}

}  // namespace

bool by_mass(AimQuantity quantity) noexcept {
  return quantity != AimQuantity::speed && quantity != AimQuantity::object_speed;
}

Judge::Judge(const Robot& robot, const ContactPoint& point, const AimTarget& target, const AimOptions& options,
             const Limits& limits)
    : robot_(robot),
      point_(point),
      options_(options),
      limits_(limits),
      model_(options.model.value_or(InertiaModel::composite_rigid_body)),
      reach_(robot, point, target),
      workspace_(robot, point),
      prediction_(robot.size()) {
  if (!options.object) return;
  const Vector3 n = point.normal_W.normalized();
  object_mobility_ = n.dot(contact_response(*options.object, target.p_W).W * n);
}

double Judge::value(const VectorX& q) {
  const ContactDynamics& d = dynamics(q);
  if (options_.quantity == AimQuantity::speed) {
    const auto found = highest_speed(d, q);
    return found ? found->speed : limit::none;
  }
  if (options_.quantity == AimQuantity::object_speed) {
    const auto hit = this->hit(d);
    return hit ? hit->object_speed * allowed(*hit) : limit::none;
  }
  const double mass = inverse_inertia(d, model_).effective_mass();
  if (options_.quantity == AimQuantity::effective_mass) return mass;
  const double mu = 1 / (1 / mass + object_mobility_), e = options_.restitution.value_or(0), v = options_.speed;
  return options_.quantity == AimQuantity::impulse ? (1 + e) * mu * v : (1 - e * e) * mu * v * v / 2;
}

double Judge::mass_objective(const VectorX& q, VectorX* gradient) {
  const ContactDynamics& d = dynamics(q);
  const InverseInertia inertia = inverse_inertia(d, model_);
  if (!inertia.exists()) return limit::never;
  if (gradient) {
    reach_.tree().place(q);
    reach_.tree().inverse_mass_gradient(d, model_, *gradient);
    *gradient *= sign() * inertia.effective_mass();
  }
  return -sign() * std::log(inertia.effective_mass());
}

double Judge::limits_objective(const VectorX& q, double p, VectorX* gradient) {
  const double found = smoothed(q, p);
  if (!gradient || !std::isfinite(found)) return found;
  reach_.place(q);
  const Eigen::MatrixXd Z = null_space(reach_.jacobian());
  Eigen::VectorXd slopes(Z.cols());
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    const double ahead = smoothed(q + slope_step * Z.col(k), p);
    slopes[k] = p <= rough_norm ? (ahead - found) / slope_step
                                : (ahead - smoothed(q - slope_step * Z.col(k), p)) / (2 * slope_step);
  }
  if (!slopes.allFinite()) slopes.setZero();  // at the edge of where the quantity exists
  *gradient = Z * slopes;
  return found;
}

std::optional<SpeedLimit> Judge::highest_speed(const ContactDynamics& dynamics, const VectorX& q) const {
  const auto approach = unit_approach(dynamics);
  if (!approach) return std::nullopt;
  try {
    return speed_limit(robot_, point_, q, approach->dq, limits_,
                       {options_.model, options_.law, options_.restitution, options_.drives, options_.body});
  } catch (const InputError& error) {
    if (error.argument() != "model") throw;
    return std::nullopt;  // it does not exist at this posture
  }
}

std::optional<Hit> Judge::hit(const ContactDynamics& dynamics) {
  auto approach = unit_approach(dynamics);
  if (!approach) return std::nullopt;
  predict_impact(dynamics, approach->dq,
                 {.friction = options_.object ? options_.friction : 0,
                  .restitution = options_.restitution.value_or(0),
                  .object = options_.object},
                 prediction_);
  const ModelImpact& by_model = prediction_[model_];
  if (!by_model.impact.exists()) return std::nullopt;
  const VectorX& jump = model_ == InertiaModel::generalized_momentum ? by_model.joint_velocity_jump
                                                                     : by_model.joint_velocity_jump_least_norm;
  VectorX after = approach->dq + jump;
  return Hit{std::move(*approach), std::move(after), by_model.object.velocity.norm(), by_model.object};
}

// The same without friction, by the normal impulse: a third of the time, for the search. The object's motion is not
// told.
std::optional<Hit> Judge::frictionless_hit(const ContactDynamics& dynamics) const {
  auto approach = unit_approach(dynamics);
  const InverseInertia inertia = inverse_inertia(dynamics, model_);
  if (!approach || !inertia.exists()) return std::nullopt;
  const double impulse = (1 + options_.restitution.value_or(0)) / (1 / inertia.effective_mass() + object_mobility_);
  const Vector3 impulse_W = impulse * dynamics.normal_W;
  VectorX after = VectorX::Constant(approach->dq.size(), limit::none);
  if (model_ == InertiaModel::generalized_momentum)
    after = approach->dq + joint_velocity_jump(dynamics, impulse_W);
  else if (const auto jump = joint_velocity_jump_least_norm(dynamics, inertia, impulse_W))
    after = approach->dq + *jump;
  return Hit{std::move(*approach), std::move(after), impulse / options_.object->mass, {}};
}

double Judge::allowed(const Hit& hit) {
  inverses_.clear();
  add_joints(hit);
  return 1 / p_norm(limit::never);
}

// What speed_limit judges without a law, by its models: joint speeds and a person. False where there is no model.
bool Judge::add_without_law(const ContactDynamics& dynamics) {
  const auto approach = unit_approach(dynamics);
  if (!approach) return false;
  const auto inertias = inverse_inertias(dynamics);
  const double rebound = 1 + options_.restitution.value_or(0);
  for (Eigen::Index i = 0; i < limits_.speed.size(); ++i)
    if (!std::isnan(limits_.speed[i])) inverses_.push_back(std::abs(approach->dq[i]) / limits_.speed[i]);
  bool any = false;
  for (const InertiaModel model : all_inertia_models) {
    const InverseInertia& inertia = inertias[model];
    if (!inertia.exists() || (options_.model && *options_.model != model)) continue;
    any = true;
    const limit::UnitJump jump(dynamics, model, inertia);
    for (Eigen::Index i = 0; i < limits_.speed.size() && jump.exists(); ++i)
      if (!std::isnan(limits_.speed[i]))
        inverses_.push_back(std::abs(approach->dq[i] + rebound * jump[i]) / limits_.speed[i]);
    if (!options_.body) continue;
    const BodySpeeds speeds = body_speeds(*options_.body, inertia.effective_mass());
    inverses_.push_back(1 / speeds.force);
    if (!std::isnan(speeds.pressure)) inverses_.push_back(1 / speeds.pressure);
  }
  return any;
}

void Judge::add_joints(const Hit& hit) {
  for (Eigen::Index i = 0; i < limits_.speed.size(); ++i) {
    if (std::isnan(limits_.speed[i])) continue;
    inverses_.push_back(std::abs(hit.approach.dq[i]) / limits_.speed[i]);
    if (!std::isnan(hit.after[i])) inverses_.push_back(std::abs(hit.after[i]) / limits_.speed[i]);
  }
}

double Judge::p_norm(double p) const {
  const double largest = inverses_.empty() ? 0 : *std::ranges::max_element(inverses_);
  if (!(largest > 0) || std::isinf(p)) return largest;
  double sum = 0;
  for (const double each : inverses_) {
    double power = each / largest;
    for (double of = 1; of < p; of *= 2) power *= power;
    sum += power;
  }
  return largest * std::pow(sum, 1 / p);
}

double Judge::smoothed(const VectorX& q, double p) {
  inverses_.clear();
  double per_speed = 1;  // what the approach speed is to be multiplied with
  const ContactDynamics& d = dynamics(q);
  if (options_.quantity == AimQuantity::object_speed) {
    const auto hit = options_.friction > 0 ? this->hit(d) : frictionless_hit(d);
    if (!hit) return limit::never;
    add_joints(*hit);
    per_speed = hit->object_speed;
  } else if (options_.law) {
    const auto found = highest_speed(d, q);
    if (!found) return limit::never;
    for (const SpeedLimitRow& row : found->rows) inverses_.push_back(1 / row.speed);
  } else if (!add_without_law(d)) {
    return limit::never;
  }
  const double found = sign() * std::log(p_norm(p) / per_speed);
  return std::isfinite(found) ? found : limit::never;
}

}  // namespace thud::map
