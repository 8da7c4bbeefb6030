#include <stdexcept>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "queries.hpp"
#include "query_tail.hpp"

namespace {

constexpr std::size_t n = 7;

dart::dynamics::SkeletonPtr skeleton(const thud::Robot& robot) {
  const auto skeleton = dart::dynamics::Skeleton::create(robot.name());
  dart::dynamics::BodyNode* parent = nullptr;
  for (std::size_t i = 0; i < n; ++i) {
    const thud::Joint& joint = robot.joints().at(i);
    const thud::BodyInertia& body = robot.bodies()[i];
    if (joint.rotor_inertia != 0) throw std::runtime_error("DART has no rotor inertia");
    dart::dynamics::RevoluteJoint::Properties hinge;
    hinge.mName = joint.name;
    hinge.mAxis = joint.axis;
    hinge.mT_ParentBodyToJoint.linear() = joint.R_PJ;
    hinge.mT_ParentBodyToJoint.translation() = joint.p_PJ;
    dart::dynamics::BodyNode::Properties link{dart::dynamics::BodyNode::AspectProperties(joint.link)};
    link.mInertia = dart::dynamics::Inertia(body.mass, body.com, body.inertia);
    parent = skeleton->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(parent, hinge, link).second;
  }
  return skeleton;
}

class Arm {
 public:
  Arm(const thud::Robot& robot, const thud::ContactPoint& point)
      : skeleton_(skeleton(robot)), tool_(skeleton_->getBodyNode(n - 1)), normal_(point.normal_W.normalized()) {
    const thud::Frame& frame = robot.frame(point.frame);
    offset_ = frame.p_JF + frame.R_JF * point.offset;
  }

  void ask(const double* q, Answer& answer) {
    skeleton_->setPositions(Eigen::Map<const Eigen::VectorXd>(q, n));
    answer.M = skeleton_->getMassMatrix();
    const dart::math::Jacobian J = tool_->getWorldJacobian(offset_);  // angular over linear
    answer.J << J.bottomRows<3>(), J.topRows<3>();
    answer.p_WC = tool_->getWorldTransform() * offset_;
    answer.mass = skeleton_->getMass();
    answer.com_W = skeleton_->getCOM();
    answer.A_G.topRows<3>() = answer.mass * skeleton_->getCOMLinearJacobian();

    // angular momentum about the centre of mass of all bodies behind each joint, and their inertia
    Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    const Eigen::Vector3d to_com = answer.com_W - answer.p_WC;
    for (std::size_t i = n; i-- > 0;) {
      const dart::dynamics::BodyNode* body = skeleton_->getBodyNode(i);
      const Eigen::Matrix3d R = body->getWorldTransform().linear();
      const Eigen::Vector3d c = body->getCOM() - answer.com_W;
      I += R * body->getInertia().getMoment() * R.transpose() +
           body->getMass() * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
      moment += body->getMass() * c;
      const auto column = static_cast<Eigen::Index>(i);
      const Eigen::Vector3d w = J.col(column).head<3>(), v = J.col(column).tail<3>() + w.cross(to_com);
      answer.A_G.col(column).tail<3>() = I * w + moment.cross(v);
    }
    answer.Ic_W = I;
    finish(answer, normal_);
  }

 private:
  dart::dynamics::SkeletonPtr skeleton_;
  const dart::dynamics::BodyNode* tool_;
  Eigen::Vector3d normal_, offset_;
};

}  // namespace

Query dart_query(const thud::Robot& robot, const thud::ContactPoint& point) {
  return [arm = std::make_shared<Arm>(robot, point)](const double* q, Answer& answer) { arm->ask(q, answer); };
}
