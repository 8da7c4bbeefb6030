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

/// How the controller changed its command after its alarm, from its log of tau*:
///
///   M delta" = tau* - what it was going to be,   that being the line through the last cycles up to the alarm
///
/// delta' is held through a cycle. The controller feeds tau* and the rotors' B delta" forward, and winds the
/// transmissions up by tau*/K. None without an alarm or the log.
std::vector<CommandChange> command_changes(const ElasticArm& arm, const Trial& trial, double touch_time);

/// Fits each trial by itself, then the arm of all and each trial with it, and says which model describes each record
/// best and what the elastic arm predicts for it from the other cells. Fills `arm` and the trials' parts of it.
void study_arm(const StudySetup& setup, const std::vector<Trial>& trials, const KnownDrives& drives,
               const RunOptions& run, Study& study);

/// The measured impulse up to the end of compression by a law with a mass, where no elastic arm describes the record.
void take_best_law(TrialStudy& trial);

}  // namespace thud::studying
