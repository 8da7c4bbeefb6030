#pragma once

/// How joint rates jump with the normal velocity of the contact point. Private to the library.

#include <thud/dynamics.hpp>
#include <thud/inertia.hpp>

#include <numbers>

namespace thud::limit {

/// What the peak of a half sine has above its mean.
inline constexpr double half_sine = std::numbers::pi / 2;

/// j_i, of j = n.J_v [m or 1]. Real-time.
inline double along_normal(const ContactDynamics& dynamics, Eigen::Index joint) noexcept {
  return dynamics.normal_W.dot(dynamics.J.col(joint).head<3>());
}

/// p of limit.hpp, j p = 1. It does not exist where the model does not, and where no motion of the joints gives the
/// contact point the jump of velocity that the model says. Real-time.
class UnitJump {
 public:
  /// `dynamics` must outlive this.
  UnitJump(const ContactDynamics& dynamics, InertiaModel model, const InverseInertia& inertia) noexcept;

  bool exists() const noexcept { return exists_; }

  /// Of a joint [rad/m or 1].
  double operator[](Eigen::Index joint) const noexcept;

 private:
  const ContactDynamics& dynamics_;
  bool free_joints_, exists_;
  Vector3 impulse_;  // what, times M^-1 J_v^T or J_v^T, is p
};

}  // namespace thud::limit
