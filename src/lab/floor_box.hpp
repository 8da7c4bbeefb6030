#pragma once

/// Private: a free box on a floor, as a MuJoCo model of its own; what hits it is a force from outside.

#include <thud/campaign.hpp>
#include <thud/conventions.hpp>
#include <thud/dataset.hpp>

#include <memory>

#include <Eigen/Geometry>
#include <mujoco/mujoco.h>

#include "lab/plant.hpp"
#include "lab/sensor.hpp"

namespace thud::lab {

class FloorBox {
 public:
  /// A box of the campaign at rest on the floor. `touch_W` is where it will be hit: on the face towards the robot, at
  /// half its height and `offset` to the left of the middle. `normal_W` is that face's, of unit length and horizontal.
  FloorBox(const Box& box, double mass, double offset, const Vector3& touch_W, const Vector3& normal_W, double step);

  Vector3 position() const;     // of its centre of mass [m]
  Matrix3 orientation() const;  // of its axes: along the hit, to the left, up
  Vector3 velocity() const;     // of its centre of mass [m/s]
  Vector3 angular_velocity() const;
  Vector3 velocity_at(const Vector3& p_W) const;
  Matrix3 inverse_inertia_at(const Vector3& p_W) const;  // by how much an impulse there changes that [1/kg]

  /// The face that is hit: its normal, how far a point is before it [m], and whether the point is opposite to it.
  Vector3 normal() const { return -orientation().col(0); }
  double distance(const Vector3& p_W) const;
  bool faces(const Vector3& p_W) const;

  double energy() const;                            // kinetic, and of height [J]
  double given_to_floor() const { return floor_; }  // since the start [J]

  /// One step under a force at a point. Throws PlantError if the state is no longer finite.
  void step(const Vector3& force_W, const Vector3& p_W);

  const Matrix3& inertia() const noexcept { return inertia_; }  // about its centre of mass, own axes [kg m^2]

 private:
  Vector3 size_;
  double mass_;
  Matrix3 inertia_;
  double step_, floor_ = 0;
  std::unique_ptr<mjModel, MujocoDeleter> model_;
  std::unique_ptr<mjData, MujocoDeleter> data_;
};

/// A camera's view of a box: its pose at a steady rate, with noise.
class PoseSensor {
 public:
  /// `samples` poses at most are kept, in a log that must outlive this.
  PoseSensor(const Box& box, const FloorBox& seen, double mass, Eigen::Index samples, ObjectLog& log, Draw& draw);

  /// To be called at every step: takes a sample when one is due at time t, of a step of this length [s].
  void sample(double t, double step);

 private:
  const Box& box_;
  const FloorBox& seen_;
  ObjectLog& log_;
  Draw& draw_;
  Eigen::Index count_ = 0;
};

}  // namespace thud::lab
