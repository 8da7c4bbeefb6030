#include <thud/impulse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "study/claims.hpp"

// What goes beyond the paper: rotors and elastic joints against its four matrices. The measured impulse is that up to
// the greatest depth by the model that describes the record, which need not be the viscoelastic law with a mass.

namespace thud::studying::verdicts {
namespace {

// A prediction of the impulse for a cell; NaN where there is none.
using Predicted = double (*)(const CellStudy& cell);

template <InertiaModel model>
double by_matrix(const CellStudy& cell) {
  return cell.predictions.front()[model].impulse.compression;
}
double by_rotors(const CellStudy& cell) {
  return cell.impulse_rotors;
}
double by_elastic_arm(const CellStudy& cell) {
  return cell.impulse_elastic.mean;
}

struct Model {
  std::string_view name;
  Predicted predicted;
};
constexpr Model composite{"composite_rigid_body", by_matrix<InertiaModel::composite_rigid_body>};
constexpr Model rotors{"generalized_momentum_with_rotors", by_rotors};
constexpr Model elastic{"elastic_joints", by_elastic_arm};
constexpr Model matrices[] = {{"algebraic", by_matrix<InertiaModel::algebraic>},
                              {"generalized_momentum", by_matrix<InertiaModel::generalized_momentum>},
                              {"flexible_joints", by_matrix<InertiaModel::flexible_joints>},
                              composite,
                              rotors};

// Mean relative error over the cells that have a measured impulse; NaN unless the model exists in all of them.
double mean_error(const Study& study, const Model& model) {
  double sum = 0;
  std::size_t cells = 0;
  for (const auto& cell : study.cells) {
    if (cell.impulse_compression_best.count == 0) continue;
    sum += std::abs(model.predicted(cell) / cell.impulse_compression_best.mean - 1);
    ++cells;
  }
  return cells ? sum / static_cast<double>(cells) : none;
}

std::size_t measured_cells(const Study& study) {
  return static_cast<std::size_t>(std::ranges::count_if(
      study.cells, [](const CellStudy& cell) { return cell.impulse_compression_best.count > 0; }));
}

std::size_t measured_trials(const Study& study) {
  std::size_t trials = 0;
  for (const auto& cell : study.cells) trials += cell.impulse_compression_best.count;
  return trials;
}

std::string error_of(const Model& model, double error) {
  return text(model.name, " ", percent(error));
}

// Why a model that needs the drives cannot be compared; empty if it can.
std::string obstacle(const Study& study, const Model& model) {
  if (!study.arm) return "The drives of the arm are not known.";
  if (const std::size_t trials = measured_trials(study); trials < min_trials)
    return text("The impulse could be measured in ", count(trials, "trial"), "; three are needed.");
  if (std::isnan(mean_error(study, model)))
    return text("There is no prediction of ", model.name,
                " in every cell that has a measured impulse: ", study.arm->message, ".");
  return {};
}

Verdict judge_rotors(const Study& study, const Verdict& verdict) {
  if (std::string why = obstacle(study, rotors); !why.empty()) return not_testable(verdict, std::move(why));
  const double own = mean_error(study, rotors), rival = mean_error(study, composite);
  if (std::isnan(rival)) return not_testable(verdict, "The composite rigid body does not exist in every cell.");
  return decided(
      verdict, own / rival, Side::below, 1, "1",
      text("Mean error over ", count(measured_cells(study), "cell"), ": ", error_of(rotors, own), " against ",
           error_of(composite, rival), " (", study.robots.front(), "); the ratio must be below 1."));
}

Verdict judge_elastic_arm(const Study& study, const Verdict& verdict) {
  if (std::string why = obstacle(study, elastic); !why.empty()) return not_testable(verdict, std::move(why));
  const double own = mean_error(study, elastic);
  double rival = std::numeric_limits<double>::infinity();
  std::string why;
  for (const Model& model : matrices) {
    const double error = mean_error(study, model);
    if (std::isnan(error)) continue;  // a model that does not exist everywhere is not comparable
    rival = std::min(rival, error);
    why.append(text(why.empty() ? "" : ", ", error_of(model, error)));
  }
  if (why.empty()) return not_testable(verdict, "No matrix exists in every cell to compare with.");
  return decided(verdict, own / rival, Side::below, 1, "1",
                 text("Mean error over ", count(measured_cells(study), "cell"),
                      ", each by arm and wall of the others: ", error_of(elastic, own), " against ", why, " (",
                      study.robots.front(), "); the ratio to the best of those must be below 1."));
}

constexpr Claim beyond_table[] = {
    {"beyond.rotors", "beyond",
     "The generalized momentum with rotors predicts the impulse better than the composite rigid body.",
     LawKind::viscoelastic, judge_rotors},
    {"beyond.elastic_arm", "beyond",
     "The arm with elastic joints predicts the impulse better than every single matrix.", LawKind::viscoelastic,
     judge_elastic_arm},
};

}  // namespace

std::span<const Claim> beyond_claims() {
  return beyond_table;
}

}  // namespace thud::studying::verdicts
