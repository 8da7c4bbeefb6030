#pragma once

/// The end of every query as usually written: four inverse inertias and effective masses from the matrices of a
/// library, with Eigen's factorisations and inverses.

#include <Eigen/Dense>

#include "pinocchio_query.hpp"

inline Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
  Eigen::Matrix3d result;
  result << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return result;
}

/// Fills W and masses of an answer from all that stands in it. The normal has unit length.
inline void finish(Answer& answer, const Eigen::Vector3d& normal) {
  using Eigen::Matrix3d;
  const Eigen::MatrixXd M = answer.M, J = answer.J, A_G = answer.A_G;
  const Eigen::MatrixXd response = M.llt().solve(J.transpose());
  const Eigen::MatrixXd mobility = J * response;
  const Matrix3d effective = mobility.inverse().topLeftCorner<3, 3>();
  const Matrix3d arm = skew(answer.p_WC - answer.com_W), turn = arm * answer.Ic_W.inverse();
  answer.W[0] = effective.inverse();
  answer.W[1] = mobility.topLeftCorner<3, 3>();
  answer.W[2] = Matrix3d::Identity() / answer.mass - turn * arm;
  Eigen::MatrixXd X(3, 6);
  X << Matrix3d::Identity() / answer.mass, -turn;
  answer.W[3] = answer.W[2] + answer.W[1] - X * A_G * response.leftCols<3>();
  answer.masses[0] = normal.dot(effective * normal);
  for (std::size_t o = 1; o < 4; ++o) answer.masses[o] = 1 / normal.dot(answer.W[o] * normal);
}
