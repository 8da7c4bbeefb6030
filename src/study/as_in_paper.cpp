#include "study/as_in_paper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "foundation/parallel_for.hpp"
#include "study/cells.hpp"
#include "study/untold.hpp"
#include "study/verdicts.hpp"

namespace thud::studying {
namespace {

// Claims that rest on the viscoelastic COR, of which there are two readings.
constexpr std::array<std::string_view, 3> by_restitution{"c1.viscoelastic", "r1", "small_restitution"};

// The laws that claims rest on, fitted again with the mass known.
std::vector<FitResult> fitted_again(double mass, const TrialStudy& result) {
  std::vector<FitResult> laws;
  if (!(mass > 0)) return laws;
  const Record& contact = result.found.contact;
  const auto n = static_cast<Eigen::Index>(contact.time.size());
  const Eigen::Map<const Eigen::VectorXd> time(contact.time.data(), n), force(contact.force.data(), n);
  for (const LawKind kind : {LawKind::spring, LawKind::maxwell, LawKind::viscoelastic})
    laws.push_back(fit(time, force, kind, result.touch.v_exact, {.mass = mass}));
  return laws;
}

// k/(c|v0|) is 1/d, of the ends of the interval too.
void read_asymptotically(FitResult& law) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto reading = [](double e) { return e > 0 && e < 1 ? 1 / damping_of(e) : none; };
  law.restitution =
      law.status == FitStatus::converged ? restitution_asymptotic(std::get<Viscoelastic>(law.law), law.velocity) : none;
  law.restitution_low = reading(law.restitution_low);
  law.restitution_high = reading(law.restitution_high);
}

// The same study with k/(c|v0|) for the exact COR of the viscoelastic law.            [Wang22, (coe_property)]
Study by_asymptotic_restitution(Study study) {
  for (auto& trial : study.trials)
    for (auto& law : trial.found.laws)
      if (law.kind == LawKind::viscoelastic && law.ok()) read_asymptotically(law);
  return study;
}

}  // namespace

std::vector<PaperVerdict> judge_as_in_paper(const StudySetup& setup, const std::vector<Robot>& robots,
                                            const Study& study, const RunOptions& run) {
  Study known = without_records(study);
  std::vector<std::pair<std::size_t, double>> again;  // trial and mass
  for (const auto& cell : study.cells)
    for (const std::size_t i : cell.trials)
      again.emplace_back(i, cell.predictions.front()[InertiaModel::composite_rigid_body].inertia.effective_mass());
  std::size_t done = 0;
  foundation::parallel_for(
      again.size(), run.jobs,
      [&](std::size_t k) { return fitted_again(again[k].second, study.trials[again[k].first]); },
      [&](std::size_t k, std::vector<FitResult> laws) {
        TrialStudy& trial = known.trials[again[k].first];
        trial.found.laws = std::move(laws);
        trial.found.best.reset();
        const FitResult* law = trial.law(LawKind::viscoelastic);
        trial.impulse_compression = law ? law->measured_impulse_compression : std::numeric_limits<double>::quiet_NaN();
        ++done;
      },
      run.stop);
  if (done < again.size()) throw Interrupted();
  known.cells = study_cells(setup, known.trials, robots, nullptr);
  const std::vector<Verdict> exact = judge(known), asymptotic = judge(by_asymptotic_restitution(std::move(known)));
  std::vector<PaperVerdict> all;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    PaperVerdict& both = all.emplace_back(PaperVerdict{exact[i], {}});
    if (std::ranges::find(by_restitution, exact[i].claim) != by_restitution.end()) both.asymptotic = asymptotic[i];
  }
  return all;
}

}  // namespace thud::studying
