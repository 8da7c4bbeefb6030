#pragma once

/// Private: objects that were hit, by their motion, against what the models of the arm say.

#include <thud/study.hpp>

#include <optional>
#include <vector>

#include "study/trial.hpp"

namespace thud::studying {

/// How an object moved when it was hit.
struct HitMotion {
  double touch_time = 0;                         // when the motion after the hit began, drawn back to rest [s]
  double rest_time = 0;                          // of the last sample at rest [s]
  Vector3 position = Vector3::Zero();            // of the centre of mass at rest, world axes [m]
  Matrix3 orientation = Matrix3::Identity();     // likewise
  Vector3 velocity = Vector3::Zero();            // just after the hit [m/s]
  std::optional<Vector3> angular_velocity = {};  // likewise [rad/s]; none without orientations
};

/// Finds when an object at rest begins to move, and how fast: a parabola through each coordinate over the time after
/// the hit, while it slides, since a floor takes off speed steadily. `direction` is that of the hit, of unit length.
/// None where there are too few samples at rest or in motion; then `why` says it.
std::optional<HitMotion> hit_motion(const ObjectLog& object, const Vector3& direction, std::string& why);

/// The objects of a dataset; none where no trial has one. `drives` may be null.
std::optional<ObjectsStudy> study_objects(const StudySetup& setup, const std::vector<Trial>& trials,
                                          const Drives* drives, const StudyOptions& options);

/// How far the motions found are from the simulated ones: speeds, and spins of those that do spin.
std::vector<TruthQuantity> truth_of_objects(const Study& study);

}  // namespace thud::studying
