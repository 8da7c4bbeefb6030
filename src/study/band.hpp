#pragma once

/// Private: the force over time in the records of a cell.

#include <thud/study.hpp>

#include <vector>

namespace thud::studying {

/// The band of a cell, over the length of nearly all of its contacts and a tenth of it on either side.
ForceBand force_band(const std::vector<TrialStudy>& trials, const CellStudy& cell);

}  // namespace thud::studying
