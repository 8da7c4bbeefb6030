#pragma once

/// The query as thud's own users ask it in a loop.

#include <thud/impulse.hpp>

inline const thud::ContactDynamics& ask(thud::DynamicsWorkspace& workspace, const thud::VectorRef& q,
                                        thud::PerModel<thud::InverseInertia>& inertias) {
  const auto& dynamics = thud::contact_dynamics(workspace, q);
  inertias = thud::inverse_inertias(dynamics);
  return dynamics;
}
