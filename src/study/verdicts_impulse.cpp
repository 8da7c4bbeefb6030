#include <thud/impulse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "study/claims.hpp"

// Claims about the inverse-inertia models: how far the impulse that each predicts is from the measured one.

namespace thud::studying::verdicts {
namespace {

// Thresholds, with their reasons in docs/study.md.
constexpr double standard_errors = 2;  // by which a prediction must miss a cell's mean to count as a miss
constexpr double similar = 0.05;       // relative difference of two options that agree

// Cells with a measured impulse and a prediction of one model, by the evaluating robot.
struct Comparison {
  double measured, error, predicted;  // mean, its standard error (0 for one trial) [N s]
  std::size_t trials;
};

std::vector<Comparison> comparisons(const Study& study, InertiaModel model) {
  std::vector<Comparison> all;
  for (const auto& cell : study.cells) {
    const Spread& measured = cell.impulse_compression;
    const double predicted = cell.predictions.front()[model].impulse.compression;
    if (measured.count == 0 || !std::isfinite(predicted)) continue;
    const double error = measured.count > 1 ? measured.std / std::sqrt(static_cast<double>(measured.count)) : 0;
    all.push_back({measured.mean, error, predicted, measured.count});
  }
  return all;
}

// Why nothing can be said of a model; empty if something can.
std::string obstacle(const std::vector<Comparison>& cells) {
  std::size_t trials = 0;
  for (const auto& cell : cells) trials += cell.trials;
  if (cells.empty()) return "No cell has both a measured impulse and a prediction of this option.";
  return trials < min_trials ? text("The impulse is measured in ", count(trials, "trial"), "; three are needed.") : "";
}

double mean_error(const std::vector<Comparison>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += std::abs(cell.predicted / cell.measured - 1);
  return sum / static_cast<double>(cells.size());
}

double mean_ratio(const std::vector<Comparison>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += cell.predicted / cell.measured;
  return sum / static_cast<double>(cells.size());
}

enum class Miss { over, under };

// A model that misses to the same side in every cell.                             [Wang22, (sec:validate_iim)]
Verdict judge_side(const Study& study, const Verdict& verdict, InertiaModel model, Miss miss) {
  const auto cells = comparisons(study, model);
  if (std::string why = obstacle(cells); !why.empty()) return not_testable(verdict, std::move(why));
  const auto off = static_cast<std::size_t>(std::ranges::count_if(cells, [&](const Comparison& cell) {
    const double above = miss == Miss::over ? cell.predicted - cell.measured : cell.measured - cell.predicted;
    return above > standard_errors * cell.error;
  }));
  const double fraction = static_cast<double>(off) / static_cast<double>(cells.size());
  return decided(verdict, fraction, Side::at_least, 1, "1",
                 text("The prediction is ", miss == Miss::over ? "above" : "below",
                      " the measured mean by more than two standard errors in ", std::to_string(off), " of ",
                      count(cells.size(), "cell"), ", all of which it must; on average it is ",
                      number(mean_ratio(cells)), " of the measured impulse (", study.robots.front(), ")."));
}

// Underestimates like the generalized momentum, and by the same amount.
Verdict judge_flexible_joints(const Study& study, const Verdict& claimed) {
  Verdict verdict = judge_side(study, claimed, InertiaModel::flexible_joints, Miss::under);
  if (verdict.judgement != Judgement::supported) return verdict;
  double largest = none;
  for (const auto& cell : study.cells) {
    const Prediction& prediction = cell.predictions.front();
    const double difference = std::abs(prediction[InertiaModel::flexible_joints].inertia.effective_mass() /
                                           prediction[InertiaModel::generalized_momentum].inertia.effective_mass() -
                                       1);
    if (std::isfinite(difference) && !(difference <= largest)) largest = difference;
  }
  if (std::isnan(largest)) return not_testable(verdict, "There is no generalized-momentum prediction to agree with.");
  return decided(verdict, largest, Side::below, similar, "1",
                 text(verdict.why, " It differs from the generalized momentum by at most ", percent(largest),
                      "; similar means below ", percent(similar), "."));
}

// The composite body has the smallest mean error of all options.
Verdict judge_composite(const Study& study, const Verdict& verdict) {
  const auto composite = comparisons(study, InertiaModel::composite_rigid_body);
  if (std::string why = obstacle(composite); !why.empty()) return not_testable(verdict, std::move(why));
  double rival = std::numeric_limits<double>::infinity();
  std::string why;
  for (const InertiaModel model :
       {InertiaModel::algebraic, InertiaModel::generalized_momentum, InertiaModel::flexible_joints}) {
    const auto cells = comparisons(study, model);
    if (cells.size() != composite.size()) continue;  // a model that does not exist everywhere is not comparable
    rival = std::min(rival, mean_error(cells));
    why.append(text(why.empty() ? "" : ", ", to_string(model), " ", percent(mean_error(cells))));
  }
  if (why.empty()) return not_testable(verdict, "No other option exists in the same cells to compare with.");
  return decided(
      verdict, mean_error(composite) / rival, Side::below, 1, "1",
      text("Mean error over ", count(composite.size(), "cell"), ": ", percent(mean_error(composite)), " against ", why,
           " (", study.robots.front(), "); the ratio to the best of those must be below 1."));
}

constexpr Claim impulse_table[] = {
    {"c2.algebraic", "VII-B", "The algebraic equation overestimates the impulse in all situations.",
     LawKind::viscoelastic,
     [](const Study& study, const Verdict& verdict) {
       return judge_side(study, verdict, InertiaModel::algebraic, Miss::over);
     }},
    {"c2.generalized_momentum", "VII-B", "The generalized momentum underestimates the impulse.", LawKind::viscoelastic,
     [](const Study& study, const Verdict& verdict) {
       return judge_side(study, verdict, InertiaModel::generalized_momentum, Miss::under);
     }},
    {"c2.flexible_joints", "VII-B",
     "Flexible joints underestimate the impulse, and agree with the generalized momentum.", LawKind::viscoelastic,
     judge_flexible_joints},
    {"c2.composite_rigid_body", "VII-B", "The composite rigid body predicts the impulse most accurately.",
     LawKind::viscoelastic, judge_composite},
};

}  // namespace

std::span<const Claim> impulse_claims() {
  return impulse_table;
}

}  // namespace thud::studying::verdicts
