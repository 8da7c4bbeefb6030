// The posture for a hit: gradients by differences, optima against exhaustive searches and closed forms, what is
// returned against the constraints, object speeds against the prediction of the hit.

#include <thud/aim.hpp>
#include <thud/error.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
  const VectorX gradient = inverse_mass_gradient(panda, test::paper_contact(), test::paper_configuration(0),
                                                 InertiaModel::composite_rigid_body);
  const double reference[] = {-.027431, -.181339, -.026957, .151885, .003120, .055373, .000390};
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(gradient[i], reference[i], 0.5e-6) << i;
}

}  // namespace
}  // namespace thud
