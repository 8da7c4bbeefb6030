#pragma once

/// A simulator's contact with the peak, restitution and, where it has the freedom, duration that are asked for.

#include <optional>

#include "translate/contact_model.hpp"

namespace thud::translating {

/// Restitutions below it would take a damping without bound.
inline constexpr double least_restitution = 0.01;

enum class Impedance { constant, growing };

/// By an exact integration. A restitution outside [least_restitution, 1] is replaced by the nearer bound, a duration
/// that growing impedance does not reach by the nearest that it does.
ContactModel matched(Simulator simulator, const HitOutcome& target, double mass, double speed, Impedance impedance);

/// The same model with stiffness and damping changed so that peak and restitution are the target's at a step, on
/// average over where in a step the touch falls; without damping, the peak's alone where the step damps more than that.
/// None where no such model is near.
std::optional<ContactModel> matched_at_step(const ContactModel& model, const HitOutcome& target, double mass,
                                            double speed, double step);

}  // namespace thud::translating
