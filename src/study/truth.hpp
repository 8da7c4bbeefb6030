#pragma once

/// Private: how far the identified is from what a simulated contact really did.

#include <thud/dataset.hpp>
#include <thud/study.hpp>

#include <vector>

namespace thud::studying {

/// The section `truth` of a study whose trials have theirs.
std::vector<TruthQuantity> study_truth(const Study& study, const DatasetHeader& header);

}  // namespace thud::studying
