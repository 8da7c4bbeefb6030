#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/lab.hpp>
#include <thud/regime.hpp>
#include <thud/study.hpp>
#include <thud/sweep.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweep/plan.hpp"

namespace THUD_EXPORT thud {
using namespace sweeping;
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double regime_horizon = 0.1;  // within which a hit must turn to have a regime [s]

void add(std::vector<SweepCell>& row, std::string column, double value, std::string unit = "1") {
  row.push_back({std::move(column), std::move(unit), std::isfinite(value) ? value : no_number});
}

void add(std::vector<SweepCell>& row, std::string column, std::string text) {
  row.push_back({std::move(column), "", std::move(text)});
}

void add_verdicts(std::vector<SweepCell>& row, const std::vector<Verdict>& verdicts) {
  for (const Verdict& verdict : verdicts) {
    add(row, verdict.claim, std::string(to_string(verdict.judgement)));
    add(row, verdict.claim + ".statistic", verdict.statistic, verdict.unit);
    add(row, verdict.claim + ".threshold", verdict.threshold, verdict.unit);
  }
}

// The true impulse up to the greatest depth, mean over the trials of a cell.
double true_impulse(const Study& study, const CellStudy& cell) {
  std::vector<double> values;
  for (const std::size_t trial : cell.trials)
    if (study.trials[trial].truth) values.push_back(study.trials[trial].truth->impulse_compression);
  return spread(values).mean;
}

// How far each model's impulse is from the true one, over the cells.
void add_models(std::vector<SweepCell>& row, const Study& study) {
  std::vector<std::pair<std::string, std::function<double(const CellStudy&)>>> models;
  models.reserve(all_inertia_models.size() + 2);
  for (const InertiaModel model : all_inertia_models)
    models.emplace_back(to_string(model), [model](const CellStudy& cell) {
      return cell.predictions.empty() ? no_number : cell.predictions.front()[model].impulse.compression;
    });
  models.emplace_back("generalized_momentum_with_rotors", [](const CellStudy& cell) { return cell.impulse_rotors; });
  models.emplace_back("elastic_joints", [](const CellStudy& cell) { return cell.impulse_elastic.mean; });

  std::string best;
  double least = no_number;
  for (std::size_t i = 0; i < models.size(); ++i) {
    std::vector<double> errors, ratios;
    for (const CellStudy& cell : study.cells) {
      const double ratio = models[i].second(cell) / true_impulse(study, cell);
      ratios.push_back(ratio);
      errors.push_back(std::abs(ratio - 1));
    }
    const double error = spread(errors).mean;
    add(row, models[i].first + ".error", error);
    add(row, models[i].first + ".ratio", spread(ratios).mean);
    if (i < all_inertia_models.size() && std::isfinite(error) && !(error >= least)) {
      least = error;
      best = models[i].first;
    }
  }
  add(row, "best_matrix", best);
}

// x = omega t_c of each cell, by the elastic arm at its mean posture and the wall of its first trial.
void add_regime(std::vector<SweepCell>& row, const Campaign& campaign, const Robot& robot, const Study& study) {
  std::vector<double> x;
  for (const CellStudy& cell : study.cells) {
    if (cell.trials.empty() || !study.trials[cell.trials.front()].truth) continue;
    const Truth& truth = *study.trials[cell.trials.front()].truth;
    if (!(truth.velocity < 0)) continue;
    const ElasticArm arm = elastic_arm(robot, campaign.point, truth.q, campaign.drives);
    const auto found = regime(arm, elastic_profile(arm, truth.law, truth.velocity, {.horizon = regime_horizon}));
    if (found && std::isfinite(found->x)) x.push_back(found->x);
  }
  std::sort(x.begin(), x.end());
  const std::size_t n = x.size();
  add(row, "x", n == 0 ? no_number : (x[n / 2] + x[(n - 1) / 2]) / 2);
  add(row, "x.least", n == 0 ? no_number : x.front());
  add(row, "x.largest", n == 0 ? no_number : x.back());
}

// Without the folder that the user named, where a path begins, and on one line.
std::string failure_text(const std::exception& error, const std::string& folder) {
  std::string text = error.what();
  if (!folder.empty())
    for (std::size_t at = 0; (at = text.find(folder + "/", at)) != std::string::npos;) {
      if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\'' || text[at - 1] == '"')
        text.erase(at, folder.size() + 1);
      else
        ++at;
    }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

// What fails leaves its reason in the last cell, `failure`.
void attempt(std::vector<SweepCell>& row, const std::string& folder, const std::function<void()>& work) {
  try {
    work();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;  // of the machine, not of the campaign
  } catch (const std::exception& error) {
    row.back().value = failure_text(error, folder);
  }
}

}  // namespace

std::vector<SweepCell> campaign_row(const Campaign& campaign, const RunOptions& run) {
  Dataset dataset{header(campaign), {}};
  std::vector<std::optional<Truth>> truth;
  for (std::size_t i = 0; i < dataset.header.plan.size(); ++i) {
    if (run.stop && *run.stop) throw Interrupted();
    LabTrial trial = simulate_trial(campaign, i);
    truth.emplace_back(std::move(trial.run.truth));
    dataset.trials.push_back(std::move(trial.trial));
  }
  const Study found = study(dataset, truth, {}, {.jobs = run.jobs, .stop = run.stop});
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);

  std::vector<SweepCell> row;
  add(row, "trials", static_cast<double>(dataset.trials.size()));
  add(row, "trials.ok", static_cast<double>(std::ranges::count_if(found.trials, &TrialStudy::ok)));
  add_verdicts(row, found.verdicts);
  add_verdicts(row, found.beyond);
  add(row, "supported",
      static_cast<double>(std::ranges::count(found.verdicts, Judgement::supported, &Verdict::judgement)));
  add_models(row, found);
  add_regime(row, campaign, robot, found);
  if (found.truth)
    for (const TruthQuantity& quantity : *found.truth) add(row, "truth." + quantity.quantity, quantity.median_error);
  if (found.objects)
    for (const ObjectModelStudy& model : found.objects->models)
      add(row, "objects." + model.model + ".error", model.median_error);
  return row;
}

SweepTask sweep_task(const SweepPlan& plan, const SweepPoint& point) {
  SweepTask task;
  task.folder = plan.folder;
  task.start.push_back({"refined", "1", static_cast<double>(point.refined)});
  task.start.push_back({"seed", "1", static_cast<double>(point.seed)});
  for (std::size_t i = 0; i < plan.ranges.size(); ++i)
    task.start.push_back({plan.ranges[i].key, "", shown_value(plan.ranges[i], point.values.at(i))});
  task.start.push_back({"failure", "", std::string()});
  attempt(task.start, plan.folder, [&] { task.campaign = sweep_campaign(plan, point); });
  return task;
}

std::vector<SweepCell> sweep_row(const SweepTask& task, const RunOptions& run) {
  std::vector<SweepCell> row = task.start;
  if (!task.campaign) return row;
  std::vector<SweepCell> found;
  attempt(row, task.folder, [&] { found = campaign_row(*task.campaign, run); });
  row.insert(row.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  return row;
}

std::vector<SweepCell> sweep_row(const SweepPlan& plan, const SweepPoint& point, const RunOptions& run) {
  return sweep_row(sweep_task(plan, point), run);
}

}  // namespace thud
