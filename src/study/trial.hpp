#pragma once

/// Private: one trial of a study by itself.

#include <thud/dataset.hpp>
#include <thud/robot.hpp>
#include <thud/study.hpp>

namespace thud::studying {

/// What all trials of a study share. Only read.
struct StudySetup {
  const DatasetHeader& header;
  const Robot& robot;
};

/// Window, touch, laws, impulses and delays of one trial. For a dataset that validate accepts; does not throw for what
/// is in a record or log.
TrialStudy study_trial(const StudySetup& setup, const Trial& trial);

/// Touch as it was planned: the nominal posture, rates of least norm for the reference speed. Without an approach at
/// that posture, dq and velocities are NaN.
Touch reference_touch(const StudySetup& setup, const Configuration& configuration, double speed);

/// The configuration of that name, which the header has.
const Configuration& configuration_of(const DatasetHeader& header, const std::string& name);

}  // namespace thud::studying
