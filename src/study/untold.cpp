#include "study/untold.hpp"

#include <thud/contact.hpp>
#include <thud/profile.hpp>
#include <thud/spread.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

namespace thud::studying {
namespace {

enum class End { low, high };

// Damping and what it decides, for a viscoelastic COR e. The force still peaks when it does; how long the compression
// lasts in these times is a matter of d alone.
void set_shape(double e, FitResult& law) {
  auto& viscoelastic = std::get<Viscoelastic>(law.law);
  if (e >= 1) {
    law.status = FitStatus::negative_damping;
    return;
  }
  law.status = FitStatus::converged;
  viscoelastic.damping = damping_of(e) * viscoelastic.stiffness / -law.velocity;
  const ForceProfile profile = force_profile(viscoelastic, law.mass, law.velocity);
  law.time_of_compression = law.time_of_peak * profile.end_of_compression->time / profile.peak.time;
}

void shift(TrialStudy& trial, FitResult& law, End end) {
  const double before = law.restitution, e = end == End::low ? law.restitution_low : law.restitution_high;
  const double factor = (1 + before) / (1 + e);  // of the impulse
  law.restitution = e;
  for (auto& parameter : law.parameters)
    if (parameter.name == "restitution") parameter.value = parameter.low = parameter.high = e;
  law.measured_impulse_compression *= factor;
  if (trial.best_model == to_string(law.kind)) trial.impulse_compression_best *= factor;
  if (law.kind != LawKind::viscoelastic) return;
  trial.impulse_compression *= factor;
  set_shape(e, law);
}

// `end` says which, for a reference speed.
template <class WhichEnd>
Study shifted(Study study, LawKind kind, const WhichEnd& end) {
  for (auto& trial : study.trials)
    for (auto& law : trial.found.laws)
      if (law.kind == kind && is_untold(law)) shift(trial, law, end(trial.speed));
  for (auto& cell : study.cells) {
    std::vector<double> viscoelastic, best;
    for (const std::size_t i : cell.trials) {
      viscoelastic.push_back(study.trials[i].impulse_compression);
      best.push_back(study.trials[i].impulse_compression_best);
    }
    cell.impulse_compression = spread(viscoelastic);
    cell.impulse_compression_best = spread(best);
  }
  return study;
}

}  // namespace

bool is_untold(const FitResult& law) {
  const Identifiability told = law.restitution_identifiability;
  return law.ok() && told != Identifiability::identified && told != Identifiability::known &&
         std::isfinite(law.restitution_low + law.restitution_high);
}

double damping_of(double restitution) {
  double low = 0, high = 2 / restitution + 1;  // e < 1/d
  for (int i = 0; i < 60; ++i) {
    const double d = (low + high) / 2;
    (thud::restitution(Viscoelastic{1, d}, 1, -1) > restitution ? low : high) = d;
  }
  return (low + high) / 2;
}

std::size_t untold_trials(const Study& study, LawKind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(study.trials, [&](const TrialStudy& trial) {
    const FitResult* law = trial.law(kind);
    return law && is_untold(*law);
  }));
}

std::vector<Untold> untold_studies(const Study& study, LawKind kind) {
  if (untold_trials(study, kind) == 0) return {};
  const double middle = study.speeds[study.speeds.size() / 2];
  std::vector<Untold> all;
  all.push_back({"at the low ends of their intervals", shifted(study, kind, [](double) { return End::low; })});
  all.push_back({"at the high ends of their intervals", shifted(study, kind, [](double) { return End::high; })});
  all.push_back({"at the low ends for the slower half of the speeds and the high ends for the faster",
                 shifted(study, kind, [&](double speed) { return speed < middle ? End::low : End::high; })});
  all.push_back({"at the high ends for the slower half of the speeds and the low ends for the faster",
                 shifted(study, kind, [&](double speed) { return speed < middle ? End::high : End::low; })});
  return all;
}

}  // namespace thud::studying
