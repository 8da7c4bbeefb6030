#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/inertia.hpp>
#include <thud/lagrange.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-13;  // a few dozen roundings of numbers near 1
constexpr double solved = 1e-9;  // roundings times the condition of M, which may be 1e6 in long chains

// The planar arm of data/robots/planar_2r.urdf, in the letters of the textbooks.
constexpr double l1 = 1, l2 = 0.8, c1 = 0.5, c2 = 0.4, m1 = 3, m2 = 2;
const double I1 = m1 * (3 * 0.025 * 0.025 + l1 * l1) / 12, I2 = m2 * (3 * 0.025 * 0.025 + l2 * l2) / 12;

TEST(ContactDynamics, ClosedFormOfPlanarArm) {
  const Robot arm = load_robot("planar_2r");
  for (const auto& [q1, q2] : {std::pair{0.3, 0.9}, std::pair{-2.0, 2.5}, std::pair{0.0, 0.0}}) {
    const ContactDynamics d = contact_dynamics(arm, {"tip", {0, 0, 0}, {0, 3, 0}}, Eigen::Vector2d(q1, q2));
    const double s1 = std::sin(q1), s12 = std::sin(q1 + q2), k1 = std::cos(q1), k12 = std::cos(q1 + q2);

    const double M22 = I2 + m2 * c2 * c2, M12 = M22 + m2 * l1 * c2 * std::cos(q2);
    const double M11 = I1 + m1 * c1 * c1 + M22 + m2 * (l1 * l1 + 2 * l1 * c2 * std::cos(q2));
    EXPECT_NEAR(d.M(0, 0), M11, tight);
    EXPECT_NEAR(d.M(0, 1), M12, tight);
    EXPECT_NEAR(d.M(1, 0), M12, tight);
    EXPECT_NEAR(d.M(1, 1), M22, tight);

    Eigen::Matrix<double, 6, 2> J;
    J << -l1 * s1 - l2 * s12, -l2 * s12, l1 * k1 + l2 * k12, l2 * k12, 0, 0, 0, 0, 0, 0, 1, 1;
    EXPECT_LT((d.J - J).norm(), tight);
    EXPECT_LT((d.p_WC - Vector3(l1 * k1 + l2 * k12, l1 * s1 + l2 * s12, 0)).norm(), tight);
    EXPECT_EQ(d.normal_W, Vector3(0, 1, 0));

    const Vector3 a(c1 * k1, c1 * s1, 0), b(l1 * k1 + c2 * k12, l1 * s1 + c2 * s12, 0);
    EXPECT_NEAR(d.mass, 5, tight);
    EXPECT_LT((d.com_W - (m1 * a + m2 * b) / 5).norm(), tight);
    EXPECT_NEAR(d.Ic_W(2, 2), I1 + I2 + m1 * m2 / (m1 + m2) * (b - a).squaredNorm(), tight);
    // momentum about the centre of mass, column 2: only link 2 moves, m2 (b - c) x v_b + I2
    const Vector3 v(-c2 * s12, c2 * k12, 0);
    EXPECT_NEAR(d.A_G(5, 1), I2 + m2 * (b - d.com_W).cross(v).z(), tight);
    EXPECT_LT((d.A_G.col(1).head<3>() - m2 * v).norm(), tight);
  }
}

TEST(ContactDynamics, RotorsAddADiagonal) {
  const Robot panda = load_robot("panda");
  VectorX rotors(7);
  rotors << 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05;
  const VectorX q = test::paper_configuration(1);
  const ContactDynamics plain = contact_dynamics(panda, test::paper_contact(), q);
  const ContactDynamics geared = contact_dynamics(panda.with_rotor_inertia(rotors), test::paper_contact(), q);
  EXPECT_LT((geared.M - plain.M - MatrixX(rotors.asDiagonal())).norm(), tight);
  EXPECT_EQ(geared.A_G, plain.A_G);
  EXPECT_EQ(geared.Ic_W, plain.Ic_W);
}

TEST(ContactDynamics, WorkspaceGivesTheSameEveryTime) {
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    DynamicsWorkspace workspace(robot, sample.point);
    EXPECT_EQ(workspace.size(), robot.size());
    EXPECT_TRUE(std::isnan(workspace.dynamics().mass));
    const VectorX other = sample.state.q + VectorX::Ones(robot.size());
    contact_dynamics(workspace, other);
    const ContactDynamics again = contact_dynamics(workspace, sample.state.q);
    const ContactDynamics once = contact_dynamics(robot, sample.point, sample.state.q);
    EXPECT_EQ(again.M, once.M) << robot.name();
    EXPECT_EQ(again.J, once.J) << robot.name();
    EXPECT_EQ(again.A_G, once.A_G) << robot.name();
    EXPECT_EQ(again.M_inv_JT, once.M_inv_JT) << robot.name();
  }
}

TEST(ContactDynamics, SolvesForTheResponse) {
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    const ContactDynamics d = contact_dynamics(robot, sample.point, sample.state.q);
    ASSERT_TRUE(d.M_is_positive) << robot.name();
    // residual of a stable solve: roundings of n^2 products, whatever the condition of M
    const double size = d.M.cwiseAbs().maxCoeff() * d.M_inv_JT.cwiseAbs().maxCoeff();
    EXPECT_LT((d.M * d.M_inv_JT - d.J.transpose()).cwiseAbs().maxCoeff(), 1e-12 * size) << robot.name();
  }
}

TEST(ContactDynamics, FromMatricesOfAnotherLibrary) {
  const Robot panda = load_robot("panda");
  const ContactDynamics own = contact_dynamics(panda, test::paper_contact(), test::paper_configuration(0));
  const ContactDynamics given =
      contact_dynamics(own.M, own.J, own.A_G, {own.mass, own.com_W, own.Ic_W}, {own.p_WC, 2 * own.normal_W});
  EXPECT_EQ(given.M_inv_JT, own.M_inv_JT);
  EXPECT_EQ(given.normal_W, own.normal_W);
}

TEST(ContactDynamics, AnyOrderThatPutsParentsFirst) {
  test::Random random(test::base_seed());
  for (const Robot& depth_first : test::sample_robots()) {
    SCOPED_TRACE(depth_first.name() + ", THUD_SEED " + std::to_string(test::base_seed()));
    const auto [robot, order] = test::breadth_first(depth_first);
    const auto [state, point] = test::random_sample(random, depth_first);
    const ContactDynamics one = contact_dynamics(depth_first, point, state.q);
    const ContactDynamics other = contact_dynamics(robot, point, state.q(order));
    EXPECT_LT(test::relative_error(other.M, one.M(order, order)), tight);
    EXPECT_LT(test::relative_error(other.J, one.J(Eigen::all, order)), tight);
    EXPECT_LT(test::relative_error(other.A_G, one.A_G(Eigen::all, order)), tight);
    EXPECT_LT(test::relative_error(other.com_W, one.com_W), tight);
    EXPECT_LT(test::relative_error(other.Ic_W, one.Ic_W), tight);
    EXPECT_LT(test::relative_error(generalized_momentum(other).W, generalized_momentum(one).W), solved);
    const LagrangeTerms terms = lagrange_terms(depth_first, state.q, state.dq);
    const LagrangeTerms others = lagrange_terms(robot, state.q(order), state.dq(order));
    EXPECT_LT(test::relative_error(others.momentum, terms.momentum(order)), tight);
    EXPECT_LT(test::relative_error(others.gradient, terms.gradient(order)), tight);
  }
}

// An axis that is turned round is the same joint at the opposite angle, however near to -z it lies.
TEST(ContactDynamics, AnAxisMayPointTheOtherWay) {
  test::Random random(test::base_seed());
  std::uniform_real_distribution<double> any(-1, 1);
  for (double tilt = 1; tilt > 1e-12; tilt /= 7) {
    std::vector<Joint> joints, turned;
    std::vector<BodyInertia> bodies;
    std::vector<Frame> frames;
    for (int i = 0; i < 7; ++i) {
      const std::string link = "link" + std::to_string(i);
      const Vector3 axis = Vector3(tilt * any(random), tilt * any(random), -1).normalized();
      joints.push_back({.name = "joint" + std::to_string(i),
                        .link = link,
                        .parent = i - 1,
                        .p_PJ = {any(random), any(random), any(random)},
                        .axis = axis});
      turned.push_back(joints.back());
      turned.back().axis = -axis;
      bodies.push_back({2, {any(random), any(random), any(random)}, Vector3(0.3, 0.4, 0.5).asDiagonal()});
      frames.push_back({.name = link, .joint = i});
    }
    const VectorX q = VectorX::NullaryExpr(7, [&] { return 3 * any(random); });
    const ContactPoint point{"link6", {0.1, 0.2, 0.3}, {0, 1, 0}};
    const ContactDynamics one = contact_dynamics(Robot("one", joints, bodies, frames, {}), point, q);
    const ContactDynamics other = contact_dynamics(Robot("other", turned, bodies, frames, {}), point, -q);
    SCOPED_TRACE(tilt);
    EXPECT_LT(test::relative_error(other.p_WC, one.p_WC), tight);
    EXPECT_LT(test::relative_error(-other.J, one.J), tight);
    EXPECT_LT(test::relative_error(other.M, one.M), tight);
    EXPECT_LT(test::relative_error(-other.A_G, one.A_G), tight);
    EXPECT_LT(test::relative_error(other.Ic_W, one.Ic_W), tight);
  }
}

TEST(ContactDynamics, SaysWhenAJointMovesNoInertia) {
  const Robot robot = parse_urdf(
      "<robot name='r'><link name='base'/><link name='a'/><joint name='j' type='continuous'><parent link='base'/>"
      "<child link='a'/></joint></robot>",
      "massless");
  const ContactDynamics d = contact_dynamics(robot, {"a", {0, 1, 0}, {0, 0, 1}}, Eigen::VectorXd::Zero(1));
  EXPECT_FALSE(d.M_is_positive);
  EXPECT_EQ(d.mass, 0);
  EXPECT_TRUE(d.M_inv_JT.array().isNaN().all());
}

TEST(LagrangeTerms, ClosedFormOfPlanarArm) {
  const Robot arm = load_robot("planar_2r").with_rotor_inertia(Eigen::Vector2d(0.3, 0.2));
  const double g = 9.81;                       // along -y
  constexpr double tight_torque = 50 * tight;  // of torques up to 50 N m
  for (const auto& [q1, q2, w1, w2] : {std::array{0.3, 0.9, 1.1, -0.7}, std::array{-2.0, 2.5, 0.4, 1.9}}) {
    const auto [p, gradient] = lagrange_terms(arm, Eigen::Vector2d(q1, q2), Eigen::Vector2d(w1, w2), Vector3(0, -g, 0));
    const double M22 = I2 + m2 * c2 * c2, M12 = M22 + m2 * l1 * c2 * std::cos(q2);
    const double M11 = I1 + m1 * c1 * c1 + M22 + m2 * (l1 * l1 + 2 * l1 * c2 * std::cos(q2));
    EXPECT_NEAR(p[0], (M11 + 0.3) * w1 + M12 * w2, tight);
    EXPECT_NEAR(p[1], M12 * w1 + (M22 + 0.2) * w2, tight);
    const double g1 = g * ((m1 * c1 + m2 * l1) * std::cos(q1)), g2 = g * m2 * c2 * std::cos(q1 + q2);
    EXPECT_NEAR(gradient[0], -g1 - g2, tight_torque);
    EXPECT_NEAR(gradient[1], -m2 * l1 * c2 * std::sin(q2) * w1 * (w1 + w2) - g2, tight_torque);
  }
}

// Kinetic less potential energy by another road: M, mass and centre of mass of contact_dynamics.
double lagrangian(DynamicsWorkspace& workspace, const VectorX& q, const VectorX& dq, const Vector3& gravity_W) {
  const ContactDynamics& d = contact_dynamics(workspace, q);
  return 0.5 * dq.dot(d.M * dq) + d.mass * gravity_W.dot(d.com_W);
}

TEST(LagrangeTerms, AreTheDerivativesOfTheEnergies) {
  // Central differences with h = 1e-4 are off by h^2/6 of third derivatives, some ten times the first ones in a chain
  // of 64 joints, and by 1e-16/h of the energy, which is a few times the largest gradient.
  constexpr double h = 1e-4, numeric = 1e-6, exact = 1e-12;
  test::Random random(test::base_seed());
  for (const Robot& sample : test::sample_robots()) {
    SCOPED_TRACE(sample.name() + ", THUD_SEED " + std::to_string(test::base_seed()));
    const Eigen::Index n = sample.size();
    const Robot robot = sample.with_rotor_inertia(VectorX::LinSpaced(n, 0.1, 0.4));
    auto [state, point] = test::random_sample(random, robot);
    point.whole = true;  // gravity pulls at every limb
    for (const Vector3& gravity : {Vector3(0, 0, 0), Vector3(9.81 * test::random_direction(random))}) {
      const LagrangeTerms terms = lagrange_terms(robot, state.q, state.dq, gravity);
      DynamicsWorkspace workspace(robot, point);
      const MatrixX& M = contact_dynamics(workspace, state.q).M;
      const VectorX terms_of_momentum = M.cwiseAbs() * state.dq.cwiseAbs();  // which may cancel
      EXPECT_LT((terms.momentum - M * state.dq).cwiseAbs().maxCoeff(), exact * terms_of_momentum.maxCoeff());
      VectorX gradient(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const VectorX step = h * VectorX::Unit(n, i);
        gradient[i] = (lagrangian(workspace, state.q + step, state.dq, gravity) -
                       lagrangian(workspace, state.q - step, state.dq, gravity)) /
                      (2 * h);
      }
      // a single joint that nothing else moves has no gradient without gravity: a floor of one newton metre
      const double size = std::max(1.0, gradient.cwiseAbs().maxCoeff());
      EXPECT_LT((terms.gradient - gradient).cwiseAbs().maxCoeff(), numeric * size) << gravity.transpose();
    }
  }
}

TEST(LagrangeTerms, WorkspaceGivesTheSameEveryTime) {
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const State state = test::random_sample(random, robot).state;
    LagrangeWorkspace workspace(robot);
    EXPECT_EQ(workspace.size(), robot.size());
    EXPECT_TRUE(workspace.terms().momentum.array().isNaN().all());
    lagrange_terms(workspace, state.dq, state.q);
    const LagrangeTerms again = lagrange_terms(workspace, state.q, state.dq);
    const LagrangeTerms once = lagrange_terms(robot, state.q, state.dq);
    EXPECT_EQ(again.momentum, once.momentum) << robot.name();
    EXPECT_EQ(again.gradient, once.gradient) << robot.name();
    EXPECT_EQ(workspace.terms().gradient, once.gradient) << robot.name();
  }
}

TEST(LagrangeTermsRefuse, BadArguments) {
  const Robot arm = load_robot("planar_2r");
  const Eigen::Vector2d two(0, 0);
  EXPECT_THROW(lagrange_terms(arm, Eigen::Vector3d(0, 0, 0), two), InputError);
  EXPECT_THROW(lagrange_terms(arm, two, Eigen::Vector2d(0, NAN)), InputError);
  try {
    lagrange_terms(arm, two, two, Vector3(0, 0, NAN));
    ADD_FAILURE() << "no refusal";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "gravity: 0,0,nan: must be finite");
  }
}

TEST(ContactDynamicsRefuses, BadArguments) {
  const Robot arm = load_robot("planar_2r");
  const Eigen::Vector2d q(0, 0);
  EXPECT_THROW(contact_dynamics(arm, {"tip", {}, {1, 0, 0}}, Eigen::Vector3d(0, 0, 0)), InputError);
  EXPECT_THROW(contact_dynamics(arm, {"tip", {0, 0, 0}, {1, 0, 0}}, Eigen::Vector2d(0, NAN)), InputError);
  EXPECT_THROW(contact_dynamics(arm, {"tip", {0, 0, 0}, {0, 0, 0}}, q), InputError);
  EXPECT_THROW(contact_dynamics(arm, {"tip", {0, 0, 0}, {0, NAN, 1}}, q), InputError);
  EXPECT_THROW(contact_dynamics(arm, {"tip", {0, INFINITY, 0}, {0, 0, 1}}, q), InputError);
  EXPECT_THROW(contact_dynamics(arm, {"hand", {0, 0, 0}, {1, 0, 0}}, q), RobotError);
  EXPECT_THROW(contact_dynamics(arm, {"base", {0, 0, 0}, {1, 0, 0}}, q), RobotError);
  try {
    contact_dynamics(arm, {"tip", {0, 0, 0}, {0, 0, 0}}, q);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "normal: 0,0,0: must be finite and not zero");
  }
}

TEST(ContactDynamicsRefuses, MatricesThatDoNotFit) {
  const ContactDynamics d =
      contact_dynamics(load_robot("planar_2r"), {"tip", {0, 0, 0}, {1, 0, 0}}, Eigen::Vector2d(0.1, 0.2));
  const auto with = [&](const Eigen::MatrixXd& M, const Eigen::MatrixXd& J, const Eigen::MatrixXd& A, double mass) {
    return contact_dynamics(M, J, A, {mass, d.com_W, d.Ic_W}, {d.p_WC, d.normal_W});
  };
  const Eigen::MatrixXd M = d.M, J = d.J, A = d.A_G;
  EXPECT_NO_THROW(with(M, J, A, 5));
  EXPECT_THROW(with(M.leftCols(1), J, A, 5), InputError);
  EXPECT_THROW(with(M, J.topRows(3), A, 5), InputError);
  EXPECT_THROW(with(M, J, A.leftCols(1), 5), InputError);
  EXPECT_THROW(with(M, J, A, -5), InputError);
  EXPECT_THROW(with(M * NAN, J, A, 5), InputError);
  EXPECT_THROW(with(Eigen::MatrixXd(0, 0), Eigen::MatrixXd(6, 0), Eigen::MatrixXd(6, 0), 5), InputError);
  Eigen::MatrixXd lower = M;
  lower(0, 1) = 0;  // the half matrix that some libraries return
  EXPECT_THROW(with(lower, J, A, 5), InputError);
}

}  // namespace
}  // namespace thud
