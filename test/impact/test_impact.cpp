#include <thud/error.hpp>
#include <thud/impact.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "adaptive_impact.hpp"
#include "impact/arc.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-12;
constexpr double digits = 5e-11;  // of what is written with ten decimals

const Vector3 z = Vector3::UnitZ();

// A rod of 1 kg and 1 m that meets the floor at an angle: tangential axis x, normal z.
Matrix3 rod(double degrees) {
  const double th = degrees * std::numbers::pi / 180, x = -std::cos(th) / 2, y = -std::sin(th) / 2, I = 1.0 / 12;
  Matrix3 W = Matrix3::Identity();
  W(0, 0) = 1 + y * y / I;
  W(2, 2) = 1 + x * x / I;
  W(0, 2) = W(2, 0) = -x * y / I;
  return W;
}

struct PlanarCase {
  double angle, v_t, mu, e, p_t, p_n, v_t_after, v_n_after, p_poisson, p_newton;
  std::vector<ContactMode> phases;
  bool jam = false;
};
constexpr auto slip = ContactMode::slip, stick = ContactMode::stick;
const PlanarCase planar_cases[] = {
    {45, .1, .3, .5, .1842037925, .7029015306, -.4938428146, .4809481377, .7024390244, .7121951220, {slip, slip}},
    {45, 1, .3, .5, -.1128849926, .5126055803, -.0511208519, .4508414397, .5084745763, .5365853659, {slip, slip}},
    {45, -1, .3, .5, .2195121951, .7317073171, -1.5487804878, .5, .7317073171, .7317073171, {slip}},
    {60, .2, .2, .7, .1753507808, 1.0819833444, -.6356475565, .6656835066, 1.0799650630, 1.1050115748, {slip, slip}},
    {60, .4, .9, .5, .2879668330, 1.0283703007, 0, .4255681369, 1.0238942841, 1.0888461894, {slip, stick}},
    {20, .3, .6, .8, .0895945457, .4874016634, -.0489073668, .6921757664, .4715607665, .5225171831, {slip, slip}},
    {70, -.5, 2, .5, .5457474863, 1.5468758649, 0, .5635265882, 1.5491840145, 1.4889226761, {slip, stick}, true},
    {70, .5, 2.5, .5, .1772759605, 1.1894979313, 0, .4360062213, 1.1876159840, 1.2478773224, {slip, stick}},
    {45, 0, .3, .5, .2195121951, .7317073171, -.5487804878, .5, .7317073171, .7317073171, {slip}},
    {45, 0, .9, .5, .5625, .9375, 0, .5, .9375, .9375, {stick}},
};

TEST(Impact, PlanarCases) {
  for (const PlanarCase& c : planar_cases) {
    SCOPED_TRACE(c.angle);
    SCOPED_TRACE(c.v_t);
    const Matrix3 W = rod(c.angle);
    const Vector3 v(c.v_t, 0, -1);
    const Impact result = impact(W, v, z, {.friction = c.mu, .restitution = c.e});
    EXPECT_EQ(result.status, ImpactStatus::ok);
    EXPECT_NEAR(result.impulse.x(), c.p_t, digits);
    EXPECT_NEAR(result.impulse.y(), 0, tight);
    EXPECT_NEAR(result.impulse.z(), c.p_n, digits);
    EXPECT_NEAR(result.velocity_after.x(), c.v_t_after, 2 * digits);
    EXPECT_NEAR(result.velocity_after.z(), c.v_n_after, 2 * digits);
    EXPECT_EQ(result.jam, c.jam);
    ASSERT_EQ(result.phases.size(), c.phases.size());
    for (std::size_t i = 0; i < c.phases.size(); ++i) EXPECT_EQ(result.phases[i].mode, c.phases[i]);
    const auto by = [&](RestitutionKind kind) {
      return impact(W, v, z, {.friction = c.mu, .restitution = c.e, .kind = kind}).impulse.z();
    };
    EXPECT_NEAR(by(RestitutionKind::poisson), c.p_poisson, digits);
    EXPECT_NEAR(by(RestitutionKind::newton), c.p_newton, digits);
  }
}

// The closed form of the planar impact, regime by regime.
struct PlanarAnswer {
  double p_t, p_n;
};
PlanarAnswer planar_closed_form(double a, double b, double c, double u, double v0, double mu, double e) {
  const double sign = u < 0 ? -1 : 1, B = sign * b, slip = std::abs(u);
  const double k1 = c - mu * B, r = B - mu * a, p_s = r < 0 ? slip / -r : INFINITY;
  const bool sticks = mu * a >= std::abs(B);
  const double kappa = sticks ? -B / a : mu, k2 = sticks ? c - B * B / a : c + mu * B;
  double p_f = 0;
  const double p_c = k1 > 0 ? -v0 / k1 : INFINITY;
  if (p_s >= (1 + e) * p_c) {
    p_f = (1 + e) * p_c;
  } else if (p_s < p_c) {
    const double v_s = v0 + k1 * p_s, work = v0 * p_s + k1 * p_s * p_s / 2 - v_s * v_s / (2 * k2);
    p_f = p_s - v_s / k2 + e * std::sqrt(-2 * work / k2);
  } else {
    const double v_s = v0 + k1 * p_s, work = -v0 * v0 / (2 * k1);
    p_f = p_s + (-v_s + std::sqrt(v_s * v_s + 2 * k2 * (e * e * -work - k1 * (p_s - p_c) * (p_s - p_c) / 2))) / k2;
  }
  const double slid = std::min(p_s, p_f);
  return {sign * (-mu * slid + kappa * (p_f - slid)), p_f};
}

TEST(Impact, IsTheClosedFormInAnyPlane) {
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 20000; ++trial) {
    const Matrix3 W = rod(test::uniform(random, 5, 85));
    const double u = test::uniform(random, -3, 3), mu = test::uniform(random, 0, 2.5), e = test::uniform(random, 0, 1);
    const PlanarAnswer expected = planar_closed_form(W(0, 0), W(0, 2), W(2, 2), u, -1, mu, e);
    const Matrix3 R = test::random_rotation(random);
    const Impact found =
        impact(R * W * R.transpose(), R * Vector3(u, 0, -1), R * z, {.friction = mu, .restitution = e});
    const Vector3 impulse = R.transpose() * found.impulse;
    // a stop against friction that all but holds the slip is known as well as the two are told apart
    const double margin = std::min(std::abs(std::abs(W(0, 2)) - mu * W(0, 0)), 1.0);
    ASSERT_LT((impulse - Vector3(expected.p_t, 0, expected.p_n)).norm(), 1e-11 / margin) << trial;
    EXPECT_GE(found.energy_lost, 0);
  }
}

struct SpatialCase {
  Matrix3 W;
  Vector3 v;
  double mu, e;
  Vector3 p;
  double digits;
};

TEST(Impact, SpatialCases) {
  const Matrix3 sphere = Vector3(3.5, 3.5, 1).asDiagonal(), skew = Vector3(1, 2, 1.5).asDiagonal();
  Matrix3 general;
  general << 2, .3, -.6, .3, 1.5, .4, -.6, .4, 1.2;
  EXPECT_NEAR(sticking_friction(general, z), .4860812291, digits);
  const SpatialCase cases[] = {
      {sphere, {.6, .8, -1}, .1, .6, {-.096, -.128, 1.6}, tight},
      {sphere, {.3, .4, -1}, .3, .6, {-3.0 / 35, -4.0 / 35, 1.6}, tight},
      {skew, {1, 1, -1}, .4, .5, {-.304731526651, -.258300874984, 1}, 2e-12},
      {skew, {.3, .3, -1}, .6, .5, {-.3, -.15, 1}, tight},
      {general, {1, 1, -1}, .3, .5, {-.124060722991, -.348846596894, 1.281370332991}, 2e-12},
      {general, {1, -.5, -1}, .3, .5, {-.209926972, .106935110, 1.068604173}, 2e-9},
      {general, {.1, -.05, -1}, .2, .5, {.1792067, -.1498376, 1.3775833}, 2e-7},
      {general, {.3, -.2, -1}, .6, .5, {.337629227975, -.324388865940, 1.463236328189}, 2e-9},
      {general, {0, 0, -1}, .2, .5, {.22188515673, -.177276395337, 1.420034710144}, 2e-11},
      {general, {0, 0, -1}, .6, .5, {.614951768489, -.590836012862, 1.754421221865}, 2e-12},
  };
  for (const SpatialCase& c : cases) {
    SCOPED_TRACE(c.v.transpose());
    SCOPED_TRACE(c.mu);
    const Impact found = impact(c.W, c.v, z, {.friction = c.mu, .restitution = c.e});
    EXPECT_LT((found.impulse - c.p).cwiseAbs().maxCoeff(), c.digits) << found.impulse.transpose();
  }
  const Impact ball = impact(sphere, {.6, .8, -1}, z, {.friction = .1, .restitution = .6});
  EXPECT_LT((ball.velocity_after - Vector3(.264, .352, .6)).norm(), tight);
  EXPECT_NEAR(ball.energy_lost, .4352, tight);
  EXPECT_NEAR(impact(general, {1, 1, -1}, z, {.friction = .3, .restitution = .5}).energy_lost, .7329067563, digits);
  // W_tt diagonal and W_tn = 0: v_y = v_y0 (v_x/v_x0)^(b_y/b_x)
  const Vector3 after = impact(skew, {1, 1, -1}, z, {.friction = .4, .restitution = .5}).velocity_after;
  EXPECT_NEAR(after.y(), std::pow(after.x(), 2), tight);
}

Matrix3 random_inertia(test::Random& random) {
  // 1/m - [r]x I^-1 [r]x of a body of any shape that is hit anywhere, and sometimes of two such bodies
  Matrix3 W = Matrix3::Zero();
  const int bodies = test::uniform(random, 0, 1) < 0.5 ? 1 : 2;
  for (int body = 0; body < bodies; ++body) {
    const Vector3 r = test::random_vector(random);
    const Vector3 half = (Vector3::Constant(1.1) + test::random_vector(random)) / 2;  // of a box [m]
    const Vector3 square = half.cwiseProduct(half);
    const Vector3 I = (Vector3::Constant(square.sum()) - square) / 3;
    const Matrix3 R = test::random_rotation(random);
    Matrix3 cross;
    cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    const Matrix3 inverse = R * I.cwiseInverse().asDiagonal() * R.transpose();
    W += std::exp(test::uniform(random, -1, 1)) * (Matrix3::Identity() - cross * inverse * cross);
  }
  return (W + W.transpose()) / 2;
}

struct RandomImpact {
  Matrix3 W;
  Vector3 velocity, normal;
  ImpactOptions options;
};
RandomImpact random_impact(test::Random& random) {
  RandomImpact made{random_inertia(random), {}, test::random_direction(random), {}};
  do made.velocity = 3 * test::random_vector(random);
  while (made.velocity.dot(made.normal) > -0.05);
  made.options = {.friction = test::uniform(random, 0, 1.5), .restitution = test::uniform(random, 0, 1)};
  // half of them just under or over the friction that sticks, where slip all but stops
  if (test::uniform(random, 0, 1) < 0.5)
    made.options.friction = sticking_friction(made.W, made.normal) * test::uniform(random, 0.8, 1.1);
  return made;
}

// Differences between the library and the adaptive integration, relative to the impulse.
struct Comparison {
  double regular = 0, near_stop = 0;
  int count_near_stop = 0, recompressed = 0, failed = 0;
};
Comparison compare_with_adaptive(std::uint64_t seed, int count) {
  test::Random random(seed);
  Comparison worst;
  for (int trial = 0; trial < count; ++trial) {
    const RandomImpact c = random_impact(random);
    const Impact found = impact(c.W, c.velocity, c.normal, c.options);
    const test::AdaptiveImpact expected = test::adaptive_impact(c.W, c.velocity, c.normal, c.options);
    const double error = (found.impulse - expected.impulse).norm() / expected.impulse.norm();
    const bool near_stop = !expected.stopped && expected.smallest_slip < 1e-4;
    worst.recompressed += expected.recompressed;
    worst.count_near_stop += near_stop;
    double& largest = near_stop ? worst.near_stop : worst.regular;
    largest = std::max(largest, error);
    if (!(error < (near_stop ? 1e-6 : 1e-9))) {
      ++worst.failed;
      std::cout << "trial " << trial << " seed " << seed << ": " << error << ", friction " << c.options.friction
                << " of " << sticking_friction(c.W, c.normal) << ", smallest slip " << expected.smallest_slip
                << (expected.stopped ? ", stops" : "") << ", found " << found.impulse.transpose() << ", slip "
                << c.velocity.norm() << " e " << c.options.restitution << " p " << expected.impulse.norm() << " phases "
                << found.phases.size() << " n " << c.velocity.dot(c.normal) << "\n"
                << c.W << (expected.recompressed ? ", recompressed" : "") << std::endl;
    }
  }
  return worst;
}

TEST(Impact, AgreesWithAnAdaptiveIntegration) {
  const Comparison worst = compare_with_adaptive(test::base_seed(), 3000);
  EXPECT_EQ(worst.failed, 0);
  std::cout << "largest difference " << worst.regular << ", near a stop " << worst.near_stop << " ("
            << worst.count_near_stop << "), recompressed " << worst.recompressed << std::endl;
}

}  // namespace
}  // namespace thud
