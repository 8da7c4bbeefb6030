#pragma once

/// Private: the verdicts by the paper's own procedure.

#include <thud/study.hpp>

#include <vector>

#include "study/trial.hpp"

namespace thud::studying {

/// The claims of the paper as it identifies: the mass is not fitted but the composite rigid body's in the cell, by the
/// robot that is judged. Trials in a cell without one are left out. Throws Interrupted if it is stopped.
std::vector<PaperVerdict> judge_as_in_paper(const StudySetup& setup, const std::vector<Robot>& robots,
                                            const Study& study, const RunOptions& run);

}  // namespace thud::studying
