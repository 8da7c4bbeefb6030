#pragma once

/// Postures that bring a contact point to a target within the joints' limits. Private to the library.

#include <thud/aim.hpp>

#include <vector>

#include <Eigen/Core>

#include "map/box.hpp"
#include "map/gradient.hpp"

namespace thud::map {

/// Throws InputError for a target that is not finite, and for an orientation that is told and is not a rotation.
void validate_target(const AimTarget& target);

/// The constraint of a target: position, and of the orientation what is told.
class Reach {
 public:
  Reach(const Robot& robot, const ContactPoint& point, const AimTarget& target);

  /// How far the tool is from the target.
  struct Distance {
    double position, angle;  // [m], [rad]
  };

  /// Brings q, within the limits, to the target in at most `steps` steps of damped least squares; joints of `held` stay
  /// where they are. False if it does not come there; q is then as near as it came, and within the limits all the same.
  bool solve(VectorX& q, int steps, const std::vector<bool>& held);

  /// Of the posture at which the constraint was last evaluated.
  Distance distance() const noexcept;
  const Eigen::MatrixXd& jacobian() const noexcept { return jacobian_; }  // of the constraint

  /// Evaluates the constraint at q.
  void place(const VectorX& q);

  const Box& box() const noexcept { return box_; }
  ContactTree& tree() noexcept { return tree_; }

 private:
  bool reached() const noexcept;
  void step(const VectorX& q, std::vector<bool>& free, double damping, Eigen::VectorXd& dq) const;

  ContactTree tree_;
  AimTarget target_;
  Box box_;
  Matrix3 across_;  // rows: two directions across the normal, and the axis against it
  Matrix6X J_;
  Eigen::VectorXd error_;  // what is missing, turning times a length [m]
  Eigen::MatrixXd jacobian_;
};

}  // namespace thud::map
