#pragma once

/// Private: from trials to cells, and from cells to predictions.

#include <thud/study.hpp>

#include <vector>

#include "study/trial.hpp"

namespace thud::studying {

/// One cell per configuration and reference speed that has trials, with the predictions of each robot, and beyond these
/// where drives are known.
std::vector<CellStudy> study_cells(const StudySetup& setup, const std::vector<TrialStudy>& trials,
                                   const std::vector<Robot>& robots, const Drives* drives);

}  // namespace thud::studying
