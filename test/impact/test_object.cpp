#include <thud/error.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/object.hpp>
#include <thud/profile.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-11;

Object random_box(test::Random& random) {
  const Vector3 half = (Vector3::Constant(1.2) + test::random_vector(random)) / 5;
  const Vector3 square = half.cwiseProduct(half);
  const Matrix3 R = test::random_rotation(random);
  Object box{.mass = std::exp(test::uniform(random, -2, 2))};
  const Vector3 moments = box.mass / 3 * (Vector3::Constant(square.sum()) - square);
  box.inertia_W = R * moments.asDiagonal() * R.transpose();
  box.inertia_W = ((box.inertia_W + box.inertia_W.transpose()) / 2).eval();
  box.com_W = test::random_vector(random);
  box.velocity = test::random_vector(random);
  box.angular_velocity = 2 * test::random_vector(random);
  return box;
}

double kinetic_energy(const Object& object, const ObjectMotion& motion) {
  return (object.mass * motion.velocity.squaredNorm() +
          motion.angular_velocity.dot(object.inertia_W * motion.angular_velocity)) /
         2;
}

Vector3 angular_momentum(const Object& object, const ObjectMotion& motion) {
  return object.mass * object.com_W.cross(motion.velocity) + object.inertia_W * motion.angular_velocity;
}

ObjectMotion before(const Object& object) {
  return {object.velocity, object.angular_velocity};
}

TEST(ContactResponse, OfAnObjectIsThatOfACompositeBody) {
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 100; ++trial) {
    const Object box = random_box(random);
    const Vector3 p = box.com_W + 0.3 * test::random_vector(random), n = test::random_direction(random);
    const ContactResponse side = contact_response(box, p);
    EXPECT_LT(test::relative_error(side.W, composite_rigid_body({box.mass, box.com_W, box.inertia_W}, {p, n}).W),
              tight);
    EXPECT_LT((side.velocity - box.velocity - box.angular_velocity.cross(p - box.com_W)).norm(), tight);
    // an impulse moves the point by W iota
    const Vector3 impulse = test::random_vector(random);
    const ObjectMotion after = motion_after(box, p, impulse);
    const Vector3 v = after.velocity + after.angular_velocity.cross(p - box.com_W);
    EXPECT_LT((v - side.velocity - side.W * impulse).norm(), tight * (1 + v.norm()));
    const Object point{.mass = box.mass, .com_W = box.com_W, .velocity = box.velocity};
    EXPECT_EQ(contact_response(point, p).W, Matrix3::Identity() / box.mass);
    EXPECT_EQ(motion_after(point, p, impulse).angular_velocity, Vector3::Zero());
  }
}

TEST(PairImpact, KeepsMomentumAndEnergyAndDoesNotMindASwap) {
  test::Random random(test::base_seed());
  int hits = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Object one = random_box(random), two = random_box(random);
    const Vector3 p = (one.com_W + two.com_W) / 2 + 0.2 * test::random_vector(random);
    const Vector3 n = test::random_direction(random);
    const ContactResponse first = contact_response(one, p), second = contact_response(two, p);
    const ImpactOptions options{.friction = test::uniform(random, 0, 1), .restitution = test::uniform(random, 0, 1)};
    const PairImpact found = impact(first, second, n, options);
    if (found.impact.status == ImpactStatus::no_approach) {
      EXPECT_EQ(found.velocity_after, first.velocity);
      continue;
    }
    ++hits;
    const Vector3& iota = found.impact.impulse;
    const ObjectMotion a = motion_after(one, p, iota), b = motion_after(two, p, -iota);
    const Vector3 momentum = one.mass * (a.velocity - one.velocity) + two.mass * (b.velocity - two.velocity);
    const Vector3 angular = angular_momentum(one, a) - angular_momentum(one, before(one)) + angular_momentum(two, b) -
                            angular_momentum(two, before(two));
    EXPECT_LT(momentum.norm(), tight * iota.norm());
    EXPECT_LT(angular.norm(),
              tight * (iota.norm() + angular_momentum(one, a).norm() + angular_momentum(two, b).norm()));
    const double energy = kinetic_energy(one, before(one)) + kinetic_energy(two, before(two));
    EXPECT_NEAR(energy - kinetic_energy(one, a) - kinetic_energy(two, b), found.impact.energy_lost, 1e-10 * energy);
    EXPECT_LT((found.velocity_after - found.other_velocity_after - found.impact.velocity_after).norm(), tight);
    EXPECT_LT((found.velocity_after - a.velocity - a.angular_velocity.cross(p - one.com_W)).norm(), 1e-10);
    EXPECT_LT((found.other_velocity_after - b.velocity - b.angular_velocity.cross(p - two.com_W)).norm(), 1e-10);

    const PairImpact swapped = impact(second, first, -n, options);
    EXPECT_LT((swapped.impact.impulse + iota).norm(), 1e-10 * iota.norm());
    EXPECT_LT((swapped.velocity_after - found.other_velocity_after).norm(), 1e-9);
    EXPECT_LT((swapped.other_velocity_after - found.velocity_after).norm(), 1e-9);
  }
  EXPECT_GT(hits, 300);
}

TEST(PairImpact, NormalAndCentralByHand) {
  const Object ball{.mass = 3, .velocity = {0, 0, 0.5}};
  const ContactResponse robot{Matrix3::Identity() / 2, {0, 0, -1}};
  const PairImpact found =
      impact(robot, contact_response(ball, Vector3::Zero()), Vector3::UnitZ(), {.restitution = 0.5});
  const double iota = 1.5 * 2 * 3 / (2.0 + 3) * 1.5;  // (1 + e) m m_o/(m + m_o) |u_n|
  EXPECT_NEAR(found.impact.impulse.z(), iota, tight);
  EXPECT_NEAR(found.other_velocity_after.z(), 0.5 - iota / 3, tight);
  EXPECT_NEAR(found.velocity_after.z(), -1 + iota / 2, tight);
  // a wall that stands still
  EXPECT_NEAR(impact(robot, ContactResponse{}, Vector3::UnitZ(), {}).impact.impulse.z(), 2, tight);
}

TEST(ReducedMass, IsWhatALawActsOn) {
  const ContactResponse robot{Matrix3::Identity() / 4, {0, 0, -0.1}};
  const Object box{.mass = 2, .velocity = {0, 0, 0.02}};
  const ContactResponse other = contact_response(box, Vector3::Zero());
  const double mass = reduced_mass(robot, other, {0, 0, 3});
  EXPECT_NEAR(mass, 4.0 * 2 / 6, tight);
  EXPECT_NEAR(reduced_mass(robot, {}, Vector3::UnitZ()), 4, tight);
  // the whole force of a law gives the impulse of an impact with the law's restitution
  const ForceProfile profile = force_profile(Viscoelastic{3e5, 2.5e6}, mass, -0.12);
  const PairImpact hit = impact(robot, other, Vector3::UnitZ(), {.restitution = profile.restitution});
  EXPECT_NEAR(hit.impact.impulse.z(), profile.impulse.total, 1e-9);
  EXPECT_NEAR(hit.impact.energy_lost, profile.energy.dissipated, 1e-9);
  EXPECT_THROW(reduced_mass({}, {}, Vector3::UnitZ()), InputError);
  EXPECT_THROW(reduced_mass(robot, other, Vector3::Zero()), InputError);
}

struct Scene {
  ContactDynamics dynamics;
  VectorX dq;
};
Scene panda_scene(double sideways) {
  const Robot panda = load_robot("panda");
  Scene scene{contact_dynamics(panda, test::paper_contact(), test::paper_configuration(0)), {}};
  scene.dq = approach(scene.dynamics, 0.12).dq;
  scene.dq[0] += sideways;
  return scene;
}

TEST(ImpactPrediction, WithoutFrictionAndObjectIsPredict) {
  const Scene scene = panda_scene(0.3);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  const Prediction plain = predict(dynamics, dq, {.restitution = 0.4});
  const ImpactPrediction found = predict_impact(dynamics, dq, {.restitution = 0.4});
  EXPECT_NEAR(found.v_normal, plain.v_exact, tight);
  EXPECT_NEAR(found.v_tangential, plain.v_tangential, tight);
  for (const InertiaModel model : all_inertia_models) {
    const ModelImpact& result = found[model];
    EXPECT_LT((result.impact.impulse - plain[model].impulse_W).norm(), tight) << to_string(model);
    EXPECT_NEAR(result.impact.compression, plain[model].impulse.compression, tight);
    const NormalImpulse& approximate = plain[model].impulse_approximate;
    if (model == InertiaModel::composite_rigid_body) {
      EXPECT_NEAR(result.impulse_approximate.compression, approximate.compression, tight);
      EXPECT_NEAR(result.impulse_approximate.total, approximate.total, tight);
    } else {
      EXPECT_TRUE(std::isnan(result.impulse_approximate.total));
    }
    EXPECT_LT((result.joint_velocity_jump - plain[model].joint_velocity_jump).norm(), tight);
    EXPECT_LT((result.joint_velocity_jump_least_norm - plain[model].joint_velocity_jump_least_norm).norm(), tight);
    EXPECT_LT((result.joint_impulse - plain[model].joint_impulse).norm(), tight);
    EXPECT_NEAR(result.velocity_after.dot(dynamics.normal_W), -0.4 * plain.v_exact, tight);
    EXPECT_TRUE(result.object.velocity.hasNaN());
  }
  EXPECT_TRUE(warnings(found).empty());
}

TEST(ImpactPrediction, VectorsBelongTogether) {
  const Scene scene = panda_scene(0.3);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  test::Random random(test::base_seed());
  Object box = random_box(random);
  box.com_W = dynamics.p_WC + Vector3(0.1, 0.03, -0.02);
  box.velocity = {-0.1, 0.02, 0};
  const ImpactPrediction found = predict_impact(dynamics, dq, {.friction = 0.3, .restitution = 0.5, .object = box});
  const Vector3 v = dynamics.J.topRows<3>() * dq;
  const Vector3& n = dynamics.normal_W;
  const ContactResponse other = contact_response(box, dynamics.p_WC);
  EXPECT_LT((found.velocity - v + other.velocity).norm(), tight);
  const PerModel<InverseInertia> inertias = inverse_inertias(dynamics);
  for (const InertiaModel model : all_inertia_models) {
    const ModelImpact& result = found[model];
    if (model == InertiaModel::flexible_joints) {
      EXPECT_EQ(result.impact.status, ImpactStatus::not_run);
      EXPECT_TRUE(result.joint_impulse.array().isNaN().all());
      continue;
    }
    const PairImpact pair =
        impact(contact_response(dynamics, dq, inertias[model]), other, n, {.friction = 0.3, .restitution = 0.5});
    const Vector3& iota = result.impact.impulse;
    EXPECT_LT((iota - pair.impact.impulse).norm(), tight);
    EXPECT_LT((result.velocity_after - pair.velocity_after).norm(), tight);
    EXPECT_GT((iota - iota.dot(n) * n).norm(), 1e-3);  // friction acts
    EXPECT_LT((result.object.velocity - box.velocity + iota / box.mass).norm(), tight);
    EXPECT_LT((result.joint_velocity_jump - joint_velocity_jump(dynamics, iota)).norm(), tight);
    EXPECT_LT((result.joint_impulse - joint_impulse(dynamics, iota)).norm(), tight);
  }
  // joints that give way freely: the arm's energy and the box's make up for what is lost
  const ModelImpact& free = found[InertiaModel::generalized_momentum];
  const VectorX dq_after = dq + free.joint_velocity_jump;
  EXPECT_LT((dynamics.J.topRows<3>() * dq_after - free.velocity_after).norm(), tight);
  const double before_hit = dq.dot(dynamics.M * dq) / 2 + kinetic_energy(box, before(box));
  const double after_hit = dq_after.dot(dynamics.M * dq_after) / 2 + kinetic_energy(box, free.object);
  EXPECT_NEAR(before_hit - after_hit, free.impact.energy_lost, tight);
  ASSERT_EQ(warnings(found).size(), 1U);
  EXPECT_EQ(warnings(found)[0].code, WarningCode::asymmetric_model);
  EXPECT_EQ(warnings(found)[0].subject, "flexible_joints");
}

TEST(ImpactPrediction, AlgebraicMassIsThatOfAPointThatSticks) {
  const Scene scene = panda_scene(0);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  const ImpactPrediction found = predict_impact(dynamics, dq, {.friction = 100, .restitution = 0.5});
  const Prediction plain = predict(dynamics, dq, {.restitution = 0.5});
  const auto normal = [&](InertiaModel model) { return found[model].impact.impulse.dot(dynamics.normal_W); };
  EXPECT_NEAR(normal(InertiaModel::algebraic), plain[InertiaModel::algebraic].impulse.total, 1e-10);
  EXPECT_GT(normal(InertiaModel::generalized_momentum), plain[InertiaModel::generalized_momentum].impulse.total);
  ASSERT_EQ(found[InertiaModel::composite_rigid_body].impact.phases.size(), 1U);  // rounding is no slip
  EXPECT_EQ(found[InertiaModel::composite_rigid_body].impact.phases[0].mode, ContactMode::stick);
}

TEST(ImpactPrediction, AHeavyObjectIsAWallAndALightOneIsNothing) {
  const Scene scene = panda_scene(0.3);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  for (const double mu : {0.0, 0.3}) {
    const ImpactPrediction wall = predict_impact(dynamics, dq, {.friction = mu, .restitution = 0.5});
    const auto with = [&](double mass) {
      return predict_impact(dynamics, dq, {.friction = mu, .restitution = 0.5, .object = Object{.mass = mass}});
    };
    for (const InertiaModel model : all_inertia_models) {
      if (model == InertiaModel::flexible_joints && mu > 0) continue;
      const Vector3& iota = wall[model].impact.impulse;
      EXPECT_LT((with(1e9)[model].impact.impulse - iota).norm(), 1e-7 * iota.norm());
      // nothing resists but its own mass: (1 + e) m_o |u_n|
      EXPECT_NEAR(with(1e-6)[model].impact.impulse.dot(dynamics.normal_W), 1.5e-6 * 0.12, 1e-11);
    }
  }
}

TEST(ImpactPrediction, TwoArms) {
  const ContactDynamics dynamics = panda_scene(0).dynamics;
  const VectorX dq = approach(dynamics, 0.5).dq;
  const Robot small = load_robot("spatial_3r");
  const ContactDynamics other = contact_dynamics(small, {small.joints().back().link, {0.1, 0.05, 0.1}, {1, 0, 0}},
                                                 Eigen::Vector3d(0.3, 0.8, -0.7));
  const VectorX other_dq = Eigen::Vector3d(0.2, -0.4, 0.6);
  const ContactResponse one = contact_response(dynamics, dq, generalized_momentum(dynamics));
  const ContactResponse two = contact_response(other, other_dq, generalized_momentum(other));
  const PairImpact found = impact(one, two, dynamics.normal_W, {.friction = 0.4, .restitution = 0.6});
  ASSERT_EQ(found.impact.status, ImpactStatus::ok);
  const VectorX after = dq + joint_velocity_jump(dynamics, found.impact.impulse);
  const VectorX other_after = other_dq + joint_velocity_jump(other, -found.impact.impulse);
  EXPECT_LT((dynamics.J.topRows<3>() * after - found.velocity_after).norm(), tight);
  EXPECT_LT((other.J.topRows<3>() * other_after - found.other_velocity_after).norm(), tight);
  const auto energy = [](const ContactDynamics& d, const VectorX& rate) { return rate.dot(d.M * rate) / 2; };
  EXPECT_NEAR(energy(dynamics, dq) + energy(other, other_dq) - energy(dynamics, after) - energy(other, other_after),
              found.impact.energy_lost, tight);
}

TEST(ImpactPrediction, ApproachIsRelative) {
  const Scene scene = panda_scene(0);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  // it runs away faster than the arm comes on; and catches up with an arm that stands still
  const Object flees{.mass = 1, .velocity = {0.2, 0, 0}}, comes{.mass = 1, .velocity = {-0.2, 0, 0}};
  const ImpactPrediction away = predict_impact(dynamics, dq, {.friction = 0.2, .object = flees});
  for (const InertiaModel model : {InertiaModel::algebraic, InertiaModel::composite_rigid_body}) {
    EXPECT_EQ(away[model].impact.status, ImpactStatus::no_approach);
    EXPECT_EQ(away[model].impact.impulse, Vector3::Zero());
    EXPECT_EQ(away[model].joint_impulse, VectorX::Zero(7));
    EXPECT_EQ(away[model].object.velocity, flees.velocity);
  }
  EXPECT_EQ(warnings(away).front().code, WarningCode::no_approach);
  const ImpactPrediction hit = predict_impact(dynamics, VectorX::Zero(7), {.object = comes});
  const double mass = composite_rigid_body(dynamics).effective_mass();
  EXPECT_NEAR(hit[InertiaModel::composite_rigid_body].impact.impulse.x(), -0.2 * mass / (1 + mass), tight);
  EXPECT_TRUE(warnings(hit).empty());
}

TEST(ImpactPrediction, WhatDoesNotExistIsNotRun) {
  const ContactDynamics planar =
      contact_dynamics(load_robot("planar_2r"), {"tip", {0, 0, 0}, {-1, 0, 0}}, Eigen::Vector2d(0.2, 1));
  const ImpactPrediction found = predict_impact(planar, Eigen::Vector2d(-1, -1), {.friction = 0.3, .restitution = 0.5});
  EXPECT_EQ(found[InertiaModel::algebraic].impact.status, ImpactStatus::not_run);
  EXPECT_EQ(found[InertiaModel::generalized_momentum].impact.status, ImpactStatus::ok);
  EXPECT_EQ(found[InertiaModel::generalized_momentum].velocity_after.z(), 0);
}

TEST(Object, Refuses) {
  const auto message = [](const Object& object) {
    try {
      contact_response(object, Vector3::Zero());
    } catch (const InputError& error) {
      const Scene scene = panda_scene(0);
      const ContactDynamics& dynamics = scene.dynamics;
      const VectorX& dq = scene.dq;
      EXPECT_THROW(predict_impact(dynamics, dq, {.object = object}), InputError);
      EXPECT_THROW(motion_after(object, Vector3::Zero(), Vector3::Zero()), InputError);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({}), "object mass: nan: must be finite and > 0");
  EXPECT_EQ(message({.mass = 0}), "object mass: 0: must be finite and > 0");
  EXPECT_EQ(message({.mass = 1, .velocity = {0, NAN, 0}}), "object velocity: nan: must be finite");
  const Matrix3 flat = Vector3(1, 1, 3).asDiagonal(), thin = Vector3(0, 1, 1).asDiagonal();
  EXPECT_EQ(message({.mass = 1, .inertia_W = flat}),
            "object inertia: 3: a principal moment must not exceed the sum of the other two");
  EXPECT_EQ(message({.mass = 1, .inertia_W = thin}), "object inertia: 0: the least principal moment must be > 0");
  Matrix3 skew = Matrix3::Identity();
  skew(0, 1) = 0.1;
  EXPECT_EQ(message({.mass = 1, .inertia_W = skew}), "object inertia: asymmetric by 0.1: must be symmetric");
  const Scene scene = panda_scene(0);
  const ContactDynamics& dynamics = scene.dynamics;
  const VectorX& dq = scene.dq;
  EXPECT_THROW(predict_impact(dynamics, VectorX::Zero(6)), InputError);
  EXPECT_THROW(predict_impact(dynamics, VectorX::Constant(7, NAN)), InputError);
  EXPECT_THROW(predict_impact(dynamics, dq, {.friction = -1}), InputError);
  EXPECT_THROW(predict_impact(dynamics, dq, {.restitution = 2}), InputError);
}

}  // namespace
}  // namespace thud
