#pragma once

/// Contact velocities for callers that have computed the models already. Private to the library.

#include <thud/dynamics.hpp>

namespace thud::mechanics {

/// Along the normal: v_n, v_n~ [m/s] and e_a. NaN for what does not exist.
struct ContactVelocities {
  double exact, approximate, ratio;
};

/// The values of contact_velocity, approximate_contact_velocity and approximate_to_exact. `has_composite`: whether the
/// composite rigid body exists. Real-time.
ContactVelocities contact_velocities(const ContactDynamics& dynamics, const VectorRef& dq, bool has_composite) noexcept;

}  // namespace thud::mechanics
