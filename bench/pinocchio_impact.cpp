#include <stdexcept>

#include <Eigen/Dense>
#include <pinocchio/algorithm/contact-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/multibody.hpp>

#include "impact_rivals.hpp"

namespace pin = pinocchio;

struct PinocchioImpact::Arm {
  pin::Model model;
  pin::Data data;
  pin::JointIndex carrier = 0;
  Eigen::Vector3d offset;
  Eigen::Matrix<double, 3, 7> J;
};

PinocchioImpact::PinocchioImpact(const thud::Robot& robot, const thud::ContactPoint& point)
    : arm_(std::make_unique<Arm>()) {
  pin::Model& model = arm_->model;
  for (int i = 0; i < robot.size(); ++i) {
    const thud::Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const thud::BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    if (joint.axis != Eigen::Vector3d::UnitZ() || joint.type == thud::JointType::prismatic || joint.parent != i - 1)
      throw std::runtime_error("the rival is for arms that turn about z");
    const auto id = model.addJoint(static_cast<pin::JointIndex>(i), pin::JointModelRZ(),
                                   pin::SE3(joint.R_PJ, joint.p_PJ), joint.name);
    model.appendBodyToJoint(id, pin::Inertia(body.mass, body.com, body.inertia));
    model.armature[i] = joint.rotor_inertia;
  }
  const thud::Frame& frame = robot.frame(point.frame);
  arm_->carrier = static_cast<pin::JointIndex>(frame.joint + 1);
  arm_->offset = frame.p_JF + frame.R_JF * point.offset;
  arm_->data = pin::Data(model);
}

PinocchioImpact::~PinocchioImpact() = default;

void PinocchioImpact::held(const double* q, const double* dq, Eigen::Vector3d& impulse,
                           Eigen::Matrix<double, 7, 1>& dq_after) {
  pin::Data& data = arm_->data;
  pin::crba(arm_->model, data, Eigen::Map<const Eigen::VectorXd>(q, 7), pin::Convention::WORLD);
  const Eigen::Vector3d p = data.oMi[arm_->carrier].act(arm_->offset);
  for (int i = 0; i < 7; ++i) {  // from the origin to the contact point
    const Eigen::Vector3d w = data.J.col(i).tail<3>();
    arm_->J.col(i) = data.J.col(i).head<3>() + w.cross(p);
  }
  dq_after = pin::impulseDynamics(arm_->model, data, Eigen::Map<const Eigen::VectorXd>(dq, 7), arm_->J, 0.0, 0.0);
  impulse = data.impulse_c;
}
