#pragma once

/// Private: what a verdict rests on where records do not tell it.

#include <thud/study.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace thud::studying {

/// Whether a fit has a COR with an interval and the record does not tell it (FitResult::restitution_identifiability).
bool is_untold(const FitResult& law);

/// d = c|v0|/k of the viscoelastic law with this COR, 0 < e < 1: the inverse of restitution().
///                                                                          [Wang22, (normal_impact_force)]
double damping_of(double restitution);

/// A study with other CORs where they are not told.
struct Untold {
  std::string where;  ///< which ones, in words
  Study study;
};

constexpr std::size_t untold_studies = 4;

/// The same study with every COR by a law that its record does not tell at the low ends of what it cannot be told from,
/// at the high ends, and at low ends for the slower half of the speeds and high ones for the faster, and the reverse.
/// What follows from a COR goes with it: the viscoelastic damping, with it the end of compression and the depth that is
/// left, and the impulse up to there, which is that of the whole contact over 1 + e.
///
/// which  0 to untold_studies - 1, in that order. One at a time: each is a copy
Untold untold_study(const Study& study, LawKind kind, std::size_t which);

/// What verdicts rest on: all but records, what fits leave of them, and fits of the elastic arm.
Study without_records(const Study& study);

/// Trials that do not tell the COR by a law.
std::size_t untold_trials(const Study& study, LawKind kind);

}  // namespace thud::studying
