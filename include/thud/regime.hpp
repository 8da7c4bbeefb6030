#pragma once

/// Which of the inverse-inertia models is near the truth at a hit, judged by the arm with elastic joints.
///
/// The matrices of inertia.hpp guess how stiff the joints are. How stiff they look depends on how long the contact
/// lasts against the oscillations of the links on their transmissions:
///
///   x = omega t_c,   omega^2 = j M^-1 K M^-1 j^T/(j M^-1 j^T)
///
/// omega is the frequency at which a push at the contact first meets the springs. A contact much shorter than 1/omega
/// meets links alone; one that lasts lets the motors come along. docs/models.md says how often the rule is right.

#include <thud/elastic_arm.hpp>
#include <thud/export.hpp>
#include <thud/inertia.hpp>

#include <limits>
#include <optional>

namespace THUD_EXPORT thud {

/// Where a hit lies. Of a hit that never turns, or of rigid transmissions, there is none.
struct Regime {
  double frequency = std::numeric_limits<double>::quiet_NaN();       ///< omega                                  [rad/s]
  double time = std::numeric_limits<double>::quiet_NaN();            ///< t_c, of the greatest depth             [s]
  double x = std::numeric_limits<double>::quiet_NaN();               ///< omega t_c                              [1]
  InertiaModel by_rule = InertiaModel::generalized_momentum;         ///< which is near by the rule below
  double effective_mass = std::numeric_limits<double>::quiet_NaN();  ///< of the arm up to t_c                   [kg]
  double impulse = std::numeric_limits<double>::quiet_NaN();         ///< up to t_c                              [N s]
};

/// Below the first, the generalized momentum is nearest; between the two, the composite rigid body; above the second,
/// the algebraic equation. From simulated plants: docs/models.md.
inline constexpr double regime_bounds[] = {1.9, 8.0};

/// The regime of a hit of this arm.
std::optional<Regime> regime(const ElasticArm& arm, const ElasticProfile& profile);

}  // namespace thud
