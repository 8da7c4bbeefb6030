#pragma once

/// One impact as somebody with another library asks it.

#include <thud/robot.hpp>

#include <memory>

/// Pinocchio's impulseDynamics: the point is held in all three directions, as sticking friction holds it. Arms of seven
/// joints that turn about z.
class PinocchioImpact {
 public:
  PinocchioImpact(const thud::Robot& robot, const thud::ContactPoint& point);
  ~PinocchioImpact();

  /// One pass of crba in world axes, which leaves the Jacobian behind, and impulseDynamics on it. The impulse on the
  /// robot, and its joint rates after.
  void held(const double* q, const double* dq, Eigen::Vector3d& impulse, Eigen::Matrix<double, 7, 1>& dq_after);

 private:
  struct Arm;
  std::unique_ptr<Arm> arm_;
};

/// A cone solve by ProxSuite: the impulse p that minimises p.W p/2 + p.u over a pyramid of four sides around the
/// friction cone, as simulators that step in time have it. Where nothing slips, it stops the point like a plastic
/// impact.
class ProxsuiteImpact {
 public:
  ProxsuiteImpact();
  ~ProxsuiteImpact();

  Eigen::Vector3d solve(const Eigen::Matrix3d& W, const Eigen::Vector3d& velocity, const Eigen::Vector3d& normal,
                        double friction);

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};
