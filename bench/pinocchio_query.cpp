#include "pinocchio_query.hpp"

#include <Eigen/Dense>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

namespace {

namespace pin = pinocchio;
using Eigen::Matrix3d;
using Eigen::Vector3d;
constexpr int n = 7;

// L D L^T of a small symmetric matrix, unrolled; its lower triangle is read, inverse pivots are kept.
template <int size>
struct Factors {
  Eigen::Matrix<double, size, size> L;
  Eigen::Matrix<double, size, 1> inverse;

  template <class Matrix>
  explicit Factors(const Matrix& A) {
    Eigen::Matrix<double, size, size> LD;
    for (int j = 0; j < size; ++j) {
      double pivot = A(j, j);
      for (int k = 0; k < j; ++k) pivot -= L(j, k) * LD(j, k);
      inverse[j] = 1 / pivot;
      for (int i = j + 1; i < size; ++i) {
        double sum = A(i, j);
        for (int k = 0; k < j; ++k) sum -= LD(i, k) * L(j, k);
        LD(i, j) = sum;
        L(i, j) = sum * inverse[j];
      }
    }
  }

  // all columns at once
  template <class Matrix>
  void solve(Matrix& x) const {
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < i; ++k) x.row(i) -= L(i, k) * x.row(k);
    for (int i = 0; i < size; ++i) x.row(i) *= inverse[i];
    for (int i = size - 1; i >= 0; --i)
      for (int k = i + 1; k < size; ++k) x.row(i) -= L(k, i) * x.row(k);
  }
};

Matrix3d skew(const Vector3d& v) {
  Matrix3d result;
  result << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return result;
}

}  // namespace

struct PinocchioQuery::Arm {
  pin::Model model;
  pin::Data data;
  pin::JointIndex carrier = 0;
  pin::FrameIndex contact = 0;
  Vector3d offset, normal;
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J = Eigen::Matrix<double, 6, Eigen::Dynamic>::Zero(6, n);
};

PinocchioQuery::PinocchioQuery(const thud::Robot& robot, const thud::ContactPoint& point)
    : arm_(std::make_unique<Arm>()) {
  pin::Model& model = arm_->model;
  for (int i = 0; i < robot.size(); ++i) {
    const thud::Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const thud::BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    if (joint.axis != Vector3d::UnitZ() || joint.type == thud::JointType::prismatic || joint.parent != i - 1)
      throw std::runtime_error("the rival is for arms that turn about z");
    const auto id = model.addJoint(static_cast<pin::JointIndex>(i), pin::JointModelRZ(),
                                   pin::SE3(joint.R_PJ, joint.p_PJ), joint.name);
    model.appendBodyToJoint(id, pin::Inertia(body.mass, body.com, body.inertia));
    model.armature[i] = joint.rotor_inertia;
  }
  const thud::Frame& frame = robot.frame(point.frame);
  arm_->carrier = static_cast<pin::JointIndex>(frame.joint + 1);
  arm_->offset = frame.p_JF + frame.R_JF * point.offset;
  arm_->normal = point.normal_W.normalized();
  arm_->contact = model.addFrame(
      pin::Frame("contact", arm_->carrier, 0, pin::SE3(Matrix3d::Identity(), arm_->offset), pin::OP_FRAME));
  arm_->data = pin::Data(model);
}

PinocchioQuery::~PinocchioQuery() = default;

void PinocchioQuery::at_its_best(const double* q, Answer& answer) {
  pin::Data& data = arm_->data;
  pin::crba(arm_->model, data, Eigen::Map<const Eigen::VectorXd>(q, n), pin::Convention::WORLD);
  answer.M.triangularView<Eigen::Lower>() = data.M.topLeftCorner<n, n>().transpose();
  answer.M.triangularView<Eigen::StrictlyUpper>() = data.M.topLeftCorner<n, n>();
  answer.A_G = data.Ag.leftCols<n>();
  answer.mass = data.mass[0];
  answer.com_W = data.com[0];
  answer.Ic_W = data.oYcrb[0].inertia().matrix();
  const Vector3d p = answer.p_WC = data.oMi[arm_->carrier].act(arm_->offset);
  for (int i = 0; i < n; ++i) {  // from the origin to the contact point
    const Vector3d w = data.J.col(i).tail<3>();
    answer.J.col(i) << data.J.col(i).head<3>() + w.cross(p), w;
  }

  const Vector3d& normal = arm_->normal;
  const Vector3d r = p - answer.com_W;
  Eigen::Matrix<double, n, 6, Eigen::RowMajor> response = answer.J.transpose();
  Factors<n>(answer.M).solve(response);

  // J M^-1 J^T with the angular half first: W of the algebraic option is then its Schur complement
  Eigen::Matrix<double, 6, 6> A;
  const Eigen::Matrix<double, 6, 6> mobility = answer.J.lazyProduct(response);
  A << mobility.bottomRightCorner<3, 3>(), mobility.bottomLeftCorner<3, 3>(), mobility.topRightCorner<3, 3>(),
      mobility.topLeftCorner<3, 3>();
  const Factors<6> factors(A);
  const Eigen::Matrix<double, 3, 3> L = factors.L.bottomRightCorner<3, 3>();
  const Vector3d d = factors.inverse.tail<3>().cwiseInverse();
  const double l10 = L(1, 0), l20 = L(2, 0), l21 = L(2, 1);
  answer.W[0](0, 0) = d[0];
  answer.W[0](1, 0) = answer.W[0](0, 1) = l10 * d[0];
  answer.W[0](2, 0) = answer.W[0](0, 2) = l20 * d[0];
  answer.W[0](1, 1) = l10 * l10 * d[0] + d[1];
  answer.W[0](2, 1) = answer.W[0](1, 2) = l20 * l10 * d[0] + l21 * d[1];
  answer.W[0](2, 2) = l20 * l20 * d[0] + l21 * l21 * d[1] + d[2];
  const double y0 = normal[0], y1 = normal[1] - l10 * y0, y2 = normal[2] - l20 * y0 - l21 * y1;
  answer.masses[0] = y0 * y0 / d[0] + y1 * y1 / d[1] + y2 * y2 / d[2];

  answer.W[1] = mobility.topLeftCorner<3, 3>();
  const Factors<3> Ic(answer.Ic_W);
  Eigen::Matrix<double, 3, 6, Eigen::RowMajor> turns;
  const Eigen::Matrix<double, 6, 3> momentum = answer.A_G.lazyProduct(response.leftCols<3>());
  turns.leftCols<3>() = skew(r);
  turns.rightCols<3>() = momentum.bottomRows<3>();
  Ic.solve(turns);
  const double inverse_mass = 1 / answer.mass;
  for (int k = 0; k < 3; ++k) {
    const Vector3d turn = turns.col(k), average = turns.col(3 + k);
    answer.W[2].col(k) = turn.cross(r) + inverse_mass * Vector3d::Unit(k);
    answer.W[3].col(k) =
        answer.W[2].col(k) + answer.W[1].col(k) - inverse_mass * momentum.col(k).head<3>() - average.cross(r);
  }
  for (std::size_t o = 1; o < 4; ++o) answer.masses[o] = 1 / normal.dot(answer.W[o].lazyProduct(normal));
}

void PinocchioQuery::as_usually_written(const double* q, Answer& answer) {
  pin::Data& data = arm_->data;
  const pin::Model& model = arm_->model;
  const Eigen::Map<const Eigen::VectorXd> position(q, n);
  pin::crba(model, data, position);
  data.M.triangularView<Eigen::StrictlyLower>() = data.M.transpose().triangularView<Eigen::StrictlyLower>();
  const Eigen::MatrixXd M = data.M;
  pin::computeJointJacobians(model, data, position);
  pin::updateFramePlacements(model, data);
  arm_->J.setZero();
  pin::getFrameJacobian(model, data, arm_->contact, pin::LOCAL_WORLD_ALIGNED, arm_->J);
  const Eigen::MatrixXd J = arm_->J;
  pin::ccrba(model, data, position, arm_->zero);
  const Eigen::MatrixXd A_G = data.Ag;
  const Vector3d& normal = arm_->normal;
  const Matrix3d Ic = data.Ig.inertia().matrix();

  const Eigen::MatrixXd response = M.llt().solve(J.transpose());
  const Eigen::MatrixXd mobility = J * response;
  const Matrix3d effective = mobility.inverse().topLeftCorner<3, 3>();
  const Vector3d r = data.oMf[arm_->contact].translation() - data.com[0];
  answer.W[0] = effective.inverse();
  answer.W[1] = mobility.topLeftCorner<3, 3>();
  answer.W[2] = Matrix3d::Identity() / data.Ig.mass() - skew(r) * Ic.inverse() * skew(r);
  Eigen::MatrixXd X(3, 6);
  X << Matrix3d::Identity() / data.Ig.mass(), -skew(r) * Ic.inverse();
  answer.W[3] = answer.W[2] + answer.W[1] - X * A_G * response.leftCols<3>();
  answer.masses[0] = normal.dot(effective * normal);
  for (std::size_t o = 1; o < 4; ++o) answer.masses[o] = 1 / normal.dot(answer.W[o] * normal);
  answer.M = M;
  answer.J = J;
  answer.A_G = A_G;
  answer.mass = data.Ig.mass();
  answer.p_WC = data.oMf[arm_->contact].translation();
  answer.com_W = data.com[0];
  answer.Ic_W = Ic;
}
