#include <thud/error.hpp>
#include <thud/impact_prediction.hpp>

#include <limits>
#include <string>

#include "impact/problem.hpp"
#include "impact/rigid_body.hpp"
#include "mechanics/contact_velocities.hpp"
#include "mechanics/least_norm.hpp"

namespace THUD_EXPORT thud {
using namespace impacting;
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Whether friction can act on a model: its W has to exist and to be symmetric.
bool allows_friction(InertiaModel model) noexcept {
  return model != InertiaModel::flexible_joints;
}

// How the arm answers. Without friction only its effective mass counts where W is not that of a body: flexible joints,
// and the algebraic model, whose effective mass is that of a point that cannot slip.
Matrix3 arm_response(const InverseInertia& inertia, InertiaModel model, const Vector3& n, bool friction) noexcept {
  const bool along_normal = model == InertiaModel::algebraic || model == InertiaModel::flexible_joints;
  if (friction || !along_normal) return inertia.W;
  return n * n.transpose() / inertia.effective_mass();
}

void clear(ModelImpact& result) noexcept {
  result.impact = {};
  result.velocity_after.setConstant(nan);
  result.W.setConstant(nan);
  result.impulse_approximate = {};
  result.object = {};
  result.joint_velocity_jump.setConstant(nan);
  result.joint_velocity_jump_least_norm.setConstant(nan);
  result.joint_impulse.setConstant(nan);
}

}  // namespace

ImpactPrediction::ImpactPrediction(int joints) {
  for (auto& model : models)
    model.joint_velocity_jump = model.joint_velocity_jump_least_norm = model.joint_impulse =
        VectorX::Constant(joints, nan);
}

void predict_impact(const ContactDynamics& dynamics, const VectorRef& dq, const ImpactPredictionOptions& options,
                    ImpactPrediction& prediction) noexcept {
  const Vector3& n = dynamics.normal_W;
  const bool friction = options.friction > 0;
  const ImpactOptions rule{options.friction, options.restitution, options.kind};
  const auto inertias = inverse_inertias(dynamics, {.pseudo_inverse = options.pseudo_inverse});
  const mechanics::ContactVelocities velocities =
      mechanics::contact_velocities(dynamics, dq, inertias[InertiaModel::composite_rigid_body].exists());
  const Vector3 v_robot = contact_response(dynamics, dq, {}).velocity;
  const ContactResponse other = options.object ? response(*options.object, dynamics.p_WC) : ContactResponse{};
  prediction.with_friction = friction;
  prediction.velocity = v_robot - other.velocity;
  prediction.v_normal = n.dot(prediction.velocity);
  prediction.v_tangential = (prediction.velocity - prediction.v_normal * n).norm();
  const Vector3 approximate = prediction.velocity + (velocities.approximate - velocities.exact) * n;

  for (const InertiaModel model : all_inertia_models) {
    ModelImpact& result = prediction.models[model];
    clear(result);
    result.inertia = inertias[model].status;
    if (!inertias[model].exists() || (friction && !allows_friction(model))) continue;
    const Matrix3 W_robot = arm_response(inertias[model], model, n, friction);
    if (!W_robot.allFinite()) continue;
    result.W = W_robot + other.W;
    impact(result.W, prediction.velocity, n, rule, result.impact);
    if (!result.impact.exists()) continue;
    if (model == InertiaModel::composite_rigid_body && approximate.allFinite()) {
      Impact by_approximate;
      impact(result.W, approximate, n, rule, by_approximate);
      result.impulse_approximate = {by_approximate.compression, n.dot(by_approximate.impulse)};
    }
    const Vector3& iota = result.impact.impulse;
    const Vector3 jump = W_robot * iota;
    result.velocity_after = v_robot + jump;
    if (options.object) result.object = motion(*options.object, dynamics.p_WC, -iota);
    result.joint_velocity_jump.noalias() = dynamics.M_inv_JT.leftCols<3>() * iota;
    result.joint_impulse.noalias() = dynamics.J.topRows<3>().transpose() * iota;
    mechanics::least_norm_jump(dynamics.J, inertias[model].W * iota, result.joint_velocity_jump_least_norm);
  }
}

ImpactPrediction predict_impact(const ContactDynamics& dynamics, const VectorRef& dq,
                                const ImpactPredictionOptions& options) {
  if (dq.size() != dynamics.J.cols())
    throw InputError("dq", std::to_string(dq.size()) + " values",
                     "needs " + std::to_string(dynamics.J.cols()) + ", one per joint");
  if (!dq.allFinite()) throw InputError("dq", dq.sum(), "must be finite");
  validate(ImpactOptions{options.friction, options.restitution, options.kind});
  if (options.object) validate(*options.object);
  ImpactPrediction prediction(static_cast<int>(dq.size()));
  predict_impact(dynamics, dq, options, prediction);
  return prediction;
}

std::vector<Warning> warnings(const ImpactPrediction& prediction) {
  std::vector<Warning> found;
  if (prediction.v_normal >= 0)
    found.push_back({WarningCode::no_approach, "",
                     "the contact point does not approach what it would hit (relative v_n = " +
                         to_text(prediction.v_normal, 6) + " m/s >= 0): effective masses still apply, impulses are 0"});
  if (prediction.with_friction)
    found.push_back({WarningCode::asymmetric_model, std::string(to_string(InertiaModel::flexible_joints)),
                     "flexible_joints has no impact with friction: its matrix is not symmetric"});
  for (const InertiaModel model : all_inertia_models)
    for (Warning& warning : warnings(prediction[model].impact)) {
      warning.subject = to_string(model);
      warning.text = warning.subject + ": " + warning.text;
      found.push_back(std::move(warning));
    }
  return found;
}

}  // namespace thud
