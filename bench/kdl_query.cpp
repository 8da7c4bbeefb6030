#include <memory>
#include <vector>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "queries.hpp"
#include "query_tail.hpp"

namespace {

constexpr unsigned n = 7;

KDL::Vector vector(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Eigen::Vector3d vector(const KDL::Vector& v) {
  return {v.x(), v.y(), v.z()};
}

KDL::Frame frame(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
  return {KDL::Rotation(vector(R.col(0)), vector(R.col(1)), vector(R.col(2))), vector(p)};
}

KDL::RigidBodyInertia inertia(const thud::BodyInertia& body) {
  const Eigen::Matrix3d& I = body.inertia;
  const KDL::RotationalInertia about_com(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  return KDL::Frame(vector(body.com)) * KDL::RigidBodyInertia(body.mass, KDL::Vector::Zero(), about_com);
}

// One segment a joint, and a fixed one with the contact point at its tip.
KDL::Chain chain(const thud::Robot& robot, const thud::ContactPoint& point) {
  KDL::Chain chain;
  for (std::size_t i = 0; i < n; ++i) {
    const thud::Joint& joint = robot.joints().at(i);
    const KDL::Frame at = frame(joint.R_PJ, joint.p_PJ);
    const KDL::Joint turn(joint.name, at.p, at.M * vector(joint.axis), KDL::Joint::RotAxis, 1, 0, joint.rotor_inertia);
    chain.addSegment(KDL::Segment(joint.link, turn, at, inertia(robot.bodies()[i])));
  }
  const thud::Frame& tool = robot.frame(point.frame);
  const Eigen::Vector3d tip = tool.p_JF + tool.R_JF * point.offset;
  chain.addSegment(KDL::Segment("contact", KDL::Joint(KDL::Joint::Fixed), KDL::Frame(vector(tip))));
  return chain;
}

class Arm {
 public:
  Arm(const thud::Robot& robot, const thud::ContactPoint& point)
      : chain_(chain(robot, point)), normal_(point.normal_W.normalized()) {}

  void ask(const double* q, Answer& answer) {
    q_.data = Eigen::Map<const Eigen::VectorXd>(q, n);
    mass_matrix_.JntToMass(q_, M_);
    jacobian_.JntToJac(q_, J_);
    pose_.JntToCart(q_, poses_);
    answer.M = M_.data;
    answer.J = J_.data;
    const KDL::Vector contact = poses_.back().p;
    answer.p_WC = vector(contact);

    // momentum about the contact point, where J's twists are, of all links behind each joint
    KDL::RigidBodyInertia behind = KDL::RigidBodyInertia::Zero();
    std::array<KDL::Wrench, n> momentum;
    for (unsigned i = n; i-- > 0;) {
      const KDL::Frame from_contact(poses_[i].M, poses_[i].p - contact);
      behind = behind + from_contact * chain_.getSegment(i).getInertia();
      momentum[i] = behind * J_.getColumn(i);
    }
    const KDL::Vector com = behind.getCOG();
    for (unsigned i = 0; i < n; ++i) {
      const KDL::Wrench about_com = momentum[i].RefPoint(com);
      answer.A_G.col(i) << vector(about_com.force), vector(about_com.torque);
    }
    answer.mass = behind.getMass();
    answer.com_W = vector(contact + com);
    answer.Ic_W = Eigen::Map<const Eigen::Matrix3d>(behind.RefPoint(com).getRotationalInertia().data);
    finish(answer, normal_);
  }

 private:
  KDL::Chain chain_;
  Eigen::Vector3d normal_;
  KDL::ChainDynParam mass_matrix_{chain_, KDL::Vector::Zero()};
  KDL::ChainJntToJacSolver jacobian_{chain_};
  KDL::ChainFkSolverPos_recursive pose_{chain_};
  KDL::JntArray q_{n};
  KDL::JntSpaceInertiaMatrix M_{n};
  KDL::Jacobian J_{n};
  std::vector<KDL::Frame> poses_ = std::vector<KDL::Frame>(n + 1);
};

}  // namespace

Query kdl_query(const thud::Robot& robot, const thud::ContactPoint& point) {
  return [arm = std::make_shared<Arm>(robot, point)](const double* q, Answer& answer) { arm->ask(q, answer); };
}
