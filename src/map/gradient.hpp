#pragma once

/// Kinematics of a contact point and gradients of its effective mass. Private to the library.

#include <thud/dynamics.hpp>
#include <thud/inertia.hpp>

#include <vector>

#include "robot/expanded.hpp"
#include "robot/joint_tree.hpp"

namespace thud::map {

/// Twist, wrench or momentum about the contact point.
struct Spatial {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

/// A robot at a posture, seen from its contact point. Followers are joints of their own inside.
class ContactTree {
 public:
  /// Throws what DynamicsWorkspace throws.
  ContactTree(const Robot& robot, const ContactPoint& point);

  /// Of each joint of the robot, whether it moves any of the composite body. The others do not matter to a hit.
  std::vector<bool> matters(int joints) const;

  /// Moves the joints to positions q.
  void place(const VectorRef& q) noexcept;

  // of the last posture
  const Vector3& p_WC() const noexcept { return p_WC_; }
  const Matrix3& R_WF() const noexcept { return R_WF_; }  // of the frame that is hit
  void jacobian(Matrix6X& J) const noexcept;              // as ContactDynamics::J

  /// d(1/m_n)/dq of a model that exists; `dynamics` of the same posture and contact.
  void inverse_mass_gradient(const ContactDynamics& dynamics, InertiaModel model, VectorX& gradient);

 private:
  // One motion of all bodies: a rigid one of the whole, and joint rates on top of it.
  struct Motion {
    Spatial whole;
    VectorX rates;  // of all joints; empty: none
    std::vector<Spatial> twists, momenta;
  };
  struct Body {
    double mass;
    Vector3 com;      // from the contact point
    Matrix3 inertia;  // about it, world axes
  };

  VectorX all_rates(const VectorRef& rates) const;
  void place_bodies() noexcept;
  void move(Motion& motion, bool composite_only) const noexcept;
  // The gradients below are of all joints, and add up with a factor.
  void add_energy_gradient(Motion& U, Motion& V, bool composite_only, double factor) noexcept;
  void add_jacobian_gradient(const Spatial& u, const VectorX& rates, double factor) noexcept;
  void add_center_gradient(const Vector3& force, double mass, double factor) noexcept;
  void add_point_gradient(const Vector3& force, double factor) noexcept;
  void add_generalized_momentum(const Spatial& u, const VectorX& y, double factor);
  void add_composite(const ContactDynamics& dynamics, const Vector3& z);
  void subtract_flexible(const ContactDynamics& dynamics, const Vector3& z, const VectorX& y);

  robot::Expanded all_;
  std::vector<robot::TreeJoint> joints_;
  std::vector<bool> in_composite_;
  std::vector<std::size_t> chain_;  // joints that move the contact point, from the base
  Vector3 p_JC_, p_WC_;
  Matrix3 R_JF_, R_WF_;
  VectorX q_;
  std::vector<Spatial> axes_;  // twist per unit rate
  std::vector<Body> bodies_;
  VectorX gradient_;
};

}  // namespace thud::map
