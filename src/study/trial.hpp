#pragma once

/// Private: evaluation of a single trial.

#include <thud/dataset.hpp>
#include <thud/robot.hpp>
#include <thud/study.hpp>

#include <optional>

namespace thud::studying {

/// What all trials of a study share.
struct StudySetup {
  const DatasetHeader& header;
  const Robot& robot;
};

/// Window, touch, laws, impulses and delays of one trial of a valid dataset. Does not throw, whatever the record or log
/// contains.
TrialStudy study_trial(const StudySetup& setup, const Trial& trial);

/// Residuals of a contact at a glance; nothing of a fit that failed, which has none.
ResidualSummary summary_of(const Record& contact, const VectorX& residuals);

/// The touch by the joint log: means of its last rows before that time, the posture extrapolated at the mean rates up
/// to it. None without such rows.
std::optional<Touch> logged_touch(const StudySetup& setup, const JointLog& joints, double touch_time);

/// The planned touch: the nominal posture, rates of least norm for the reference speed. Without an approach at
/// that posture, dq and velocities are NaN.
Touch reference_touch(const StudySetup& setup, const Configuration& configuration, double speed);

/// The configuration of that name, which must exist.
const Configuration& configuration_of(const DatasetHeader& header, const std::string& name);

}  // namespace thud::studying
