#pragma once

/// The query as thud's own users ask it in a loop.

#include <thud/impulse.hpp>

#include <array>

using Inertias = std::array<thud::InverseInertia, 4>;  // in the order of thud::all_options

inline const thud::ContactDynamics& ask(thud::Workspace& workspace, const thud::VectorRef& q, Inertias& inertias) {
  const auto& dynamics = thud::contact_dynamics(workspace, q);
  for (const thud::Option option : thud::all_options)
    inertias[static_cast<std::size_t>(option)] = thud::inverse_inertia(option, dynamics);
  return dynamics;
}
