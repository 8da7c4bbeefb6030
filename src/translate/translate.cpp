#include <thud/error.hpp>
#include <thud/translate.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

#include "foundation/require.hpp"
#include "translate/contact_model.hpp"
#include "translate/matched.hpp"
#include "translate/snippet.hpp"

namespace THUD_EXPORT thud {
using namespace translating;
namespace {

/// The viscoelastic law that this one is, if it is one: also a spring that gives all back.
std::optional<Viscoelastic> as_viscoelastic(const ContactLaw& law) {
  if (const auto* same = std::get_if<Viscoelastic>(&law)) return *same;
  if (const auto* general = std::get_if<HuntCrossley>(&law); general && general->exponent == 1)
    return Viscoelastic{general->stiffness, general->damping};
  if (const auto* spring = std::get_if<Spring>(&law); spring && spring->restitution == 1)
    return Viscoelastic{spring->stiffness, 0};
  return std::nullopt;
}

/// The simulator's model that is this very law, where it has it.
std::optional<ContactModel> same_law(const ContactLaw& law, double mass, Simulator simulator) {
  const std::optional<Viscoelastic> found = as_viscoelastic(law);
  if (!found || (found->damping > 0 && simulator != Simulator::drake)) return std::nullopt;
  if (simulator == Simulator::mujoco) return ContactModel{simulator, found->stiffness / mass, 0};
  return ContactModel{simulator, found->stiffness, found->damping / found->stiffness};
}

struct Quantity {
  const char* name;
  double HitOutcome::*field;
};
constexpr Quantity quantities[] = {
    {"peak", &HitOutcome::peak}, {"duration", &HitOutcome::duration}, {"restitution", &HitOutcome::restitution}};

/// "duration -12 %, ..." of what is not the law's.
std::string differences(const Translation& translation) {
  std::string text;
  for (const auto& [name, field] : quantities) {
    if (std::find(translation.matched.begin(), translation.matched.end(), name) != translation.matched.end()) continue;
    const double of_law = translation.of_law.*field, here = translation.of_simulator.*field;
    const double off = 100 * (here / of_law - 1);
    if (!text.empty()) text += ", ";
    text.append(name).append(" ");
    if (of_law == 0)
      text.append(to_text(here, 3)).append(" instead of 0");
    else
      text.append(off > 0 ? "+" : "").append(to_text(off, 3)).append(" %");
  }
  return text;
}

std::vector<Warning> warnings_of(const Translation& translation, bool same_law, bool damped_by_step,
                                 bool step_in_vain) {
  const std::string simulator(to_string(translation.simulator)), law(to_string(kind_of(translation.law)));
  std::vector<Warning> all;
  if (!translation.exact) {
    const std::string off = differences(translation);
    all.push_back(
        {WarningCode::nearest_contact, simulator,
         (same_law ? simulator + " has the " + law + " contact, but the step changes what it does: the nearest"
                   : simulator + " has no " + law + " contact: the nearest") +
             ", at this mass and speed" + (off.empty() ? "" : "; off by: " + off)});
  }
  if (translation.of_law.restitution > 1)
    all.push_back({WarningCode::energy_created, law, "no simulator gives back more than it takes: restitution 1"});
  if (translation.step) {
    const double samples = translation.of_law.duration / *translation.step;
    if (samples < 10)
      all.push_back({WarningCode::coarse_step, simulator,
                     "the contact takes " + to_text(samples, 2) + " steps: the peak is " +
                         to_text(translation.lowest.peak, 3) + " to " + to_text(translation.highest.peak, 3) +
                         " N, by where in a step the touch falls"});
    if (damped_by_step) all.push_back({WarningCode::coarse_step, simulator, "the step itself damps more than the law"});
    if (step_in_vain)
      all.push_back({WarningCode::coarse_step, simulator,
                     "no parameters give the law's peak and restitution at this step: those of small steps"});
  }
  return all;
}

}  // namespace

std::string_view to_string(Simulator simulator) noexcept {
  constexpr std::string_view names[] = {"mujoco", "drake", "gazebo", "bullet"};
  return names[static_cast<std::size_t>(simulator)];
}

std::optional<Simulator> simulator_from_name(std::string_view name) noexcept {
  for (const Simulator each : all_simulators)
    if (to_string(each) == name) return each;
  return std::nullopt;
}

std::string simulator_names() {
  std::string text;
  for (const Simulator each : all_simulators) {
    if (each != all_simulators[0]) text += each == Simulator::bullet ? " or " : ", ";
    text += to_string(each);
  }
  return text;
}

HitOutcome law_outcome(const ContactLaw& law, double mass, double speed) {
  foundation::require_positive("speed", speed);
  const ForceProfile profile = force_profile(law, mass, -speed);
  return {profile.peak.force, profile.end_of_force.time, profile.restitution};
}

HitOutcome simulated_outcome(const Translation& translation, double mass, double speed) {
  foundation::require_positive("mass", mass);
  foundation::require_positive("speed", speed);
  const ContactModel model = model_of(translation);
  return translation.step ? stepped_outcome(model, mass, speed, *translation.step).mean : outcome(model, mass, speed);
}

Translation translate(const ContactLaw& law, double mass, double speed, Simulator to, const TranslateOptions& options) {
  Translation result;
  result.law = law;
  result.mass = mass;
  result.speed = speed;
  result.simulator = to;
  result.step = options.step;
  result.of_law = law_outcome(law, mass, speed);
  const HitOutcome& target = result.of_law;
  if (options.step) {
    foundation::require_positive("step", *options.step);
    constexpr double most = 2e4;  // steps in contact; finer ones do what an exact integration does
    if (*options.step * most < target.duration)
      throw InputError("step", *options.step,
                       "must be more than " + to_text(target.duration / most, 3) +
                           " s, 1/20000 of this contact; without it, parameters of small steps");
  }

  const std::optional<ContactModel> same = same_law(law, mass, to);
  result.exact = same.has_value();
  const Impedance impedance = options.constant_impedance ? Impedance::constant : Impedance::growing;
  ContactModel model = same ? *same : matched(to, target, mass, speed, impedance);
  bool step_in_vain = false;
  if (options.step) {
    const std::optional<ContactModel> stepped = matched_at_step(model, target, mass, speed, *options.step);
    step_in_vain = !stepped;
    if (stepped) model = *stepped;
    result.exact = false;
    const SteppedOutcome found = stepped_outcome(model, mass, speed, *options.step);
    result.of_simulator = found.mean;
    result.lowest = found.lowest;
    result.highest = found.highest;
  } else {
    result.of_simulator = result.lowest = result.highest = outcome(model, mass, speed);
  }
  constexpr double near = 1e-4;  // of a quantity: as near as a root at a step is looked for
  for (const auto& [name, field] : quantities)
    if (std::abs(result.of_simulator.*field - target.*field) <= near * target.*field) result.matched.emplace_back(name);
  result.parameters = parameters_of(model, options.step);
  result.snippet = snippet_of(model, options.step);
  const bool damped_by_step = options.step && !step_in_vain && model.damping == 0 &&
                              result.of_simulator.restitution < target.restitution * (1 - near);
  result.warnings = warnings_of(result, same.has_value(), damped_by_step, step_in_vain);
  return result;
}

}  // namespace thud
