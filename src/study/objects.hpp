#pragma once

/// Private: objects that were hit, by their motion, against what the models of the arm say.

#include <thud/study.hpp>

#include <optional>
#include <string>
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

/// What is known of a contact: friction, and a restitution that may depend on the speed.
struct KnownContact {
  double friction = 0, restitution = 0;
  std::optional<ContactLaw> law = {};  ///< whose restitution stands instead
  std::string origin;                  ///< of these, in words

  double restitution_at(double mass, double speed) const;
};

/// What the user gave, or what a simulated dataset's campaign says.
KnownContact known_contact(const DatasetHeader& header, const StudyOptions& options);

/// The object of a trial; none where it has none. `drives` may be null.
std::optional<ObjectStudy> study_object(const StudySetup& setup, const Trial& trial, const Drives* drives,
                                        const KnownContact& known);

/// The objects of a dataset, and how far each model is from them; none where no trial has one.
std::optional<ObjectsStudy> gather_objects(std::vector<std::optional<ObjectStudy>> objects, const KnownContact& known);

/// How far the motions found are from the simulated ones: speeds, and spins of those that do spin.
std::vector<TruthQuantity> truth_of_objects(const Study& study);

}  // namespace thud::studying
