// Dragging a tool: targets that were made from a posture are reached, limits hold, singular postures and places out of
// reach give finite answers that are no farther away.

#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/reach.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double there = 1e-9;  // of position [m] and angle [rad]: the solver stops below 1e-10 m

const Robot& panda() {
  static const Robot robot = load_robot("panda");
  return robot;
}

const ContactPoint foot{.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};

VectorX ready() {
  return VectorX{{0, 0.1, 0, -1.5, 0, 1.6, 0.7854}};
}

// The pose of the tool by a road of its own: the frame's unit points.
Matrix3 orientation(const Robot& robot, const ContactPoint& point, const VectorX& q) {
  const auto at = [&](const Vector3& offset) {
    return contact_dynamics(robot, {point.frame, offset, point.normal_W}, q).p_WC;
  };
  Matrix3 R;
  for (int i = 0; i < 3; ++i) R.col(i) = at(Vector3::Unit(i)) - at(Vector3::Zero());
  return R;
}

bool within_limits(const Robot& robot, const VectorX& q) {
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    if (q[i] < joint.lower || q[i] > joint.upper) return false;
  }
  return true;
}

double distance(const Robot& robot, const ContactPoint& point, const VectorX& q, const Vector3& p) {
  return (contact_dynamics(robot, point, q).p_WC - p).norm();
}

TEST(Reach, ComesToAPoseThatAPostureHas) {
  test::Random random(1);
  for (int i = 0; i < 50; ++i) {
    VectorX q = ready();
    for (double& each : q) each += test::uniform(random, -0.3, 0.3);
    const AimTarget target{.p_W = contact_dynamics(panda(), foot, q).p_WC,
                           .orientation = ToolOrientation::fixed,
                           .R_WF = orientation(panda(), foot, q)};
    const ReachResult result = reach(panda(), foot, target, ready());
    ASSERT_EQ(result.status, ReachStatus::reached) << i;
    EXPECT_LT(distance(panda(), foot, result.q, target.p_W), there);
    EXPECT_LT(Eigen::AngleAxisd(Matrix3(orientation(panda(), foot, result.q).transpose() * target.R_WF)).angle(), 1e-8);
    EXPECT_LT((result.p_W - target.p_W).norm(), there);
    EXPECT_LT((result.R_WF - target.R_WF).cwiseAbs().maxCoeff(), there);
    EXPECT_TRUE(within_limits(panda(), result.q));
  }
}

TEST(Reach, AFreeToolMovesLeast) {
  const Vector3 start = contact_dynamics(panda(), foot, ready()).p_WC;
  const ReachResult result = reach(panda(), foot, {.p_W = start + Vector3(0, 0.01, 0)}, ready());
  ASSERT_EQ(result.status, ReachStatus::reached);
  EXPECT_EQ(result.angle_error, 0);
  // the motion of least norm, to first order
  const Eigen::MatrixXd J = contact_dynamics(panda(), foot, ready()).J.topRows<3>();
  const Eigen::VectorXd least = J.transpose() * (J * J.transpose()).ldlt().solve(Vector3(0, 0.01, 0));
  EXPECT_LT((result.q - ready() - least).norm(), 0.05 * least.norm());
}

TEST(Reach, KeepsTheLimits) {
  test::Random random(2);
  int stopped = 0;
  for (int i = 0; i < 100; ++i) {
    const Vector3 p = 1.5 * test::random_vector(random);
    const ReachResult result = reach(panda(), foot, {.p_W = p}, ready());
    ASSERT_TRUE(result.q.allFinite());
    EXPECT_TRUE(within_limits(panda(), result.q)) << result.q.transpose();
    EXPECT_LE(result.position_error, distance(panda(), foot, ready(), p));
    EXPECT_NEAR(result.position_error, distance(panda(), foot, result.q, p), there);
    stopped += result.status == ReachStatus::nearest;
  }
  EXPECT_GT(stopped, 10);  // many of these places are out of reach
}

TEST(Reach, BringsAPostureOutsideItsLimitsBack) {
  VectorX q = ready();
  q[3] = 2;  // its joint ends at -0.07
  const Vector3 p = contact_dynamics(panda(), foot, ready()).p_WC;
  EXPECT_TRUE(within_limits(panda(), reach(panda(), foot, {.p_W = p}, q).q));
}

TEST(Reach, OfAStretchedArmIsFinite) {
  VectorX q = VectorX::Zero(7);
  q[3] = -0.0698;  // as straight as it goes
  const Vector3 p = contact_dynamics(panda(), foot, q).p_WC;
  const ReachResult outward = reach(panda(), foot, {.p_W = 2 * p}, q);
  EXPECT_EQ(outward.status, ReachStatus::nearest);
  EXPECT_TRUE(outward.q.allFinite());
  EXPECT_LE(outward.position_error, p.norm() + there);
  const ReachResult inward = reach(panda(), foot, {.p_W = p - Vector3(0, 0, 0.1)}, q);
  EXPECT_LT(inward.position_error, 0.1);
}

TEST(Reach, APlanarArmFindsTheClosedForm) {
  // two links of equal length l: at the distance d the elbow bends by 2 acos(d/(2 l))
  const Robot robot = load_robot("planar_2r");
  const std::string tip = robot.frames().back().name;
  const auto place = [&](double elbow) { return contact_dynamics(robot, {.frame = tip}, VectorX{{0.3, elbow}}).p_WC; };
  const double full = place(0).norm();
  const Vector3 target = 0.8 * full * place(0).normalized();
  const ReachResult result = reach(robot, {.frame = tip}, {.p_W = target}, VectorX{{0.2, 0.4}});
  ASSERT_EQ(result.status, ReachStatus::reached);
  const Vector3 elbow = contact_dynamics(robot, {.frame = robot.joints()[1].link}, result.q).p_WC;
  const double first = elbow.norm(), second = full - first;
  const double cosine = (0.64 * full * full - first * first - second * second) / (2 * first * second);
  EXPECT_NEAR(std::abs(result.q[1]), std::acos(cosine), 1e-8);
}

TEST(Reach, OneStepIsOneStep) {
  const Vector3 p = contact_dynamics(panda(), foot, ready()).p_WC + Vector3(-0.2, 0.3, 0.1);
  const ReachResult once = reach(panda(), foot, {.p_W = p}, ready(), {.steps = 1});
  EXPECT_EQ(once.status, ReachStatus::nearest);
  const ReachResult all = reach(panda(), foot, {.p_W = p}, ready());
  EXPECT_EQ(all.status, ReachStatus::reached);
  EXPECT_LT(all.position_error, once.position_error);
}

TEST(Reach, Refuses) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const ContactPoint& point, const AimTarget& target, const VectorX& q, int steps) {
    try {
      static_cast<void>(reach(panda(), point, target, q, {.steps = steps}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(foot, {.p_W = {0, 0, nan}}, ready(), 5).find("at: 0,0,nan"), std::string::npos);
  EXPECT_NE(refused(foot, {.orientation = ToolOrientation::fixed, .R_WF = Matrix3::Zero()}, ready(), 5).find("R_WF"),
            std::string::npos);
  EXPECT_NE(refused(foot, {}, VectorX::Zero(6), 5).find("q: 6 values"), std::string::npos);
  EXPECT_NE(refused(foot, {}, ready(), 0).find("steps: 0"), std::string::npos);
  EXPECT_NE(refused({.frame = "nowhere"}, {}, ready(), 5).find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace thud
