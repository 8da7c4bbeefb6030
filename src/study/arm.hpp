#pragma once

/// Private: the arm with elastic joints, from the trials of a dataset.

#include <thud/study.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/// Configuration and reference speed.
using Cell = std::pair<std::string, double>;

/// The arm that some trials rest on, to fit others with.
struct CommonArm {
  /// Factors of the transmissions, and the wall.
  struct Found {
    VectorX factors;
    ContactLaw wall;
  };
  Drives given;
  std::vector<DriveParameter> free;              ///< what the factors multiply
  Found all;                                     ///< medians of the wall's parameters
  std::map<Cell, std::optional<Found>> without;  ///< by all other cells; none where these do not tell. Empty: too few
};

/// Fits each trial by itself, then the arm of all and each trial with it, and says what the elastic arm predicts for
/// each from the other cells. `results` are those of the trials, whose parts of it are filled as is `arm`. None where
/// there is no such arm.
std::optional<CommonArm> study_arm(const StudySetup& setup, const std::vector<std::shared_ptr<const Trial>>& trials,
                                   const KnownDrives& drives, const RunOptions& run, std::vector<TrialStudy>& results,
                                   ArmStudy& arm);

/// Fits one more trial with that arm, from its wall on, and says what arm and wall of the other cells predict.
void fit_with(const StudySetup& setup, const CommonArm& arm, const Trial& trial, TrialStudy& result);

/// Which model describes the record best, the elastic arm where there is one among them, and the measured impulse up to
/// the end of compression by it.
void take_best_model(TrialStudy& trial);

}  // namespace thud::studying
