#pragma once

/// Private: the arm of the virtual lab as a MuJoCo model built in memory, and its contact point.
///
/// Flexible joints are two hinges (or slides) on each link's body: the first has the rotor as armature and takes the
/// motor's torque, the second is the transmission's spring and damper. With motor angle theta and deflection delta the
/// link is at q = theta + delta, which is exactly the flexible-joint model.

#include <thud/campaign.hpp>
#include <thud/conventions.hpp>
#include <thud/lab.hpp>
#include <thud/robot.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include "lab/mujoco.hpp"

namespace thud::lab {

/// Joint coordinates and rates of the links, and of the motors where they differ.
struct PlantState {
  VectorX q, dq;          // links
  VectorX theta, dtheta;  // motors; equal to the links' for rigid joints
};

class Plant {
 public:
  /// `posture` is where locked joints are locked; otherwise it is ignored.
  Plant(const Robot& robot, const ContactPoint& point, PlantJoints joints, const Drives& drives,
        const Vector3& gravity_W, double step, const VectorX& posture);

  int size() const noexcept { return joints_; }  // joints of the robot
  double time() const noexcept { return data_->time; }

  /// Sets the state and updates the kinematics. Deflections delta are zero for rigid joints.
  void set_state(const VectorX& theta, const VectorX& delta, const VectorX& rate);

  /// For locked joints: the whole body moves with this velocity.
  void set_velocity(const Vector3& velocity_W);

  /// Computes the kinematics of the current state, which the functions below use.
  void update_kinematics();

  PlantState state() const;
  Vector3 contact_position() const;
  Vector3 contact_velocity();
  Eigen::Quaterniond contact_orientation() const;
  VectorX transmission_torque() const;  // from the motors to the links [N m]
  double kinetic_energy();              // [J]
  double elastic_energy() const;        // in the transmissions [J]
  double gravity_energy() const;        // [J]

  /// Jacobian of the contact point for rigid joints, linear over angular (6 x n).
  Matrix6X jacobian() const;

  /// One step with these motor torques (none for locked joints) and a force at the contact point, held during it;
  /// updates the kinematics. Throws PlantError if the state is no longer finite.
  void step(const VectorX& motor_torque, const Vector3& force_W);

  /// Joint torques of the motion (q, dq, ddq) for rigid joints, without rotors. Leaves the plant in (q, dq).
  VectorX inverse_dynamics(const VectorX& q, const VectorX& dq, const VectorX& ddq);

  /// By how much an impulse at the contact point changes its velocity, J_v M^-1 J_v^T [1/kg].
  Matrix3 contact_inverse_inertia();

  /// Diagonal of the joint-space inertia, rotors included, for rigid joints.
  VectorX inertia_diagonal() const;

 private:
  Matrix6X model_jacobian() const;  // of all coordinates, in MuJoCo's order

  int joints_ = 0;
  PlantJoints kind_;
  std::vector<std::ptrdiff_t> motor_;  // index of each joint's (motor) coordinate; the transmission's is the next.
                                       // MuJoCo numbers depth first, a robot need not
  int body_ = 0;                       // body of the contact point
  Vector3 offset_;                     // of the contact point in it [m]
  Matrix3 R_BF_;                       // orientation of the contact frame in it
  Drives drives_;
  double step_;
  std::unique_ptr<mjModel, MujocoDeleter> model_;
  std::unique_ptr<mjData, MujocoDeleter> data_;
};

/// Energy balance of a plant from construction to `close`.
class Auditor {
 public:
  Auditor(Plant& plant, EnergyAudit& energy);

  /// Work of a force on a coordinate with these rates before and after a step: exact for the semi-implicit Euler step.
  static double work(const VectorX& force, const VectorX& before, const VectorX& after, double step);

  /// Fills in the changes of kinetic, elastic and gravitational energy.
  void close();

 private:
  Plant& plant_;
  EnergyAudit& energy_;
  double kinetic_, elastic_, gravity_;
};

}  // namespace thud::lab
