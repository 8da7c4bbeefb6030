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
Study shifted(const Study& as_fitted, LawKind kind, const WhichEnd& end) {
  Study study = without_records(as_fitted);
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

Study without_records(const Study& study) {
  Study light;
  light.source = study.source;
  light.robot = study.robot;
  light.seed = study.seed;
  light.planned = study.planned;
  light.material_restitution = study.material_restitution;
  light.configurations = study.configurations;
  light.speeds = study.speeds;
  light.robots = study.robots;
  light.cells = study.cells;
  light.arm = study.arm;
  light.trials.reserve(study.trials.size());
  for (const auto& trial : study.trials) {
    TrialStudy& copy = light.trials.emplace_back();
    copy.name = trial.name;
    copy.configuration = trial.configuration;
    copy.speed = trial.speed;
    copy.repeat = trial.repeat;
    copy.status = trial.status;
    copy.message = trial.message;
    copy.period = trial.period;
    copy.touch = trial.touch;
    copy.found.window = trial.found.window;
    copy.found.laws = trial.found.laws;
    copy.found.best = trial.found.best;
    copy.peak_force = trial.peak_force;
    copy.peak_time = trial.peak_time;
    copy.contact_time = trial.contact_time;
    copy.impulse_compression = trial.impulse_compression;
    copy.impulse_total = trial.impulse_total;
    copy.detection_delay = trial.detection_delay;
    copy.observer_delay = trial.observer_delay;
    copy.best_model = trial.best_model;
    copy.impulse_compression_best = trial.impulse_compression_best;
    copy.impulse_elastic = trial.impulse_elastic;
    copy.truth = trial.truth;
  }
  return light;
}

Untold untold_study(const Study& study, LawKind kind, std::size_t which) {
  const double middle = study.speeds[study.speeds.size() / 2];
  switch (which) {
    case 0:
      return {"at the low ends of their intervals", shifted(study, kind, [](double) { return End::low; })};
    case 1:
      return {"at the high ends of their intervals", shifted(study, kind, [](double) { return End::high; })};
    case 2:
      return {"at the low ends for the slower half of the speeds and the high ends for the faster",
              shifted(study, kind, [&](double speed) { return speed < middle ? End::low : End::high; })};
    default:
      return {"at the high ends for the slower half of the speeds and the low ends for the faster",
              shifted(study, kind, [&](double speed) { return speed < middle ? End::high : End::low; })};
  }
}

}  // namespace thud::studying
