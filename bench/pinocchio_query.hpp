#pragma once

/// The query as somebody with Pinocchio asks it: M, J, A_G, mass, centre of mass, Ic and the four inverse inertias at
/// one contact point of a serial arm of seven turning joints.

#include <thud/robot.hpp>

#include <array>
#include <memory>

/// What every rival has to give.
struct Answer {
  Eigen::Matrix<double, 7, 7> M;
  Eigen::Matrix<double, 6, 7> J, A_G;
  double mass;
  Eigen::Vector3d p_WC, com_W;
  Eigen::Matrix3d Ic_W;
  std::array<Eigen::Matrix3d, 4> W;  // in the order of thud::all_inertia_models
  std::array<double, 4> masses;      // effective, along the normal
};

class PinocchioQuery {
 public:
  PinocchioQuery(const thud::Robot& robot, const thud::ContactPoint& point);
  ~PinocchioQuery();

  /// One pass of crba in world axes, which leaves J, A_G, mass, centre of mass and Ic behind, and a tail of fixed sizes
  /// that shares every factor.
  void at_its_best(const double* q, Answer& answer);

  /// A function of the library for each quantity, Eigen's factorisations and inverses.
  void as_usually_written(const double* q, Answer& answer);

 private:
  struct Arm;
  std::unique_ptr<Arm> arm_;
};
