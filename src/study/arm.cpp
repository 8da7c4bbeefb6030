#include "study/arm.hpp"

#include <thud/drives_file.hpp>
#include <thud/dynamics.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "foundation/parallel_for.hpp"
#include "statistics/robust.hpp"
#include "study/joint_log.hpp"

namespace thud::studying {
namespace {

constexpr int most_passes = 3;
constexpr int no_cell = -2;
constexpr double same_touch = 20e-6;  // half a sample of the usual sensor                             [s]
constexpr std::size_t trials_for_the_law = 3;
constexpr double nearly = 1.05;   // in what a law leaves over
constexpr double useless = 1000;  // of a law that does not converge

// What of the transmissions a factor can multiply.
std::vector<DriveParameter> identified(const Drives& drives) {
  std::vector<DriveParameter> free;
  if ((drives.stiffness.array() > 0).any()) free.push_back(DriveParameter::stiffness);
  if ((drives.damping.array() > 0).any()) free.push_back(DriveParameter::damping);
  return free;
}

Cell cell_of(const TrialStudy& trial) {
  return {trial.configuration, trial.speed};
}

// Cell of each trial that can be studied, counted from 0; -1 of the others.
std::vector<int> cells_of(const std::vector<TrialStudy>& trials) {
  std::map<Cell, int> numbers;
  std::vector<int> cells;
  cells.reserve(trials.size());
  for (const auto& trial : trials)
    cells.push_back(trial.ok() ? numbers.try_emplace(cell_of(trial), static_cast<int>(numbers.size())).first->second
                               : -1);
  return cells;
}

// A trial as a hit of the arm.
struct Hit {
  ElasticArm arm;
  double velocity;    // v0 < 0 [m/s]
  double touch_time;  // robot's clock [s]
  std::vector<CommandChange> command;
};

// No hit where the links' posture does not approach.
std::optional<Hit> hit_of(const StudySetup& setup, const Drives& drives, const Trial& trial, const TrialStudy& result) {
  const double touch_time = result.found.window.start + trial.clock_offset;
  const VectorX q = result.touch.source == VelocitySource::joints
                        ? link_positions(drives, trial.joints, result.touch.q, touch_time)
                        : result.touch.q;
  const double velocity = contact_velocity(contact_dynamics(setup.robot, setup.header.point, q), result.touch.dq);
  if (!(velocity < 0)) return std::nullopt;
  Hit hit{elastic_arm(setup.robot, setup.header.point, q, drives), velocity, touch_time, {}};
  hit.command = command_changes(hit.arm, trial, touch_time);
  return hit;
}

// A record fixes the touch, and with it when the command changed, only once it is fitted.
ElasticIdentification identified_hit(Hit& hit, const ElasticArm& arm, const Trial& trial, std::optional<LawKind> kind,
                                     ElasticFitOptions options) {
  ElasticIdentification found;
  for (int pass = 0; pass < most_passes; ++pass) {
    options.command = hit.command;
    found = identify(trial.force, arm, hit.velocity, options, kind);
    if (hit.command.empty() || !found.best) break;
    const auto best = std::ranges::find(found.laws, *found.best, [](const ElasticFit& fit) { return fit.result.kind; });
    const double moved = best->result.start + trial.clock_offset - hit.touch_time;
    if (std::abs(moved) < same_touch) break;
    hit.touch_time += moved;
    hit.command = command_changes(hit.arm, trial, hit.touch_time);
    if (options.guess) options.guess = best->result.law;
  }
  return found;
}

// The hit by itself, with the factors of its transmissions free.
ElasticIdentification identified_hit(Hit& hit, const Trial& trial, std::optional<LawKind> kind) {
  return identified_hit(hit, hit.arm, trial, kind, {.free = identified(hit.arm.drives), .intervals = false});
}

ElasticArm with_factors(const ElasticArm& arm, const std::vector<DriveParameter>& free, const VectorX& factors) {
  return elastic_arm(arm.M, arm.j, thud::with_factors(arm.drives, free, factors), arm.holding);
}

// Whether a fit leaves no more than noise and the error of the model.
bool adequate(const ElasticIdentification& found, const ElasticFit& fit) {
  return fit.result.status == FitStatus::converged &&
         fit.result.rmse < nearly * std::hypot(found.window.noise, ElasticFitOptions{}.model_error * found.window.peak);
}

// The law of the wall, from a few trials of different cells: the viscoelastic one if it is adequate in all of them, or
// else, of those that leave nearly as little as the best, the one with the fewest parameters. A criterion that takes
// all that is left for noise would buy parameters for what the model gets wrong.
LawKind law_of_the_wall(std::vector<std::optional<Hit>>& hits, const std::vector<std::shared_ptr<const Trial>>& trials,
                        const std::vector<int>& cells, const RunOptions& run) {
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (hits[i] && std::ranges::none_of(firsts, [&](std::size_t each) { return cells[each] == cells[i]; }))
      firsts.push_back(i);
  const std::size_t count = std::min(firsts.size(), trials_for_the_law);
  const auto identified_by = [&](std::optional<LawKind> kind) {
    std::vector<ElasticIdentification> all(count);
    foundation::parallel_for(
        count, run.jobs,
        [&](std::size_t k) {
          const std::size_t i = firsts[k * firsts.size() / count];
          return identified_hit(*hits[i], *trials[i], kind);
        },
        [&](std::size_t k, ElasticIdentification found) { all[k] = std::move(found); }, run.stop);
    return all;
  };
  const auto fits = [](const ElasticIdentification& found) {
    return !found.laws.empty() && adequate(found, found.laws.front());
  };
  if (std::ranges::all_of(identified_by(LawKind::viscoelastic), fits)) return LawKind::viscoelastic;

  std::map<LawKind, double> left;  // sum over the trials of what a law leaves over what the best one leaves
  for (const ElasticIdentification& found : identified_by({})) {
    if (!found.best) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& fit : found.laws)
      if (fit.result.status == FitStatus::converged) least = std::min(least, fit.result.rmse);
    for (const auto& fit : found.laws)
      left[fit.result.kind] += fit.result.status == FitStatus::converged ? fit.result.rmse / least : useless;
  }
  LawKind best = LawKind::viscoelastic;
  double least = std::numeric_limits<double>::infinity();
  std::size_t parameters = std::numeric_limits<std::size_t>::max();
  for (const auto& [kind, sum] : left) least = std::min(least, sum);
  for (const auto& [kind, sum] : left)
    if (const std::size_t own = law_parameters(typical_law(kind)).size(); sum <= nearly * least && own < parameters) {
      best = kind;
      parameters = own;
    }
  return best;
}

// Median of each parameter of the law over the trials of other cells.
std::optional<ContactLaw> wall_by_others(const std::vector<TrialStudy>& trials, const std::vector<int>& cells, int cell,
                                         LawKind kind) {
  std::vector<std::vector<double>> values(law_parameters(typical_law(kind)).size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!trials[i].arm || cells[i] == cell || trials[i].arm->result.status != FitStatus::converged) continue;
    const auto parameters = law_parameters(trials[i].arm->result.law);
    for (std::size_t k = 0; k < parameters.size(); ++k) values[k].push_back(parameters[k].second);
  }
  if (values.front().empty()) return std::nullopt;
  ContactLaw law = typical_law(kind);
  std::size_t k = 0;
  for (auto& [name, value] : law_parameters(law)) *value = statistics::median(values[k++]);
  return law;
}

// Arm and wall by all other cells, for each cell that the arm rests on.
std::map<Cell, std::optional<CommonArm::Found>> found_without(const std::vector<TrialStudy>& results,
                                                              const std::vector<int>& cells, const ArmFit& found,
                                                              LawKind kind) {
  std::map<Cell, std::optional<CommonArm::Found>> without;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto group = std::ranges::find(found.groups, cells[i]);
    if (group == found.groups.end() || without.contains(cell_of(results[i]))) continue;
    const VectorX factors = found.without.row(group - found.groups.begin()).transpose();
    const auto wall = wall_by_others(results, cells, cells[i], kind);
    auto& there = without[cell_of(results[i])];
    if (wall && factors.allFinite()) there = {factors, *wall};
  }
  return without;
}

// What arm and wall predict for a hit.
void predict(const Hit& hit, const std::vector<DriveParameter>& free, const CommonArm::Found& by, TrialStudy& result) {
  const ElasticArm arm = with_factors(hit.arm, free, by.factors);
  ElasticProfile profile(static_cast<int>(arm.j.size()));
  elastic_profile(arm, by.wall, hit.velocity, {.command = hit.command}, profile);
  if (const auto turn = profile.deepest_turn()) result.impulse_elastic = turn->impulse;
}

}  // namespace

std::optional<KnownDrives> known_drives(const DatasetHeader& header, const Robot& robot, const StudyOptions& options) {
  if (options.drives) return KnownDrives{*options.drives, options.drives_origin};
  if (header.source != DataSource::simulated || header.campaign.empty()) return std::nullopt;
  try {
    return KnownDrives{parse_drives(header.campaign, "campaign", robot.size()), "the dataset's campaign"};
  } catch (const FileError&) {  // of another robot, or written by hand
    return std::nullopt;
  }
}

void take_best_model(TrialStudy& trial) {
  const FitResult* law = trial.found.best ? trial.law(*trial.found.best) : nullptr;
  if (law) {
    trial.best_model = to_string(law->kind);
    trial.impulse_compression_best = law->measured_impulse_compression;
  }
  if (!trial.arm || trial.arm->result.status != FitStatus::converged || !trial.arm->deepest_turn) return;
  if (law && law->rmse <= trial.arm->result.rmse) return;
  trial.best_model = "elastic_arm";
  trial.impulse_compression_best = trial.arm->measured_impulse_deepest;
}

std::optional<CommonArm> study_arm(const StudySetup& setup, const std::vector<std::shared_ptr<const Trial>>& trials,
                                   const KnownDrives& drives, const RunOptions& run, std::vector<TrialStudy>& results,
                                   ArmStudy& arm) {
  arm.given = drives.drives;
  arm.origin = drives.origin;
  const std::vector<DriveParameter> free = identified(drives.drives);
  if (free.empty()) {
    arm.message = "nothing is known of the transmissions";
    return std::nullopt;
  }
  const std::vector<int> cells = cells_of(results);
  std::vector<std::optional<Hit>> hits(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (results[i].ok()) hits[i] = hit_of(setup, drives.drives, *trials[i], results[i]);
  arm.law = law_of_the_wall(hits, trials, cells, run);

  std::vector<std::size_t> of;  // the trial of each hit of the arm
  std::vector<ArmHit> all;
  std::vector<ElasticIdentification> alone(trials.size());
  std::size_t done = 0;
  foundation::parallel_for(
      trials.size(), run.jobs,
      [&](std::size_t i) { return hits[i] ? identified_hit(*hits[i], *trials[i], arm.law) : ElasticIdentification{}; },
      [&](std::size_t i, ElasticIdentification found) {
        alone[i] = std::move(found);
        if (run.progress) run.progress(++done, trials.size());
      },
      run.stop);
  if (run.stop && *run.stop) throw Interrupted();
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (alone[i].laws.empty()) continue;
    results[i].alone = alone[i].laws.front();
    if (results[i].alone->result.status != FitStatus::converged) continue;
    of.push_back(i);
    all.push_back({hits[i]->arm, alone[i].contact, *results[i].alone, cells[i]});
  }
  arm.trials = all.size();
  if (all.empty()) {
    arm.message = "no trial can be fitted by an arm with elastic joints";
    return std::nullopt;
  }
  const ArmFit found = fit_arm(all, {.free = free, .intervals = false}, {.jobs = run.jobs, .stop = run.stop});
  arm.status = found.status;
  arm.message = found.message;
  arm.factors = found.factors;
  if (found.status != FitStatus::converged) return std::nullopt;
  arm.found = found.drives;
  for (std::size_t k = 0; k < of.size(); ++k) {
    TrialStudy& trial = results[of[k]];
    trial.arm = found.hits[k];
    trial.arm_residuals = summary_of(all[k].contact, residuals(all[k].contact, *trial.arm));
  }
  CommonArm common{.given = drives.drives, .free = free, .all = {}, .without = {}};
  common.without = found_without(results, cells, found, arm.law);
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (const auto other = common.without.find(cell_of(results[i])); hits[i] && other != common.without.end())
      if (other->second) predict(*hits[i], free, *other->second, results[i]);
  common.all.factors.resize(static_cast<Eigen::Index>(arm.factors.size()));
  for (std::size_t i = 0; i < arm.factors.size(); ++i)
    common.all.factors[static_cast<Eigen::Index>(i)] = arm.factors[i].value;
  common.all.wall = wall_by_others(results, cells, no_cell, arm.law).value_or(typical_law(arm.law));
  return common;
}

void fit_with(const StudySetup& setup, const CommonArm& arm, const Trial& trial, TrialStudy& result) {
  if (!result.ok()) return;
  auto hit = hit_of(setup, arm.given, trial, result);
  if (!hit) return;
  const ElasticFitOptions options{.guess = arm.all.wall, .intervals = false};
  ElasticArm with_arm = with_factors(hit->arm, arm.free, arm.all.factors);
  with_arm.warnings = hit->arm.warnings;
  ElasticIdentification found = identified_hit(*hit, with_arm, trial, kind_of(arm.all.wall), options);
  if (found.laws.empty() || found.laws.front().result.status != FitStatus::converged) return;
  result.arm = std::move(found.laws.front());
  result.arm_residuals = summary_of(found.contact, residuals(found.contact, *result.arm));
  const auto other = arm.without.find(cell_of(result));
  const bool rests_on_it = other != arm.without.end();
  if (arm.without.empty() || (rests_on_it && !other->second)) return;
  predict(*hit, arm.free, rests_on_it ? *other->second : arm.all, result);
}

}  // namespace thud::studying
