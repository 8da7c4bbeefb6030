#include <thud/error.hpp>
#include <thud/inertia.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-12;

Matrix3 cross(const Vector3& r) {
  Matrix3 m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

TEST(InverseInertia, ClosedFormOfPlanarArm) {
  // Folded at a right angle, q = (0, pi/2): link 1 along x, link 2 along y, hit at the tip.
  constexpr double l1 = 1, l2 = 0.8, c1 = 0.5, c2 = 0.4, m1 = 3, m2 = 2, pi = 3.14159265358979323846;
  const double I1 = m1 * (3 * 0.025 * 0.025 + l1 * l1) / 12, I2 = m2 * (3 * 0.025 * 0.025 + l2 * l2) / 12;
  const Robot arm = load_robot("planar_2r");
  const ContactDynamics along_x = contact_dynamics(arm, {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0, pi / 2));
  const ContactDynamics along_y = contact_dynamics(arm, {"tip", {0, 0, 0}, {0, 1, 0}}, Eigen::Vector2d(0, pi / 2));

  // Joints free. Along x both columns of J are -l2, along y they are (l1, 0); M = [a b; b d] with b = d here.
  const double d = I2 + m2 * c2 * c2, b = d, a = I1 + m1 * c1 * c1 + d + m2 * l1 * l1, det = a * d - b * b;
  EXPECT_NEAR(generalized_momentum(along_x).effective_mass(), det / (l2 * l2 * (a - 2 * b + d)), tight);
  EXPECT_NEAR(generalized_momentum(along_y).effective_mass(), det / (l1 * l1 * d), tight);

  // One rigid body: m and Ic of two rods, hit at distance r_y or r_x from the centre of mass.
  const Vector3 c((m1 * c1 + m2 * l1) / 5, m2 * c2 / 5, 0), p(l1, l2, 0), r = p - c;
  const double Ic = I1 + I2 + m1 * m2 / (m1 + m2) * ((l1 - c1) * (l1 - c1) + c2 * c2);
  EXPECT_NEAR(composite_rigid_body(along_x).effective_mass(), 1 / (1.0 / 5 + r.y() * r.y() / Ic), tight);
  EXPECT_NEAR(composite_rigid_body(along_y).effective_mass(), 1 / (1.0 / 5 + r.x() * r.x() / Ic), tight);

  // Two joints cannot move the tool in six directions, whatever the posture.
  EXPECT_EQ(algebraic(along_x).status, InertiaStatus::underactuated);
  EXPECT_TRUE(std::isnan(algebraic(along_x).effective_mass()));
  EXPECT_EQ(algebraic(along_x, {.pseudo_inverse = true}).status, InertiaStatus::pseudo_inverse);
}

TEST(InverseInertia, PointMassOnARail) {
  // One body of 2 kg on a slider along x, hit along x through its centre: every option that exists says 2 kg.
  const Robot cart = parse_urdf(
      "<robot name='c'><link name='base'/><link name='cart'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
      "izz='1' "
      "ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='prismatic'><parent link='base'/>"
      "<child link='cart'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' velocity='1' effort='1'/></joint></robot>",
      "cart");
  const ContactDynamics d = contact_dynamics(cart, {"cart", {0, 0, 0}, {-1, 0, 0}}, Eigen::VectorXd::Zero(1));
  EXPECT_NEAR(generalized_momentum(d).effective_mass(), 2, tight);
  EXPECT_NEAR(composite_rigid_body(d).effective_mass(), 2, tight);
  EXPECT_NEAR(flexible_joints(d).effective_mass(), 2, tight);
  EXPECT_NEAR(algebraic(d, {.pseudo_inverse = true}).effective_mass(), 2, tight);
  // across the rail the joint does not give: no finite mass by the joints, the body's own by the composite option
  const ContactDynamics across = contact_dynamics(cart, {"cart", {0, 0, 0}, {0, 1, 0}}, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(generalized_momentum(across).status, InertiaStatus::singular);
  EXPECT_TRUE(std::isnan(generalized_momentum(across).effective_mass()));
  EXPECT_NEAR(composite_rigid_body(across).effective_mass(), 2, tight);
  EXPECT_EQ(algebraic(across, {.pseudo_inverse = true}).status, InertiaStatus::singular);
}

TEST(InverseInertia, DefinitionsByPlainMatrixAlgebra) {
  // The formulas of docs/equations.md as they stand, with general inverses.
  test::Random random(test::base_seed());
  for (const Robot& robot : test::sample_robots()) {
    const auto sample = test::random_sample(random, robot);
    const ContactDynamics d = contact_dynamics(robot, sample.point, sample.state.q);
    const Vector3 n = d.normal_W, r = d.p_WC - d.com_W;
    const Eigen::MatrixXd J = d.J, M_inv = Eigen::MatrixXd(d.M).inverse();
    const Eigen::MatrixXd A = J * M_inv * J.transpose();
    Eigen::MatrixXd I_G = Eigen::MatrixXd::Zero(6, 6), X = Eigen::MatrixXd::Identity(6, 6);
    I_G.topLeftCorner(3, 3) = d.mass * Matrix3::Identity();
    I_G.bottomRightCorner(3, 3) = d.Ic_W;
    X.topRightCorner(3, 3) = -cross(r);
    const Eigen::MatrixXd J_avg = I_G.inverse() * Eigen::MatrixXd(d.A_G);

    constexpr double loose = 1e-9;  // the inverse of M loses digits for long chains
    const Matrix3 W_gm = A.topLeftCorner(3, 3);
    const Matrix3 W = Matrix3::Identity() / d.mass - cross(r) * d.Ic_W.inverse() * cross(r);
    const Matrix3 W_flexible = W + Eigen::MatrixXd((J - X * J_avg) * M_inv * J.transpose()).topLeftCorner(3, 3);
    const InverseInertia gm = generalized_momentum(d), flexible = flexible_joints(d),
                         composite = composite_rigid_body(d);
    ASSERT_EQ(composite.status, InertiaStatus::ok) << robot.name();
    EXPECT_LT(test::relative_error(composite.W, W), loose) << robot.name();
    EXPECT_NEAR(composite.effective_mass() * n.dot(W * n), 1, loose) << robot.name();
    if (gm.status == InertiaStatus::ok) {
      EXPECT_LT(test::relative_error(gm.W, W_gm), loose) << robot.name();
      EXPECT_NEAR(gm.effective_mass() * n.dot(W_gm * n), 1, loose) << robot.name();
    }
    if (flexible.status == InertiaStatus::ok) {
      EXPECT_LT(test::relative_error(flexible.W, W_flexible), loose) << robot.name();
      EXPECT_NEAR(flexible.effective_mass() * n.dot(W_flexible * n), 1, loose) << robot.name();
    }
    const InverseInertia em = algebraic(d);
    if (em.status == InertiaStatus::ok) {
      const Matrix3 m_em = A.inverse().topLeftCorner(3, 3);
      EXPECT_NEAR(em.effective_mass() / n.dot(m_em * n), 1, 1e-6) << robot.name();
      EXPECT_LT((em.W * m_em - Matrix3::Identity()).norm(), 1e-6) << robot.name();
    }
    const Eigen::MatrixXd I_eq = X.inverse().transpose() * I_G * X.inverse();
    EXPECT_LT(test::relative_error(equivalent_inertia(d), I_eq), loose) << robot.name();
  }
}

TEST(InverseInertia, PlainMatricesGiveTheSame) {
  const ContactDynamics d = contact_dynamics(load_robot("panda"), test::paper_contact(), test::paper_configuration(2));
  EXPECT_EQ(generalized_momentum(d.M, d.J, d.normal_W).effective_mass(), generalized_momentum(d).effective_mass());
  EXPECT_EQ(algebraic(d.M, d.J, d.normal_W).effective_mass(), algebraic(d).effective_mass());
  EXPECT_EQ(composite_rigid_body({d.mass, d.com_W, d.Ic_W}, {d.p_WC, d.normal_W}).effective_mass(),
            composite_rigid_body(d).effective_mass());
  EXPECT_EQ(flexible_joints(d.M, d.J, d.A_G, {d.mass, d.com_W, d.Ic_W}, {d.p_WC, d.normal_W}).effective_mass(),
            flexible_joints(d).effective_mass());
}

// A tool that turns easily about one axis and hardly about the others: products of its small mobilities lose the
// condition twice, pivots do not.
TEST(InverseInertia, AlgebraicLosesNoMoreThanTheCondition) {
  using Exact = Eigen::Matrix<long double, 6, 6>;
  constexpr double hard = 1e-5;  // mobility about two axes, of that about the third
  std::mt19937_64 random(3);
  std::normal_distribution<double> any;
  const auto random_matrix = [&] { return Matrix6::NullaryExpr([&] { return any(random); }).eval(); };
  for (int i = 0; i < 100; ++i) {
    Matrix6 J = Eigen::HouseholderQR<Matrix6>(random_matrix()).householderQ();
    J.bottomRows<3>() = Vector3(1, std::sqrt(hard), std::sqrt(hard)).asDiagonal() * J.bottomRows<3>().eval();
    const Matrix3 turn = Eigen::Quaterniond(any(random), any(random), any(random), any(random)).normalized().matrix();
    J.bottomRows<3>() = turn * J.bottomRows<3>().eval();
    J.topRows<3>() = random_matrix().topRows<3>();
    const Vector3 n = Vector3(any(random), any(random), any(random)).normalized();
    const InverseInertia found = algebraic(Eigen::MatrixXd::Identity(6, 6), J, n);
    ASSERT_EQ(found.status, InertiaStatus::ok);

    const Exact A = J.cast<long double>() * J.cast<long double>().transpose();
    const Eigen::SelfAdjointEigenSolver<Exact> eigen(A);
    const Eigen::Matrix<long double, 6, 1> along =
        eigen.eigenvectors().topRows<3>().transpose() * n.cast<long double>();
    const auto mass = static_cast<double>((along.array().square() / eigen.eigenvalues().array()).sum());
    const auto condition = static_cast<double>(eigen.eigenvalues()[5] / eigen.eigenvalues()[0]);
    // n^2 roundings, as in test/oracle/compare.py
    EXPECT_NEAR(found.effective_mass() / mass, 1, 36 * std::numeric_limits<double>::epsilon() * condition);
  }
}

TEST(InverseInertia, SingularPostureIsNamed) {
  // Stretched out at q = 0 the Panda's joints 1, 3 and 5 share one axis: the tool has five directions.
  const ContactDynamics d = contact_dynamics(load_robot("panda"), test::paper_contact(), VectorX::Zero(7));
  EXPECT_EQ(algebraic(d).status, InertiaStatus::singular);
  EXPECT_TRUE(std::isnan(algebraic(d).effective_mass()));
  EXPECT_EQ(generalized_momentum(d).status, InertiaStatus::ok);
  EXPECT_EQ(composite_rigid_body(d).status, InertiaStatus::ok);
  const InverseInertia pseudo = algebraic(d, {.pseudo_inverse = true});
  EXPECT_EQ(pseudo.status, InertiaStatus::pseudo_inverse);
  // Away from singular postures nothing changes by asking for it.
  const ContactDynamics regular =
      contact_dynamics(load_robot("panda"), test::paper_contact(), test::paper_configuration(0));
  EXPECT_EQ(algebraic(regular, {.pseudo_inverse = true}).status, InertiaStatus::ok);
}

TEST(InverseInertia, PseudoInverseIsMoorePenrose) {
  // Against the four conditions' consequence for a projector: pinv of a rank-deficient A through a second road (SVD).
  for (const auto& [name, q] : {std::pair<const char*, VectorX>{"panda", VectorX::Zero(7)},
                                std::pair<const char*, VectorX>{"spatial_3r", Eigen::Vector3d(0.3, -0.2, 0.9)}}) {
    const Robot robot = load_robot(name);
    const ContactDynamics d = contact_dynamics(robot, {robot.frames().back().name, {0, 0, 0.01}, {-1, 0.2, 0}}, q);
    const Eigen::MatrixXd A = d.J * d.M_inv_JT;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(1e-12);
    const Eigen::MatrixXd pinv = svd.solve(Eigen::MatrixXd::Identity(6, 6));
    const double expected = d.normal_W.dot(pinv.topLeftCorner(3, 3) * d.normal_W);
    EXPECT_NEAR(algebraic(d, {.pseudo_inverse = true}).effective_mass() / expected, 1, 1e-8) << name;
  }
}

TEST(InverseInertia, StretchedPlanarArmCannotGiveAlongItself) {
  const ContactDynamics d =
      contact_dynamics(load_robot("planar_2r"), {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0, 0));
  EXPECT_EQ(generalized_momentum(d).status, InertiaStatus::singular);
  EXPECT_EQ(composite_rigid_body(d).status, InertiaStatus::ok);
}

TEST(InverseInertia, MasslessIsNamed) {
  const auto with = [](const char* inertial) {
    const Robot robot = parse_urdf(std::string("<robot name='r'><link name='base'/><link name='a'>") + inertial +
                                       "</link><joint name='j' type='continuous'><parent link='base'/><child link='a'/>"
                                       "</joint></robot>",
                                   "r");
    return contact_dynamics(robot, {"a", {0, 1, 0}, {0, 0, 1}}, Eigen::VectorXd::Zero(1));
  };
  const ContactDynamics nothing = with("");
  for (const auto& option :
       {algebraic(nothing), generalized_momentum(nothing), composite_rigid_body(nothing), flexible_joints(nothing)}) {
    EXPECT_EQ(option.status, InertiaStatus::massless);
    EXPECT_TRUE(std::isnan(option.effective_mass()));
  }
  // A point mass off the axis moves M, but as a rigid body has no inertia to turn.
  const ContactDynamics point = with(
      "<inertial><origin xyz='0 1 0'/><mass value='1'/><inertia ixx='0' iyy='0' izz='0' "
      "ixy='0' ixz='0' iyz='0'/></inertial>");
  EXPECT_EQ(generalized_momentum(point).status, InertiaStatus::ok);
  EXPECT_NEAR(generalized_momentum(point).effective_mass(), 1, tight);
  EXPECT_EQ(composite_rigid_body(point).status, InertiaStatus::massless);
  EXPECT_EQ(flexible_joints(point).status, InertiaStatus::massless);
  EXPECT_TRUE(link_shares(point, {}).empty());
}

// What does not exist by construction is not taken for something by the rounding of a turned frame.

TEST(InverseInertia, PlanarArmInATurnedWorldStaysSingular) {
  // seven joints about one direction move the tip in a plane only
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix3 R = test::random_rotation(random);
    std::vector<Joint> joints;
    std::vector<BodyInertia> bodies;
    for (int i = 0; i < 7; ++i) {
      joints.push_back({.name = std::to_string(i), .link = std::to_string(i), .parent = i - 1});
      joints.back().axis = Vector3::UnitZ();
      if (i == 0) joints.back().R_PJ = R;
      if (i > 0) joints.back().p_PJ = {0.3, 0, 0};
      bodies.push_back({1, {0.15, 0.02, 0}, Vector3(0.01, 0.02, 0.02).asDiagonal()});
    }
    const Robot arm("planar", joints, bodies, {{.name = "tip", .joint = 6}}, {});
    VectorX q(7);
    for (double& each : q) each = test::uniform(random, -1, 1);
    const ContactDynamics inside = contact_dynamics(arm, {"tip", {0.2, 0, 0}, R * Vector3(1, 0.3, 0)}, q);
    EXPECT_EQ(algebraic(inside).status, InertiaStatus::singular);
    EXPECT_EQ(generalized_momentum(inside).status, InertiaStatus::ok);
    const ContactDynamics across = contact_dynamics(arm, {"tip", {0.2, 0, 0}, R * Vector3(0, 0, 1)}, q);
    EXPECT_EQ(generalized_momentum(across).status, InertiaStatus::singular);
    EXPECT_TRUE(std::isnan(generalized_momentum(across).effective_mass()));
  }
}

TEST(InverseInertia, ThinRodInATurnedWorldStaysMassless) {
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 50; ++trial) {
    Joint joint{.name = "j", .link = "rod"};
    joint.R_PJ = test::random_rotation(random);
    joint.axis = Vector3::UnitZ();
    // no inertia about its own length: the composite body may be spun up by nothing
    const Robot rod("rod", {joint}, {{1, {0.5, 0, 0}, Vector3(0, 0.1, 0.1).asDiagonal()}},
                    {{.name = "rod", .joint = 0}}, {});
    const ContactDynamics d = contact_dynamics(rod, {"rod", {1, 0.1, 0.1}, test::random_direction(random)},
                                               Eigen::VectorXd::Constant(1, 0.3));
    EXPECT_EQ(composite_rigid_body(d).status, InertiaStatus::massless);
    // a point mass on the joint's axis is moved by nothing either
    const Robot point("point", {joint}, {{1, {0, 0, 0.7}, Matrix3::Zero()}}, {{.name = "rod", .joint = 0}}, {});
    const ContactDynamics e = contact_dynamics(point, {"rod", {1, 0.1, 0.1}, test::random_direction(random)},
                                               Eigen::VectorXd::Constant(1, 0.3));
    EXPECT_FALSE(e.M_is_positive);
    EXPECT_EQ(generalized_momentum(e).status, InertiaStatus::massless);
  }
}

TEST(InverseInertia, BornAsFailure) {
  EXPECT_EQ(InverseInertia{}.status, InertiaStatus::not_run);
  EXPECT_TRUE(std::isnan(InverseInertia{}.effective_mass()));
  EXPECT_EQ(to_string(InertiaStatus::underactuated), "underactuated");
}

}  // namespace
}  // namespace thud
