#include <thud/error.hpp>
#include <thud/study.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "foundation/parallel_for.hpp"
#include "study/arm.hpp"
#include "study/as_in_paper.hpp"
#include "study/cells.hpp"
#include "study/objects.hpp"
#include "study/trial.hpp"
#include "study/truth.hpp"
#include "study/verdicts.hpp"

namespace THUD_EXPORT thud {
using namespace studying;
namespace {

void check(const Dataset& dataset, const std::vector<std::optional<Truth>>& truth, const StudyOptions& options,
           const RunOptions& run) {
  validate(dataset);
  if (!truth.empty() && truth.size() != dataset.trials.size())
    throw InputError("truth", std::to_string(truth.size()) + " entries",
                     "must be none, or one for each of " + std::to_string(dataset.trials.size()) + " trials");
  if (!(options.material_restitution > 0 && options.material_restitution <= 1))
    throw InputError("material_restitution", options.material_restitution, "must be in (0, 1]");
  if (options.friction && !(*options.friction >= 0 && std::isfinite(*options.friction)))
    throw InputError("friction", *options.friction, "must be finite and >= 0");
  if (options.object_restitution && !(*options.object_restitution >= 0 && *options.object_restitution <= 1))
    throw InputError("object_restitution", *options.object_restitution, "must be in [0, 1]");
  if (run.jobs < 0) throw InputError("jobs", std::to_string(run.jobs), "must be at least 0");
}

/// The robot whose model evaluates the dataset.
const Robot& evaluating_robot(const Robot& own, const Dataset& dataset, const StudyOptions& options) {
  if (!options.robot) return own;
  if (options.robot->size() != own.size())
    throw InputError(
        "robot", options.robot->name(),
        "has " + std::to_string(options.robot->size()) + " joints where the dataset has " + std::to_string(own.size()));
  validate(*options.robot, dataset.header.point);
  return *options.robot;
}

bool same_joints(const Robot& a, const Robot& b) {
  return std::ranges::equal(a.joints(), b.joints(), {}, &Joint::name, &Joint::name);
}

bool same_inertias(const Robot& a, const Robot& b) {
  return std::ranges::equal(a.bodies(), b.bodies(), [](const BodyInertia& one, const BodyInertia& other) {
    return one.mass == other.mass && one.com == other.com && one.inertia == other.inertia;
  });
}

bool has_frame(const Robot& robot, const std::string& name) {
  return std::ranges::find(robot.frames(), name, &Frame::name) != robot.frames().end();
}

// The evaluating robot, the dataset's robot if different, and the shipped Pandas if they have the same joints.
std::vector<Robot> inertia_sets(const Robot& evaluating, const Robot& own, const Dataset& dataset,
                                std::vector<Warning>& warnings) {
  std::vector<Robot> sets{evaluating};
  std::vector<Robot> others{own};
  for (const char* name : {"panda", "panda_fer", "panda_gaz"}) others.push_back(load_robot(name));
  for (auto& other : others) {
    const bool known = std::ranges::any_of(
        sets, [&](const Robot& set) { return same_joints(set, other) && same_inertias(set, other); });
    if (known || !same_joints(evaluating, other)) continue;
    if (has_frame(other, dataset.header.point.frame))
      sets.push_back(std::move(other));
    else
      warnings.push_back(
          {WarningCode::robot_left_out, other.name(),
           other.name() + " has no link " + dataset.header.point.frame + " and is left out of the predictions"});
  }
  return sets;
}

// Unique names: a shipped robot may have the name of the dataset's robot.
std::vector<std::string> set_names(const std::vector<Robot>& sets) {
  std::vector<std::string> names;
  for (const auto& set : sets) {
    std::string name = set.name();
    while (std::ranges::find(names, name) != names.end()) name += " (other)";
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<TrialStudy> study_trials(const StudySetup& setup, const std::vector<Trial>& trials, const RunOptions& run) {
  std::vector<TrialStudy> results(trials.size());
  std::size_t done = 0;
  foundation::parallel_for(
      trials.size(), run.jobs, [&](std::size_t i) { return study_trial(setup, trials[i]); },
      [&](std::size_t i, TrialStudy result) {
        results[i] = std::move(result);
        ++done;
        if (run.progress) run.progress(done, trials.size());
      },
      run.stop);
  if (done < trials.size()) throw Interrupted();
  return results;
}

// Progress of one of several parts that take as long each.
RunOptions share_of(const RunOptions& run, std::size_t part, std::size_t parts) {
  RunOptions share = run;
  if (run.progress)
    share.progress = [&run, part, parts](std::size_t done, std::size_t all) {
      run.progress(part * all + done, parts * all);
    };
  return share;
}

// One warning per kind, with the number of trials, instead of one per trial.
void warn(const Study& study, std::vector<Warning>& warnings) {
  if (study.trials.size() < study.planned)
    warnings.push_back({WarningCode::dataset_unfinished, "",
                        "the dataset is not complete: " + std::to_string(study.trials.size()) + " of " +
                            std::to_string(study.planned) + " trials exist"});
  struct Occurrence {
    WarningCode code;
    std::size_t trials = 0;
  };
  std::map<std::string, Occurrence> occurrences;
  const auto count = [&](WarningCode code, const std::string& sentence) {
    ++occurrences.try_emplace(sentence, Occurrence{code}).first->second.trials;
  };
  for (const auto& trial : study.trials) {
    if (!trial.ok()) {
      count(WarningCode::trials_left_out, "left out: " + trial.message);
      continue;
    }
    if (trial.touch.source == VelocitySource::reference)
      count(WarningCode::reference_velocity,
            "no joint log before the touch; the reference speed and the nominal posture stand in");
    for (const auto& warning : trial.warnings) count(warning.code, warning.text);
  }
  for (const auto& [sentence, occurrence] : occurrences)
    warnings.push_back(
        {occurrence.code, "",
         std::to_string(occurrence.trials) + (occurrence.trials == 1 ? " trial: " : " trials: ") + sentence});
}

// Where no trial has a force record, that is why nothing can be said about forces.
void explain_missing_forces(Study& study) {
  const auto without = [](const TrialStudy& trial) { return trial.status == TrialStatus::no_force; };
  if (study.trials.empty() || !std::ranges::all_of(study.trials, without)) return;
  const auto explain = [](Verdict& verdict) {
    if (verdict.judgement == Judgement::not_testable) verdict.why = "no trial has a force record";
  };
  std::ranges::for_each(study.verdicts, explain);
  std::ranges::for_each(study.beyond, explain);
  for (auto& both : study.verdicts_as_in_paper) {
    explain(both.exact);
    if (both.asymptotic) explain(*both.asymptotic);
  }
}

}  // namespace

std::string_view to_string(VelocitySource source) noexcept {
  return source == VelocitySource::joints ? "joints" : "reference";
}

std::string_view to_string(TrialStatus status) noexcept {
  switch (status) {
    case TrialStatus::ok:
      return "ok";
    case TrialStatus::no_force:
      return "no_force";
    case TrialStatus::no_contact:
      return "no_contact";
    case TrialStatus::no_approach:
      return "no_approach";
    case TrialStatus::not_approachable:
      return "not_approachable";
    case TrialStatus::not_run:
      break;
  }
  return "not_run";
}

const FitResult* TrialStudy::law(LawKind kind) const noexcept {
  const auto fit = std::ranges::find(found.laws, kind, &FitResult::kind);
  return fit != found.laws.end() && fit->ok() ? &*fit : nullptr;
}

std::string_view to_string(Judgement judgement) noexcept {
  switch (judgement) {
    case Judgement::supported:
      return "supported";
    case Judgement::not_supported:
      return "not supported";
    case Judgement::not_testable:
      break;
  }
  return "not testable";
}

Study study(const Dataset& dataset, const std::vector<std::optional<Truth>>& truth, const StudyOptions& options,
            const RunOptions& run) {
  check(dataset, truth, options, run);
  const Robot own = parse_urdf(dataset.header.urdf, dataset.header.robot);
  const Robot& robot = evaluating_robot(own, dataset, options);
  const StudySetup setup{dataset.header, robot};

  Study result;
  result.source = dataset.header.source;
  result.robot = dataset.header.robot;
  if (result.source == DataSource::simulated) result.seed = dataset.header.seed;
  result.planned = dataset.header.plan.size();
  result.material_restitution = options.material_restitution;
  result.configurations = dataset.header.configurations;
  const std::vector<Robot> sets = inertia_sets(robot, own, dataset, result.warnings);
  result.robots = set_names(sets);

  const auto drives = known_drives(dataset.header, robot, options);
  result.trials = study_trials(setup, dataset.trials, share_of(run, 0, drives ? 2 : 1));
  std::set<double> speeds;
  for (const auto& trial : result.trials) speeds.insert(trial.speed);
  result.speeds.assign(speeds.begin(), speeds.end());
  warn(result, result.warnings);
  if (drives) study_arm(setup, dataset.trials, *drives, share_of(run, 1, 2), result);
  std::ranges::for_each(result.trials, take_best_model);
  result.cells = study_cells(setup, result.trials, sets, drives ? &drives->drives : nullptr);
  result.objects = study_objects(setup, dataset.trials, drives ? &drives->drives : nullptr, options);

  // so late that nothing above can use it; r1 compares with the wall's own COR, no other verdict uses it
  for (std::size_t i = 0; i < truth.size(); ++i) result.trials[i].truth = truth[i];
  result.verdicts = judge(result);
  result.verdicts_as_in_paper = judge_as_in_paper(setup, dataset.trials, sets, result, run);
  result.beyond = judge_beyond(result);
  explain_missing_forces(result);
  if (std::ranges::any_of(truth, [](const auto& one) { return one.has_value(); }))
    result.truth = study_truth(result, dataset.header);
  if (result.truth && result.objects)
    for (auto& each : truth_of_objects(result)) result.truth->push_back(std::move(each));
  return result;
}

}  // namespace thud
