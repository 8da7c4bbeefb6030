#include <thud/error.hpp>
#include <thud/identify.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/identifiability.hpp"
#include "fit/reported.hpp"

namespace THUD_EXPORT thud {
using namespace fitting;
namespace {

// Half as many quiet samples on either side as there are in contact: without those after it, the noise would decide
// where the record ends, and the fit would be overconfident.
Record samples(const Record& record, const ContactWindow& window) {
  const std::size_t half = (window.last - window.first + 1) / 2;
  return contact_samples(record, window, std::min(window.quiet, half), std::min(window.quiet_after, half));
}

// What a law cannot explain, if its interval rules the rest out; a fit without an interval is taken by its value.
void warn(const FitResult& law, std::vector<Warning>& warnings) {
  const std::string name(to_string(law.kind));
  const auto parameter = [&](std::string_view wanted) {
    return *std::find_if(law.parameters.begin(), law.parameters.end(),
                         [&](const FitParameter& each) { return each.name == wanted; });
  };
  if (law.kind == LawKind::spring && law.ok() && law.restitution > 1 && !(parameter("restitution").low <= 1))
    warnings.push_back({WarningCode::energy_created, name,
                        "spring needs a restitution of " + to_text(law.restitution, 4) +
                            " > 1: the force falls slower than it rises, which this law cannot explain"});
  if (law.status != FitStatus::negative_damping) return;
  // Maxwell's dashpot is rigid where it is infinitely strong, any other damping is absent where it is 0.
  const FitParameter damping = parameter("damping");
  const bool may_be_none = law.kind == LawKind::maxwell ? std::isinf(damping.low) : damping.high >= 0;
  warnings.push_back({WarningCode::energy_created, name,
                      may_be_none
                          ? name + " comes out with a negative damping, which the record cannot distinguish from zero"
                          : name + " needs a negative damping: it would have to create energy"});
}

// Why no law converged, where all have the same reason.
std::string no_fit(const std::vector<FitResult>& laws) {
  const auto same = [&](const FitResult& law) { return law.message == laws.front().message; };
  return "no law converged" + (std::all_of(laws.begin(), laws.end(), same) ? ": " + laws.front().message : "");
}

}  // namespace

Identification identify(const Record& record, double velocity, const FitOptions& options, std::optional<LawKind> kind,
                        const ContactOptions& where) {
  return identify(record, find_contact(record, where), velocity, options, kind);
}

Identification identify(const Record& record, const ContactWindow& window, double velocity, const FitOptions& options,
                        std::optional<LawKind> kind) {
  Identification found;
  found.window = window;
  found.warnings = record.notes;
  found.warnings.insert(found.warnings.end(), window.notes.begin(), window.notes.end());
  if (!usable(window)) {
    found.warnings.push_back({WarningCode::no_contact, {}, "no contact to fit: " + window.message});
    return found;
  }
  if (window.status != ContactStatus::found)
    found.warnings.push_back({WarningCode::incomplete_contact, {}, window.message});
  found.contact = samples(record, window);

  const auto n = static_cast<Eigen::Index>(found.contact.time.size());
  const Eigen::Map<const Eigen::VectorXd> time(found.contact.time.data(), n), force(found.contact.force.data(), n);
  if (kind) {
    found.laws = {fit(time, force, *kind, velocity, options)};
    if (found.laws.front().status == FitStatus::converged) found.best = kind;
  } else {
    FittedLaws all = fit_all(time, force, velocity, options);
    found.laws = std::move(all.laws);
    found.best = all.best;
  }
  for (const auto& law : found.laws) {
    warn(law, found.warnings);
    if (found.best != law.kind && !(kind && law.ok())) continue;
    warn_of_poor_fit(law, found.warnings);
    warn_of_unidentified(law, !options.mass, found.warnings);
  }
  if (!found.best) found.warnings.push_back({WarningCode::no_fit, {}, no_fit(found.laws)});
  return found;
}

}  // namespace thud
