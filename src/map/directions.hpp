#pragma once

/// Masses of an inverse inertia from other sides. Private to the library.

#include <thud/conventions.hpp>
#include <thud/inertia.hpp>
#include <thud/map.hpp>

namespace thud::map {

/// direction_masses of a matrix; NaN if it is not finite.
DirectionMasses directions_of(const Matrix3& W, InertiaModel model);

/// Effective mass along a unit normal [kg], of a finite matrix; NaN where there is no motion that way.
double mass_along(const Matrix3& W, InertiaModel model, const Vector3& normal);

}  // namespace thud::map
