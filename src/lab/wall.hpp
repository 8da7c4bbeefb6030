#pragma once

/// Private: the wall of the virtual lab: a contact law with its internal state, and the events of a contact.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/lab.hpp>

namespace thud::lab {

/// The force of a contact law along a trajectory given step by step.
class Wall {
 public:
  explicit Wall(const ContactLaw& law) : law_(law) {}

  /// Force on the robot [N] at compression x (<= 0 in contact) [m] and rate v [m/s], for the next `step` seconds.
  double push(double x, double v, double step);

  /// Whether the point is in contact with the wall.
  bool touching() const noexcept { return touching_; }

 private:
  ContactLaw law_;
  bool touching_ = false;
  bool restoring_ = false;  // the spring's second phase
  bool spent_ = false;      // Maxwell's force has vanished, though the dashpot is still compressed
  double deepest_ = 0;      // x at the end of the spring's compression [m]
  double force_ = 0;        // Maxwell's state [N]
};

/// Coulomb's force across the normal during the next `step` seconds [N]: what stops the slip, but no more than friction
/// times the normal force, against the slip.
///
/// velocity  of the robot's point relative to what it hits [m/s]
/// W         by how much an impulse changes that, both sides together [1/kg]
Vector3 friction_force(double friction, double normal_force, const Vector3& normal, const Vector3& velocity,
                       const Matrix3& W, double step);

/// Fills a PlantRun from the states at the steps of a run.
class ContactHistory {
 public:
  explicit ContactHistory(PlantRun& run) : run_(run) {}

  /// The state at time t [s] and the force that acts from then on for `step` seconds.
  void add(double t, double x, double v, double force, double step);

  bool touched() const noexcept { return touched_; }
  bool ended() const noexcept { return ended_; }

 private:
  PlantRun& run_;
  bool touched_ = false, ended_ = false;
  double previous_v_ = 0, previous_x_ = 0, impulse_ = 0;
};

}  // namespace thud::lab
