#include <thud/contact.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "statistics/robust.hpp"
#include "study/claims.hpp"

// Claims about the rebound: how much of the velocity is restored, and the phase between force and compression.

namespace thud::studying::verdicts {
namespace {

// Thresholds, with their reasons in docs/study.md.
constexpr double nearly_all = 0.9;          // fraction that counts as "all", with room for outliers
constexpr double material_margin = 0.1;     // relative; the material's COR is not known better
constexpr double least_restitution = 1e-3;  // of a wall, which may restore nothing: it is divided by
constexpr double out_of_phase = 0.1;        // fraction of the compression phase after the peak
constexpr double still_compressed = 0.1;    // fraction of the largest depth
constexpr double small_cor = 0.15;          // [Wang22, (Sec. VII-C)]

Verdict too_few_fits(const Verdict& verdict, std::size_t trials) {
  return not_testable(verdict,
                      text("The viscoelastic law could be fitted to ", count(trials, "trial"), "; three are needed."));
}

// The material's COR in a trial: the simulated wall's own at the trial's velocity, or what the user says.
double material_restitution(const Study& study, const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  if (!trial.truth || !law) return study.material_restitution;
  try {
    return std::max(least_restitution, restitution(trial.truth->law, law->mass, trial.touch.v_exact));
  } catch (const InputError&) {  // a truth without a law
    return study.material_restitution;
  }
}

// r1: the cells' median CORs over the material's.                                 [Wang22, (sec:validation)]
Verdict judge_material(const Study& study, const Verdict& verdict) {
  const Quantity cor = restitution_by(LawKind::viscoelastic);
  double largest = none;
  std::size_t cells = 0, trials = 0;
  std::string where;
  for (const auto& cell : study.cells) {
    const Quantity material = [&](const TrialStudy& trial) { return material_restitution(study, trial); };
    const auto here = values(study, cell, [&](const TrialStudy& trial) { return cor(trial) / material(trial); });
    if (here.empty()) continue;
    ++cells;
    trials += here.size();
    const double median = statistics::median(here);
    if (median <= largest) continue;
    largest = median;
    where = text(number(statistics::median(values(study, cell, cor))), " in ", cell.configuration, " at ",
                 to_text(cell.speed), " m/s, where ",
                 study.trials[cell.trials.front()].truth ? "that of the simulated wall is " : "the material's is ",
                 number(statistics::median(values(study, cell, material))));
  }
  if (trials < min_trials) return too_few_fits(verdict, trials);
  return decided(verdict, largest, Side::below, 1 - material_margin, "1",
                 text("The largest median COR of ", count(cells, "cell"), " against the material's is ", where,
                      "; a tenth less is required of every cell."));
}

// Fraction of the compression phase that remains when the measured force peaks, by the viscoelastic v = 0. A law with
// negative damping, or a lead below the sampling period, counts as in phase.
double phase_lead(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  if (!law) return none;
  const double compression = law->start - trial.found.window.start + law->time_of_compression;
  const double lead = compression - trial.peak_time;
  if (law->status != FitStatus::converged || !(lead > trial.period)) return 0;
  return lead / compression;
}

// Depth over its maximum when the force is down to 1 % of its peak, by the viscoelastic law.
double residual_depth(const TrialStudy& trial) {
  const FitResult* law = trial.law(LawKind::viscoelastic);
  if (!law) return none;
  const auto profile = fitted_profile(*law);
  if (!profile) return 0;
  return -state(*profile, profile->end_of_force.time).compression / profile->end_of_compression->depth;
}

// r2.phase: trials whose force peaks well before the end of compression.            [Wang22, (sec:validation)]
Verdict judge_phase(const Study& study, const Verdict& verdict) {
  std::vector<double> leads;
  for (const auto& trial : study.trials)
    if (const double lead = phase_lead(trial); std::isfinite(lead)) leads.push_back(lead);
  if (leads.size() < min_trials) return too_few_fits(verdict, leads.size());
  const auto ahead =
      static_cast<std::size_t>(std::ranges::count_if(leads, [](double lead) { return lead > out_of_phase; }));
  const double fraction = static_cast<double>(ahead) / static_cast<double>(leads.size());
  return decided(verdict, fraction, Side::at_least, nearly_all, "1",
                 text("In ", std::to_string(ahead), " of ", count(leads.size(), "trial"), " more than ",
                      percent(out_of_phase), " of the compression phase is left when the force peaks (median ",
                      percent(statistics::median(leads)), "); ", percent(nearly_all), " are required."));
}

// r2.residual_compression: cells whose median trial is still compressed when the force has vanished.
Verdict judge_residual(const Study& study, const Verdict& verdict) {
  std::size_t above = 0, trials = 0;
  std::vector<double> medians;
  for (const auto& cell : study.cells) {
    const auto here = values(study, cell, residual_depth);
    if (here.empty()) continue;
    trials += here.size();
    medians.push_back(statistics::median(here));
    if (medians.back() > still_compressed) ++above;
  }
  if (trials < min_trials) return too_few_fits(verdict, trials);
  const auto [low, high] = std::ranges::minmax(medians);
  const double fraction = static_cast<double>(above) / static_cast<double>(medians.size());
  return decided(
      verdict, fraction, Side::at_least, nearly_all, "1",
      text("In ", std::to_string(above), " of ", count(medians.size(), "cell"), " more than ",
           percent(still_compressed), " of the largest depth is left at 1 % of the peak force (cell medians ",
           percent(low), " to ", percent(high), "); ", percent(nearly_all), " are required."));
}

// small_restitution: trials to which the rule of [Wang22, (Sec. VII-C)] applies.
Verdict judge_small_restitution(const Study& study, const Verdict& verdict) {
  std::size_t trials = 0, small = 0;
  double largest = 0;
  for (const auto& trial : study.trials) {
    const FitResult* law = trial.law(LawKind::viscoelastic);
    if (!law || std::isnan(law->restitution)) continue;  // read as k/(c|v0|), a negative damping has none
    if (!small_restitution(trial.touch.ratio, trial.touch.v_exact)) continue;
    ++trials;
    if (law->restitution < small_cor) ++small;
    largest = std::max(largest, law->restitution);
  }
  if (trials < min_trials)
    return not_testable(verdict,
                        text("The rule applies to ", count(trials, "trial"), " with a fit; three are needed."));
  const double fraction = static_cast<double>(small) / static_cast<double>(trials);
  return decided(verdict, fraction, Side::at_least, nearly_all, "1",
                 text("The rule applies to ", count(trials, "trial"), ", and in ", std::to_string(small),
                      " of them the viscoelastic COR is below 0.15 (largest ", number(largest), "); ",
                      percent(nearly_all), " are required."));
}

constexpr Claim rebound_table[] = {
    {"r1", "VII", "The COR of the materials alone does not apply: a stiffly controlled arm rebounds less.",
     LawKind::viscoelastic, judge_material},
    {"r2.phase", "VII", "The potential energy does not peak with the contact force: the force peaks first.",
     LawKind::viscoelastic, judge_phase},
    {"r2.residual_compression", "VII", "The contact force is back at zero before the compression is.",
     LawKind::viscoelastic, judge_residual},
    {"small_restitution", "VII-C",
     "COR < 0.15 may be assumed where e_a > 0.85 and the contact velocity is above 0.1 m/s.", LawKind::viscoelastic,
     judge_small_restitution},
};

}  // namespace

std::span<const Claim> rebound_claims() {
  return rebound_table;
}

}  // namespace thud::studying::verdicts
