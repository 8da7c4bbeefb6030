#include "study/as_in_paper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "study/cells.hpp"
#include "study/verdicts.hpp"

namespace thud::studying {
namespace {

// Claims that rest on the viscoelastic COR, of which there are two readings.
constexpr std::array<std::string_view, 3> by_restitution{"c1.viscoelastic", "r1", "small_restitution"};

// Fits again, with the mass known.
void fit_again(const Trial& trial, double mass, TrialStudy& result) {
  result.impulse_compression = std::numeric_limits<double>::quiet_NaN();
  result.found.laws.clear();
  result.found.best.reset();
  if (!(mass > 0)) return;
  result.found = identify(trial.force, result.found.window, result.touch.v_exact, {.mass = mass});
  if (const FitResult* law = result.law(LawKind::viscoelastic))
    result.impulse_compression = law->measured_impulse_compression;
}

// The same study with k/(c|v0|) for the exact COR of the viscoelastic law.            [Wang22, (coe_property)]
Study by_asymptotic_restitution(Study study) {
  for (auto& trial : study.trials)
    for (auto& law : trial.found.laws)
      if (law.kind == LawKind::viscoelastic && law.ok())
        law.restitution = law.status == FitStatus::converged
                              ? restitution_asymptotic(std::get<Viscoelastic>(law.law), trial.touch.v_exact)
                              : std::numeric_limits<double>::quiet_NaN();
  return study;
}

}  // namespace

std::vector<PaperVerdict> judge_as_in_paper(const StudySetup& setup, const std::vector<Trial>& trials,
                                            const std::vector<Robot>& robots, const Study& study) {
  Study known = study;
  for (const auto& cell : study.cells)
    for (const std::size_t i : cell.trials)
      fit_again(trials[i], cell.predictions.front()[InertiaModel::composite_rigid_body].inertia.effective_mass(),
                known.trials[i]);
  known.cells = study_cells(setup, known.trials, robots, nullptr);
  const std::vector<Verdict> exact = judge(known), asymptotic = judge(by_asymptotic_restitution(known));
  std::vector<PaperVerdict> all;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    PaperVerdict& both = all.emplace_back(PaperVerdict{exact[i], {}});
    if (std::ranges::find(by_restitution, exact[i].claim) != by_restitution.end()) both.asymptotic = asymptotic[i];
  }
  return all;
}

}  // namespace thud::studying
