#pragma once

#include <thud/export.hpp>

namespace THUD_EXPORT thud {

/// What a capability map shows.
enum class MapQuantity { effective_mass, speed, peak_force, impulse };

}  // namespace thud
