#pragma once

/// Which parameters a record tells. Private to the library.

#include "fit/reported.hpp"

namespace thud::fitting {

/// Fills the identifiability of the parameters and the restitution, which have their intervals.
///
/// normal  J'J at the point
void judge_identifiability(const Problem& problem, const NormalMatrix& normal, const Reported& reported,
                           FitResult& out);

/// Says so where the record tells neither the best law's restitution nor what it needs for it.
void warn_of_unidentified(const FitResult& best, bool mass_free, std::vector<Warning>& warnings);

}  // namespace thud::fitting
