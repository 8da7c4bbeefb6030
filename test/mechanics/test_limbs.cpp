// Robots of several limbs, and robots made from robots: joints locked, chains, tools, joints that follow others.

#include <thud/batch.hpp>
#include <thud/error.hpp>
#include <thud/lagrange.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-11;  // roundings over up to 64 joints, relative to the largest entry
constexpr double solved = 1e-8;  // times the condition of M

bool close(const MatrixRef& value, const MatrixRef& reference, double tolerance = tight) {
  return test::relative_error(value, reference) < tolerance;
}

// Two robots on one base, the names of the second with a prefix.
Robot joined(const Robot& first, const Robot& second) {
  std::vector<Joint> joints = first.joints();
  std::vector<BodyInertia> bodies = first.bodies();
  std::vector<Frame> frames = first.frames();
  for (Joint joint : second.joints()) {
    joint.name = "other_" + joint.name;
    joint.link = "other_" + joint.link;
    if (joint.parent >= 0) joint.parent += first.size();
    joints.push_back(joint);
  }
  for (const BodyInertia& body : second.bodies()) bodies.push_back(body);
  for (Frame frame : second.frames()) {
    frame.name = "other_" + frame.name;
    if (frame.joint >= 0) frame.joint += first.size();
    frames.push_back(frame);
  }
  return {"joined", joints, bodies, frames};
}

Robot random_arm(std::uint64_t seed, int joints) {
  return parse_urdf(test::random_urdf(seed, joints, true), "arm of " + std::to_string(joints));
}

int limbs(const Robot& robot) {
  return static_cast<int>(std::ranges::count(robot.joints(), -1, &Joint::parent));
}

VectorX stacked(const VectorX& a, const VectorX& b) {
  VectorX both(a.size() + b.size());
  both << a, b;
  return both;
}

TEST(Limbs, CompositeBodyIsTheLimbThatIsHit) {
  test::Random random(test::base_seed());
  for (const auto& [one, two] : {std::pair{6, 7}, std::pair{7, 6}, std::pair{3, 9}, std::pair{2, 1}}) {
    const Robot arm = random_arm(random(), one), other = random_arm(random(), two), both = joined(arm, other);
    SCOPED_TRACE(std::to_string(one) + " and " + std::to_string(two) + " joints");
    const auto [state, point] = test::random_sample(random, arm);
    const State there = test::random_sample(random, other).state;
    const VectorX q = stacked(state.q, there.q), dq = stacked(state.dq, there.dq);
    const ContactDynamics alone = contact_dynamics(arm, point, state.q), d = contact_dynamics(both, point, q);
    EXPECT_EQ(d.mass, alone.mass);
    EXPECT_TRUE(close(d.com_W, alone.com_W));
    EXPECT_TRUE(close(d.Ic_W, alone.Ic_W));
    EXPECT_TRUE(close(d.A_G.leftCols(one), alone.A_G));
    EXPECT_TRUE(close(d.J.leftCols(one), alone.J));
    EXPECT_TRUE(close(d.M.topLeftCorner(one, one), alone.M));
    EXPECT_EQ(d.A_G.rightCols(two).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(d.J.rightCols(two).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(d.M.topRightCorner(one, two).cwiseAbs().maxCoeff(), 0);
    EXPECT_GT(d.M.bottomRightCorner(two, two).diagonal().minCoeff(), 0);
    const Prediction here = predict(d, dq), expected = predict(alone, state.dq);
    EXPECT_NEAR(here.v_approximate, expected.v_approximate, 1e-9);
    for (const InertiaModel model : all_inertia_models) {
      EXPECT_EQ(here[model].inertia.status, expected[model].inertia.status) << to_string(model);
      if (!expected[model].inertia.exists() || model == InertiaModel::algebraic) continue;
      EXPECT_NEAR(here[model].inertia.effective_mass() / expected[model].inertia.effective_mass(), 1, solved);
    }
    const auto inertias = link_inertias(both, point, q);
    ASSERT_EQ(inertias.size(), static_cast<std::size_t>(one + two));
    Matrix6 sum = Matrix6::Zero();
    for (const Matrix6& inertia : inertias) sum += inertia;
    EXPECT_TRUE(close(sum, equivalent_inertia(alone)));
    EXPECT_EQ(inertias.back(), Matrix6::Zero());
    const auto shares = link_shares(d, inertias);
    EXPECT_EQ(shares.back(), 0);
  }
}

TEST(Limbs, WholeCountsThemAll) {
  test::Random random(test::base_seed());
  const Robot arm = random_arm(random(), 6), other = random_arm(random(), 4), both = joined(arm, other);
  auto [state, point] = test::random_sample(random, arm);
  const auto [there, elsewhere] = test::random_sample(random, other);
  point.whole = true;
  const ContactDynamics a = contact_dynamics(arm, point, state.q), b = contact_dynamics(other, elsewhere, there.q);
  const ContactDynamics d = contact_dynamics(both, point, stacked(state.q, there.q));
  EXPECT_NEAR(d.mass, a.mass + b.mass, tight * d.mass);
  const Vector3 com = (a.mass * a.com_W + b.mass * b.com_W) / d.mass;
  EXPECT_TRUE(close(d.com_W, com));
  const auto moved = [&](const ContactDynamics& part) -> Matrix3 {
    const Vector3 r = part.com_W - com;
    return part.Ic_W + part.mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  };
  EXPECT_TRUE(close(d.Ic_W, moved(a) + moved(b)));
  EXPECT_TRUE(close(d.A_G.topRows(3).rightCols(4), b.A_G.topRows(3)));
}

TEST(Limbs, OneLimbIsTheSameToTheBitEitherWay) {
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    if (limbs(robot) > 1) continue;
    auto [state, point] = test::random_sample(random, robot);
    const ContactDynamics limb = contact_dynamics(robot, point, state.q);
    point.whole = true;
    const ContactDynamics whole = contact_dynamics(robot, point, state.q);
    EXPECT_EQ(limb.mass, whole.mass) << robot.name();
    EXPECT_EQ(limb.com_W, whole.com_W) << robot.name();
    EXPECT_EQ(limb.Ic_W, whole.Ic_W) << robot.name();
    EXPECT_EQ(limb.A_G, whole.A_G) << robot.name();
  }
}

TEST(Limbs, LinksOfTheCompositeBodyAreNamed) {
  const Robot both = joined(load_robot("planar_2r"), load_robot("spatial_3r"));
  ContactPoint point{"tip", {0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(composite_links(both, point), (std::vector<std::string>{"link1", "link2", "tip"}));
  point.whole = true;
  const auto all = composite_links(both, point);
  EXPECT_EQ(all.size(), 3 + load_robot("spatial_3r").frames().size() - 1);
  EXPECT_EQ(std::ranges::count(all, "other_base"), 0);
  EXPECT_THROW(composite_links(both, {"base", {0, 0, 0}, {1, 0, 0}}), RobotError);
}

// Locked joints.

struct Split {
  std::map<std::string, double> locked;
  std::vector<int> left;  // indices of the joints that are left
};

// About half of the joints, those on the base too if asked for, at their places in q. At least one is left.
Split split(test::Random& random, const Robot& robot, const VectorX& q, bool base_too) {
  Split result;
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const bool is_last = i == robot.size() - 1 && result.left.empty();
    if (random() % 2 == 0 && (joint.parent >= 0 || base_too) && !is_last)
      result.locked[joint.name] = q[i];
    else
      result.left.push_back(i);
  }
  return result;
}

TEST(Reduced, KeepsRowsAndColumnsOfWhatIsLeft) {
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    SCOPED_TRACE(robot.name() + ", THUD_SEED " + std::to_string(test::base_seed()));
    for (const bool base_too : {false, true}) {
      auto [state, point] = test::random_sample(random, robot);
      const auto [locked, left] = split(random, robot, state.q, base_too);
      const Robot reduced = robot.reduced(locked);
      ASSERT_EQ(reduced.size(), static_cast<int>(left.size()));
      ASSERT_EQ(reduced.frames().size(), robot.frames().size());
      if (reduced.frame(point.frame).joint < 0) continue;  // locked to the base
      const ContactDynamics all = contact_dynamics(robot, point, state.q);
      const ContactDynamics d = contact_dynamics(reduced, point, state.q(left));
      EXPECT_TRUE(close(d.p_WC, all.p_WC));
      EXPECT_TRUE(close(d.J, all.J(Eigen::all, left)));
      EXPECT_TRUE(close(d.M, all.M(left, left)));
      if (base_too) continue;
      EXPECT_NEAR(reduced.mass(), robot.mass(), tight * robot.mass());
      EXPECT_NEAR(d.mass, all.mass, tight * all.mass);
      EXPECT_TRUE(close(d.com_W, all.com_W));
      EXPECT_TRUE(close(d.Ic_W, all.Ic_W));
      EXPECT_TRUE(close(d.A_G, all.A_G(Eigen::all, left), 1e-11));
      EXPECT_EQ(composite_links(reduced, point), composite_links(robot, point));
    }
  }
}

TEST(Reduced, AChainHasTheJointsOnTheWay) {
  const Robot both = joined(load_robot("spatial_3r"), load_robot("planar_2r"));
  const Robot chain = both.chain_to("other_tip", {{"elbow_joint", 0.5}});
  ASSERT_EQ(chain.size(), 2);
  EXPECT_EQ(chain.joints()[0].name, "other_joint1");
  EXPECT_NEAR(chain.mass(), 5, tight);
  EXPECT_EQ(chain.frame("waist").joint, -1);
  // below the contact too: of the arm up to its upper arm, the forearm is part of that
  const Robot shoulder = both.chain_to("upper_arm");
  EXPECT_EQ(shoulder.size(), 2);
  EXPECT_NEAR(shoulder.bodies()[1].mass, 6.5, tight);
  EXPECT_THROW(both.chain_to("nobody"), RobotError);
  EXPECT_THROW(both.chain_to("base"), RobotError);
}

TEST(Reduced, WarnsOfAPlaceOutsideTheLimits) {
  const Robot panda = load_robot("panda");
  EXPECT_TRUE(panda.reduced({{"panda_joint7", 0.5}}).warnings().empty());
  const auto warnings = panda.reduced({{"panda_joint4", 1}}).warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, WarningCode::position_limit);
  EXPECT_EQ(warnings[0].subject, "panda_joint4");
}

TEST(ReducedRefuses, WhatCannotBeLocked) {
  const Robot arm = load_robot("planar_2r");
  EXPECT_THROW(arm.reduced({{"elbow", 0}}), RobotError);
  EXPECT_THROW(arm.reduced({{"joint1", NAN}}), InputError);
  try {
    arm.reduced({{"joint1", 0}, {"joint2", 0}});
    ADD_FAILURE() << "not refused";
  } catch (const RobotError& error) {
    EXPECT_STREQ(error.what(), "locked: 2 joints: must leave a joint of planar_2r to move");
  }
}

// Tools.

TEST(WithTool, IsALinkFixedToTheFrame) {
  std::string text = urdf_text("panda");
  const std::string tool =
      "<link name='tool'><inertial><origin xyz='0.01 -0.02 0.1'/><mass value='0.7'/><inertia ixx='0.002' iyy='0.003' "
      "izz='0.0015' ixy='1e-4' ixz='-2e-4' iyz='3e-4'/></inertial></link><joint name='mount' type='fixed'><parent "
      "link='panda_foot'/><child link='tool'/></joint></robot>";
  text.replace(text.rfind("</robot>"), 8, tool);
  const Robot described = parse_urdf(text, "with a link");
  Matrix3 inertia;
  inertia << 0.002, 1e-4, -2e-4, 1e-4, 0.003, 3e-4, -2e-4, 3e-4, 0.0015;
  const Robot added = load_robot("panda").with_tool("panda_foot", {0.7, {0.01, -0.02, 0.1}, inertia});
  EXPECT_NEAR(added.mass(), 15.87, 1e-12);
  for (int configuration = 0; configuration < 3; ++configuration) {
    const VectorX q = test::paper_configuration(configuration);
    const ContactDynamics a = contact_dynamics(described, test::paper_contact(), q);
    const ContactDynamics b = contact_dynamics(added, test::paper_contact(), q);
    EXPECT_TRUE(close(b.M, a.M));
    EXPECT_TRUE(close(b.Ic_W, a.Ic_W));
    EXPECT_TRUE(close(b.A_G, a.A_G));
    EXPECT_NEAR(composite_rigid_body(b).effective_mass(), composite_rigid_body(a).effective_mass(), 1e-10);
  }
}

TEST(WithTool, RefusesWhatIsNoTool) {
  const Robot panda = load_robot("panda");
  EXPECT_THROW(panda.with_tool("hand", {1}), RobotError);
  EXPECT_THROW(panda.with_tool("panda_link0", {1}), RobotError);
  EXPECT_THROW(panda.with_tool("panda_foot", {-1}), InputError);
  EXPECT_THROW(panda.with_tool("panda_foot", {1, {0, NAN, 0}}), InputError);
  Matrix3 lopsided = Matrix3::Identity();
  lopsided(0, 1) = 1;
  EXPECT_THROW(panda.with_tool("panda_foot", {1, {0, 0, 0}, lopsided}), InputError);
  const auto warnings = panda.with_tool("panda_foot", {1, {0, 0, 0}, Vector3(1, 1, 3).asDiagonal()}).warnings();
  EXPECT_TRUE(std::ranges::any_of(
      warnings, [](const Warning& each) { return each.code == WarningCode::non_physical_link_inertia; }));
}

// Followers: against the same robot whose followers are joints of their own, with its matrices projected.

// An arm with a gripper: the second finger mimics the first, a thumb the second, and a nail hangs on the thumb.
std::string gripper(bool mimics) {
  const auto link = [](const char* name, double mass) {
    return std::string("<link name='") + name +
           "'><inertial><origin xyz='0.02 0.01 0.1' rpy='0.2 0 0.1'/><mass value='" + to_text(mass) +
           "'/><inertia ixx='0.01' iyy='0.02' izz='0.015' ixy='0.001' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto joint = [&](const char* name, const char* type, const char* parent, const char* child, const char* axis,
                         const std::string& mimic = "") {
    return std::string("<joint name='") + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
           child + "'/><origin xyz='0.1 0.05 0.2' rpy='0.3 -0.2 0.5'/><axis xyz='" + axis +
           "'/><limit lower='-3' upper='3' velocity='9' effort='9'/>" + (mimics ? mimic : "") + "</joint>";
  };
  return "<robot name='g'><link name='base'/>" + link("upper", 3) + link("lower", 2) + link("first", 0.5) +
         link("second", 0.6) + link("thumb", 0.4) + link("nail", 0.1) +
         joint("a_shoulder", "revolute", "base", "upper", "0 0 1") +
         joint("b_elbow", "revolute", "upper", "lower", "0 1 0") +
         joint("c_second", "prismatic", "lower", "second", "0 -1 0",
               "<mimic joint='d_first' multiplier='-2' offset='0.1'/>") +
         joint("d_first", "prismatic", "lower", "first", "0 1 0") +
         joint("e_thumb", "revolute", "second", "thumb", "1 0 0",
               "<mimic joint='c_second' multiplier='3' offset='-0.2'/>") +
         joint("f_nail", "revolute", "thumb", "nail", "1 0 0") + "</robot>";
}

struct Followers {
  Robot robot = parse_urdf(gripper(true), "gripper"), independent = parse_urdf(gripper(false), "independent");
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(6, 4);  // rates of all joints per rate of those of the robot
  VectorX offset = VectorX::Zero(6);

  // all: shoulder, elbow, second, thumb, nail, first; the robot's: shoulder, elbow, nail, first
  Followers() {
    P(0, 0) = P(1, 1) = P(4, 2) = P(5, 3) = 1;
    P(2, 3) = -2, offset[2] = 0.1;
    P(3, 3) = -6, offset[3] = 3 * 0.1 - 0.2;
  }
};

TEST(Followers, AreWhatTheUrdfSays) {
  const Followers test;
  ASSERT_EQ(test.robot.size(), 4);
  ASSERT_EQ(test.robot.followers().size(), 2U);
  const Follower &second = test.robot.followers()[0], &thumb = test.robot.followers()[1];
  EXPECT_EQ(second.joint.name, "c_second");
  EXPECT_EQ(test.robot.joints()[static_cast<std::size_t>(second.leader)].name, "d_first");
  EXPECT_EQ(second.multiplier, -2);
  EXPECT_EQ(thumb.multiplier, -6);
  EXPECT_NEAR(thumb.offset, 0.1, tight);
  EXPECT_EQ(thumb.joint.parent, 4);
  EXPECT_TRUE(test.robot.warnings().empty());
  EXPECT_NEAR(test.robot.mass(), test.independent.mass(), tight);
  EXPECT_EQ(test.independent.joints()[3].name, "e_thumb");
  EXPECT_EQ(composite_links(test.robot, {"upper", {0, 0, 0}, {1, 0, 0}}),
            composite_links(test.independent, {"upper", {0, 0, 0}, {1, 0, 0}}));
}

TEST(Followers, ProjectTheDynamicsOfAllJoints) {
  const Followers test;
  test::Random random(test::base_seed());
  for (const char* frame : {"lower", "first", "second", "thumb", "nail"}) {
    SCOPED_TRACE(frame);
    const ContactPoint point{frame, {0.02, 0.03, 0.1}, test::random_direction(random)};
    const State state = test::random_sample(random, test.robot).state;
    const VectorX q = test.P * state.q + test.offset, dq = test.P * state.dq;
    const ContactDynamics all = contact_dynamics(test.independent, point, q);
    const ContactDynamics d = contact_dynamics(test.robot, point, state.q);
    EXPECT_TRUE(close(d.p_WC, all.p_WC));
    EXPECT_TRUE(close(d.M, test.P.transpose() * all.M * test.P));
    EXPECT_TRUE(close(d.J, all.J * test.P));
    EXPECT_TRUE(close(d.A_G, all.A_G * test.P));
    EXPECT_NEAR(d.mass, all.mass, tight);
    EXPECT_TRUE(close(d.com_W, all.com_W));
    EXPECT_TRUE(close(d.Ic_W, all.Ic_W));
    ASSERT_TRUE(d.M_is_positive);
    EXPECT_TRUE(close(d.M * d.M_inv_JT, d.J.transpose(), 1e-10));
    const LagrangeTerms terms = lagrange_terms(test.robot, state.q, state.dq);
    const LagrangeTerms of_all = lagrange_terms(test.independent, q, dq);
    EXPECT_TRUE(close(terms.momentum, test.P.transpose() * of_all.momentum));
    EXPECT_TRUE(close(terms.gradient, test.P.transpose() * of_all.gradient));
    Matrix6 sum = Matrix6::Zero();
    for (const Matrix6& inertia : link_inertias(test.robot, point, state.q)) sum += inertia;
    EXPECT_TRUE(close(sum, equivalent_inertia(d)));
  }
}

TEST(Followers, BatchesAreSinglePostures) {
  const Followers test;
  test::Random random(test::base_seed());
  const ContactPoint point{"thumb", {0.02, 0.03, 0.1}, {1, 2, 3}};
  Eigen::MatrixXd q(4, 11), dq(4, 11);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const State state = test::random_sample(random, test.robot).state;
    q.col(i) = state.q, dq.col(i) = state.dq;
  }
  const Batch batch = predict_batch(test.robot, point, q, dq, {.outputs = BatchOutputs::everything});
  const Batch masses = predict_batch(test.robot, point, q, Eigen::MatrixXd(4, 0));
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const ContactDynamics d = contact_dynamics(test.robot, point, q.col(i));
    const Prediction single = predict(d, dq.col(i));
    EXPECT_EQ(batch.M.col(i).reshaped(4, 4), d.M);
    EXPECT_EQ(batch.v_exact[i], single.v_exact);
    for (const InertiaModel model : all_inertia_models) {
      EXPECT_EQ(batch.status[model][i], single[model].inertia.status);
      if (!single[model].inertia.exists()) continue;
      EXPECT_EQ(batch.effective_mass[model][i], single[model].inertia.effective_mass());
      EXPECT_EQ(masses.effective_mass[model][i], single[model].inertia.effective_mass());
    }
  }
}

TEST(Followers, AreLockedWithTheirLeader) {
  const Followers test;
  const Robot reduced = test.robot.reduced({{"d_first", 0.05}});
  EXPECT_TRUE(reduced.followers().empty());
  const Robot expected =
      test.independent.reduced({{"d_first", 0.05}, {"c_second", -2 * 0.05 + 0.1}, {"e_thumb", -6 * 0.05 + 0.1}});
  const Eigen::Vector3d q(0.3, -0.4, 0.5);
  const ContactPoint point{"nail", {0.1, 0, 0}, {0, 0, 1}};
  const ContactDynamics a = contact_dynamics(reduced, point, q), b = contact_dynamics(expected, point, q);
  EXPECT_TRUE(close(a.M, b.M));
  EXPECT_TRUE(close(a.J, b.J));
  EXPECT_TRUE(close(a.Ic_W, b.Ic_W));
  // locked otherwise, they still follow
  const Robot fixed_elbow = test.robot.reduced({{"b_elbow", 0.7}});
  EXPECT_EQ(fixed_elbow.followers().size(), 2U);
  const ContactDynamics d = contact_dynamics(fixed_elbow, point, Eigen::Vector3d(0.3, 0.5, 0.05));
  const ContactDynamics all = contact_dynamics(test.robot, point, Eigen::Vector4d(0.3, 0.7, 0.5, 0.05));
  const std::vector<int> left{0, 2, 3};
  EXPECT_TRUE(close(d.M, all.M(left, left)));
  EXPECT_TRUE(close(d.J, all.J(Eigen::all, left)));
  // on the way to the thumb the leader stays, though it does not lie there
  EXPECT_EQ(test.robot.chain_to("thumb").size(), 3);
  EXPECT_NEAR(test.robot.with_tool("thumb", {0.5}).mass(), test.robot.mass() + 0.5, tight);
}

TEST(Followers, RefuseAWrongPlace) {
  const Followers test;
  const auto with = [&](const std::function<void(Follower&)>& change) {
    std::vector<Follower> followers = test.robot.followers();
    change(followers[1]);
    try {
      const Robot robot("g", test.robot.joints(), test.robot.bodies(), test.robot.frames(), {}, followers);
    } catch (const RobotError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(with([](Follower&) {}), "not refused");
  EXPECT_EQ(with([](Follower& each) { each.leader = 4; }),
            "followers[1].leader: 4: must be the index of one of 4 joints");
  EXPECT_EQ(with([](Follower& each) { each.offset = NAN; }), "followers[1].offset: nan: must be finite");
  EXPECT_EQ(with([](Follower& each) { each.joint.name = "c_second"; }),
            "followers[1].name: c_second: already exists; names must be unique");
  EXPECT_EQ(with([](Follower& each) { each.joint.parent = 2; }), "followers: f_nail: is on a cycle of joints");
  EXPECT_THROW(test.robot.joint_index("c_second"), RobotError);
  EXPECT_THROW(test.robot.reduced({{"c_second", 0}}), RobotError);
}

}  // namespace
}  // namespace thud
