#pragma once

#include <thud/conventions.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>
#include <thud/impact.hpp>
#include <thud/impulse.hpp>
#include <thud/inertia.hpp>
#include <thud/object.hpp>
#include <thud/warning.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

struct ImpactPredictionOptions {
  double friction = 0;                                // mu of Coulomb, >= 0
  double restitution = 0;                             // e, 0 to 1
  RestitutionKind kind = RestitutionKind::energetic;  // what e is a ratio of
  std::optional<Object> object{};                     // what is hit; without it, a wall that stands still
  bool pseudo_inverse = false;                        // as in PredictOptions
};

/// The impact of one model of the arm. Without an answer (not_run where the model does not exist, wedged), NaN.
struct ModelImpact {
  InertiaStatus inertia = InertiaStatus::not_run;                           // whether the model exists
  Matrix3 W = Matrix3::Constant(std::numeric_limits<double>::quiet_NaN());  // of both sides together [1/kg]
  Impact impact{};                                                          // velocities relative to what is hit
  Vector3 velocity_after = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // of the robot's point [m/s]
  NormalImpulse impulse_approximate{};  // composite body: along the normal, with the approximate velocity [N s]
  ObjectMotion object{};                // after the impact; NaN without an object

  // of the impulse
  VectorX joint_velocity_jump;             // [Zheng85]                                                          (n)
  VectorX joint_velocity_jump_least_norm;  // [Wang22b]; NaN where it does not exist                             (n)
  VectorX joint_impulse;                   // J_v^T iota                                                         (n)
};

/// The impacts of all models of an arm with what it hits.
struct ImpactPrediction {
  explicit ImpactPrediction(int joints);

  Vector3 velocity = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // u before, relative [m/s]
  double v_normal = std::numeric_limits<double>::quiet_NaN();                      // n.u [m/s]
  double v_tangential = std::numeric_limits<double>::quiet_NaN();                  // speed across the normal [m/s]
  bool with_friction = false;
  PerModel<ModelImpact> models;

  const ModelImpact& operator[](InertiaModel model) const noexcept { return models[model]; }
};

/// Impact of an arm with a wall or an object: impulse, phases and motion after it, by each model of the arm's inertia.
///
/// Generalized momentum, composite body and algebraic model: with their W; sticking from rest, the algebraic impulse
/// along n is its effective mass times the speed. Flexible joints: W~ is not symmetric, and with friction there is no
/// answer. Without friction the algebraic and the flexible model are used as predict uses them, by their effective mass
/// along the normal alone.
/// Throws InputError for a dq that predict refuses, options that impact refuses and an object that contact_response
/// refuses.
ImpactPrediction predict_impact(const ContactDynamics& dynamics, const VectorRef& dq,
                                const ImpactPredictionOptions& options = {});

/// The same into a prediction of as many joints, from values known to be good. Real-time.
void predict_impact(const ContactDynamics& dynamics, const VectorRef& dq, const ImpactPredictionOptions& options,
                    ImpactPrediction& prediction) noexcept;

/// A warning for each thing a reader of the prediction should know: no approach, a model that does not allow friction,
/// and those of each model's impact.
std::vector<Warning> warnings(const ImpactPrediction& prediction);

}  // namespace thud
