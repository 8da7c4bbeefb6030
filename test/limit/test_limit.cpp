// Limits: body regions by the standard's figures, speeds against bisection by other functions, the linear programme by
// its dual, rows for controllers against the hit itself.

#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/lagrange.hpp>
#include <thud/limit.hpp>
#include <thud/profile.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "arms.hpp"
#include "limit/linear_programme.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double exact = 1e-9;

const Viscoelastic wall{1e6, 7.28e6};

BodyRegion chest() {
  return {"chest", 140, 120e4, 25e3, 40, 2};
}

struct Hit {
  Robot robot = load_robot("panda");
  ContactPoint point = test::paper_contact();
  VectorX q = test::paper_configuration(0);
  ContactDynamics dynamics = contact_dynamics(robot, point, q);
  VectorX direction = nearest_approach(dynamics, 1)->dq;
};

const SpeedLimitRow* find(const SpeedLimit& limit, LimitKind kind, int joint = -1) {
  for (const auto& row : limit.rows)
    if (row.kind == kind && row.joint == joint) return &row;
  return nullptr;
}

bool has(const SpeedLimit& limit, WarningCode code) {
  for (const auto& warning : limit.warnings)
    if (warning.code == code) return true;
  return false;
}

// The lowest speed at which `holds` is false.
template <class Holds>
double bisected(Holds&& holds) {
  double low = 0, high = 1e3;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

TEST(BodySpeeds, AreTheTestValuesOfTheStandard) {
  // region, F_s [N], k [N/m], m_H [kg]; free at 2.4549, 5, 8.7165, 10, 20 kg and clamped at 10 kg [m/s]
  const struct {
    const char* name;
    double force, stiffness, mass, speeds[6];
  } cases[] = {
      {"neck", 150, 50e3, 1.2, {1.4944, 1.3638, 1.3063, 1.2961, 1.2610, .2121}},
      {"back", 210, 35e3, 40, {1.4762, 1.0649, .8392, .7937, .6148, .3550}},
      {"chest", 140, 25e3, 40, {1.1644, .8400, .6619, .6261, .4850, .2800}},
      {"abdomen", 110, 10e3, 40, {1.4466, 1.0436, .8224, .7778, .6025, .3479}},
      {"pelvis", 180, 25e3, 40, {1.4971, 1.0800, .8511, .8050, .6235, .3600}},
      {"upper_arm", 150, 30e3, 3, {1.4907, 1.2649, 1.1594, 1.1402, 1.0724, .2739}},
      {"lower_arm", 160, 40e3, 2, {1.5241, 1.3387, 1.2545, 1.2394, 1.1866, .2530}},
      {"hand", 140, 75e3, 0.6, {1.4724, 1.3969, 1.3646, 1.3590, 1.3396, .1617}},
      {"thigh", 220, 50e3, 75, {1.2763, .9089, .7042, .6624, .4952, .3111}},
      {"lower_leg", 130, 60e3, 75, {.6885, .4903, .3798, .3573, .2671, .1678}},
  };
  const double masses[] = {2.4549, 5, 8.7165, 10, 20};
  for (const auto& each : cases) {
    BodyContact contact{{each.name, each.force, 1e6, each.stiffness, each.mass, 2}};
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(body_speeds(contact, masses[i]).force, each.speeds[i], 5.1e-5) << each.name << " " << masses[i];
    contact.clamped = true;
    EXPECT_NEAR(body_speeds(contact, 10).force, each.speeds[5], 5.1e-5) << each.name;
  }
}

TEST(BodySpeeds, PressureIsForceOverArea) {
  BodyContact contact{chest()};
  EXPECT_TRUE(std::isnan(body_speeds(contact, 5).pressure));
  contact.area = 1e-4;  // 120 N on a square centimetre
  EXPECT_NEAR(body_speeds(contact, 5).pressure, body_speeds(contact, 5).force * 120 / 140, 1e-12);
  contact.region.transient = 0;
  EXPECT_EQ(body_speeds(contact, 5).force, 0);
  contact.clamped = true;
  EXPECT_GT(body_speeds(contact, 5).force, 0);
}

TEST(SpeedLimit, OfAPandaNearAPerson) {
  const Hit hit;
  SpeedLimitOptions options;
  options.body = BodyContact{chest()};
  const SpeedLimit cautious = speed_limit(hit.robot, hit.point, hit.q, hit.direction, robot_limits(hit.robot), options);
  ASSERT_TRUE(cautious.binding);
  EXPECT_TRUE(has(cautious, WarningCode::not_certified));
  for (const auto& [model, speed] :
       {std::pair{InertiaModel::generalized_momentum, 1.1644}, {InertiaModel::composite_rigid_body, 0.6619}}) {
    options.model = model;
    const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, robot_limits(hit.robot), options);
    EXPECT_NEAR(find(limit, LimitKind::body_force)->speed, speed, 1e-4) << to_string(model);
    EXPECT_GE(limit.speed, cautious.speed);
  }
  // without limits of the joints the heaviest model is the cautious one
  options.model.reset();
  const SpeedLimit body = speed_limit(hit.robot, hit.point, hit.q, hit.direction, {}, options);
  EXPECT_EQ(body.model, InertiaModel::algebraic);
  EXPECT_EQ(body.rows[*body.binding].kind, LimitKind::body_force);
}

TEST(SpeedLimit, IsWhereBisectionByTheOtherFunctionsEnds) {
  std::mt19937 random(test::base_seed() + 5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 40; ++trial) {
    Hit hit;
    for (double& each : hit.q) each += 0.4 * uniform(random);
    hit.point.normal_W = Vector3(-1, 0.5 * uniform(random), 0.5 * uniform(random));
    hit.dynamics = contact_dynamics(hit.robot, hit.point, hit.q);
    VectorX direction(7);
    for (double& each : direction) each = uniform(random);
    if (contact_velocity(hit.dynamics, direction) > 0) direction *= -1;
    const VectorX d = direction / -contact_velocity(hit.dynamics, direction);
    Limits limits = robot_limits(hit.robot);
    limits.collision_torque = VectorX::Constant(7, 30);
    limits.force = 500;
    limits.collision_force = 100;
    SpeedLimitOptions options;
    options.law = wall;
    const VectorX gravity = -lagrange_terms(hit.robot, hit.q, VectorX::Zero(7)).gradient;
    for (const InertiaModel model : all_inertia_models) {
      options.model = model;
      const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, direction, limits, options);
      const double mass = inverse_inertia(hit.dynamics, model).effective_mass();
      const auto profile = [&](double s) { return force_profile(wall, mass, -s); };
      const auto after = [&](double s) {
        const Prediction prediction = predict(hit.dynamics, s * d, {.restitution = profile(s).restitution});
        const ModelPrediction& result = prediction[model];
        // the jump of least norm belongs to n.W n: the algebraic model's mass is another
        const double scale = model == InertiaModel::algebraic
                                 ? 1 / (mass * hit.dynamics.normal_W.dot(result.inertia.W * hit.dynamics.normal_W))
                                 : 1;
        return VectorX(s * d + (model == InertiaModel::generalized_momentum
                                    ? result.joint_velocity_jump
                                    : VectorX(scale * result.joint_velocity_jump_least_norm)));
      };
      const auto torque = [&](double s) {
        const ForceProfile at = profile(s);
        const Vector3 impulse = at.impulse.total * hit.dynamics.normal_W;
        return VectorX(std::numbers::pi / 2 *
                       joint_torque_jump(hit.dynamics, impulse, at.end_of_contact->time).cwiseAbs());
      };
      for (int i = 0; i < 7; ++i) {
        const auto expect = [&](LimitKind kind, double speed) {
          const SpeedLimitRow* row = find(limit, kind, i);
          ASSERT_TRUE(row) << to_string(kind);
          if (speed > 100)
            EXPECT_EQ(row->speed, infinity) << to_string(kind) << " " << i << " " << to_string(model);
          else
            EXPECT_NEAR(row->speed, speed, exact * speed) << to_string(kind) << " " << i << " " << to_string(model);
        };
        const double fastest = limits.speed[i];
        expect(LimitKind::joint_speed_before, bisected([&](double s) { return std::abs(s * d[i]) <= fastest; }));
        expect(LimitKind::joint_speed_after, bisected([&](double s) { return std::abs(after(s)[i]) <= fastest; }));
        expect(LimitKind::joint_torque,
               bisected([&](double s) { return torque(s)[i] + std::abs(gravity[i]) <= limits.torque[i]; }));
        expect(LimitKind::collision_torque, bisected([&](double s) { return torque(s)[i] <= 30; }));
      }
      for (const auto& [kind, bound] : {std::pair{LimitKind::peak_force, 500.0}, {LimitKind::collision_force, 100.0}}) {
        const double speed = bisected([&, force = bound](double s) { return profile(s).peak.force <= force; });
        EXPECT_NEAR(find(limit, kind)->speed, speed, exact * speed) << to_string(kind);
      }
      double lowest = infinity;
      for (const auto& row : limit.rows) lowest = std::min(lowest, row.speed);
      EXPECT_EQ(limit.speed, lowest);
      EXPECT_NEAR(contact_velocity(hit.dynamics, limit.dq), -limit.speed, 1e-12);
    }
  }
}

TEST(SpeedLimit, ASpringsPeakHasAClosedForm) {
  const Hit hit;
  Limits limits;
  limits.force = 200;
  SpeedLimitOptions options;
  options.law = Spring{5e5, 0.5};
  options.model = InertiaModel::composite_rigid_body;
  const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, options);
  const double mass = composite_rigid_body(hit.dynamics).effective_mass();
  EXPECT_NEAR(limit.speed, 200 / std::sqrt(5e5 * mass), exact);
}

TEST(SpeedLimit, PeaksAreTheElasticArmsWhereDrivesAreKnown) {
  const Hit hit;
  const ElasticArm arm = elastic_arm(hit.robot, hit.point, hit.q, arms::panda_drives());
  Limits limits;
  limits.torque = VectorX::Constant(7, 40);
  limits.force = 300;
  SpeedLimitOptions options;
  options.law = wall;
  options.drives = arms::panda_drives();
  const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, options);
  EXPECT_TRUE(has(limit, WarningCode::peak_torque));
  const auto at = [&](double s) { return elastic_profile(arm, wall, -s, {.ringing = 0.1}); };
  EXPECT_NEAR(at(find(limit, LimitKind::peak_force)->speed).peak().force, 300, 1e-6);
  for (int i = 0; i < 7; ++i) {
    const double speed = find(limit, LimitKind::joint_torque, i)->speed;
    if (speed == infinity) continue;
    // it may leap there, where a contact that parted goes on
    EXPECT_LE(largest_torques(at(speed * (1 - 1e-9)), arm.holding)[i], 40) << i;
    EXPECT_GE(largest_torques(at(speed * (1 + 1e-9)), arm.holding)[i], 40) << i;
  }
}

TEST(SpeedLimit, OfAnElasticArmCanBeStopped) {
  const Hit hit;
  SpeedLimitOptions options;
  options.law = wall;
  options.drives = arms::panda_drives();
  const std::atomic<bool> stop = true;
  EXPECT_THROW(speed_limit(hit.robot, hit.point, hit.q, hit.direction, {}, options, {.stop = &stop}), Interrupted);
  EXPECT_THROW(fastest_approach(hit.robot, hit.point, hit.q, {}, options, {.stop = &stop}), Interrupted);
}

TEST(ElasticArm, RingsOnAfterTheContact) {
  const Hit hit;
  Drives drives = arms::panda_drives();
  drives.effort.resize(0);
  const ElasticArm arm = elastic_arm(hit.robot, hit.point, hit.q, drives);
  const Spring hard{1e8, 0.5};  // parts before the transmissions have wound up
  const ElasticProfile plain = elastic_profile(arm, hard, -0.12);
  const ElasticProfile ringing = elastic_profile(arm, hard, -0.12, {.ringing = 0.2});
  // the record is the same, and its energies
  EXPECT_EQ(ringing.end, plain.end);
  EXPECT_EQ(energies(ringing).kinetic, energies(plain).kinetic);
  EXPECT_EQ(energies(ringing).dissipated, energies(plain).dissipated);
  const VectorX none = VectorX::Zero(7);
  const VectorX during = largest_torques(plain, none), ever = largest_torques(ringing, none);
  EXPECT_TRUE((ever.array() >= during.array() - 1e-12).all());
  EXPECT_GT((ever - during).maxCoeff(), 1);  // [N m]: the transmissions wind up after a contact of milliseconds
  // by states sampled finely the peak during the record is the same
  const ElasticStates at = states(plain, VectorX::LinSpaced(4001, 0, plain.end));
  EXPECT_TRUE(at.transmission_torque.cwiseAbs().colwise().maxCoeff().transpose().isApprox(during, 1e-5));
}

TEST(SpeedLimit, WhatCannotBeJudgedHasNoRow) {
  const Hit hit;
  Limits limits = robot_limits(hit.robot);
  limits.collision_torque = VectorX::Constant(7, 20);
  limits.force = 100;
  const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits);
  EXPECT_FALSE(find(limit, LimitKind::joint_torque, 0));
  EXPECT_FALSE(find(limit, LimitKind::collision_torque, 0));
  EXPECT_FALSE(find(limit, LimitKind::peak_force));
  EXPECT_TRUE(has(limit, WarningCode::not_judged));
  SpeedLimitOptions endless;
  endless.law = Maxwell{1e6, 10};
  const SpeedLimit never = speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, endless);
  EXPECT_FALSE(find(never, LimitKind::joint_torque, 0));
  EXPECT_TRUE(find(never, LimitKind::peak_force));
}

TEST(SpeedLimit, ARestitutionThatIsGivenIsThatOfTheTorquesToo) {
  const Hit hit;
  Limits limits;
  limits.torque = VectorX::Constant(7, 60);
  const auto speed = [&](double e) {
    SpeedLimitOptions options;
    options.law = Maxwell{1e6, 3e3};  // its contact time does not depend on the speed
    options.restitution = e;
    options.model = InertiaModel::composite_rigid_body;
    return speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, options).speed;
  };
  EXPECT_NEAR(speed(0) / speed(1), 2, exact);
}

TEST(SpeedLimit, GravityMayTakeAll) {
  const Hit hit;
  Limits limits;
  limits.torque = VectorX::Constant(7, 1);
  SpeedLimitOptions options;
  options.law = wall;
  const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, options);
  EXPECT_EQ(limit.speed, 0);
  EXPECT_TRUE(has(limit, WarningCode::not_permitted));
}

TEST(SpeedLimit, NoHitIsPermittedOnTheHead) {
  const Hit hit;
  SpeedLimitOptions options;
  options.body = BodyContact{{"skull", 130, 110e4, 150e3, 4.4, 0}};
  for (const SpeedLimit& limit :
       {speed_limit(hit.robot, hit.point, hit.q, hit.direction, robot_limits(hit.robot), options),
        fastest_approach(hit.robot, hit.point, hit.q, robot_limits(hit.robot), options)}) {
    EXPECT_EQ(limit.speed, 0);
    EXPECT_TRUE(has(limit, WarningCode::not_permitted));
  }
}

TEST(SpeedLimit, NothingBinds) {
  const Hit hit;
  for (const SpeedLimit& limit : {speed_limit(hit.robot, hit.point, hit.q, hit.direction, {}),
                                  fastest_approach(hit.robot, hit.point, hit.q, {})}) {
    EXPECT_EQ(limit.speed, infinity);
    EXPECT_FALSE(limit.binding);
    EXPECT_TRUE(has(limit, WarningCode::no_limit));
    EXPECT_NEAR(contact_velocity(hit.dynamics, limit.dq), -1, 1e-12);
  }
}

TEST(SpeedLimit, WarnsOfAStopInTheWayOfTheRebound) {
  Hit hit;
  SpeedLimitOptions options;
  options.restitution = 1;
  const SpeedLimit limit = speed_limit(hit.robot, hit.point, hit.q, hit.direction, robot_limits(hit.robot), options);
  EXPECT_FALSE(has(limit, WarningCode::position_limit));
  // a joint that the rebound moves, at its stop
  std::vector<Joint> joints = hit.robot.joints();
  const VectorX after = limit.dq + 2 * limit.speed * hit.dynamics.M_inv_JT.leftCols<3>() * hit.dynamics.normal_W *
                                       generalized_momentum(hit.dynamics).effective_mass();
  Eigen::Index fastest;
  after.cwiseAbs().maxCoeff(&fastest);
  Joint& joint = joints[static_cast<std::size_t>(fastest)];
  (after[fastest] > 0 ? joint.upper : joint.lower) = hit.q[fastest];
  const Robot stopped(hit.robot.name(), joints, hit.robot.bodies(), hit.robot.frames());
  options.model = InertiaModel::generalized_momentum;
  EXPECT_TRUE(has(speed_limit(stopped, hit.point, hit.q, hit.direction, robot_limits(stopped), options),
                  WarningCode::position_limit));
}

TEST(SpeedLimit, Refusals) {
  const Hit hit;
  const auto refused = [&](const Limits& limits, const SpeedLimitOptions& options, const std::string& argument,
                           const VectorX& direction) {
    try {
      speed_limit(hit.robot, hit.point, hit.q, direction, limits, options);
      ADD_FAILURE() << argument;
    } catch (const InputError& error) {
      EXPECT_EQ(error.argument(), argument);
    }
  };
  Limits limits;
  limits.speed = VectorX::Ones(3);
  refused(limits, {}, "speed", hit.direction);
  limits.speed = VectorX::Constant(7, -1);
  refused(limits, {}, "speed[0]", hit.direction);
  limits = {};
  limits.force = 0;
  refused(limits, {}, "force", hit.direction);
  refused({}, {}, "direction", -hit.direction);
  refused({}, {}, "direction", VectorX::Zero(7));
  refused({}, {}, "direction", VectorX::Ones(3));
  refused({}, {.restitution = 1.5}, "restitution", hit.direction);
  refused({}, {.law = Spring{1e5, 1.5}}, "restitution", hit.direction);
  refused({}, {.drives = arms::panda_drives()}, "drives", hit.direction);
  refused({}, {.law = wall, .body = BodyContact{chest()}}, "body", hit.direction);
  refused({}, {.body = BodyContact{{"x", 0, 1, 1, 1, 2}}}, "force", hit.direction);
  refused({}, {.body = BodyContact{chest(), false, -1}}, "area", hit.direction);
}

TEST(LinearProgramme, MeetsItsDual) {
  std::mt19937 random(test::base_seed() + 11);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Index n = 1 + trial % 9, rows = n + trial % 13;
    Eigen::MatrixXd A(rows, n);
    Eigen::VectorXd b(rows), c(n);
    for (double& each : A.reshaped()) each = normal(random);
    if (trial % 3 == 0) A.topRows(n).setIdentity();  // vertices where more rows meet than there are unknowns
    for (double& each : b) each = trial % 5 == 0 ? 1 : 0.1 + std::abs(normal(random));
    for (double& each : c) each = normal(random);
    const limit::Maximum found = limit::maximize(c, A, b);
    ASSERT_TRUE(found.bounded);
    EXPECT_TRUE(((A * found.x).cwiseAbs() - b).maxCoeff() < 1e-9);
    // a vertex: c is a sum of the rows that are met, each with a multiplier of the right sign, so nothing is higher
    std::vector<Eigen::Index> met;
    for (Eigen::Index k = 0; k < rows; ++k)
      if (std::abs(std::abs(A.row(k).dot(found.x)) - b[k]) < 1e-9) met.push_back(k);
    ASSERT_GE(static_cast<Eigen::Index>(met.size()), n);
    if (static_cast<Eigen::Index>(met.size()) > n) continue;  // multipliers are not unique
    Eigen::MatrixXd normals(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto row = A.row(met[static_cast<std::size_t>(k)]);
      normals.col(k) = (row.dot(found.x) > 0 ? 1 : -1) * row.transpose();
    }
    EXPECT_GT(normals.fullPivLu().solve(c).minCoeff(), -1e-9);
  }
}

TEST(LinearProgramme, GrowsWithoutEndWhereNothingBounds) {
  const limit::Maximum found =
      limit::maximize(Eigen::Vector2d(1, 0), Eigen::RowVector2d(0, 1), Eigen::VectorXd::Ones(1));
  EXPECT_FALSE(found.bounded);
}

TEST(FastestApproach, NoRandomApproachIsFaster) {
  std::mt19937 random(test::base_seed() + 3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Hit hit;
    for (double& each : hit.q) each += 0.4 * uniform(random);
    hit.dynamics = contact_dynamics(hit.robot, hit.point, hit.q);
    SpeedLimitOptions options;
    if (trial % 2) options.law = wall;
    if (trial % 4 == 0) options.restitution = 0.5;
    Limits limits = robot_limits(hit.robot);
    const VectorX rates = limits.speed;
    if (trial % 4 == 3) limits.force = 300;
    if (trial % 5 == 4) limits.speed.head(3).setConstant(std::nan(""));  // the others alone limit it, after the hit
    const SpeedLimit fastest = fastest_approach(hit.robot, hit.point, hit.q, limits, options);
    const SpeedLimit checked = speed_limit(hit.robot, hit.point, hit.q, fastest.dq, limits, [&] {
      SpeedLimitOptions same = options;
      same.model = fastest.model;
      return same;
    }());
    EXPECT_NEAR(checked.speed, fastest.speed, 1e-9);
    for (int k = 0; k < 50; ++k) {
      VectorX direction(7);
      for (Eigen::Index i = 0; i < 7; ++i) direction[i] = rates[i] * uniform(random);
      if (contact_velocity(hit.dynamics, direction) > 0) direction *= -1;
      SpeedLimitOptions same = options;
      same.model = fastest.model;
      EXPECT_LE(speed_limit(hit.robot, hit.point, hit.q, direction, limits, same).speed, fastest.speed * (1 + 1e-9));
    }
  }
}

TEST(FastestApproach, RefusesANormalThatTheArmCannotMoveAlong) {
  const Robot arm = load_robot("planar_2r");
  const ContactPoint point{"tip", Vector3::Zero(), Vector3::UnitZ()};
  VectorX q(2);
  q << 0.3, 0.5;
  try {
    fastest_approach(arm, point, q, {});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.argument(), "normal");
  }
}

TEST(FastestApproach, SaysByWhichModelItsApproachBreaksALimit) {
  std::mt19937 random(test::base_seed() + 9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int warned = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Hit hit;
    for (double& each : hit.q) each += 0.4 * uniform(random);
    const Limits limits = robot_limits(hit.robot);
    const SpeedLimit fastest = fastest_approach(hit.robot, hit.point, hit.q, limits);
    const double judged = speed_limit(hit.robot, hit.point, hit.q, fastest.dq, limits).speed;
    EXPECT_EQ(has(fastest, WarningCode::other_model), judged < fastest.speed * (1 - 1e-9));
    warned += has(fastest, WarningCode::other_model);
  }
  EXPECT_GT(warned, 0);
}

TEST(ImpactRows, AStepThatSatisfiesThemSatisfiesTheLimits) {
  std::mt19937 random(test::base_seed() + 7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double period = 1e-3, contact_time = 5e-3;
  for (int trial = 0; trial < 300; ++trial) {
    Hit hit;
    for (double& each : hit.q) each += 0.5 * uniform(random);
    hit.dynamics = contact_dynamics(hit.robot, hit.point, hit.q);
    const Limits limits = robot_limits(hit.robot);
    const ExpectedHit expected{all_inertia_models[static_cast<std::size_t>(trial) % 4], 0.5 * (1 + uniform(random)),
                               contact_time};
    const InverseInertia inertia = inverse_inertia(hit.dynamics, expected.model);
    const VectorX gravity = -lagrange_terms(hit.robot, hit.q, VectorX::Zero(7)).gradient;
    VectorX dq(7), ddq(7);
    for (Eigen::Index i = 0; i < 7; ++i) {
      dq[i] = limits.speed[i] * uniform(random);
      ddq[i] = 20 * uniform(random);
    }
    const ImpactRows rows = impact_rows(hit.dynamics, dq, period, limits, gravity, expected);
    // the hit itself, by other functions
    const VectorX moved = dq + period * ddq;
    const double v = contact_velocity(hit.dynamics, moved);
    const Vector3 n = hit.dynamics.normal_W;
    const VectorX jump =
        expected.model == InertiaModel::generalized_momentum
            ? joint_velocity_jump(hit.dynamics, -(1 + expected.restitution) * inertia.effective_mass() * v * n)
            : *joint_velocity_jump_least_norm(hit.dynamics, inertia,
                                              -(1 + expected.restitution) * v / n.dot(inertia.W * n) * n);
    const VectorX after = moved + jump, met = rows.A * ddq;
    const VectorX force =
        joint_torque_jump(hit.dynamics, -(1 + expected.restitution) * inertia.effective_mass() * v * n, contact_time);
    for (Eigen::Index i = 0; i < 7; ++i) {
      // distance from the bound, by the rows and by the hit: equal, so that they hold together and meet together
      EXPECT_NEAR(rows.upper[i] - met[i], limits.speed[i] - after[i], 1e-9);
      EXPECT_NEAR(met[i] - rows.lower[i], after[i] + limits.speed[i], 1e-9);
      if (v >= 0) continue;
      EXPECT_NEAR(rows.upper[7 + i] - met[7 + i],
                  limits.torque[i] - std::abs(gravity[i]) - std::numbers::pi / 2 * std::abs(force[i]), 1e-8);
    }
  }
}

TEST(ImpactRows, TheSpeedLimitOfTheJointsIsThatOfTheRows) {
  const Hit hit;
  const Limits limits = robot_limits(hit.robot);
  const VectorX gravity = -lagrange_terms(hit.robot, hit.q, VectorX::Zero(7)).gradient;
  for (const InertiaModel model : all_inertia_models) {
    SpeedLimitOptions options;
    options.model = model;
    options.restitution = 0.3;
    const ExpectedHit expected{model, 0.3};
    EXPECT_NEAR(joint_speed_limit(hit.dynamics, hit.direction, limits, gravity, expected),
                speed_limit(hit.robot, hit.point, hit.q, hit.direction, limits, options).speed, 1e-12);
    const double slower = joint_speed_limit(hit.dynamics, hit.direction, limits, gravity, {model, 0.3, 1e-3});
    const double mass = inverse_inertia(hit.dynamics, model).effective_mass();
    double torque = infinity;
    for (Eigen::Index i = 0; i < 7; ++i) {
      const double j = std::abs(hit.dynamics.normal_W.dot(hit.dynamics.J.col(i).head<3>()));
      torque =
          std::min(torque, (limits.torque[i] - std::abs(gravity[i])) / (std::numbers::pi / 2 * 1.3 * mass * j / 1e-3));
    }
    EXPECT_NEAR(slower, std::min(torque, joint_speed_limit(hit.dynamics, hit.direction, limits, gravity, expected)),
                1e-12);
  }
  EXPECT_EQ(joint_speed_limit(hit.dynamics, -hit.direction, limits, gravity, {}), infinity);
}

TEST(ImpactRows, Refusals) {
  const Hit hit;
  const VectorX zero = VectorX::Zero(7);
  EXPECT_THROW(impact_rows(hit.dynamics, zero, 0, {}, zero), InputError);
  EXPECT_THROW(impact_rows(hit.dynamics, VectorX::Zero(3), 1e-3, {}, zero), InputError);
  EXPECT_THROW(impact_rows(hit.dynamics, zero, 1e-3, {}, VectorX::Zero(2)), InputError);
  EXPECT_THROW(impact_rows(hit.dynamics, zero, 1e-3, {}, zero, {.restitution = 2}), InputError);
  EXPECT_THROW(impact_rows(hit.dynamics, zero, 1e-3, {}, zero, {.contact_time = 0}), InputError);
}

}  // namespace
}  // namespace thud
