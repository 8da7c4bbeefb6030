#pragma once

/// Private: how far the identified is from what a simulated contact really did.

#include <thud/dataset.hpp>
#include <thud/study.hpp>

#include <utility>
#include <vector>

namespace thud::studying {

/// Compares identified and simulated values over the trials that have both.
TruthQuantity compare_truth(const char* quantity, const char* unit,
                            const std::vector<std::pair<double, double>>& values);

/// The section `truth` of a study whose trials have theirs.
std::vector<TruthQuantity> study_truth(const Study& study, const DatasetHeader& header);

}  // namespace thud::studying
