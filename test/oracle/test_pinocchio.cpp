// Robots that come from Pinocchio, against Pinocchio itself.

#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/pinocchio.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>

#include "support.hpp"

namespace thud {
namespace {

namespace pin = pinocchio;
using test::uniform;

// Two algorithms in double precision over up to 30 joints: some thousand roundings.
constexpr double rounding = 1e-11;

pin::SE3 random_placement(test::Random& random, double reach) {
  const Matrix3 R = test::random_rotation(random);
  return pin::SE3(R, reach * test::random_vector(random));
}

pin::Inertia random_inertia(test::Random& random) {
  const Vector3 side = 0.05 * Vector3::Ones() + 0.2 * test::random_vector(random).cwiseAbs();
  const pin::Inertia box = pin::Inertia::FromBox(std::pow(10, uniform(random, -1.5, 1)), side[0], side[1], side[2]);
  return random_placement(random, 0.2).act(box);
}

pin::JointModel random_joint(test::Random& random) {
  const Vector3 axis = test::random_direction(random);
  switch (random() % 10) {
    case 0:
      return pin::JointModelRX();
    case 1:
      return pin::JointModelRY();
    case 2:
      return pin::JointModelRZ();
    case 3:
    case 4:
      return pin::JointModelRevoluteUnaligned(axis);
    case 5:
      return pin::JointModelRUBY();
    case 6:
    case 7:
      return pin::JointModelRevoluteUnboundedUnaligned(axis);
    case 8:
      return pin::JointModelPZ();
    default:
      return pin::JointModelPrismaticUnaligned(axis);
  }
}

void add_frame(pin::Model& model, const std::string& name, pin::JointIndex joint, pin::FrameType type,
               const pin::SE3& placement = pin::SE3::Identity()) {
  model.addFrame(pin::Frame(name, joint, 0, placement, type));
}

// A tree, depth first as Pinocchio needs it: each joint hangs on the one before or on one that carries that. Two bodies
// on some joints, a tool on each.
pin::Model random_model(test::Random& random, int joints) {
  pin::Model model;
  model.name = std::string("random").append(std::to_string(joints));
  add_frame(model, "base", 0, pin::BODY);
  for (int i = 1; i <= joints; ++i) {
    const auto& way = model.supports.back();  // of the last joint, from the universe
    const pin::JointIndex parent = way[way.size() - 1 - random() % std::min<std::size_t>(way.size(), 3)];
    const std::string number = std::to_string(i);
    const auto joint = model.addJoint(parent, random_joint(random), random_placement(random, 0.3), "joint" + number);
    model.appendBodyToJoint(joint, random_inertia(random));
    if (i % 3 == 0) model.appendBodyToJoint(joint, random_inertia(random), random_placement(random, 0.1));
    add_frame(model, "link" + number, joint, pin::BODY);
    add_frame(model, "tool" + number, joint, pin::OP_FRAME, random_placement(random, 0.2));
  }
  for (double& armature : model.armature) armature = uniform(random, 0, 0.5);
  return model;
}

// Pinocchio's configuration of thud's joint positions.
Eigen::VectorXd configuration(const pin::Model& model, const VectorX& q) {
  Eigen::VectorXd result(model.nq);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto& joint = model.joints[static_cast<std::size_t>(i) + 1];
    if (joint.nq() == 1)
      result[joint.idx_q()] = q[i];
    else
      result.segment<2>(joint.idx_q()) << std::cos(q[i]), std::sin(q[i]);
  }
  return result;
}

TEST(FromPinocchio, GivesPinocchiosDynamics) {
  test::Random random(test::base_seed());
  for (const int joints : {1, 2, 3, 5, 7, 7, 7, 12, 20, 30}) {
    const pin::Model model = random_model(random, joints);
    const Robot robot = from_pinocchio(model);
    SCOPED_TRACE(robot.name() + ", THUD_SEED " + std::to_string(test::base_seed()));
    ASSERT_EQ(robot.size(), model.nv);
    pin::Data data(model);
    for (int state = 0; state < 20; ++state) {
      auto [now, point] = test::random_sample(random, robot);
      point.whole = true;  // Pinocchio's centroidal quantities are of the whole robot
      const ContactDynamics own = contact_dynamics(robot, point, now.q);
      const Eigen::VectorXd q = configuration(model, now.q);

      const auto frame = model.getFrameId(point.frame);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, model.nv);
      pin::computeFrameJacobian(model, data, q, frame, pin::LOCAL_WORLD_ALIGNED, J);
      pin::framesForwardKinematics(model, data, q);
      const Vector3 arm = data.oMf[frame].rotation() * point.offset;  // from the frame's origin to the contact point
      for (Eigen::Index i = 0; i < J.cols(); ++i) J.col(i).head<3>() += Vector3(J.col(i).tail<3>()).cross(arm);
      EXPECT_LT(test::relative_error(own.J, J), rounding);
      EXPECT_LT(test::relative_error(own.p_WC, data.oMf[frame].translation() + arm), rounding);

      pin::crba(model, data, q);
      const Eigen::MatrixXd M = data.M.selfadjointView<Eigen::Upper>();
      EXPECT_LT(test::relative_error(own.M, M), rounding);

      pin::ccrba(model, data, q, now.dq);
      EXPECT_LT(test::relative_error(own.A_G, data.Ag), rounding);
      EXPECT_LT(test::relative_error(own.com_W, data.com[0]), rounding);
      EXPECT_LT(test::relative_error(own.Ic_W, data.Ig.inertia().matrix()), rounding);
      EXPECT_NEAR(own.mass, data.Ig.mass(), rounding * own.mass);
    }
  }
}

TEST(FromPinocchio, KeepsNamesLimitsAndFrames) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  pin::Model model;
  model.name = "arm";
  const pin::SE3 placed(Matrix3::Identity(), Vector3(1, 2, 3));
  const auto a = model.addJoint(0, pin::JointModelRX(), placed, "a");
  const auto b = model.addJoint(a, pin::JointModelRUBZ(), pin::SE3::Identity(), "b");
  const auto c = model.addJoint(a, pin::JointModelPY(), pin::SE3::Identity(), "c");
  add_frame(model, "b", b, pin::JOINT);  // of a type that is no place for a contact
  add_frame(model, "aside", c, pin::BODY, placed);
  add_frame(model, "slider", c, pin::BODY);
  add_frame(model, "also", c, pin::BODY);
  add_frame(model, "base", 0, pin::BODY);
  add_frame(model, "tip", b, pin::OP_FRAME, placed);
  model.lowerPositionLimit[0] = -1.5;
  model.upperVelocityLimit[2] = 1e20;
  model.upperEffortLimit[0] = 87;
  model.armature[1] = 0.25;

  const Robot robot = from_pinocchio(model);
  EXPECT_EQ(robot.name(), "arm");
  const auto& joints = robot.joints();
  EXPECT_EQ(joints[0].type, JointType::revolute);
  EXPECT_EQ(joints[1].type, JointType::continuous);
  EXPECT_EQ(joints[2].type, JointType::prismatic);
  EXPECT_EQ(joints[2].parent, 0);
  EXPECT_EQ(joints[2].axis, Vector3::UnitY());
  EXPECT_EQ(joints[0].p_PJ, Vector3(1, 2, 3));
  EXPECT_EQ(joints[0].link, "a");       // nothing stands there
  EXPECT_EQ(joints[2].link, "slider");  // the first that does
  EXPECT_EQ(joints[0].lower, -1.5);
  EXPECT_EQ(joints[0].upper, infinity);
  EXPECT_EQ(joints[1].lower, -infinity);
  EXPECT_EQ(joints[2].velocity, 1e20);
  EXPECT_EQ(joints[0].velocity, infinity);
  EXPECT_EQ(joints[0].effort, 87);
  EXPECT_EQ(joints[1].rotor_inertia, 0.25);
  ASSERT_EQ(robot.frames().size(), 5U);
  EXPECT_EQ(robot.frame("base").joint, -1);
  EXPECT_EQ(robot.frame("tip").joint, 1);
  EXPECT_EQ(robot.frame("tip").p_JF, Vector3(1, 2, 3));
}

std::string refusal(const pin::Model& model) {
  try {
    from_pinocchio(model);
  } catch (const RobotError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(FromPinocchioRefuses, JointsThatThudDoesNotHave) {
  pin::JointModelComposite two(pin::JointModelRX(), pin::SE3::Identity());
  two.addJoint(pin::JointModelRY());
  pin::JointModelComposite moved(pin::JointModelRX(), pin::SE3(Matrix3::Identity(), Vector3(1, 0, 0)));
  for (const pin::JointModel& joint :
       {pin::JointModel(pin::JointModelFreeFlyer()), pin::JointModel(pin::JointModelSpherical()),
        pin::JointModel(pin::JointModelSphericalZYX()), pin::JointModel(pin::JointModelPlanar()),
        pin::JointModel(pin::JointModelTranslation()), pin::JointModel(pin::JointModelHX(0.1)),
        pin::JointModel(pin::JointModelHelicalUnaligned(Vector3::UnitZ(), 0.1)),
        pin::JointModel(pin::JointModelUniversal(Vector3::UnitX(), Vector3::UnitY())), pin::JointModel(two),
        pin::JointModel(moved)}) {
    pin::Model model;
    const auto first = model.addJoint(0, pin::JointModelRX(), pin::SE3::Identity(), "good");
    model.addJoint(first, joint, pin::SE3::Identity(), "odd");
    EXPECT_EQ(refusal(model), "joint odd: " + joint.shortname() + ": must be revolute, continuous or prismatic");
  }
}

TEST(FromPinocchioRefuses, Mimics) {
  pin::Model model;
  const auto first = model.addJoint(0, pin::JointModelRX(), pin::SE3::Identity(), "good");
  model.addJoint(first, pin::JointModelMimic(pin::JointModelRX(), model.joints[first], 2, 0), pin::SE3::Identity(),
                 "odd");
  EXPECT_EQ(refusal(model), "joint odd: JointModelMimic: must be revolute, continuous or prismatic");
}

TEST(FromPinocchioRefuses, WhatARobotCannotBe) {
  pin::Model model;
  EXPECT_EQ(refusal(model), "joints: 0: must be at least one");
  const auto joint = model.addJoint(0, pin::JointModelRX(), pin::SE3::Identity(), "joint");
  add_frame(model, "link", joint, pin::BODY);
  add_frame(model, "link", joint, pin::OP_FRAME);
  EXPECT_EQ(refusal(model), "frames[1].name: link: already exists; names must be unique");
  model.frames.pop_back();
  EXPECT_EQ(refusal(model), "not refused");
  model.inertias[joint].mass() = -1;
  EXPECT_EQ(refusal(model), "bodies[0].mass: -1: must be finite and >= 0");
}

}  // namespace
}  // namespace thud
