#include <thud/error.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cmath>

#include "contact/laws.hpp"
#include "foundation/require.hpp"

namespace THUD_EXPORT thud {
using namespace contact;
namespace {

using namespace laws;

// The impact at an instant, in SI units.
template <class Law, class Motion>
ContactState state_at(const Law& law, const ForceProfile& profile, const Units& unit, double time, Motion&& motion) {
  if (!std::isfinite(time)) throw InputError("time", time, "must be finite");

  // Free flight before and after
  const auto& end = profile.end_of_contact;
  if (time < 0) return {time, 0, profile.velocity * time, profile.velocity, 0, profile.energy.initial, 0, 0};
  if (end && time >= end->time) {
    const double x = -permanent_set(law, profile) * unit.length + end->velocity * (time - end->time);
    return {time, 0, x, end->velocity, profile.impulse.total, profile.energy.final, 0, profile.energy.dissipated};
  }

  const UnitState state = motion(time / unit.time);
  return {time,
          state.force * unit.force,
          -state.depth * unit.length,
          -state.rate * unit.speed,
          (1 - state.rate) * unit.momentum,
          state.rate * state.rate / 2 * unit.energy,
          state.potential * unit.energy,
          state.dissipated * unit.energy};
}

// The profile in SI units. `ends`: whether the contact ends.
template <class Law>
inline ForceProfile assemble(const Law& law, double mass, double velocity, double end_fraction, const Units& unit,
                             const UnitImpact& impact, bool ends) {
  const double e = impact.restitution;
  return {.law = law,
          .mass = mass,
          .velocity = velocity,
          .restitution = e,
          .peak = {impact.peak * unit.time, impact.peak_force * unit.force},
          .end_of_compression =
              ends ? std::optional(EndOfCompression{impact.compression * unit.time, impact.depth * unit.length,
                                                    impact.deepest_force * unit.force})
                   : std::nullopt,
          .end_of_contact = ends ? std::optional(EndOfContact{impact.end * unit.time, e * unit.speed}) : std::nullopt,
          .end_of_force = {impact.end_of_force * unit.time, end_fraction},
          .impulse = {(1 - impact.peak_rate) * unit.momentum, ends ? std::optional(unit.momentum) : std::nullopt,
                      (1 + e) * unit.momentum},
          .energy = {unit.energy / 2, impact.stored_max * unit.energy, impact.dissipated * unit.energy,
                     e * e / 2 * unit.energy}};
}

template <class Law>
ForceProfile profile_of(const Law& law, double mass, double velocity, double end_fraction) {
  require_valid(law);
  foundation::require_positive("mass", mass);
  foundation::require_approach(velocity);
  if (!(end_fraction > 0 && end_fraction < 1))
    foundation::refuse("end_fraction", end_fraction, "must be between 0 and 1");
  const UnitImpact impact = solve(law, mass, velocity, end_fraction);
  return assemble(law, mass, velocity, end_fraction, units_of(law, mass, velocity), impact, impact.end < never);
}

// Not inlined, so that the tabulated path does not pay for what only the quadratures need.
[[gnu::noinline]] ForceProfile solved_profile(const ContactLaw& law, double mass, double velocity,
                                              double end_fraction) {
  return std::visit([&](const auto& concrete) { return profile_of(concrete, mass, velocity, end_fraction); }, law);
}

// One number of a law, by a separate load. A caller may just have written both numbers by two stores; a single load of
// the pair would defeat store forwarding and stall for longer than the rest takes.
double load_scalar(const volatile double& number) {
  return number;
}

}  // namespace

ForceProfile force_profile(const ContactLaw& law, double mass, double velocity, double end_fraction) {
  const auto* concrete = std::get_if<Viscoelastic>(&law);
  if (!concrete || end_fraction != tabulated_fraction) return solved_profile(law, mass, velocity, end_fraction);
  const Viscoelastic viscoelastic{load_scalar(concrete->stiffness), load_scalar(concrete->damping)};
  const auto& [k, c] = viscoelastic;
  const double d = damping_number(viscoelastic, velocity);
  const EventCell* cell = ready_event_cell(d);
  // All checks at once. If the sum is not finite, a term is not, or terms are near the largest double: the other
  // branch, which checks them one by one, decides.
  const bool valid =
      std::min({k, mass, -velocity}) > 0 && c >= 0 && k + c + mass - velocity <= foundation::largest_double;
  if (!cell || !valid) return solved_profile(law, mass, velocity, end_fraction);  // fills the cell, or throws
  const UnitEvents at = cell->at(d);
  return assemble(viscoelastic, mass, velocity, tabulated_fraction, units_of(viscoelastic, mass, velocity),
                  unit_impact(at, d, 1, at.peak_depth, at.depth), true);
}

ContactState state(const ForceProfile& profile, double time) {
  return std::visit(
      [&](const auto& law) {
        const Units unit = units_of(law, profile.mass, profile.velocity);
        return state_at(law, profile, unit, time, motion(law, profile, unit.time));
      },
      profile.law);
}

std::vector<ContactState> states(const ForceProfile& profile, const VectorRef& times) {
  std::vector<ContactState> out;
  out.reserve(static_cast<std::size_t>(times.size()));
  std::visit(
      [&](const auto& law) {
        const Units unit = units_of(law, profile.mass, profile.velocity);
        auto motion = motion_over(law, profile, unit.time);
        for (double time : times) out.push_back(state_at(law, profile, unit, time, motion));
      },
      profile.law);
  return out;
}

std::vector<Warning> warnings(const ForceProfile& profile) {
  const auto found = std::visit([&](const auto& law) { return warning(law, profile); }, profile.law);
  return found ? std::vector{*found} : std::vector<Warning>{};
}

}  // namespace thud
