#pragma once

/// Private: from trials to cells, and from cells to predictions.

#include <thud/study.hpp>

#include <vector>

#include "study/study_trial.hpp"

namespace thud::studying {

/// Mean, deviation and range of the values that are finite.
Spread spread(const std::vector<double>& values);

/// One cell per configuration and reference speed that has trials, with the predictions of each robot.
std::vector<CellStudy> study_cells(const StudyGround& ground, const std::vector<TrialStudy>& trials,
                                   const std::vector<Robot>& robots);

}  // namespace thud::studying
