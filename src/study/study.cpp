#include <thud/error.hpp>
#include <thud/study.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "foundation/parallel_for.hpp"
#include "study/arm.hpp"
#include "study/as_in_paper.hpp"
#include "study/band.hpp"
#include "study/cells.hpp"
#include "study/objects.hpp"
#include "study/trial.hpp"
#include "study/trials.hpp"
#include "study/truth.hpp"
#include "study/verdicts.hpp"

namespace THUD_EXPORT thud {
using namespace studying;
namespace {

void check(const StudyOptions& options, const RunOptions& run) {
  if (!(options.material_restitution > 0 && options.material_restitution <= 1))
    throw InputError("material_restitution", options.material_restitution, "must be in (0, 1]");
  if (options.friction && !(*options.friction >= 0 && std::isfinite(*options.friction)))
    throw InputError("friction", *options.friction, "must be finite and >= 0");
  if (options.object_restitution && !(*options.object_restitution >= 0 && *options.object_restitution <= 1))
    throw InputError("object_restitution", *options.object_restitution, "must be in [0, 1]");
  if (options.sample == 0) throw InputError("sample", "0", "must be at least 1");
  if (run.jobs < 0) throw InputError("jobs", std::to_string(run.jobs), "must be at least 0");
}

/// The robot whose model evaluates the dataset.
const Robot& evaluating_robot(const Robot& own, const DatasetHeader& header, const StudyOptions& options) {
  if (!options.robot) return own;
  if (options.robot->size() != own.size())
    throw InputError(
        "robot", options.robot->name(),
        "has " + std::to_string(options.robot->size()) + " joints where the dataset has " + std::to_string(own.size()));
  validate(*options.robot, header.point);
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
std::vector<Robot> inertia_sets(const Robot& evaluating, const Robot& own, const DatasetHeader& header,
                                std::vector<Warning>& warnings) {
  std::vector<Robot> sets{evaluating};
  std::vector<Robot> others{own};
  for (const char* name : {"panda", "panda_fer", "panda_gaz"}) others.push_back(load_robot(name));
  for (auto& other : others) {
    const bool known = std::ranges::any_of(
        sets, [&](const Robot& set) { return same_joints(set, other) && same_inertias(set, other); });
    if (known || !same_joints(evaluating, other)) continue;
    if (has_frame(other, header.point.frame))
      sets.push_back(std::move(other));
    else
      warnings.push_back({WarningCode::robot_left_out, other.name(),
                          other.name() + " has no link " + header.point.frame + " and is left out of the predictions"});
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

// The trials of a study: the sample first, whose arm then serves the others.
class TrialByTrial {
 public:
  TrialByTrial(const StudySetup& setup, const Trials& trials, const KnownDrives* drives, const KnownContact& contact,
               const RunOptions& run, Study& study)
      : setup_(setup), trials_(trials), drives_(drives), contact_(contact), run_(run), study_(study) {
    study.trials.resize(trials.size());
    objects.resize(trials.size());
    all_ = trials.size() + (drives ? study.sample.size() : 0);
  }

  void run() {
    const std::optional<CommonArm> arm = study_sample();
    std::vector<std::size_t> others;
    for (std::size_t i = 0, k = 0; i < trials_.size(); ++i)
      if (k < study_.sample.size() && study_.sample[k] == i)
        ++k;
      else
        others.push_back(i);
    struct Other {
      TrialStudy trial;
      std::optional<ObjectStudy> object;
    };
    parallel(
        others,
        [&](std::size_t i) {
          const auto trial = trials_[i];
          Other other{study_trial(setup_, *trial), object_of(*trial)};
          if (arm) fit_with(setup_, *arm, *trial, other.trial);
          forget_spectra(other.trial);
          return other;
        },
        [&](std::size_t i, Other other) {
          study_.trials[i] = std::move(other.trial);
          objects[i] = std::move(other.object);
        });
  }

  std::vector<std::optional<ObjectStudy>> objects;  // of each trial

 private:
  std::optional<CommonArm> study_sample() {
    const std::vector<std::size_t>& sample = study_.sample;
    std::vector<std::shared_ptr<const Trial>> trials(sample.size());
    std::vector<TrialStudy> results(sample.size());
    std::vector<std::size_t> places(sample.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    parallel(
        places,
        [&](std::size_t k) {
          trials[k] = trials_[sample[k]];
          objects[sample[k]] = object_of(*trials[k]);
          return study_trial(setup_, *trials[k]);
        },
        [&](std::size_t k, TrialStudy result) { results[k] = std::move(result); });
    std::optional<CommonArm> arm;
    if (drives_) {
      RunOptions part = run_;
      if (run_.progress) part.progress = [&](std::size_t done, std::size_t) { run_.progress(done_ + done, all_); };
      arm = study_arm(setup_, trials, *drives_, part, results, study_.arm.emplace());
      done_ += sample.size();
    }
    for (std::size_t k = 0; k < sample.size(); ++k) study_.trials[sample[k]] = std::move(results[k]);
    return arm;
  }

  std::optional<ObjectStudy> object_of(const Trial& trial) const {
    return study_object(setup_, trial, drives_ ? &drives_->drives : nullptr, contact_);
  }

  // No report shows them.
  static void forget_spectra(TrialStudy& trial) {
    for (auto& left : trial.residuals) left.spectrum.resize(0);
    if (trial.arm_residuals) trial.arm_residuals->spectrum.resize(0);
  }

  template <class Work, class Finish>
  void parallel(const std::vector<std::size_t>& which, const Work& work, const Finish& finish) {
    std::size_t done = 0;
    foundation::parallel_for(
        which.size(), run_.jobs, [&](std::size_t k) { return work(which[k]); },
        [&](std::size_t k, auto result) {
          finish(which[k], std::move(result));
          ++done;
          if (run_.progress) run_.progress(done_ + done, all_);
        },
        run_.stop);
    if (done < which.size()) throw Interrupted();
    done_ += done;
  }

  const StudySetup& setup_;
  const Trials& trials_;
  const KnownDrives* drives_;  // may be null
  const KnownContact& contact_;
  const RunOptions& run_;
  Study& study_;
  std::size_t done_ = 0, all_ = 0;  // of the work, for progress
};

// One warning per kind, with the number of trials, instead of one per trial.
void warn(const Study& study, std::vector<Warning>& warnings) {
  if (study.trials.size() < study.planned)
    warnings.push_back({WarningCode::dataset_unfinished, "",
                        "the dataset is not complete: " + std::to_string(study.trials.size()) + " of " +
                            std::to_string(study.planned) + " trials exist"});
  if (study.sample.size() < study.trials.size())
    warnings.push_back({WarningCode::other, "sample",
                        std::to_string(study.sample.size()) + " of " + std::to_string(study.trials.size()) +
                            " trials, spread over the plan, are drawn" +
                            (study.arm ? ", and the arm rests on them; the others are fitted with it" : "")});
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

Study study_all(const DatasetHeader& header, const Trials& trials, const StudyOptions& options, const RunOptions& run) {
  check(options, run);
  const Robot own = parse_urdf(header.urdf, header.robot);
  const Robot& robot = evaluating_robot(own, header, options);
  const StudySetup setup{header, robot};

  Study result;
  result.source = header.source;
  result.robot = header.robot;
  if (result.source == DataSource::simulated) result.seed = header.seed;
  result.planned = header.plan.size();
  result.material_restitution = options.material_restitution;
  result.configurations = header.configurations;
  const std::vector<Robot> sets = inertia_sets(robot, own, header, result.warnings);
  result.robots = set_names(sets);

  const auto drives = known_drives(header, robot, options);
  const KnownContact contact = known_contact(header, options);
  result.sample = spread_over(trials.size(), options.sample);
  TrialByTrial course(setup, trials, drives ? &*drives : nullptr, contact, run, result);
  course.run();
  std::set<double> speeds;
  for (const auto& trial : result.trials) speeds.insert(trial.speed);
  result.speeds.assign(speeds.begin(), speeds.end());
  warn(result, result.warnings);
  std::ranges::for_each(result.trials, take_best_model);
  result.cells = study_cells(setup, result.trials, sets, drives ? &drives->drives : nullptr);
  for (auto& cell : result.cells) cell.band = force_band(result.trials, cell);
  result.objects = gather_objects(std::move(course.objects), contact);

  // so late that nothing above can use it; r1 compares with the wall's own COR, no other verdict uses it
  bool known = false;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    result.trials[i].truth = trials.truth(i);
    known = known || result.trials[i].truth;
  }
  result.verdicts = judge(result);
  result.verdicts_as_in_paper = judge_as_in_paper(setup, sets, result, run);
  result.beyond = judge_beyond(result);
  explain_missing_forces(result);
  if (known) result.truth = study_truth(result, header);
  if (result.truth && result.objects)
    for (auto& each : truth_of_objects(result)) result.truth->push_back(std::move(each));
  return result;
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
  validate(dataset);
  if (!truth.empty() && truth.size() != dataset.trials.size())
    throw InputError("truth", std::to_string(truth.size()) + " entries",
                     "must be none, or one for each of " + std::to_string(dataset.trials.size()) + " trials");
  return study_all(dataset.header, Trials(dataset.trials, truth), options, run);
}

Study study(const DatasetReader& reader, const StudyOptions& options, const RunOptions& run) {
  return study_all(reader.header(), Trials(reader), options, run);
}

}  // namespace thud
