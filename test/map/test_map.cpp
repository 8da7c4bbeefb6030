// Maps: closed forms of the planar arm, every sample counted again by hand, directions by Monte Carlo, speeds by
// speed_limit at the postures that the map names.

#include <thud/batch.hpp>
#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/map.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "map/draw.hpp"
#include "map/lattice.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr double exact = 1e-9;  // the same by other operations

ContactPoint tip(const Vector3& normal) {
  return {.frame = "tip", .normal_W = normal};
}

// The tip of planar_2r and its effective mass by generalized momentum along x, by hand: rods of 1 and 0.8 m.
struct PlanarTip {
  double x, y, mass_along_x;
};
PlanarTip planar(double q1, double q2) {
  const double m2 = 2, l1 = 1, l2 = 0.8, c1 = 0.5, c2 = 0.4, I1 = 0.25046875, I2 = 0.1069791666666667, m1 = 3;
  const double a = I1 + m1 * c1 * c1 + I2 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * std::cos(q2));
  const double b = I2 + m2 * (c2 * c2 + l1 * c2 * std::cos(q2)), d = I2 + m2 * c2 * c2;
  const double s1 = std::sin(q1), s12 = std::sin(q1 + q2);
  const double j1 = -l1 * s1 - l2 * s12, j2 = -l2 * s12;
  const double mobility = (d * j1 * j1 - 2 * b * j1 * j2 + a * j2 * j2) / (a * d - b * b);
  return {l1 * std::cos(q1) + l2 * std::cos(q1 + q2), l1 * s1 + l2 * s12, 1 / mobility};
}

MapOptions planar_options(std::uint64_t samples) {
  return {.model = InertiaModel::generalized_momentum, .cell = 0.1, .samples = samples};
}

using Key = std::tuple<long, long, long>;
Key key(const Vector3& p, double cell) {
  const auto at = [&](double x) { return std::lround(std::floor(x / cell + 0.5)); };
  return {at(p[0]), at(p[1]), at(p[2])};
}

TEST(Map, ReachesTheAnnulusOfThePlanarArm) {
  const Robot robot = load_robot("planar_2r");
  const CapabilityMap map = capability_map(robot, tip({1, 0, 0}), planar_options(400000));
  std::map<Key, bool> reached;
  for (Eigen::Index i = 0; i < map.centre.cols(); ++i) {
    EXPECT_EQ(map.centre(2, i), 0);
    reached[key(map.centre.col(i), map.cell)] = true;
  }
  EXPECT_EQ(static_cast<Eigen::Index>(reached.size()), map.centre.cols());
  EXPECT_EQ(map.postures.sum(), 400000);
  // squares of the lattice that lie inside the annulus, and those that touch it
  long inside = 0, touching = 0;
  for (long i = -20; i <= 20; ++i)
    for (long j = -20; j <= 20; ++j) {
      const double x = std::abs(static_cast<double>(i)) * 0.1, y = std::abs(static_cast<double>(j)) * 0.1;
      const double furthest = std::hypot(x + 0.05, y + 0.05);
      const double nearest = std::hypot(std::max(0.0, x - 0.05), std::max(0.0, y - 0.05));
      const bool touches = nearest < 1.8 && furthest > 0.2, within = nearest > 0.2 && furthest < 1.8;
      const bool found = reached.contains({i, j, 0});
      EXPECT_TRUE(touches || !found) << i << " " << j;
      EXPECT_TRUE(!within || found) << i << " " << j;
      inside += within, touching += touches;
    }
  const double each = std::pow(0.1, 3), area = std::numbers::pi * (1.8 * 1.8 - 0.2 * 0.2);
  EXPECT_LE(map.convergence.volume, each * static_cast<double>(touching) * (1 + exact));
  EXPECT_GE(map.convergence.volume, each * static_cast<double>(inside) * (1 - exact));
  EXPECT_NEAR(map.convergence.volume / 0.1, area, 0.1 * 2 * std::numbers::pi * 2);  // a cell along both edges
}

TEST(Map, ExtremesAreThoseOfTheClosedForm) {
  const Robot robot = load_robot("planar_2r");
  const CapabilityMap map = capability_map(robot, tip({1, 0, 0}), planar_options(1000000));
  // the postures of the extremes give them, in their cells
  for (Eigen::Index i = 0; i < map.centre.cols(); ++i) {
    const PlanarTip least = planar(map.q_least(0, i), map.q_least(1, i));
    const PlanarTip greatest = planar(map.q_greatest(0, i), map.q_greatest(1, i));
    EXPECT_NEAR(map.least[i], least.mass_along_x, 1e-7 * map.least[i]);
    EXPECT_NEAR(map.greatest[i], greatest.mass_along_x, 1e-7 * map.greatest[i]);
    EXPECT_EQ(key({greatest.x, greatest.y, 0}, 0.1), key(map.centre.col(i), 0.1));
    EXPECT_LE(map.least[i], map.median[i]);
    EXPECT_LE(map.median[i], map.greatest[i]);
  }
  // and no other posture of a fine grid is lighter by more than what lies between two samples
  constexpr int steps = 1500;
  std::map<Key, double> lightest;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const double turn = 2 * std::numbers::pi / steps;
      const PlanarTip at = planar(-std::numbers::pi + turn * i, -std::numbers::pi + turn * j);
      double& least = lightest.try_emplace(key({at.x, at.y, 0}, 0.1), at.mass_along_x).first->second;
      least = std::min(least, at.mass_along_x);
    }
  std::vector<double> missed;
  for (Eigen::Index i = 0; i < map.centre.cols(); ++i)
    if (map.postures[i] > 500) missed.push_back(map.least[i] / lightest.at(key(map.centre.col(i), 0.1)) - 1);
  ASSERT_GT(missed.size(), 800U);
  std::sort(missed.begin(), missed.end());
  EXPECT_LT(std::abs(missed[missed.size() / 2]), 2e-3);
  EXPECT_LT(missed.back(), 0.05);
  EXPECT_GT(missed.front(), -0.05);
}

// Every sample again, one by one.
TEST(Map, CountsEverySampleOfAPanda) {
  const Robot robot = load_robot("panda");
  const ContactPoint point = test::paper_contact();
  constexpr std::uint64_t samples = 60000;
  for (const std::optional<InertiaModel> model :
       {std::optional(InertiaModel::composite_rigid_body), std::optional<InertiaModel>()}) {
    const MapOptions options{.model = model, .cell = 0.2, .samples = samples, .seed = 7};
    const CapabilityMap map = capability_map(robot, point, options);
    const thud::map::Draw draw(robot, 7);
    MatrixX q(7, samples);
    for (std::uint64_t k = 0; k < samples; ++k) draw.posture(k, q.col(static_cast<Eigen::Index>(k)).data());
    const Batch batch = predict_batch(robot, point, q, MatrixX(), {.outputs = BatchOutputs::everything});
    std::map<Key, std::vector<double>> values;
    std::map<Key, long> postures;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      double mass = std::numeric_limits<double>::quiet_NaN();
      for (const InertiaModel each : all_inertia_models)
        if (!model || *model == each) mass = std::fmax(mass, batch.effective_mass[each][i]);
      ++postures[key(batch.p_WC.col(i), 0.2)];
      values[key(batch.p_WC.col(i), 0.2)].push_back(mass);
    }
    ASSERT_EQ(static_cast<Eigen::Index>(values.size()), map.centre.cols());
    for (Eigen::Index i = 0; i < map.centre.cols(); ++i) {
      std::vector<double>& found = values.at(key(map.centre.col(i), 0.2));
      std::sort(found.begin(), found.end());
      EXPECT_EQ(map.postures[i], static_cast<double>(postures.at(key(map.centre.col(i), 0.2))));
      EXPECT_NEAR(map.least[i], found.front(), exact * found.front());
      EXPECT_NEAR(map.greatest[i], found.back(), exact * found.back());
      // between the two in the middle, to a bin
      const double low = found[(found.size() - 1) / 2], high = found[found.size() / 2];
      if (found.size() < 20) continue;
      EXPECT_GT(map.median[i], low * (1 - map.resolution));
      EXPECT_LT(map.median[i], high * (1 + map.resolution));
    }
    EXPECT_LT(map.resolution, 0.05);
  }
}

bool same(const CapabilityMap& a, const CapabilityMap& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
  };
  return equal(a.centre, b.centre) && equal(a.postures, b.postures) && equal(a.least, b.least) &&
         equal(a.median, b.median) && equal(a.greatest, b.greatest) && equal(a.q_least, b.q_least) &&
         equal(a.q_greatest, b.q_greatest) && equal(a.normal_least, b.normal_least) &&
         equal(a.normal_greatest, b.normal_greatest) && a.resolution == b.resolution &&
         a.convergence.median_95 == b.convergence.median_95 && a.convergence.volume_half == b.convergence.volume_half;
}

TEST(Map, DoesNotDependOnThreads) {
  const Robot robot = load_robot("panda");
  for (const bool all : {false, true}) {
    const MapOptions options{.all_directions = all, .cell = 0.1, .samples = 50001};
    const CapabilityMap one = capability_map(robot, test::paper_contact(), options, {.jobs = 1});
    for (const int jobs : {2, 3, 0})
      EXPECT_TRUE(same(capability_map(robot, test::paper_contact(), options, {.jobs = jobs}), one)) << jobs;
    MapOptions other = options;
    other.seed = 2;
    EXPECT_FALSE(same(capability_map(robot, test::paper_contact(), other), one));
  }
}

TEST(Map, QuantitiesFollowTheMass) {
  const Robot robot = load_robot("panda");
  const ContactPoint point = test::paper_contact();
  MapOptions options{.cell = 0.2, .samples = 20000};
  const CapabilityMap mass = capability_map(robot, point, options);
  options.approach_speed = 0.3;
  options.restitution = 0.5;
  options.quantity = MapQuantity::impulse;
  const CapabilityMap impulse = capability_map(robot, point, options);
  options.quantity = MapQuantity::peak_force;
  options.law = Spring{.stiffness = 2e5, .restitution = 0.5};
  const CapabilityMap force = capability_map(robot, point, options);
  options.quantity = MapQuantity::speed;
  options.limits.force = 150;
  const CapabilityMap by_force = capability_map(robot, point, options);
  options.law.reset();
  options.body = BodyContact{{"chest", 140, 120e4, 25e3, 40, 2}};
  const CapabilityMap by_body = capability_map(robot, point, options);
  const auto chest = [](double m) { return 280 / std::sqrt(25e3 / (1 / m + 1 / 40.0)); };
  for (Eigen::Index i = 0; i < mass.centre.cols(); ++i) {
    const auto each = [&](const VectorX& of_mass, const VectorX CapabilityMap::*rising,
                          const VectorX CapabilityMap::*falling) {
      const double m = of_mass[i];
      EXPECT_NEAR((impulse.*rising)[i], 1.5 * m * 0.3, exact * m);
      EXPECT_NEAR((force.*rising)[i], 0.3 * std::sqrt(2e5 * m), exact * (force.*rising)[i]);
      EXPECT_NEAR((by_force.*falling)[i], 150 / std::sqrt(2e5 * m), exact * (by_force.*falling)[i]);
      EXPECT_NEAR((by_body.*falling)[i], chest(m), exact * chest(m));
    };
    each(mass.least, &CapabilityMap::least, &CapabilityMap::greatest);
    each(mass.median, &CapabilityMap::median, &CapabilityMap::median);
    each(mass.greatest, &CapabilityMap::greatest, &CapabilityMap::least);
    EXPECT_EQ(by_body.q_least.col(i), mass.q_greatest.col(i));
    EXPECT_EQ(by_body.q_greatest.col(i), mass.q_least.col(i));
  }
}

TEST(Map, SpeedsAreThoseOfTheLimitsAtThePostures) {
  const Robot robot = load_robot("panda");
  ContactPoint point = test::paper_contact();
  for (const std::optional<InertiaModel> model :
       {std::optional(InertiaModel::generalized_momentum), std::optional<InertiaModel>()})
    for (const bool turned : {false, true}) {
      MapOptions options{.quantity = MapQuantity::speed, .model = model, .cell = 0.3, .samples = 3000};
      if (turned) options.direction_F = Vector3(0, 0.6, -0.8);
      options.limits.speed = robot_limits(robot).speed;
      options.body = BodyContact{{"chest", 140, 120e4, 25e3, 40, 2}};
      const CapabilityMap map = capability_map(robot, point, options);
      int bound_by_joints = 0;
      for (Eigen::Index i = 0; i < map.centre.cols(); ++i)
        for (const bool least : {true, false}) {
          const VectorX q = least ? map.q_least.col(i) : map.q_greatest.col(i);
          point.normal_W = least ? map.normal_least.col(i) : map.normal_greatest.col(i);
          const auto towards = nearest_approach(contact_dynamics(robot, point, q), 1);
          ASSERT_TRUE(towards);
          const SpeedLimit limit =
              speed_limit(robot, point, q, towards->dq, options.limits, {.model = model, .body = options.body});
          EXPECT_NEAR((least ? map.least : map.greatest)[i], limit.speed, 1e-7 * limit.speed);
          bound_by_joints += limit.rows[*limit.binding].kind != LimitKind::body_force;
        }
      EXPECT_GT(bound_by_joints, map.centre.cols() / 2);
      EXPECT_TRUE(std::any_of(map.warnings.begin(), map.warnings.end(),
                              [](const Warning& each) { return each.code == WarningCode::not_certified; }));
    }
}

// Axes of a link by the joints' frames alone.
Matrix3 axes(const Robot& robot, const std::string& link, const VectorX& q) {
  const Frame& frame = robot.frame(link);
  Matrix3 R = frame.R_JF;
  for (int at = frame.joint; at >= 0; at = robot.joints()[static_cast<std::size_t>(at)].parent) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(at)];
    const Matrix3 turned =
        Eigen::AngleAxisd(joint.type == JointType::prismatic ? 0 : q[at], joint.axis).toRotationMatrix();
    R = joint.R_PJ * turned * R;
  }
  return R;
}

TEST(Map, ADirectionOfTheFrameTurnsWithIt) {
  const Robot robot = load_robot("panda");
  ContactPoint point = test::paper_contact();
  const Vector3 direction(0.2, -0.3, 2);
  for (const InertiaModel model : all_inertia_models) {
    const CapabilityMap map =
        capability_map(robot, point, {.model = model, .direction_F = direction, .cell = 0.3, .samples = 4000});
    for (Eigen::Index i = 0; i < map.centre.cols(); ++i) {
      const VectorX q = map.q_greatest.col(i);
      point.normal_W = axes(robot, point.frame, q) * direction.normalized();
      EXPECT_NEAR((map.normal_greatest.col(i) - point.normal_W).norm(), 0, exact);
      const double mass = inverse_inertia(contact_dynamics(robot, point, q), model).effective_mass();
      EXPECT_NEAR(map.greatest[i], mass, 1e-6 * mass) << to_string(model);
    }
  }
  // the planar arm moves in its plane alone, so its matrix is singular, and its tip is light along itself nowhere
  const CapabilityMap across = capability_map(
      load_robot("planar_2r"), tip({0, 0, 1}),
      {.model = InertiaModel::generalized_momentum, .direction_F = Vector3(0, 1, 0), .cell = 0.2, .samples = 4000});
  EXPECT_FALSE(across.median.array().isNaN().any());
}

TEST(Directions, AreTheEigenvaluesAndCarlsonsMean) {
  const Robot robot = load_robot("panda");
  ContactPoint point = test::paper_contact();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int posture = 0; posture < 3; ++posture) {
    const ContactDynamics dynamics = contact_dynamics(robot, point, test::paper_configuration(posture));
    for (const InertiaModel model : all_inertia_models) {
      const DirectionMasses found = direction_masses(inverse_inertia(dynamics, model), model);
      constexpr int rays = 40000;
      double sum = 0, squares = 0, least = 1e9, greatest = 0;
      ContactDynamics turned = dynamics;
      for (int i = 0; i < rays; ++i) {
        turned.normal_W = Vector3(normal(random), normal(random), normal(random)).normalized();
        const double mass = inverse_inertia(turned, model).effective_mass();
        sum += mass, squares += mass * mass;
        least = std::min(least, mass), greatest = std::max(greatest, mass);
      }
      const double mean = sum / rays, deviation = std::sqrt((squares / rays - mean * mean) / rays);
      EXPECT_NEAR(found.mean, mean, 4 * deviation) << to_string(model);
      EXPECT_LE(found.least, least * (1 + exact));
      EXPECT_GE(found.greatest, greatest * (1 - exact));
      for (const auto& [side, mass] :
           {std::pair(found.normal_least, found.least), {found.normal_greatest, found.greatest}}) {
        turned.normal_W = side;
        EXPECT_NEAR(inverse_inertia(turned, model).effective_mass(), mass, 1e-6 * mass) << to_string(model);
      }
    }
  }
  EXPECT_TRUE(std::isnan(direction_masses({}, InertiaModel::algebraic).mean));
  const InverseInertia sphere(InertiaStatus::ok, Matrix3::Identity() / 3, 3);
  EXPECT_NEAR(direction_masses(sphere, InertiaModel::composite_rigid_body).mean, 3, exact);
  const InverseInertia flat(InertiaStatus::ok, Vector3(1, 1, 0).asDiagonal().toDenseMatrix(), 1);
  EXPECT_TRUE(std::isnan(direction_masses(flat, InertiaModel::generalized_momentum).greatest));
}

TEST(Map, OverAllDirectionsNamesTheSides) {
  const Robot robot = load_robot("panda");
  ContactPoint point = test::paper_contact();
  const CapabilityMap map = capability_map(robot, point, {.all_directions = true, .cell = 0.3, .samples = 4000});
  for (Eigen::Index i = 0; i < map.centre.cols(); ++i)
    for (const bool least : {true, false}) {
      point.normal_W = least ? map.normal_least.col(i) : map.normal_greatest.col(i);
      const VectorX q = least ? map.q_least.col(i) : map.q_greatest.col(i);
      const double mass = composite_rigid_body(contact_dynamics(robot, point, q)).effective_mass();
      EXPECT_NEAR((least ? map.least : map.greatest)[i], mass, exact * mass);
    }
}

TEST(Map, StaysInItsBoxAndSettles) {
  const Robot robot = load_robot("panda");
  MapOptions options{.cell = 0.1, .samples = 200000};
  options.within = {{0.2, -0.3, 0.1}, {0.7, 0.3, 0.6}};
  const CapabilityMap few = capability_map(robot, test::paper_contact(), {.cell = 0.1, .samples = 2000});
  const CapabilityMap boxed = capability_map(robot, test::paper_contact(), options);
  ASSERT_GT(boxed.centre.cols(), 0);
  for (Eigen::Index i = 0; i < boxed.centre.cols(); ++i) {
    EXPECT_TRUE((boxed.centre.col(i).array() >= options.within.lower.array() - 0.05 - exact).all());
    EXPECT_TRUE((boxed.centre.col(i).array() <= options.within.upper.array() + 0.05 + exact).all());
  }
  EXPECT_LE(boxed.convergence.volume_half, boxed.convergence.volume);
  EXPECT_LT(boxed.convergence.median_median, few.convergence.median_median);
  EXPECT_LT(boxed.convergence.median_median, boxed.convergence.median_95);
  options.within = {{0.699, 0.699, 0.699}, {0.7, 0.7, 0.7}};
  EXPECT_EQ(capability_map(robot, test::paper_contact(), {.samples = 100, .within = options.within}).warnings.size(),
            1U);
}

// Trees, joints that slide, followers: whatever moves the point, its lattice holds every place of it.
TEST(Map, HoldsEverySampleOfAnyRobot) {
  test::Random random(test::base_seed());
  int drawn = 0;
  for (const Robot& robot : test::sample_robots()) {
    const ContactPoint point = test::random_sample(random, robot).point;
    const bool endless = std::ranges::any_of(robot.joints(), [](const Joint& joint) {
      return joint.type == JointType::prismatic && !(std::isfinite(joint.lower) && std::isfinite(joint.upper));
    });
    if (endless) {
      EXPECT_THROW(capability_map(robot, point, {.cell = 1, .samples = 2}), InputError) << robot.name();
      continue;
    }
    const CapabilityMap map = capability_map(robot, point, {.cell = 0.5, .samples = 1000});
    EXPECT_EQ(map.postures.sum(), 1000) << robot.name();
    ++drawn;
  }
  EXPECT_GT(drawn, 3);
}

TEST(Draw, IsUniformWithinTheLimits) {
  const Robot robot = load_robot("panda");
  const thud::map::Draw draw(robot, 1);
  constexpr int count = 100000, parts = 20;
  std::vector<std::vector<int>> seen(7, std::vector<int>(parts));
  VectorX q(7), before(7);
  double together = 0;
  for (int k = 0; k < count; ++k) {
    draw.posture(static_cast<std::uint64_t>(k), q.data());
    for (Eigen::Index i = 0; i < 7; ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      const double u = (q[i] - joint.lower) / (joint.upper - joint.lower);
      ASSERT_TRUE(u >= 0 && u < 1);
      ++seen[static_cast<std::size_t>(i)][static_cast<std::size_t>(u * parts)];
      if (k > 0) together += (u - 0.5) * before[i] * 12 / (7.0 * count);
      before[i] = u - 0.5;
    }
  }
  for (const auto& joint : seen) {
    double chi = 0;
    for (const int each : joint) chi += std::pow(each - count / parts, 2) / (count / parts);
    EXPECT_LT(chi, 43.8);  // 19 degrees of freedom, 0.1 %
  }
  EXPECT_LT(std::abs(together), 4 / std::sqrt(7.0 * count));  // one after the other
}

TEST(Draw, AFollowersLimitsAreItsLeaders) {
  const Robot arm = load_robot("planar_2r");
  std::vector<Joint> joints = arm.joints();
  joints[1].lower = -0.5;
  joints[1].upper = 0.5;
  const Follower follower{joints[1], arm.bodies()[1], 0, -2, 0.1};  // -0.5 <= 0.1 - 2 q <= 0.5
  const Robot followed("followed", {joints[0]}, {arm.bodies()[0]}, arm.frames(), {}, {follower});
  const map::Draw draw(followed, 1);
  double least = 1, greatest = -1;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    double q = 0;
    draw.posture(k, &q);
    least = std::min(least, q);
    greatest = std::max(greatest, q);
  }
  EXPECT_GE(least, -0.2);
  EXPECT_LE(greatest, 0.3);
  EXPECT_NEAR(least, -0.2, 0.005);
  EXPECT_NEAR(greatest, 0.3, 0.005);
  joints[0].lower = -1;  // a limit on one side: a turn from there
  joints[0].upper = std::numeric_limits<double>::infinity();
  const map::Draw one_sided(Robot("one_sided", {joints[0]}, {arm.bodies()[0]}, {}, {}), 1);
  for (std::uint64_t k = 0; k < 100; ++k) {
    double q = 0;
    one_sided.posture(k, &q);
    EXPECT_TRUE(q >= -1 && q < 2 * std::numbers::pi - 1);
  }
}

TEST(Map, Refuses) {
  const Robot robot = load_robot("panda");
  const auto refused = [&](const std::string& argument, const std::function<void(MapOptions&)>& change) {
    MapOptions options{.samples = 100};
    change(options);
    try {
      capability_map(robot, test::paper_contact(), options);
      ADD_FAILURE() << argument;
    } catch (const InputError& error) {
      EXPECT_EQ(error.argument(), argument) << error.what();
    }
  };
  refused("cell", [](auto& of) { of.cell = 0; });
  refused("cell", [](auto& of) { of.cell = 1e-4; });
  refused("samples", [](auto& of) { of.samples = 1; });
  refused("within", [](auto& of) { of.within.lower[1] = of.within.upper[1] = 0.5; });
  refused("within", [](auto& of) { of.within.lower[0] = 20; });
  refused("direction", [](auto& of) { of.direction_F = Vector3::Zero(); });
  refused("direction", [](auto& of) { of.all_directions = true, of.direction_F = Vector3::UnitX(); });
  refused("model", [](auto& of) { of.all_directions = true, of.model.reset(); });
  refused("approach_speed", [](auto& of) { of.quantity = MapQuantity::impulse; });
  refused("law", [](auto& of) { of.quantity = MapQuantity::peak_force, of.approach_speed = 1; });
  refused("limits", [](auto& of) { of.quantity = MapQuantity::speed; });
  refused("restitution", [](auto& of) { of.restitution = 1.5; });
  refused("body", [](auto& of) {
    of.body = BodyContact{{"chest", 140, 120e4, 25e3, 40, 2}};
    of.law = Spring{.stiffness = 1e5, .restitution = 0.5};
  });
  EXPECT_THROW(capability_map(robot, {.frame = "no"}, {.samples = 100}), RobotError);
  EXPECT_THROW(capability_map(robot, test::paper_contact(), {.samples = 100}, {.jobs = -1}), InputError);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(capability_map(robot, test::paper_contact(), {.samples = 100}, {.stop = &stop}), Interrupted);

  Joint slide{.name = "slide", .type = JointType::prismatic, .link = "sled"};
  const Robot sled("sled", {slide}, {BodyInertia{1, Vector3::Zero(), Matrix3::Identity()}},
                   {{.name = "sled", .joint = 0}});
  EXPECT_THROW(capability_map(sled, {.frame = "sled"}, {.samples = 100}), InputError);
}

}  // namespace
}  // namespace thud
