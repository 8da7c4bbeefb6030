/// KDL as an oracle: its own model of each robot, built from the URDF without thud's loader.

#include <thud/inertia.hpp>

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treejnttojacsolver.hpp>
#include <urdf_parser/urdf_parser.h>

#include "cases.hpp"

namespace thud::test {

void PrintTo(const OracleCase& test, std::ostream* out) {
  *out << test.name;
}

namespace {

// Of each Panda; the other robots get a tenth as many. Half of them have the contact where the inverse may exist.
constexpr int states = 2000;
constexpr int fewest_inverses = 1000;

// Relative to the largest entry of KDL's matrix. Both sides round at 1e-16 per operation, and a chain of 64 joints adds
// up a few thousand of them.
constexpr double rigid_body_tolerance = 1e-11;

// J M^-1 J^T passes through the inverse of M.
constexpr double mobility_tolerance = 1e-9;

// Its inverse loses as many digits as its condition number has. Beyond well_conditioned it is held to what the two
// matrices leave open: X - Y = X (B - A) Y for X and Y the inverses of A and B, and n^2 roundings times the condition
// for computing them [Higham, Accuracy and Stability of Numerical Algorithms, 14.1]. A wrong sign or term fails in the
// matrix itself, at mobility_tolerance.
constexpr double inverse_tolerance = 1e-8;
constexpr double well_conditioned = 1e8;
constexpr double inversion = 36 * std::numeric_limits<double>::epsilon();

// thud calls a posture singular when a pivot is below 1e-12 of its diagonal; the condition number is then beyond this.
constexpr double singular_condition = 1e11;

KDL::Frame frame(const urdf::Pose& pose) {
  const auto& [r, p] = std::pair{pose.rotation, pose.position};
  return {KDL::Rotation::Quaternion(r.x, r.y, r.z, r.w), KDL::Vector(p.x, p.y, p.z)};
}

KDL::RigidBodyInertia inertia(const urdf::Link& link) {
  if (!link.inertial) return KDL::RigidBodyInertia::Zero();
  const urdf::Inertial& given = *link.inertial;
  const KDL::RotationalInertia about_com(given.ixx, given.iyy, given.izz, given.ixy, given.ixz, given.iyz);
  return frame(given.origin) * KDL::RigidBodyInertia(given.mass, KDL::Vector::Zero(), about_com);
}

KDL::Joint joint(const urdf::Joint& given, double rotor) {
  const KDL::Frame at = frame(given.parent_to_joint_origin_transform);
  const KDL::Vector axis = at.M * KDL::Vector(given.axis.x, given.axis.y, given.axis.z);
  switch (given.type) {
    case urdf::Joint::FIXED:
      return KDL::Joint(given.name, KDL::Joint::Fixed);
    case urdf::Joint::PRISMATIC:
      return {given.name, at.p, axis, KDL::Joint::TransAxis, 1, 0, rotor};
    default:
      return {given.name, at.p, axis, KDL::Joint::RotAxis, 1, 0, rotor};
  }
}

Eigen::Vector3d vector(const KDL::Vector& v) {
  return {v.x(), v.y(), v.z()};
}

std::size_t index(const Robot& robot, const std::string& joint) {
  return static_cast<std::size_t>(robot.joint_index(joint));
}

// Every KDL call returns a code.
void require(bool done, const std::string& what) {
  if (!done) throw std::runtime_error("KDL: " + what + " failed");
}

// What KDL computes at one state. Joints in KDL's order.
struct Answer {
  Eigen::Vector3d p;
  Eigen::MatrixXd J, M, A_G;
  double mass;
  Eigen::Vector3d com;
  Eigen::Matrix3d Ic;
};

// KDL's model of a robot.
class KdlRobot {
 public:
  explicit KdlRobot(const OracleCase& test) {
    const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(test.urdf);
    require(model != nullptr, "parseURDF");
    const std::string root = model->getRoot()->name;
    tree_ = KDL::Tree(root);
    add_children(*model->getRoot(), false, test.robot);
    joint_names_.resize(tree_.getNrOfJoints());
    std::string tip;
    for (const auto& [name, element] : tree_.getSegments()) {
      if (name == root) continue;
      if (element.segment.getJoint().getType() != KDL::Joint::Fixed)
        joint_names_.at(element.q_nr) = element.segment.getJoint().getName();
      if (element.children.empty()) tip = name;
    }
    if (test.serial) require(tree_.getChain(root, tip, chain_), "getChain");
    pose_ = std::make_unique<KDL::TreeFkSolverPos_recursive>(tree_);
    jacobian_ = std::make_unique<KDL::TreeJntToJacSolver>(tree_);
  }

  const std::vector<std::string>& joint_names() const { return joint_names_; }

  // By the links: M = sum of J_b^T I_b J_b, which serves branches too. KDL has no mass matrix for them.
  Answer by_links(const KDL::JntArray& q, const ContactPoint& point) const {
    const unsigned n = tree_.getNrOfJoints();
    Answer answer;
    KDL::Frame at;
    KDL::Jacobian J(n);
    go_to(point.frame, q, at, J);
    const KDL::Vector arm = at.M * KDL::Vector(point.offset[0], point.offset[1], point.offset[2]);
    J.changeRefPoint(arm);
    answer.p = vector(at.p + arm);
    answer.J = J.data;

    // everything that adds up, about the origin of the world
    KDL::RigidBodyInertia total = KDL::RigidBodyInertia::Zero();
    answer.M.setZero(n, n);
    answer.A_G.setZero(6, n);
    for (const std::string& link : moving_links_) {
      go_to(link, q, at, J);
      const KDL::RigidBodyInertia body = tree_.getSegment(link)->second.segment.getInertia();
      total = total + at * body;
      const KDL::RigidBodyInertia turned = at.M * body;
      Eigen::MatrixXd momentum(6, n);
      for (unsigned i = 0; i < n; ++i) {
        const KDL::Wrench h = turned * J.getColumn(i), about_world = h.RefPoint(-at.p);
        momentum.col(i) << vector(h.force), vector(h.torque);
        answer.A_G.col(i).head<3>() += vector(about_world.force);
        answer.A_G.col(i).tail<3>() += vector(about_world.torque);
      }
      answer.M += J.data.transpose() * momentum;
    }
    for (const auto& [name, element] : tree_.getSegments()) {
      const KDL::Joint& joint = element.segment.getJoint();
      if (joint.getType() != KDL::Joint::Fixed) answer.M(element.q_nr, element.q_nr) += joint.getInertia();
    }

    answer.mass = total.getMass();
    answer.com = vector(total.getCOG());
    answer.Ic = Eigen::Matrix3d(total.RefPoint(total.getCOG()).getRotationalInertia().data);
    for (unsigned i = 0; i < n; ++i) {
      const Eigen::Vector3d linear = answer.A_G.col(i).head<3>();
      answer.A_G.col(i).tail<3>() -= answer.com.cross(linear);
    }
    return answer;
  }

  // M and J by KDL's own solvers for a chain; the rest as by_links.
  Answer by_chain(const KDL::JntArray& q, const ContactPoint& point) const {
    Answer answer = by_links(q, point);
    const unsigned n = chain_.getNrOfJoints();
    KDL::JntSpaceInertiaMatrix M(static_cast<int>(n));
    require(KDL::ChainDynParam(chain_, KDL::Vector::Zero()).JntToMass(q, M) >= 0, "JntToMass");
    answer.M = M.data;

    unsigned segment = 0;
    while (chain_.getSegment(segment).getName() != point.frame) ++segment;
    KDL::Jacobian J(n);
    KDL::Frame at;
    const int segments = static_cast<int>(segment) + 1;
    require(KDL::ChainJntToJacSolver(chain_).JntToJac(q, J, segments) >= 0, "chain Jacobian");
    require(KDL::ChainFkSolverPos_recursive(chain_).JntToCart(q, at, segments) >= 0, "chain pose");
    J.changeRefPoint(at.M * KDL::Vector(point.offset[0], point.offset[1], point.offset[2]));
    answer.J = J.data;
    return answer;
  }

 private:
  // A link that no joint moves belongs to the base, and its inertia does not count.
  void add_children(const urdf::Link& link, bool moves_already, const Robot& robot) {
    for (const auto& child : link.child_links) {
      const urdf::Joint& given = *child->parent_joint;
      const bool moving_joint = given.type != urdf::Joint::FIXED;
      const double rotor = moving_joint ? robot.joints()[index(robot, given.name)].rotor_inertia : 0;
      const KDL::Frame at = frame(given.parent_to_joint_origin_transform);
      const KDL::Segment segment(child->name, joint(given, rotor), at, inertia(*child));
      require(tree_.addSegment(segment, link.name), "addSegment");
      const bool moves = moves_already || moving_joint;
      if (moves) moving_links_.push_back(child->name);
      add_children(*child, moves, robot);
    }
  }

  void go_to(const std::string& link, const KDL::JntArray& q, KDL::Frame& at, KDL::Jacobian& J) const {
    require(pose_->JntToCart(q, at, link) >= 0, "tree pose");
    require(jacobian_->JntToJac(q, J, link) >= 0, "tree Jacobian");
  }

  KDL::Tree tree_;
  KDL::Chain chain_;
  std::vector<std::string> moving_links_, joint_names_;
  std::unique_ptr<KDL::TreeFkSolverPos_recursive> pose_;
  std::unique_ptr<KDL::TreeJntToJacSolver> jacobian_;
};

double condition(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd values = A.jacobiSvd().singularValues();
  return values[0] / values[values.size() - 1];
}

// The largest errors over a robot's states, by quantity, how many states were compared and had an inverse to compare.
struct Errors {
  std::map<std::string, double> largest;
  int states = 0, inverses = 0, ill_conditioned = 0, singular = 0;
};

void compare(const ContactDynamics& thud, const Answer& kdl, Errors& errors) {
  const auto check = [&](const char* quantity, const MatrixRef& value, const MatrixRef& reference, double tolerance) {
    ASSERT_TRUE(value.allFinite() && reference.allFinite()) << quantity;
    const double error = relative_error(value, reference);
    EXPECT_LE(error, tolerance) << quantity;
    double& largest = errors.largest[quantity];
    largest = std::max(largest, error);
  };
  ++errors.states;
  check("p", thud.p_WC, kdl.p, rigid_body_tolerance);
  check("J", thud.J, kdl.J, rigid_body_tolerance);
  check("M", thud.M, kdl.M, rigid_body_tolerance);
  check("A_G", thud.A_G, kdl.A_G, rigid_body_tolerance);
  check("mass", Eigen::VectorXd::Constant(1, thud.mass), Eigen::VectorXd::Constant(1, kdl.mass), rigid_body_tolerance);
  check("com", thud.com_W, kdl.com, rigid_body_tolerance);
  check("Ic", thud.Ic_W, kdl.Ic, rigid_body_tolerance);

  // the inverse exists where six joints or more move the contact point, unless the posture is singular
  const InertiaStatus status = algebraic(thud).status;
  const auto moving = (kdl.J.colwise().squaredNorm().array() > 0).count();
  EXPECT_EQ(status == InertiaStatus::underactuated, moving < 6);
  if (moving < 6) return;
  const Eigen::MatrixXd mobility = kdl.J * kdl.M.ldlt().solve(kdl.J.transpose()), own = thud.J * thud.M_inv_JT;
  check("mobility", own, mobility, mobility_tolerance);
  const double loss = condition(mobility);
  if (status == InertiaStatus::singular) {
    ++errors.singular;
    EXPECT_GT(loss, singular_condition);
    return;
  }
  ASSERT_EQ(status, InertiaStatus::ok);
  const bool ill = loss >= well_conditioned;
  ++(ill ? errors.ill_conditioned : errors.inverses);
  const Eigen::MatrixXd X = own.inverse(), Y = mobility.inverse();
  const double bound = (X.norm() * (mobility - own).norm() + inversion * loss) * Y.norm() / Y.cwiseAbs().maxCoeff();
  check(ill ? "ill-conditioned inverse" : "inverse", X, Y,
        ill ? std::max(inverse_tolerance, bound) : inverse_tolerance);
}

void print(const OracleCase& test, const char* road, const Errors& errors) {
  std::cout << test.name << ' ' << road << ": " << errors.states << " states, " << errors.inverses << " inverses, "
            << errors.ill_conditioned << " ill-conditioned, " << errors.singular << " singular; largest errors";
  for (const auto& [quantity, error] : errors.largest) std::cout << "  " << quantity << ' ' << error;
  std::cout << '\n';
}

class Kdl : public testing::TestWithParam<OracleCase> {};

TEST_P(Kdl, Agrees) {
  const OracleCase& test = GetParam();
  const KdlRobot kdl(test);
  const Robot& robot = test.robot;
  ASSERT_EQ(kdl.joint_names().size(), static_cast<std::size_t>(robot.size()));

  // column j of thud's matrices is column order[j] of KDL's
  std::vector<Eigen::Index> order(kdl.joint_names().size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[index(robot, kdl.joint_names()[i])] = static_cast<Eigen::Index>(i);

  const auto in_order_of_thud = [&](Answer answer) {
    answer.J = Eigen::MatrixXd(answer.J(Eigen::all, order));
    answer.A_G = Eigen::MatrixXd(answer.A_G(Eigen::all, order));
    answer.M = Eigen::MatrixXd(answer.M(order, order));
    return answer;
  };

  Errors by_links, by_chain;
  Random random(test.seed);
  for (int index = 0; index < test.states && !HasFailure(); ++index) {
    const Sample sample = oracle_sample(random, robot, index);
    SCOPED_TRACE("THUD_SEED " + std::to_string(base_seed()) + ", state " + std::to_string(index) + ", contact on " +
                 sample.point.frame);
    KDL::JntArray q(static_cast<unsigned>(robot.size()));
    for (std::size_t j = 0; j < order.size(); ++j) q.data[order[j]] = sample.state.q[static_cast<Eigen::Index>(j)];
    const ContactDynamics thud = contact_dynamics(robot, sample.point, sample.state.q);
    compare(thud, in_order_of_thud(kdl.by_links(q, sample.point)), by_links);
    if (test.serial) compare(thud, in_order_of_thud(kdl.by_chain(q, sample.point)), by_chain);
  }
  print(test, "by links", by_links);
  if (test.serial) print(test, "by chain", by_chain);
  if (test.states == states) {
    EXPECT_GE(by_links.inverses, fewest_inverses);
    EXPECT_GE(by_chain.inverses, fewest_inverses);
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Kdl, testing::ValuesIn(oracle_cases(states)),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace thud::test
