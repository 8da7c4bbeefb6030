#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-12;

ContactDynamics paper_dynamics(int configuration) {
  return contact_dynamics(load_robot("panda"), test::paper_contact(), test::paper_configuration(configuration));
}

TEST(NormalImpulse, ByHand) {
  const InverseInertia inertia(InertiaStatus::ok, Matrix3::Identity() / 4, 4);
  const NormalImpulse impulse = normal_impulse(inertia, -0.12, {.restitution = 0.5});
  EXPECT_NEAR(impulse.compression, 0.48, tight);  // 4 kg stopped from 0.12 m/s
  EXPECT_NEAR(impulse.total, 0.72, tight);        // and thrown back at 0.06 m/s
  EXPECT_EQ(normal_impulse(inertia, 0.12, {}).compression, 0);
  EXPECT_EQ(normal_impulse(inertia, 0.12, {.restitution = 1}).total, 0);
  EXPECT_TRUE(std::isnan(normal_impulse(InverseInertia{}, -0.12).compression));
}

TEST(NormalImpulse, Refuses) {
  const InverseInertia inertia;
  EXPECT_THROW(normal_impulse(inertia, -1, {.restitution = -0.1}), InputError);
  EXPECT_THROW(normal_impulse(inertia, -1, {.restitution = 1.1}), InputError);
  EXPECT_THROW(normal_impulse(inertia, -1, {.restitution = NAN}), InputError);
  EXPECT_THROW(normal_impulse(inertia, NAN), InputError);
  try {
    normal_impulse(inertia, -1, {.restitution = 1.5});
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "restitution: 1.5: must be from 0 to 1");
  }
}

TEST(ContactVelocity, ApproximateIsExactForARigidMotion) {
  // Only the first joint of a chain moves: the whole arm is then one rigid body in fact.
  test::Random random(test::base_seed());
  for (const auto& name : shipped_robots()) {
    const Robot robot = load_robot(name);
    const VectorX dq = 0.7 * VectorX::Unit(robot.size(), 0);
    int ratios = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const auto sample = test::random_sample(random, robot);
      const ContactDynamics d = contact_dynamics(robot, sample.point, sample.state.q);
      const double v = contact_velocity(d, dq);
      EXPECT_NEAR(approximate_contact_velocity(d, dq), v, 1e-10) << name;
      if (std::abs(v) < 1e-3) continue;  // cancelled
      EXPECT_NEAR(approximate_to_exact(d, dq), 1, 1e-9) << name;
      ++ratios;
    }
    EXPECT_GT(ratios, 10) << name;
  }
}

TEST(ContactVelocity, RatioIsUndefinedAtRest) {
  const ContactDynamics d = paper_dynamics(0);
  EXPECT_TRUE(std::isnan(approximate_to_exact(d, VectorX::Zero(7))));
  EXPECT_EQ(contact_velocity(d, VectorX::Zero(7)), 0);
}

TEST(ContactVelocity, SmallRestitutionRule) {
  EXPECT_TRUE(small_restitution(0.86, -0.11));
  EXPECT_FALSE(small_restitution(0.84, -0.11));
  EXPECT_FALSE(small_restitution(0.86, -0.09));
  EXPECT_FALSE(small_restitution(0.86, 0.2));  // going away
  EXPECT_FALSE(small_restitution(NAN, -0.2));
}

TEST(JointJumps, ByBothFormulas) {
  const ContactDynamics d = paper_dynamics(1);
  const Vector3 impulse_W = 1.2 * d.normal_W;
  const Eigen::MatrixXd J_v = d.J.topRows<3>();
  // [Zheng85]: solved once more from M itself
  EXPECT_LT((d.M * joint_velocity_jump(d, impulse_W) - J_v.transpose() * impulse_W).norm(), tight);
  // [Wang22b]: moves the contact point by W iota, and no joint rates that do are smaller
  const InverseInertia inertia = composite_rigid_body(d);
  const auto jump = joint_velocity_jump_least_norm(d, inertia, impulse_W);
  ASSERT_TRUE(jump);
  EXPECT_LT((J_v * *jump - inertia.W * impulse_W).norm(), tight);
  const Eigen::MatrixXd kernel = Eigen::FullPivLU<Eigen::MatrixXd>(J_v).kernel();
  EXPECT_LT((kernel.transpose() * *jump).norm(), tight);
  // with the inertia of free joints the contact point jumps alike by both, though the joints do not
  const auto free = joint_velocity_jump_least_norm(d, generalized_momentum(d), impulse_W);
  EXPECT_LT((J_v * (*free - joint_velocity_jump(d, impulse_W))).norm(), tight);
}

TEST(JointJumps, LeastNormNeedsThreeDirections) {
  const ContactDynamics planar =
      contact_dynamics(load_robot("planar_2r"), {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0.2, 1));
  EXPECT_FALSE(joint_velocity_jump_least_norm(planar, composite_rigid_body(planar), {1, 0, 0}));
  const Prediction prediction = predict(planar, Eigen::Vector2d(1, 0));
  EXPECT_TRUE(prediction[InertiaModel::composite_rigid_body].joint_velocity_jump_least_norm.array().isNaN().all());
}

TEST(JointJumps, TorqueIsImpulseOverTime) {
  const ContactDynamics d = paper_dynamics(0);
  const Vector3 impulse_W = -0.8 * Vector3::UnitX();
  EXPECT_LT((joint_torque_jump(d, impulse_W, 0.01) - 100 * joint_impulse(d, impulse_W)).norm(), 1e-10);
  // by hand: a push of -x at height z turns joint 2, about y at height 0.333 m, by -(z - 0.333) iota
  EXPECT_NEAR(joint_impulse(d, impulse_W)[1], -0.8 * (d.p_WC.z() - 0.333), tight);
  EXPECT_THROW(joint_torque_jump(d, impulse_W, 0), InputError);
  EXPECT_THROW(joint_torque_jump(d, impulse_W, NAN), InputError);
}

TEST(Approach, IsATranslationOfLeastNorm) {
  const ContactDynamics d = paper_dynamics(2);
  const Approach motion = approach(d, 0.15);
  EXPECT_FALSE(motion.turns);
  Vector6 twist = Vector6::Zero();
  twist[0] = 0.15;
  EXPECT_LT((d.J * motion.dq - twist).norm(), tight);
  const Eigen::MatrixXd kernel = Eigen::FullPivLU<Eigen::MatrixXd>(Eigen::MatrixXd(d.J)).kernel();
  EXPECT_LT((kernel.transpose() * motion.dq).norm(), tight);
  EXPECT_NEAR(contact_velocity(d, motion.dq), -0.15, tight);
}

TEST(Approach, TurnsOrGivesUpWhereItMust) {
  const Robot arm = load_robot("planar_2r");
  const ContactPoint tip{"tip", {0, 0, 0}, {-1, 0, 0}};
  const ContactDynamics bent = contact_dynamics(arm, tip, Eigen::Vector2d(0.2, 1));
  EXPECT_TRUE(approach(bent, 0.1).turns);
  EXPECT_EQ(find_approach(bent, 0.1).value().dq, approach(bent, 0.1).dq);
  const ContactDynamics stretched = contact_dynamics(arm, tip, Eigen::Vector2d(0, 0));
  EXPECT_FALSE(find_approach(stretched, 0.1));
  try {
    approach(stretched, 0.1);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "speed: 0.1: the contact point cannot move along the normal -1,0,0 alone at this posture");
  }
  EXPECT_THROW(approach(paper_dynamics(0), -1), InputError);
  EXPECT_THROW(find_approach(paper_dynamics(0), NAN), InputError);
}

TEST(Approach, NearestWhereNoneIsExact) {
  // Two joints move the tip in a plane that is a little askew: along the normal only with a motion across it.
  const Robot arm = load_robot("planar_2r");
  const ContactDynamics askew = contact_dynamics(arm, {"tip", {0, 0, 0}, {-1, 0, 1e-3}}, Eigen::Vector2d(0.2, 1));
  EXPECT_FALSE(find_approach(askew, 0.1));
  const Approach nearest = nearest_approach(askew, 0.1).value();
  EXPECT_NEAR(contact_velocity(askew, nearest.dq), -0.1, tight);
  EXPECT_TRUE(nearest.turns);
  const Vector3 v = askew.J.topRows<3>() * nearest.dq;
  EXPECT_NEAR(nearest.sideways, (v + 0.1 * askew.normal_W).norm(), tight);
  EXPECT_NEAR(nearest.sideways, 0.1 * 1e-3, 1e-9);
  // no other motion with that normal speed goes less across: the velocity is that along the normal's projection
  EXPECT_LT(v.cross(Vector3(-1, 0, 0)).norm(), tight);
  // exact where there is an exact one, none where the normal is across all motion
  const ContactDynamics bent = contact_dynamics(arm, {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0.2, 1));
  EXPECT_EQ(nearest_approach(bent, 0.1).value().dq, approach(bent, 0.1).dq);
  EXPECT_EQ(nearest_approach(bent, 0.1).value().sideways, 0);
  EXPECT_FALSE(nearest_approach(contact_dynamics(arm, {"tip", {0, 0, 0}, {0, 0, 1}}, Eigen::Vector2d(0.2, 1)), 0.1));
  EXPECT_FALSE(nearest_approach(contact_dynamics(arm, {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0, 0)), 0.1));
  EXPECT_THROW(nearest_approach(bent, -1), InputError);
}

TEST(Approach, RefusesAMotionThatIsMostlySideways) {
  const Robot arm = load_robot("planar_2r");  // moves in x and y
  const auto at = [&](double x) {
    return contact_dynamics(arm, {"tip", {0, 0, 0}, {x, 0, 1}}, Eigen::Vector2d(0.2, 1));
  };
  // along x alone: x / z of the normal is the ratio of what goes along it to what goes across
  EXPECT_NEAR(nearest_approach(at(1.01), 0.1).value().sideways, 0.1 / 1.01, 1e-12);
  try {
    nearest_approach(at(1e-4), 0.1);
    FAIL() << "moves at 1000 m/s";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "speed: 0.1: the nearest motion of the contact point is 10000 times as fast across the normal as along it; "
        "that is not an approach");
  }
}

TEST(Predict, HoldsWhatTheFunctionsSay) {
  const ContactDynamics d = paper_dynamics(0);
  const VectorX dq = approach(d, 0.12).dq;
  const Prediction prediction = predict(d, dq, {.restitution = 0.3});
  EXPECT_NEAR(prediction.v_exact, -0.12, tight);
  EXPECT_EQ(prediction.ratio, approximate_to_exact(d, dq));
  EXPECT_TRUE(prediction.small_restitution);
  EXPECT_NEAR(prediction.v_tangential, 0, tight);
  const PerModel<InverseInertia> expected = inverse_inertias(d);
  for (const InertiaModel model : all_inertia_models) {
    const ModelPrediction& result = prediction[model];
    const InverseInertia& inertia = expected[model];
    EXPECT_EQ(result.inertia.effective_mass(), inertia.effective_mass());
    EXPECT_NEAR(result.impulse.compression, 0.12 * inertia.effective_mass(), tight);
    EXPECT_NEAR(result.impulse.total, 1.3 * result.impulse.compression, tight);
    const Vector3 impulse_W = result.impulse.total * d.normal_W;
    EXPECT_EQ(result.impulse_W, impulse_W);
    EXPECT_LT((result.joint_velocity_jump - joint_velocity_jump(d, impulse_W)).norm(), tight);
    EXPECT_LT((result.joint_impulse - joint_impulse(d, impulse_W)).norm(), tight);
    EXPECT_LT((result.joint_velocity_jump_least_norm - *joint_velocity_jump_least_norm(d, inertia, impulse_W)).norm(),
              tight);
  }
  const auto& composite = prediction[InertiaModel::composite_rigid_body];
  EXPECT_NEAR(composite.impulse_approximate.compression / composite.impulse.compression, prediction.ratio, tight);
  EXPECT_TRUE(warnings(prediction).empty());
}

TEST(Predict, WithoutApproachMassesStandAndImpulsesAreZero) {
  const ContactDynamics d = paper_dynamics(0);
  const VectorX away = -approach(d, 0.12).dq;
  const Prediction prediction = predict(d, away);
  for (const InertiaModel model : all_inertia_models) {
    EXPECT_GT(prediction[model].inertia.effective_mass(), 1);
    EXPECT_EQ(prediction[model].impulse.total, 0);
    EXPECT_EQ(prediction[model].joint_velocity_jump.norm(), 0);
  }
  ASSERT_EQ(warnings(prediction).size(), 1U);
  EXPECT_EQ(warnings(prediction)[0].code, WarningCode::no_approach);
  EXPECT_NE(warnings(prediction)[0].text.find("does not approach"), std::string::npos);
}

TEST(Predict, WarnsOfSliding) {
  const ContactDynamics d = paper_dynamics(0);
  VectorX dq = approach(d, 0.12).dq;
  dq[0] += 0.1;
  ASSERT_EQ(warnings(predict(d, dq)).size(), 1U);
  EXPECT_EQ(warnings(predict(d, dq))[0].code, WarningCode::sliding);
  EXPECT_NE(warnings(predict(d, dq))[0].text.find("slides"), std::string::npos);
}

TEST(Predict, WarnsOfModelsThatDoNotExist) {
  const ContactDynamics planar =
      contact_dynamics(load_robot("planar_2r"), {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0, 0));
  const auto found = warnings(predict(planar, Eigen::Vector2d(0, 0)));
  const auto has = [&](WarningCode code, const char* model) {
    return std::ranges::any_of(found, [&](const Warning& each) { return each.code == code && each.subject == model; });
  };
  EXPECT_TRUE(has(WarningCode::no_approach, ""));
  EXPECT_TRUE(has(WarningCode::underactuated_model, "algebraic"));
  EXPECT_TRUE(has(WarningCode::singular_model, "generalized_momentum"));
  EXPECT_FALSE(has(WarningCode::singular_model, "composite_rigid_body"));
}

TEST(Predict, Refuses) {
  const ContactDynamics d = paper_dynamics(0);
  EXPECT_THROW(predict(d, VectorX::Zero(6)), InputError);
  EXPECT_THROW(predict(d, VectorX::Constant(7, NAN)), InputError);
  EXPECT_THROW(predict(d, VectorX::Zero(7), {.restitution = 2}), InputError);
}

}  // namespace
}  // namespace thud
