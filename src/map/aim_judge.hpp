#pragma once

/// What a posture is worth for a hit. Private to the library.

#include <thud/aim.hpp>
#include <thud/dynamics.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/limit.hpp>

#include <optional>
#include <vector>

#include "map/aim_reach.hpp"

namespace thud::map {

/// Whether a quantity rises with the effective mass and depends on nothing else.
bool by_mass(AimQuantity quantity) noexcept;

/// The approach of least norm at 1 m/s, and the hit by one model.
struct Hit {
  Approach approach;
  VectorX after;        // joint rates; NaN where no motion of the joints gives the point the jump of the model
  double object_speed;  // of its centre of mass [m/s]
  ObjectMotion object;
};

/// What one thread needs to judge postures. Its arguments must outlive it.
class Judge {
 public:
  Judge(const Robot& robot, const ContactPoint& point, const AimTarget& target, const AimOptions& options,
        const Limits& limits);

  Reach& reach() noexcept { return reach_; }
  const Box& box() const noexcept { return reach_.box(); }
  const ContactDynamics& dynamics(const VectorX& q) noexcept { return contact_dynamics(workspace_, q); }
  InertiaModel model() const noexcept { return model_; }

  /// The quantity at a posture; NaN where it does not exist, infinite where nothing limits it.
  double value(const VectorX& q);

  /// The logarithm of the effective mass, negative where that is to be largest; infinite where there is none.
  double mass_objective(const VectorX& q, VectorX* gradient);

  /// The logarithm of a quantity that many limits bound, with the p-norm of their inverses in the place of the largest;
  /// p is a power of two, or infinite.
  /// The gradient is by differences, and along the null space of the target alone.
  double limits_objective(const VectorX& q, double p, VectorX* gradient);

  /// What speed_limit says of the approach of least norm; empty where there is none, or no model.
  std::optional<SpeedLimit> highest_speed(const ContactDynamics& dynamics, const VectorX& q) const;

  /// The hit by the model; empty where the point cannot approach or the hit has no answer.
  std::optional<Hit> hit(const ContactDynamics& dynamics);

  /// What the joints' speed limits allow before and after a hit [m/s].
  double allowed(const Hit& hit);

 private:
  double sign() const noexcept { return options_.maximize ? 1 : -1; }
  std::optional<Hit> frictionless_hit(const ContactDynamics& dynamics) const;
  bool add_without_law(const ContactDynamics& dynamics);
  void add_joints(const Hit& hit);
  double p_norm(double p) const;
  double smoothed(const VectorX& q, double p);

  const Robot& robot_;
  const ContactPoint& point_;
  const AimOptions& options_;
  const Limits& limits_;
  InertiaModel model_;
  Reach reach_;
  DynamicsWorkspace workspace_;
  ImpactPrediction prediction_;
  double object_mobility_ = 0;    // n.W_o n [1/kg]
  std::vector<double> inverses_;  // of the speeds at which limits are met [s/m]
};

}  // namespace thud::map
