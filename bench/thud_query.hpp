#pragma once

/// The query as thud's own users ask it in a loop.

#include <thud/impulse.hpp>

#include <array>

using Inertias = std::array<thud::InverseInertia, 4>;  // in the order of thud::all_options

inline const thud::ContactDynamics& ask(thud::Workspace& workspace, const thud::VectorRef& q, Inertias& inertias) {
  const auto& dynamics = thud::contact_dynamics(workspace, q);
  const auto& [algebraic, momentum, composite, flexible] = thud::inverse_inertias(dynamics);
  inertias = {algebraic, momentum, composite, flexible};
  return dynamics;
}
