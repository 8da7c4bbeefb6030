// The posture for a hit: gradients by differences, optima against exhaustive searches and closed forms, what is
// returned against the constraints, object speeds against the prediction of the hit.

#include <thud/aim.hpp>
#include <thud/error.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "map/aim_judge.hpp"
#include "map/aim_reach.hpp"
#include "map/gradient.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr double step = 1e-4;            // of Richardson's differences [rad or m]
constexpr double by_differences = 1e-6;  // of the gradient, relative to its largest entry or the inverse mass per unit
constexpr double at_the_point = 1e-6;    // [m], [rad]
constexpr double one_percent = 0.01;

double inverse_mass(const Robot& robot, const ContactPoint& point, const VectorX& q, InertiaModel model) {
  return 1 / inverse_inertia(contact_dynamics(robot, point, q), model).effective_mass();
}

// Central differences with two steps, so that an error of third order is left.
VectorX differences(const Robot& robot, const ContactPoint& point, const VectorX& q, InertiaModel model) {
  VectorX gradient(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto slope = [&](double h) {
      VectorX there = q, back = q;
      there[i] += h;
      back[i] -= h;
      return (inverse_mass(robot, point, there, model) - inverse_mass(robot, point, back, model)) / (2 * h);
    };
    gradient[i] = (4 * slope(step) - slope(2 * step)) / 3;
  }
  return gradient;
}

RC_GTEST_PROP(InverseMassGradient, IsThatOfDifferences, ()) {
  const int joints = *rc::gen::inRange(1, 15).as("joints");
  const auto seed = *rc::gen::noShrink(rc::gen::inRange<std::uint64_t>(0, 1ULL << 40)).as("seed");
  const bool serial = *rc::gen::arbitrary<bool>().as("serial");
  const Robot robot = parse_urdf(test::random_urdf(seed, joints, serial), "random");
  test::Random random(seed + 1);
  auto [state, point] = test::random_sample(random, robot);
  point.whole = *rc::gen::arbitrary<bool>().as("whole");
  for (const InertiaModel model : all_inertia_models) {
    const double f = inverse_mass(robot, point, state.q, model);
    const VectorX gradient = inverse_mass_gradient(robot, point, state.q, model);
    if (std::isnan(f)) {
      RC_ASSERT(gradient.array().isNaN().all());
      continue;
    }
    // where the mass changes by itself over a step, differences tell nothing
    const VectorX expected = differences(robot, point, state.q, model);
    const double size = std::max(expected.cwiseAbs().maxCoeff(), std::abs(f));
    if (expected.cwiseAbs().maxCoeff() > 30 * std::abs(f)) continue;
    RC_ASSERT((gradient - expected).cwiseAbs().maxCoeff() < by_differences * size);
  }
}

TEST(InverseMassGradient, OfACompositeBodyIsTheReference) {
  const Robot panda = load_robot("panda");
  VectorX q(7);
  q << 0, 0.1, 0, -1.5, 0, 3.1708, 0.7854;  // the README's
  const VectorX gradient = inverse_mass_gradient(panda, test::paper_contact(), q, InertiaModel::composite_rigid_body);
  // found by differences, to a unit of the last digit
  const double reference[] = {-.027431, -.181339, -.026957, .151885, .003120, .055373, .000390};
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(gradient[i], reference[i], 1e-6) << i;
}

// A joint that moves with another counts with it.
TEST(InverseMassGradient, OfAFollowerIsItsLeaders) {
  const Robot chain = parse_urdf(test::random_urdf(test::base_seed() + 12, 8, true), "random");
  std::vector<Joint> joints = chain.joints();
  std::vector<BodyInertia> bodies = chain.bodies();
  const Follower follower{joints.back(), bodies.back(), 1, -0.7, 0.2};
  joints.pop_back();
  bodies.pop_back();
  const Robot robot("followed", joints, bodies, chain.frames(), {}, {follower});
  test::Random random(test::base_seed());
  const VectorX q = test::random_sample(random, robot).state.q;
  const ContactPoint point{.frame = follower.joint.link, .offset = {0.1, -0.05, 0.2}, .normal_W = {1, 2, -1}};
  for (const InertiaModel model : all_inertia_models) {
    const VectorX expected = differences(robot, point, q, model);
    EXPECT_LT((inverse_mass_gradient(robot, point, q, model) - expected).cwiseAbs().maxCoeff(),
              by_differences * expected.cwiseAbs().maxCoeff())
        << to_string(model);
  }
}

const Robot& panda() {
  static const Robot robot = load_robot("panda");
  return robot;
}

// What the foot does at one of the paper's configurations, and the orientation it has there.
AimTarget paper_target(int configuration, ToolOrientation orientation) {
  map::ContactTree tree(panda(), test::paper_contact());
  tree.place(test::paper_configuration(configuration));
  return {tree.p_WC(), orientation, tree.R_WF()};
}

double mass(const VectorX& q, InertiaModel model) {
  return inverse_inertia(contact_dynamics(panda(), test::paper_contact(), q), model).effective_mass();
}

struct Extremes {
  double least = INFINITY, greatest = 0;
  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

void expect_extremes(const AimTarget& target, InertiaModel model, const Extremes& found, bool exhaustive) {
  for (const bool maximize : {true, false}) {
    const AimResult result = aim(panda(), test::paper_contact(), target, {.maximize = maximize, .model = model});
    ASSERT_EQ(result.status, AimStatus::ok);
    const double value = result.aims[0].value, known = maximize ? found.greatest : found.least;
    // not worse than what the other search found, and if that leaves nothing out, not better
    EXPECT_GT(maximize ? value / known : known / value, 1 - one_percent) << to_string(model) << maximize;
    if (exhaustive) {
      EXPECT_NEAR(value, known, one_percent * known) << to_string(model) << maximize;
    }
  }
}

TEST(Aim, OfAFullPoseIsThatOfAWalkThroughTheNullSpace) {
  constexpr double stride = 0.01;  // [rad]
  constexpr int most_strides = 700, starts = 90;
  for (const int configuration : {0, 2}) {
    const AimTarget target = paper_target(configuration, ToolOrientation::fixed);
    map::Reach reach(panda(), test::paper_contact(), target);
    const std::vector<bool> none(7);
    PerModel<Extremes> found;
    test::Random random(test::base_seed());
    for (int start = 0; start < starts; ++start) {
      VectorX first(7);
      for (int i = 0; i < 7; ++i)
        first[i] = test::uniform(random, panda().joints()[static_cast<std::size_t>(i)].lower,
                                 panda().joints()[static_cast<std::size_t>(i)].upper);
      if (!reach.solve(first, 60, none)) continue;
      for (const double sense : {1.0, -1.0}) {
        VectorX q = first;
        Eigen::VectorXd along = Eigen::VectorXd::Zero(7);
        for (int k = 0; k < most_strides; ++k) {
          for (const InertiaModel model : all_inertia_models) found[model].add(mass(q, model));
          reach.place(q);
          const Eigen::MatrixXd J = reach.jacobian();
          Eigen::VectorXd next = J.fullPivLu().kernel().col(0).normalized();
          if (k == 0 ? sense < 0 : next.dot(along) < 0) next = -next;
          along = next;
          VectorX there = q + stride * along;
          if ((there - there.cwiseMin(reach.box().upper).cwiseMax(reach.box().lower)).norm() > 0) break;
          if (!reach.solve(there, 10, none)) break;
          q = there;
        }
      }
    }
    for (const InertiaModel model : all_inertia_models)
      if (found[model].greatest < 100 * 15) expect_extremes(target, model, found[model], true);  // else it is singular
  }
}

TEST(Aim, IsNotBeatenByManyRandomPostures) {
  for (const ToolOrientation orientation : {ToolOrientation::free, ToolOrientation::tool_along_normal}) {
    const AimTarget target = paper_target(1, orientation);
    map::Reach reach(panda(), test::paper_contact(), target);
    const std::vector<bool> none(7);
    Extremes momentum, composite, allowed;
    test::Random random(test::base_seed());
    for (int start = 0; start < 4000; ++start) {
      VectorX q(7);
      for (int i = 0; i < 7; ++i)
        q[i] = test::uniform(random, panda().joints()[static_cast<std::size_t>(i)].lower,
                             panda().joints()[static_cast<std::size_t>(i)].upper);
      if (!reach.solve(q, 40, none)) continue;
      momentum.add(mass(q, InertiaModel::generalized_momentum));
      composite.add(mass(q, InertiaModel::composite_rigid_body));
      if (start % 8 != 0) continue;
      const ContactDynamics dynamics = contact_dynamics(panda(), test::paper_contact(), q);
      allowed.add(joint_speed_limit(dynamics, nearest_approach(dynamics, 1)->dq, robot_limits(panda()),
                                    VectorX::Zero(7), {InertiaModel::composite_rigid_body}));
    }
    expect_extremes(target, InertiaModel::generalized_momentum, momentum, false);
    expect_extremes(target, InertiaModel::composite_rigid_body, composite, false);
    const AimResult fastest = aim(panda(), test::paper_contact(), target,
                                  {.quantity = AimQuantity::speed, .model = InertiaModel::composite_rigid_body});
    EXPECT_GT(fastest.aims[0].value, (1 - one_percent) * allowed.greatest) << to_string(orientation);
  }
}

// M of planar_2r by hand, rods of l, m and I across, and 1/m_n of its tip.
double planar_mass(double q1, double q2, double n_x, double n_y) {
  const double l1 = 1, l2 = 0.8, m1 = 3, m2 = 2, I1 = 0.25046875, I2 = 0.1069791666666667;
  const double c = std::cos(q2);
  const double M11 = I1 + m1 * l1 * l1 / 4 + I2 + m2 * (l1 * l1 + l2 * l2 / 4 + l1 * l2 * c);
  const double M12 = I2 + m2 * (l2 * l2 / 4 + l1 * l2 * c / 2), M22 = I2 + m2 * l2 * l2 / 4;
  const double x = l1 * std::cos(q1) + l2 * std::cos(q1 + q2), y = l1 * std::sin(q1) + l2 * std::sin(q1 + q2);
  const double a1 = -n_x * y + n_y * x, a2 = l2 * (-n_x * std::sin(q1 + q2) + n_y * std::cos(q1 + q2));
  return (M11 * M22 - M12 * M12) / (a1 * a1 * M22 - 2 * a1 * a2 * M12 + a2 * a2 * M11);
}

TEST(Aim, OfAPlanarArmIsBothElbows) {
  const Robot arm = load_robot("planar_2r");
  const double x = 1.1, y = 0.6, n_x = -0.6, n_y = 0.8;
  const ContactPoint point{.frame = "tip", .normal_W = {n_x, n_y, 0}};
  const AimResult found =
      aim(arm, point, {.p_W = {x, y, 0}}, {.model = InertiaModel::generalized_momentum, .distinct = 1e-3});
  ASSERT_EQ(found.aims.size(), 2U);
  std::vector<double> masses;
  for (const double elbow : {1.0, -1.0}) {
    const double q2 = elbow * std::acos((x * x + y * y - 1 - 0.64) / 1.6);
    const double q1 = std::atan2(y, x) - std::atan2(0.8 * std::sin(q2), 1 + 0.8 * std::cos(q2));
    const double expected = planar_mass(q1, q2, n_x, n_y);
    masses.push_back(expected);
    const bool returned = std::ranges::any_of(found.aims, [&](const Aim& each) {
      return std::abs(each.q[0] - q1) < 1e-8 && std::abs(each.q[1] - q2) < 1e-8 &&
             std::abs(each.value - expected) < 1e-8 * expected;
    });
    EXPECT_TRUE(returned) << elbow;
  }
  EXPECT_NEAR(found.aims[0].value, std::max(masses[0], masses[1]), 1e-8);
}

TEST(Aim, ReturnsPosturesWithinLimitsAndAtThePoint) {
  test::Random random(test::base_seed());
  std::size_t all = 0;
  for (int k = 0; k < 12; ++k) {
    VectorX q(7);
    for (int i = 0; i < 7; ++i)
      q[i] = test::uniform(random, panda().joints()[static_cast<std::size_t>(i)].lower,
                           panda().joints()[static_cast<std::size_t>(i)].upper);
    const ContactPoint point{
        .frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = test::random_direction(random)};
    map::ContactTree tree(panda(), point);
    tree.place(q);
    const AimTarget target{tree.p_WC(), all_tool_orientations[static_cast<std::size_t>(k) % 3], tree.R_WF()};
    const AimOptions options{.quantity = all_aim_quantities[static_cast<std::size_t>(k) % 5],
                             .maximize = k % 2 == 0,
                             .object = Object{.mass = 1},
                             .starts = 24,
                             .seed = static_cast<std::uint64_t>(k)};
    const AimResult result = aim(panda(), point, target, options);
    all += result.aims.size();
    for (std::size_t a = 0; a < result.aims.size(); ++a) {
      const Aim& each = result.aims[a];
      EXPECT_LT((contact_dynamics(panda(), point, each.q).p_WC - target.p_W).norm(), at_the_point);
      EXPECT_LT(each.position_error, at_the_point);
      EXPECT_LT(each.angle_error, at_the_point);
      EXPECT_GE(each.limit_distance, 0);
      EXPECT_TRUE(limit_warnings(panda(), {each.q, VectorX::Zero(7)}).empty());
      tree.place(each.q);
      if (target.orientation == ToolOrientation::tool_along_normal) {
        EXPECT_LT((tree.R_WF().col(2) + point.normal_W.normalized()).norm(), at_the_point);
      }
      if (target.orientation == ToolOrientation::fixed) {
        EXPECT_LT((tree.R_WF() - target.R_WF).cwiseAbs().maxCoeff(), at_the_point);
      }
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_GT((each.q - result.aims[b].q).cwiseAbs().maxCoeff(), options.distinct);
        EXPECT_LE((options.maximize ? 1 : -1) * each.value, (options.maximize ? 1 : -1) * result.aims[b].value);
      }
    }
  }
  EXPECT_GT(all, 20U);
}

TEST(Aim, DoesNotDependOnThreads) {
  for (const AimQuantity quantity : {AimQuantity::effective_mass, AimQuantity::object_speed}) {
    AimOptions options{.quantity = quantity, .object = Object{.mass = 1}, .starts = 16};
    options.run.jobs = 1;
    const AimTarget target = paper_target(0, ToolOrientation::free);
    const AimResult alone = aim(panda(), test::paper_contact(), target, options);
    options.run.jobs = 5;
    const AimResult together = aim(panda(), test::paper_contact(), target, options);
    ASSERT_EQ(alone.aims.size(), together.aims.size());
    for (std::size_t i = 0; i < alone.aims.size(); ++i) EXPECT_EQ(alone.aims[i].q, together.aims[i].q);
    options.seed = 2;
    EXPECT_NE(aim(panda(), test::paper_contact(), target, options).aims[0].q, alone.aims[0].q);
  }
}

TEST(Aim, OtherQuantitiesFollowTheMass) {
  const AimTarget target = paper_target(0, ToolOrientation::tool_along_normal);
  const Object ball{.mass = 2};
  AimOptions options{.speed = 0.3, .restitution = 0.4, .object = ball};
  const Aim heaviest = aim(panda(), test::paper_contact(), target, options).aims[0];
  const double m = heaviest.effective_mass[InertiaModel::composite_rigid_body], mu = m * 2 / (m + 2);
  EXPECT_EQ(heaviest.value, m);
  options.quantity = AimQuantity::impulse;
  EXPECT_NEAR(aim(panda(), test::paper_contact(), target, options).aims[0].value, 1.4 * mu * 0.3, 1e-9);
  options.quantity = AimQuantity::energy_loss;
  EXPECT_NEAR(aim(panda(), test::paper_contact(), target, options).aims[0].value, 0.84 * mu * 0.09 / 2, 1e-9);
}

TEST(Aim, SpeedIsThatOfTheLimits) {
  const AimTarget target = paper_target(0, ToolOrientation::tool_along_normal);
  const ContactPoint point = test::paper_contact();
  const Limits limits = robot_limits(panda());
  const BodyRegion chest{"chest", 140, 120e4, 25e3, 40, 2};
  for (const std::optional<BodyContact>& body : {std::optional<BodyContact>(), std::optional(BodyContact{chest})}) {
    const AimOptions options{.quantity = AimQuantity::speed, .body = body, .starts = 16};
    const AimResult result = aim(panda(), test::paper_contact(), target, options);
    ASSERT_EQ(result.status, AimStatus::ok);
    for (const Aim& each : result.aims) {
      const ContactDynamics dynamics = contact_dynamics(panda(), test::paper_contact(), each.q);
      const SpeedLimit limit = speed_limit(panda(), test::paper_contact(), each.q, nearest_approach(dynamics, 1)->dq,
                                           robot_limits(panda()), {.body = body});
      EXPECT_EQ(each.value, limit.speed);
      EXPECT_EQ(each.allowed, limit.speed);
      EXPECT_NEAR((each.dq - limit.dq).norm(), 0, 1e-12);
      // what is searched with is what is returned
      map::Judge judge(panda(), point, target, options, limits);
      EXPECT_NEAR(std::exp(-judge.limits_objective(each.q, INFINITY, nullptr)), limit.speed, 1e-9);
      for (const InertiaModel model : all_inertia_models) {
        AimOptions by_model = options;
        by_model.model = model;
        map::Judge one(panda(), point, target, by_model, limits);
        EXPECT_NEAR(std::exp(-one.limits_objective(each.q, INFINITY, nullptr)), one.value(each.q), 1e-9);
      }
    }
  }
  // a law's rows count too
  const Aim soft = aim(panda(), test::paper_contact(), target,
                       {.quantity = AimQuantity::speed, .law = Viscoelastic{1e6, 7.28e6}, .starts = 6, .count = 1})
                       .aims.at(0);
  EXPECT_LT(soft.value, 0.2);
}

TEST(Aim, AnObjectLeavesAsAskedFor) {
  const AimTarget target = paper_target(0, ToolOrientation::free);
  const ContactPoint point = test::paper_contact();
  const Limits speeds = robot_limits(panda());
  Object box{.mass = 0.8};
  for (const double friction : {0.0, 0.3}) {
    AimOptions options{.quantity = AimQuantity::object_speed,
                       .restitution = 0.5,
                       .friction = friction,
                       .object = box,
                       .object_speed = 1,
                       .starts = 16};
    const AimResult result = aim(panda(), test::paper_contact(), target, options);
    ASSERT_EQ(result.status, AimStatus::ok);
    for (const Aim& each : result.aims) {
      const ContactDynamics dynamics = contact_dynamics(panda(), test::paper_contact(), each.q);
      const auto hit = predict_impact(dynamics, each.dq, {.friction = friction, .restitution = 0.5, .object = box});
      const ModelImpact& impact = hit[InertiaModel::composite_rigid_body];
      EXPECT_NEAR(impact.object.velocity.norm(), 1, 1e-9);
      EXPECT_NEAR((impact.object.velocity - each.object.velocity).norm(), 0, 1e-9);
      EXPECT_NEAR(-hit.v_normal, each.speed, 1e-9);
      // at what the limits allow, one of them is met, before the hit or after, and the object leaves at the value
      const VectorX dq = each.allowed / each.speed * each.dq;
      const auto limited = predict_impact(dynamics, dq, {.friction = friction, .restitution = 0.5, .object = box});
      const VectorX after = dq + limited[InertiaModel::composite_rigid_body].joint_velocity_jump_least_norm;
      const VectorX limit = robot_limits(panda()).speed;
      EXPECT_NEAR(
          std::max(dq.cwiseAbs().cwiseQuotient(limit).maxCoeff(), after.cwiseAbs().cwiseQuotient(limit).maxCoeff()), 1,
          1e-9);
      EXPECT_NEAR(limited[InertiaModel::composite_rigid_body].object.velocity.norm(), each.value, 1e-9);
      // what is searched with is what is returned
      map::Judge judge(panda(), point, target, options, speeds);
      EXPECT_NEAR(std::exp(-judge.limits_objective(each.q, INFINITY, nullptr)), each.value, 1e-9);
      const bool warned = std::ranges::any_of(
          each.warnings, [](const Warning& warning) { return warning.code == WarningCode::velocity_limit; });
      EXPECT_EQ(warned, each.speed > each.allowed);
      if (friction == 0) {  // central: u = v_o (m + m_o)/((1 + e) m)
        const double m = each.effective_mass[InertiaModel::composite_rigid_body];
        EXPECT_NEAR(each.speed, (m + 0.8) / (1.5 * m), 1e-9);
      }
    }
    box.inertia_W = 2e-3 * Matrix3::Identity();  // and off centre
    box.com_W = target.p_W + Vector3(0.05, 0.02, 0.01);
  }
}

TEST(Aim, SaysHowNearItCame) {
  const Robot arm = load_robot("planar_2r");
  const AimResult far = aim(arm, {.frame = "tip"}, {.p_W = {3, 0, 0}});
  EXPECT_EQ(far.status, AimStatus::unreachable);
  EXPECT_TRUE(far.aims.empty());
  EXPECT_NEAR(far.nearest, 1.2, 1e-3);
  const AimResult none = aim(arm, {.frame = "tip"}, {.p_W = {1, 0.5, 0}}, {.model = InertiaModel::algebraic});
  EXPECT_EQ(none.status, AimStatus::no_value);
  EXPECT_GT(none.reached, 0);
}

TEST(Aim, Refuses) {
  const AimTarget target = paper_target(0, ToolOrientation::free);
  const auto refuses = [&](const AimOptions& options, const std::string& argument, const AimTarget& where) {
    try {
      static_cast<void>(aim(panda(), test::paper_contact(), where, options));
      ADD_FAILURE() << argument;
    } catch (const InputError& error) {
      EXPECT_EQ(error.argument(), argument);
    }
  };
  refuses({.starts = 0}, "starts", target);
  refuses({.count = -1}, "count", target);
  refuses({.distinct = 0}, "distinct", target);
  refuses({.speed = 0}, "speed", target);
  refuses({.restitution = 1.5}, "restitution", target);
  refuses({.friction = -1}, "friction", target);
  refuses({.model = InertiaModel::flexible_joints, .friction = 0.1}, "model", target);
  refuses({.quantity = AimQuantity::energy_loss, .restitution = 1}, "restitution", target);
  refuses({.object = Object{.mass = 0}}, "object mass", target);
  refuses({.object = Object{.mass = 1, .velocity = {1, 0, 0}}}, "object.velocity", target);
  refuses({.object_speed = 1}, "object_speed", target);
  refuses({.object = Object{.mass = 1}, .object_speed = -1}, "object_speed", target);
  refuses({.quantity = AimQuantity::object_speed}, "quantity", target);
  refuses({.quantity = AimQuantity::object_speed, .object = Object{.mass = 1}, .limits = Limits{}}, "quantity", target);
  refuses({.law = Viscoelastic{1e6, 7e6}}, "law", target);
  refuses({.limits = Limits{.speed = VectorX::Ones(3)}}, "speed", target);
  refuses({}, "at", {.p_W = {NAN, 0, 0}});
  refuses({}, "R_WF", {target.p_W, ToolOrientation::fixed, -Matrix3::Identity()});
  EXPECT_THROW(static_cast<void>(aim(panda(), {.frame = "nothing"}, target)), RobotError);
}

}  // namespace
}  // namespace thud
