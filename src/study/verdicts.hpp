#pragma once

/// Private: verdicts on the claims of the paper, and beyond it, from a study's trials and cells.

#include <thud/study.hpp>

#include <vector>

namespace thud::studying {

/// One verdict per claim, in the order of Study::verdicts, from its robots, trials and cells. docs/study.md has the
/// table of statistics and thresholds with their reasons.
std::vector<Verdict> judge(const Study& study);

/// Likewise what goes beyond the paper, in the order of Study::beyond.
std::vector<Verdict> judge_beyond(const Study& study);

}  // namespace thud::studying
