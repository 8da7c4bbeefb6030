#pragma once

/// Private: the arm with elastic joints, from the trials of a dataset.

#include <thud/study.hpp>

#include <vector>

#include "study/trial.hpp"

namespace thud::studying {

/// Drives that a study goes by, and where they come from.
struct KnownDrives {
  Drives drives;
  std::string origin;
};

/// What the user gave, or what a simulated dataset's campaign says; none otherwise.
std::optional<KnownDrives> known_drives(const DatasetHeader& header, const Robot& robot, const StudyOptions& options);

/// Fits each trial by itself, then the arm of all and each trial with it, and says what the elastic arm predicts for
/// each from the other cells. Fills `arm` and the trials' parts of it.
void study_arm(const StudySetup& setup, const std::vector<Trial>& trials, const KnownDrives& drives,
               const RunOptions& run, Study& study);

/// Which model describes the record best, the elastic arm where there is one among them, and the measured impulse up to
/// the end of compression by it.
void take_best_model(TrialStudy& trial);

}  // namespace thud::studying
