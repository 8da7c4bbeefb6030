#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/lagrange.hpp>

#include <cmath>
#include <string>

#include <Eigen/Cholesky>

#include "elastic/known.hpp"

namespace THUD_EXPORT thud {
namespace {

double mass(const MatrixX& M, const VectorX& j) {
  return 1 / j.dot(M.ldlt().solve(j));
}

}  // namespace

ElasticArm elastic_arm(const MatrixRef& M, const VectorRef& j, const Drives& drives, const VectorRef& holding) {
  const Eigen::Index n = j.size();
  if (M.rows() != n || M.cols() != n)
    throw InputError("M", std::to_string(M.rows()) + " x " + std::to_string(M.cols()),
                     "must be square, with a row for each entry of j (" + std::to_string(n) + ")");
  if (!M.allFinite() || !M.isApprox(M.transpose(), 1e-9))
    throw InputError("M", "a matrix", "must be finite and symmetric");
  if (!j.allFinite()) throw InputError("j", "a vector", "must be finite");
  if (j.isZero(0)) throw InputError("j", "0", "no joint moves the contact point along its normal");
  if (holding.size() != 0 && (holding.size() != n || !holding.allFinite()))
    throw InputError("holding", std::to_string(holding.size()) + " values", "needs one finite value for each joint");
  validate(drives, static_cast<int>(n));

  ElasticArm arm;
  arm.M = M;
  arm.j = j;
  arm.holding = holding.size() == 0 ? VectorX::Zero(n) : VectorX(holding);
  arm.warnings = assumptions(drives);
  arm.drives = drives;
  Drives& all = arm.drives;
  const VectorX rotors = elastic::known_or(drives.rotor_inertia, n, 0);
  const VectorX servo = elastic::known_or(drives.servo_stiffness, n, 0);
  if (drives.servo_damping_ratio)
    all.servo_damping =
        2 * *drives.servo_damping_ratio * (servo.array() * (M.diagonal() + rotors).array()).sqrt().matrix();
  all.servo_damping_ratio.reset();

  MatrixX moving = M;  // with the rotors behind rigid transmissions
  const VectorX stiffness = elastic::known_or(drives.stiffness, n, 0);
  for (Eigen::Index i = 0; i < n; ++i)
    if (stiffness[i] == 0) moving(i, i) += rotors[i];
  const Eigen::LLT<Eigen::MatrixXd> factors{Eigen::MatrixXd(moving)};
  if (factors.info() != Eigen::Success) throw InputError("M", "a matrix", "must be positive definite");
  arm.M_inv = factors.solve(Eigen::MatrixXd::Identity(n, n));
  arm.mass_links = mass(M, arm.j);
  MatrixX with_rotors = M;
  with_rotors.diagonal() += rotors;
  arm.mass_rotors = mass(with_rotors, arm.j);
  return arm;
}

ElasticArm elastic_arm(const Robot& robot, const ContactPoint& point, const VectorRef& q, const Drives& drives) {
  const Robot links = robot.with_rotor_inertia(VectorX::Zero(robot.size()));
  const ContactDynamics dynamics = contact_dynamics(links, point, q);
  const VectorX j = dynamics.J.topRows<3>().transpose() * dynamics.normal_W;
  const VectorX at_rest = VectorX::Zero(robot.size());
  return elastic_arm(dynamics.M, j, drives, -lagrange_terms(links, q, at_rest).gradient);
}

}  // namespace thud
