#include <thud/study.hpp>
#include <thud/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/design.hpp"
#include "sweep/forest.hpp"
#include "sweep/random.hpp"
#include "sweep/rows.hpp"

namespace THUD_EXPORT thud {
using namespace sweeping;
namespace {

constexpr double two_sided_95 = 1.959963984540054;  // quantile of the normal distribution
constexpr double by_more_than_chance = 3;           // standard errors: thirteen claims are asked about
constexpr std::size_t folds = 5;
constexpr std::size_t fewest_points = 20;   // to learn from
constexpr std::size_t most_samples = 5000;  // more would take minutes and say the same
constexpr int permutations = 10;

constexpr Judgement judgements[] = {Judgement::supported, Judgement::not_supported, Judgement::not_testable};

int class_of(const std::string& verdict) {
  for (int i = 0; i < 3; ++i)
    if (verdict == to_string(judgements[i])) return i;
  return -1;
}

// Wilson's score interval, z standard errors to both sides, of a share that so many points tell.
SweepShare score_interval(std::size_t count, std::size_t all, std::size_t points, double z) {
  SweepShare share{.count = count, .all = all};
  if (all == 0) return share;
  const auto n = static_cast<double>(points);
  const double p = static_cast<double>(count) / static_cast<double>(all);
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  share.share = p;
  share.low = count == 0 ? 0 : middle - half;
  share.high = count == all ? 1 : middle + half;
  return share;
}

// The campaigns of one point differ in their seed alone: they count as one.
std::size_t distinct(std::vector<std::size_t> points) {
  std::sort(points.begin(), points.end());
  return static_cast<std::size_t>(std::unique(points.begin(), points.end()) - points.begin());
}

std::size_t point_of(double row, const SweepPlan& plan) {
  return static_cast<std::size_t>(row) / static_cast<std::size_t>(plan.repeats);
}

// Rows with a verdict on one claim, as a surrogate sees them.
struct Judged {
  Samples samples;
  std::vector<std::size_t> points;  // number of the design's point; beyond them for refined ones
  std::vector<bool> refined;
};

Judged judged(const SweepResult& result, const std::vector<SweepPoint>& points, const std::string& claim) {
  Judged found;
  const auto& verdicts = result.table.strings(claim);
  const auto& rows = result.table.numbers("row");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int verdict = class_of(verdicts[i]);
    if (verdict < 0) continue;
    std::vector<double> features;
    for (std::size_t axis = 0; axis < result.plan.ranges.size(); ++axis)
      features.push_back(coordinate_of(result.plan.ranges[axis], points[i].values[axis]));
    found.samples.features.push_back(std::move(features));
    found.samples.classes.push_back(verdict);
    found.points.push_back(point_of(rows[i], result.plan));
    found.refined.push_back(points[i].refined > 0);
  }
  return found;
}

// Accuracy on points that a forest has not seen, and what it loses when one feature is permuted among them.
struct Learnt {
  std::size_t correct = 0, tested = 0;
  std::size_t points = 0;    // of the tested rows
  std::vector<double> loss;  // summed over tested rows
};

void learn_fold(const Judged& judged, std::size_t fold, std::uint64_t seed, Learnt& learnt) {
  std::vector<std::size_t> learnt_from, tested;
  for (std::size_t i = 0; i < judged.points.size(); ++i)
    (!judged.refined[i] && stream(seed, judged.points[i]) % folds == fold ? tested : learnt_from).push_back(i);
  std::uint64_t order_state = stream(seed ^ folds, fold);
  const auto chosen = [&](std::vector<std::size_t>& rows) {
    if (rows.size() > most_samples) {  // of all of them: the first ones of a grid are one corner of it
      shuffle(rows, order_state);
      rows.resize(most_samples);
    }
    Samples samples;
    for (const std::size_t i : rows) {
      samples.features.push_back(judged.samples.features[i]);
      samples.classes.push_back(judged.samples.classes[i]);
    }
    return samples;
  };
  const Samples known = chosen(learnt_from), unknown = chosen(tested);
  if (known.classes.empty() || unknown.classes.empty()) return;
  for (std::size_t& each : tested) each = judged.points[each];
  learnt.points += distinct(std::move(tested));
  const Forest forest(known, 3, stream(seed, fold));
  const auto correct = [&](const std::vector<std::vector<double>>& features) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < features.size(); ++i)
      if (forest.predict(features[i]) == unknown.classes[i]) ++count;
    return count;
  };
  const std::size_t right = correct(unknown.features);
  learnt.correct += right;
  learnt.tested += unknown.classes.size();
  for (std::size_t axis = 0; axis < learnt.loss.size(); ++axis) {
    std::uint64_t state = stream(seed ^ fold, axis);
    double sum = 0;
    for (int k = 0; k < permutations; ++k) {
      std::vector<std::size_t> order(unknown.features.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      shuffle(order, state);
      auto features = unknown.features;
      for (std::size_t i = 0; i < features.size(); ++i) features[i][axis] = unknown.features[order[i]][axis];
      sum += static_cast<double>(right) - static_cast<double>(correct(features));
    }
    learnt.loss[axis] += sum / permutations;
  }
}

void add_surrogate(ClaimAnswer& answer, const Judged& judged, const SweepPlan& plan) {
  std::map<int, std::size_t> classes;
  std::vector<std::size_t> design;
  std::size_t most = 0;
  for (std::size_t i = 0; i < judged.points.size(); ++i) {
    if (judged.refined[i]) continue;
    design.push_back(judged.points[i]);
    most = std::max(most, ++classes[judged.samples.classes[i]]);
  }
  if (design.empty()) return;
  answer.majority = static_cast<double>(most) / static_cast<double>(design.size());
  if (classes.size() < 2 || distinct(std::move(design)) < fewest_points || plan.ranges.empty()) return;
  Learnt learnt{.loss = std::vector<double>(plan.ranges.size())};
  for (std::size_t fold = 0; fold < folds; ++fold) learn_fold(judged, fold, plan.seed, learnt);
  const SweepShare accuracy = score_interval(learnt.correct, learnt.tested, learnt.points, by_more_than_chance);
  answer.accuracy = accuracy.share;
  answer.learnt = accuracy.low > answer.majority;
  if (!answer.learnt) return;
  for (std::size_t axis = 0; axis < plan.ranges.size(); ++axis)
    answer.deciding.push_back({plan.ranges[axis].key, learnt.loss[axis] / static_cast<double>(learnt.tested)});
  std::stable_sort(answer.deciding.begin(), answer.deciding.end(),
                   [](const KeyImportance& a, const KeyImportance& b) { return a.loss > b.loss; });
}

// Claims of a table, in the order of a study, then others by name.
std::vector<ClaimAnswer> claims_of(const Table& table) {
  std::vector<ClaimAnswer> claims;
  const auto add = [&](const std::string& claim, const std::string& statement) {
    if (table.find(claim) && table.find(claim + ".statistic")) claims.push_back({claim, statement});
  };
  for (const Verdict& verdict : judged_claims()) add(verdict.claim, verdict.statement);
  for (const Column& column : table.columns)
    if (std::ranges::find(claims, column.name, &ClaimAnswer::claim) == claims.end()) add(column.name, "");
  return claims;
}

// A quantile of sorted values, linear between them.
double quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

ModelAnswer model_answer(const Table& table, const std::vector<SweepPoint>& points, const std::string& model) {
  ModelAnswer answer{.model = model};
  std::vector<double> errors;
  for (std::size_t i = 0; i < table.rows; ++i)
    if (const double error = table.numbers(model + ".error")[i]; points[i].refined == 0 && std::isfinite(error))
      errors.push_back(error);
  std::sort(errors.begin(), errors.end());
  answer.lower = quantile(errors, 0.25);
  answer.median = quantile(errors, 0.5);
  answer.upper = quantile(errors, 0.75);
  return answer;
}

// The four matrices, then the other models of a table by name.
std::vector<ModelAnswer> models_of(const SweepResult& result, const std::vector<SweepPoint>& points) {
  const Table& table = result.table;
  std::vector<ModelAnswer> models;
  const auto add = [&](const std::string& model) {
    if (table.find(model + ".error") && table.find(model + ".ratio"))
      models.push_back(model_answer(table, points, model));
  };
  for (const InertiaModel model : all_inertia_models) add(std::string(to_string(model)));
  if (table.find("best_matrix")) {
    std::map<std::string, std::size_t> best;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < table.rows; ++i)
      if (const std::string& name = table.strings("best_matrix")[i]; points[i].refined == 0 && !name.empty()) {
        ++best[name];
        all.push_back(point_of(table.numbers("row")[i], result.plan));
      }
    for (ModelAnswer& each : models)
      each.best = score_interval(best[each.model], all.size(), distinct(all), two_sided_95);
  }
  for (const Column& column : table.columns)
    if (constexpr std::string_view suffix = ".error"; column.name.ends_with(suffix))
      if (const std::string model = column.name.substr(0, column.name.size() - suffix.size());
          std::ranges::find(models, model, &ModelAnswer::model) == models.end())
        add(model);
  return models;
}

}  // namespace

SweepShare wilson(std::size_t count, std::size_t all) {
  return score_interval(count, all, all, two_sided_95);
}

SweepAnswers answer_sweep(const SweepResult& result) {
  const Table& table = result.table;
  const std::vector<SweepPoint> points = sweep_points(result);
  SweepAnswers answers;
  answers.campaigns = table.rows;
  for (std::size_t i = 0; i < table.rows; ++i) {
    answers.failed += table.strings("failure")[i].empty() ? 0 : 1;
    answers.refined += points[i].refined > 0 ? 1 : 0;
  }
  if (table.find("supported"))
    for (const double count : table.numbers("supported"))
      if (std::isfinite(count) && !(count <= answers.most_supported)) answers.most_supported = count;
  answers.claims = claims_of(table);
  for (ClaimAnswer& answer : answers.claims) {
    const Judged found = judged(result, points, answer.claim);
    std::size_t counts[3] = {};
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      if (found.refined[i]) continue;
      ++counts[found.samples.classes[i]];
      all.push_back(found.points[i]);
    }
    const auto share = [&](std::size_t count) {
      return score_interval(count, all.size(), distinct(all), two_sided_95);
    };
    answer.supported = share(counts[0]);
    answer.not_supported = share(counts[1]);
    answer.not_testable = share(counts[2]);
    add_surrogate(answer, found, result.plan);
  }
  answers.models = models_of(result, points);
  return answers;
}

}  // namespace thud
