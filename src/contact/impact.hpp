#pragma once

/// The impact under one law, in dimensionless form: what every law answers, and what most of them share. Private to the
/// library.
///
/// A law has a file of its own here, which overloads `restitution_of`, `solve` and `motion`, and those of the defaults
/// below in which it departs from the others, and has a `Series`. laws.hpp gathers them.
///
/// A Series is the law along a motion x(t), v(t) that is a power series in time, with the phases of the law as a wall
/// has them that is touched once: the force is analytic within a phase.
///
///   coefficient(i, x, v, f)  number i of the force's, from those of x and v up to i, of f before it
///   guard(x, v, f)           negative until the phase ends; of x, v and f at an instant
///   cross(x)                 the next phase begins
///   stored(x, f)             potential energy [J]
///
/// A law whose force may have no power series at first touch says so by singular(), and that it begins with leading(v0)
/// depth^exponent().

#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "foundation/require.hpp"

namespace thud::contact::laws {

using std::numbers::pi;

constexpr bool in_range(ParameterRange range, double value) {
  return (range == ParameterRange::positive ? value > 0 : value >= 0) && value <= foundation::largest_double;
}

/// Throws InputError for a parameter outside the range that the law's table states.
template <class Law>
void require_valid(const Law& law) {
  const auto check = [&]<std::size_t i>() {
    constexpr LawParameter<Law> parameter = Law::parameters[i];
    const double value = law.*parameter.field;
    if (!in_range(parameter.range, value))
      foundation::refuse(parameter.name.data(), value,
                         to_string(parameter.range).data());  // literals, hence null-terminated
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (check.template operator()<i>(), ...);
  }
  (std::make_index_sequence<std::size(Law::parameters)>());
}

/// The units that make an impact dimensionless.
struct Units {
  double time, speed, length, momentum, force, energy;
};

/// Events of the impact in those units.
struct UnitImpact {
  double peak, peak_force, peak_rate;        // rate s = -v/|v0|
  double compression, depth, deepest_force;  // infinite times for a contact that never ends
  double end, end_of_force;
  double restitution, stored_max, dissipated;
};

/// The highest power of time in a Series.
inline constexpr int series_order = 24;

inline constexpr double never = std::numeric_limits<double>::infinity();

template <class Law>
Units units_of(const Law& law, double mass, double velocity) {
  const double time = std::sqrt(mass / law.stiffness), speed = -velocity, momentum = mass * speed;
  return {time, speed, speed * time, momentum, speed * law.stiffness * time, momentum * speed};
}

/// Defaults for most laws: no depth remains when the force has vanished [|v0| T], and there is no warning.
template <class Law>
double permanent_set(const Law&, const ForceProfile&) {
  return 0;
}
template <class Law>
std::optional<Warning> warning(const Law&, const ForceProfile&) {
  return std::nullopt;
}

}  // namespace thud::contact::laws
