#pragma once

#include <thud/conventions.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>
#include <thud/warning.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace THUD_EXPORT thud {

/// Normal velocity of the contact point, v_n = n.J_v dq [m/s]; negative is approach.   [Wang22, (contactVel_exact)]
/// dq has one value per joint. Real-time.
double contact_velocity(const ContactDynamics& dynamics, const VectorRef& dq) noexcept;

/// The same as if the arm were one rigid body with the arm's momentum, v_n~ = n.(X J_avg dq)_lin [m/s].
/// NaN where the composite body does not exist.                                        [Wang22, (contactVel_transform)]
/// Real-time.
double approximate_contact_velocity(const ContactDynamics& dynamics, const VectorRef& dq) noexcept;

/// e_a = v_n~ / v_n; NaN where v_n is zero up to the rounding of its sum.              [Wang22, (approximate-to-exact)]
/// Real-time.
double approximate_to_exact(const ContactDynamics& dynamics, const VectorRef& dq) noexcept;

/// Whether a coefficient of restitution below 0.15 may be assumed: e_a > 0.85 and v_n < -0.1 m/s.
/// False where e_a is NaN. Real-time.                                                  [Wang22, (Sec. VII-C)]
bool small_restitution(double ratio, double v_before) noexcept;

/// Impulse along the normal [N s].
struct NormalImpulse {
  double compression = std::numeric_limits<double>::quiet_NaN();  // when the approach has stopped
  double total = std::numeric_limits<double>::quiet_NaN();        // after restitution
};

struct ImpulseOptions {
  double restitution = 0;  // e, 0 to 1
};

/// iota_c = -m_n v_n at the end of compression, iota = (1 + e) iota_c in all.          [Wang22, (zImpulseCE)]
///
/// v_before  v_n before the impact [m/s]. At v_n >= 0 there is no impact and both are 0.
/// NaN where the inertia does not exist. Throws InputError unless 0 <= e <= 1 and v_before is finite.
NormalImpulse normal_impulse(const InverseInertia& inertia, double v_before, const ImpulseOptions& options = {});

/// The same of plain numbers that are known to be good. Real-time.
NormalImpulse normal_impulse(double mass, double v_before, double restitution) noexcept;

/// Jump of the joint rates, joints free: d(dq) = M^-1 J_v^T iota.                      [Zheng85]
/// impulse_W  iota on the robot, world axes [N s]. NaN where M is not positive definite.
VectorX joint_velocity_jump(const ContactDynamics& dynamics, const Vector3& impulse_W);

/// Jump of the joint rates of least norm that gives the contact point the jump W iota:
///
///   d(dq) = J_v^T (J_v J_v^T)^-1 W iota                                               [Wang22b]
///
/// Empty where the point cannot move in all three directions, or W does not exist.
std::optional<VectorX> joint_velocity_jump_least_norm(const ContactDynamics& dynamics, const InverseInertia& inertia,
                                                      const Vector3& impulse_W);

/// J_v^T iota, what the joints feel [N m s or N s].
VectorX joint_impulse(const ContactDynamics& dynamics, const Vector3& impulse_W);

/// Mean jump of the joint torques over a contact of the given duration [s]: J_v^T iota / T [N m or N].
/// Throws InputError unless duration is finite and > 0.
VectorX joint_torque_jump(const ContactDynamics& dynamics, const Vector3& impulse_W, double duration);

/// Joint rates of least norm that bring the contact point on at `speed` [m/s] against the normal, the tool not
/// turning; if the arm cannot do that, the point moving so and the tool turning as it must (`turns` is then true).
struct Approach {
  VectorX dq;           // [rad/s or m/s]                                                                      (n)
  bool turns = false;   // the tool turns
  double sideways = 0;  // speed of the point across the normal [m/s]; 0 unless it is a nearest_approach
};
/// Throws InputError naming speed and normal where the point cannot move along the normal alone, that is without any
/// motion across it, and unless speed is finite and >= 0.
Approach approach(const ContactDynamics& dynamics, double speed);

/// The same for planners that try many postures: empty where the point cannot move along the normal alone.
/// Throws InputError unless speed is finite and >= 0.
std::optional<Approach> find_approach(const ContactDynamics& dynamics, double speed);

/// The approach if there is one; else the motion nearest to it: among those that bring the point on at `speed` against
/// the normal the one with the least speed across it, and of least norm. With P the projector on the range of J_v:
///
///   J_v dq = -speed P n / (n.P n)
///
/// Empty where the point cannot move along the normal at all (n.J_v = 0). Throws InputError unless speed is finite and
/// >= 0, and where the point would move faster across the normal than along it.
std::optional<Approach> nearest_approach(const ContactDynamics& dynamics, double speed);

/// The prediction of one model for one impact.
struct ModelPrediction {
  InverseInertia inertia;
  NormalImpulse impulse;              // with the exact contact velocity
  NormalImpulse impulse_approximate;  // with the approximate one, as the authors' code does for the composite body
  Vector3 impulse_W = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // total, world axes [N s]
  VectorX joint_velocity_jump;             // [Zheng85], of impulse_W, as are the next two                      (n)
  VectorX joint_velocity_jump_least_norm;  // [Wang22b]; NaN where it does not exist                            (n)
  VectorX joint_impulse;                   // J_v^T iota                                                        (n)
};

/// The predictions of all models for one impact. NaN marks what does not exist.
struct Prediction {
  explicit Prediction(int joints);

  double v_exact = std::numeric_limits<double>::quiet_NaN();        // v_n [m/s]
  double v_approximate = std::numeric_limits<double>::quiet_NaN();  // v_n~ [m/s]
  double ratio = std::numeric_limits<double>::quiet_NaN();          // e_a
  double v_tangential = std::numeric_limits<double>::quiet_NaN();   // speed across the normal [m/s]
  bool small_restitution = false;                                   // the rule of Sec. VII-C holds
  PerModel<ModelPrediction> models;

  const ModelPrediction& operator[](InertiaModel model) const noexcept { return models[model]; }
};

struct PredictOptions {
  double restitution = 0;       // e, 0 to 1
  bool pseudo_inverse = false;  // for the algebraic model where J M^-1 J^T is singular
};

/// All four models for one state. Throws InputError unless dq has one finite value per joint and 0 <= e <= 1.
Prediction predict(const ContactDynamics& dynamics, const VectorRef& dq, const PredictOptions& options = {});

/// The same into a prediction of as many joints, from values known to be good. Real-time.
void predict(const ContactDynamics& dynamics, const VectorRef& dq, const PredictOptions& options,
             Prediction& prediction) noexcept;

/// A warning for each thing a reader of the prediction should know: no approach, sliding, models that do not exist.
std::vector<Warning> warnings(const Prediction& prediction);

}  // namespace thud
