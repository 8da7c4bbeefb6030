#include "mechanics/contact_velocities.hpp"

#include <thud/impulse.hpp>

#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "kernel/kernel.hpp"

namespace thud::mechanics {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// v_n~, if the composite rigid body exists.
double composite_velocity(const ContactDynamics& dynamics, const VectorRef& dq) noexcept {
  Vector6 momentum = Vector6::Zero();
  for (Eigen::Index i = 0; i < dq.size(); ++i) momentum += dynamics.A_G.col(i) * dq[i];
  const Vector3 angular_velocity = dynamics.Ic_W.ldlt().solve(Vector3(momentum.tail<3>()));
  const Vector3 v = momentum.head<3>() / dynamics.mass + angular_velocity.cross(dynamics.p_WC - dynamics.com_W);
  return dynamics.normal_W.dot(v);
}

}  // namespace

ContactVelocities contact_velocities(const ContactDynamics& dynamics, const VectorRef& dq,
                                     bool has_composite) noexcept {
  double magnitude = 0;  // of the terms of v_n
  for (Eigen::Index i = 0; i < dq.size(); ++i)
    magnitude += std::abs(dynamics.normal_W.dot(dynamics.J.col(i).head<3>()) * dq[i]);
  const double exact = contact_velocity(dynamics, dq);
  const double approximate = has_composite ? composite_velocity(dynamics, dq) : nan;
  return {exact, approximate, std::abs(exact) > kernel::cancellation_limit * magnitude ? approximate / exact : nan};
}

}  // namespace thud::mechanics
