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

TEST(Impact, KeepsMomentumConeAndEnergy) {
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 5000; ++trial) {
    const RandomImpact c = random_impact(random);
    for (const RestitutionKind kind : all_restitution_kinds) {
      ImpactOptions options = c.options;
      options.kind = kind;
      const Impact found = impact(c.W, c.velocity, c.normal, options);
      ASSERT_EQ(found.status, ImpactStatus::ok);
      const double p_n = found.impulse.dot(c.normal), energy = -c.velocity.dot(found.impulse);
      EXPECT_LT((found.velocity_after - c.velocity - c.W * found.impulse).norm(), tight * found.velocity_after.norm());
      EXPECT_LE((found.impulse - p_n * c.normal).norm(), options.friction * p_n * (1 + 1e-9));
      EXPECT_GE(found.velocity_after.dot(c.normal), -tight);
      if (kind == RestitutionKind::newton) {
        EXPECT_NEAR(found.velocity_after.dot(c.normal), -options.restitution * c.velocity.dot(c.normal), 1e-11);
      }
      if (kind == RestitutionKind::poisson) {  // what friction compresses again is restored as well
        EXPECT_GE(p_n, (1 + options.restitution) * found.compression - 1e-11 * p_n);
        if (!found.jam) {
          EXPECT_NEAR(p_n, (1 + options.restitution) * found.compression, 1e-11 * p_n);
        }
      }
      double normal_impulse = 0, work = 0;
      for (const ImpactPhase& phase : found.phases) {
        normal_impulse += phase.normal_impulse;
        work += phase.normal_work + phase.friction_work;
        EXPECT_LE(phase.friction_work, 0);
        if (phase.mode == stick) {
          EXPECT_EQ(phase.friction_work, 0);
        }
      }
      EXPECT_NEAR(normal_impulse, p_n, tight * p_n);
      EXPECT_NEAR(work, -found.energy_lost, 1e-11 * std::abs(energy));
      if (kind == RestitutionKind::energetic) {
        EXPECT_GE(-found.impulse.dot(c.velocity + found.velocity_after) / 2, -tight * energy);
        EXPECT_GE(found.energy_lost, 0);
      }
      if (found.phases.back().mode == stick) {
        const Vector3 after = found.velocity_after - found.velocity_after.dot(c.normal) * c.normal;
        EXPECT_LT(after.norm(), 1e-10 * c.velocity.norm());
        EXPECT_GE(options.friction, sticking_friction(c.W, c.normal));
      }
    }
  }
}

TEST(Impact, EnergeticWorkIsRestitutionSquared) {
  // by the states of its path: the normal work in restitution is e^2 of that in compression
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 200; ++trial) {
    const RandomImpact c = random_impact(random);
    const std::vector<ImpactState> path = impact_path(c.W, c.velocity, c.normal, c.options);
    const Impact found = impact(c.W, c.velocity, c.normal, c.options);
    ASSERT_GE(path.size(), 2U);
    EXPECT_EQ(path.front().impulse, Vector3::Zero());
    EXPECT_LT((path.back().impulse - found.impulse).norm(), tight * found.impulse.norm());
    double compression = 0, restitution = 0;
    bool at_compression = false;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double p = (path[i].impulse - path[i - 1].impulse).dot(c.normal);
      const double v = path[i].velocity.dot(c.normal), v_before = path[i - 1].velocity.dot(c.normal);
      EXPECT_GE(p, -tight);
      (v + v_before < 0 ? compression : restitution) += p * (v + v_before) / 2;
      at_compression |= std::abs(v) < 1e-10 && std::abs(path[i].impulse.dot(c.normal) - found.compression) < 1e-10;
    }
    EXPECT_TRUE(at_compression);
    // trapezoids: exact where v is linear in p, close elsewhere
    EXPECT_NEAR(restitution, -c.options.restitution * c.options.restitution * compression, 5e-3 * -compression);
  }
}

TEST(Impact, DoesNotDependOnTheFrameOrOnUnits) {
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomImpact c = random_impact(random);
    const Impact one = impact(c.W, c.velocity, c.normal, c.options);
    const Matrix3 R = test::random_rotation(random);
    const Impact turned = impact(R * c.W * R.transpose(), R * c.velocity, 7 * (R * c.normal), c.options);
    EXPECT_LT((turned.impulse - R * one.impulse).norm(), 1e-10 * one.impulse.norm());
    EXPECT_EQ(turned.phases.size(), one.phases.size());
    // twice as light and three times as fast: 1.5 times the impulse, 4.5 times the energy
    const Impact scaled = impact(2 * c.W, 3 * c.velocity, c.normal, c.options);
    EXPECT_LT((scaled.impulse - 1.5 * one.impulse).norm(), 1e-10 * one.impulse.norm());
    EXPECT_NEAR(scaled.energy_lost, 4.5 * one.energy_lost, 1e-9 * -one.impulse.dot(c.velocity));
    // reflected in the plane of the normal and any other axis
    const Vector3 axis = c.normal.cross(test::random_vector(random)).normalized();
    const Matrix3 mirror = Matrix3::Identity() - 2 * axis * axis.transpose();
    const Impact reflected = impact(mirror * c.W * mirror, mirror * c.velocity, c.normal, c.options);
    EXPECT_LT((reflected.impulse - mirror * one.impulse).norm(), 1e-10 * one.impulse.norm());
  }
}

TEST(Impact, Limits) {
  test::Random random(test::base_seed());
  int stuck_at_once = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomImpact c = random_impact(random);
    const double mass = 1 / c.normal.dot(c.W * c.normal), v_n = c.velocity.dot(c.normal), e = c.options.restitution;
    const NormalImpulse smooth = normal_impulse(mass, v_n, e);
    for (const RestitutionKind kind : all_restitution_kinds) {
      // no friction: the impulse of section 4, whatever the kind
      const Impact found = impact(c.W, c.velocity, c.normal, {.restitution = e, .kind = kind});
      EXPECT_LT((found.impulse - smooth.total * c.normal).norm(), tight * smooth.total);
      EXPECT_NEAR(found.compression, smooth.compression, tight * smooth.total);
      // from rest it sticks: the whole velocity is reversed by e, with the mass that cannot slip
      const double mu = 1.01 * sticking_friction(c.W, c.normal);
      const Impact stuck = impact(c.W, v_n * c.normal, c.normal, {.friction = mu, .restitution = e, .kind = kind});
      const Vector3 expected = -(1 + e) * c.W.inverse() * (v_n * c.normal);
      EXPECT_LT((stuck.impulse - expected).norm(), 1e-11 * expected.norm());
      ASSERT_EQ(stuck.phases.size(), 1U);
      EXPECT_EQ(stuck.phases[0].mode, stick);
    }
    // so much friction that the slip stops before the approach does, plastic: everything stops
    const Impact stopped = impact(c.W, c.velocity, c.normal, {.friction = 1e6});
    EXPECT_NEAR(stopped.velocity_after.dot(c.normal), 0, 1e-9);
    if (stopped.phases.back().mode == stick) {
      EXPECT_LT(stopped.velocity_after.norm(), 1e-9);
      ++stuck_at_once;
    }
  }
  EXPECT_GT(stuck_at_once, 500);
}

TEST(Impact, NearlyPlastic) {
  // e so small that the work of restitution is lost in that of compression; over it, by the work
  test::Random random(test::base_seed());
  for (int trial = 0; trial < 300; ++trial) {
    RandomImpact c = random_impact(random);
    for (const double e : {1e-12, 1e-8, 0.99e-5, 1.01e-5, 1e-4}) {
      c.options.restitution = e;
      const Impact found = impact(c.W, c.velocity, c.normal, c.options);
      const double p_n = found.impulse.dot(c.normal), v_n = found.velocity_after.dot(c.normal);
      EXPECT_GT(v_n, 0);
      // v is linear in p over so short a restitution: its work is v (p - p_c)/2
      const double work = v_n * (p_n - found.compression) / 2;
      double compression = -work;
      for (const ImpactPhase& phase : found.phases) compression += phase.normal_work;
      EXPECT_NEAR(std::sqrt(work / -compression), e, 1e-3 * e + 1e-11) << e;
    }
  }
}

TEST(Impact, NewtonsRestitutionMayGainEnergy) {
  // rods, as in Kane and Levinson's paradox
  test::Random random(test::base_seed());
  int gains[3] = {};
  double largest = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Matrix3 W = rod(test::uniform(random, 5, 85));
    const Vector3 v(test::uniform(random, -3, 3), 0, -1);
    ImpactOptions options{.friction = test::uniform(random, 0, 2.5), .restitution = test::uniform(random, 0, 1)};
    for (const RestitutionKind kind : all_restitution_kinds) {
      options.kind = kind;
      const Impact found = impact(W, v, z, options);
      const double gain = found.impulse.dot(v + found.velocity_after) / 2;
      gains[static_cast<int>(kind)] += gain > 1e-12;
      largest = std::max(largest, gain);
      bool told = false;
      for (const Warning& warning : warnings(found)) told |= warning.code == WarningCode::energy_created;
      if (gain > 1e-6) {
        EXPECT_TRUE(told);
      }
      if (gain < 1e-12) {
        EXPECT_FALSE(told);
      }
    }
  }
  EXPECT_EQ(gains[0], 0);
  EXPECT_EQ(gains[2], 0);
  EXPECT_NEAR(gains[1], 230, 60);  // 1148 of 100 000 by another program
  EXPECT_NEAR(largest, 0.123, 0.03);
}

TEST(Impact, JustUnderTheFrictionThatSticks) {
  Matrix3 W;
  W << 2, .3, -.6, .3, 1.5, .4, -.6, .4, 1.2;
  // a case that other programs do not agree on: the slip falls to 5e-5
  const ImpactOptions hard{.friction = .45, .restitution = .8};
  const Vector3 v(.5, -.2, -1);
  const Impact found = impact(W, v, z, hard);
  EXPECT_LT((found.impulse - test::adaptive_impact(W, v, z, hard).impulse).norm(), 1e-9);
  // from far below to above it, nothing jumps, and both roads agree
  const double sticks = sticking_friction(W, z);
  Vector3 last = Vector3::Zero();
  for (double gap = 0.3; gap > 1e-12; gap /= 2)
    for (const double mu : {sticks * (1 - gap), sticks * (1 + gap)}) {
      const ImpactOptions options{.friction = mu, .restitution = .8};
      const Impact each = impact(W, v, z, options);
      const test::AdaptiveImpact other = test::adaptive_impact(W, v, z, options);
      EXPECT_LT((each.impulse - other.impulse).norm(), other.smallest_slip < 1e-4 ? 1e-6 : 1e-9) << gap;
      if (gap < 1e-3) {
        EXPECT_LT((each.impulse - last).norm(), 10 * gap) << gap;
      }
      last = each.impulse;
    }
}

TEST(Impact, RestitutionMayTurnIntoCompressionAgain) {
  Matrix3 W;
  W << 92.156519578344799, 62.551972127731979, 57.469019846203651, 62.551972127731979, 69.409765616802076,
      -6.7741854964447885, 57.469019846203651, -6.7741854964447885, 128.53053320566582;
  const Vector3 v(-0.27465891216806859, 1.1366904624954153, -2.2662046521874126);
  const Vector3 n = Vector3(0.051990938107993441, -0.98080107244778747, -0.18795264999440903).normalized();
  const ImpactOptions options{.friction = 0.9238979301615009, .restitution = 0.45555490913331764};
  const test::AdaptiveImpact expected = test::adaptive_impact(W, v, n, options);
  ASSERT_TRUE(expected.recompressed);
  EXPECT_LT((impact(W, v, n, options).impulse - expected.impulse).norm(), 1e-9 * expected.impulse.norm());
}

TEST(Impact, SemidefiniteInertia) {
  // A point that moves in a plane: slip across it is not changed, and friction has a share across it.
  Matrix3 W = rod(45);
  W.row(1).setZero();
  W.col(1).setZero();
  const Impact across = impact(W, {0.3, 0.4, -1}, z, {.friction = 0.3, .restitution = 0.5});
  EXPECT_EQ(across.status, ImpactStatus::ok);
  EXPECT_NEAR(across.velocity_after.y(), 0.4, tight);
  EXPECT_LT(across.impulse.y(), -0.1);
  EXPECT_GE(across.energy_lost, 0);
  const Impact along = impact(W, {0.1, 0, -1}, z, {.friction = 0.3, .restitution = 0.5});
  EXPECT_NEAR(along.impulse.z(), .7029015306, digits);
  // A point on a rail askew to the wall: with little friction it slides down and back up; with more, nothing gives way.
  const Vector3 rail(0.6, 0, 0.8);
  const Matrix3 one = rail * rail.transpose();
  const Impact slides = impact(one, -rail, z, {.friction = 0.5, .restitution = 0.5});
  EXPECT_EQ(slides.status, ImpactStatus::ok);
  EXPECT_EQ(slides.phases.size(), 2U);
  EXPECT_GT(slides.velocity_after.dot(rail), 0);
  const Impact wedged = impact(one, -rail, z, {.friction = 1.5, .restitution = 0.5});
  EXPECT_EQ(wedged.status, ImpactStatus::wedged);
  EXPECT_TRUE(wedged.impulse.hasNaN());
  ASSERT_FALSE(warnings(wedged).empty());
  EXPECT_EQ(warnings(wedged)[0].code, WarningCode::wedged);
}

TEST(Impact, WithoutApproachNothingHappens) {
  for (const double v_n : {0.0, 0.1}) {
    const Vector3 v(0.3, 0.2, v_n);
    const Impact none = impact(rod(45), v, z, {.friction = 0.3, .restitution = 0.5});
    EXPECT_EQ(none.status, ImpactStatus::no_approach);
    EXPECT_EQ(none.impulse, Vector3::Zero());
    EXPECT_EQ(none.velocity_after, v);
    EXPECT_EQ(none.energy_lost, 0);
    EXPECT_TRUE(none.phases.empty());
    EXPECT_TRUE(impact_path(rod(45), v, z).empty());
  }
}

TEST(Impact, WarnsOfAJam) {
  const Impact found = impact(rod(70), {-.5, 0, -1}, z, {.friction = 2, .restitution = .5});
  ASSERT_EQ(warnings(found).size(), 1U);
  EXPECT_EQ(warnings(found)[0].code, WarningCode::jam);
  EXPECT_TRUE(warnings(impact(rod(70), {.5, 0, -1}, z, {.friction = 2, .restitution = .5})).empty());
}

TEST(Impact, Refuses) {
  const auto message = [](const Matrix3& W, const Vector3& v, const Vector3& n, const ImpactOptions& options) {
    try {
      impact(W, v, n, options);
    } catch (const InputError& error) {
      EXPECT_THROW(impact_path(W, v, n, options), InputError);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const Matrix3 W = rod(45);
  const Vector3 v(0, 0, -1);
  EXPECT_EQ(message(W, v, z, {.friction = -1}), "friction: -1: must be finite and >= 0");
  EXPECT_EQ(message(W, v, z, {.friction = NAN}), "friction: nan: must be finite and >= 0");
  EXPECT_EQ(message(W, v, z, {.friction = INFINITY}), "friction: inf: must be finite and >= 0");
  EXPECT_EQ(message(W, v, z, {.restitution = 1.1}), "restitution: 1.1: must be from 0 to 1");
  EXPECT_EQ(message(W, v, z, {.restitution = -.1}), "restitution: -0.1: must be from 0 to 1");
  EXPECT_EQ(message(W, v, z, {.restitution = NAN}), "restitution: nan: must be from 0 to 1");
  EXPECT_EQ(message(W, v, {0, 0, 0}, {}), "normal: 0: must be finite and not zero");
  EXPECT_EQ(message(W, {0, NAN, 0}, z, {}), "velocity: nan: must be finite");
  Matrix3 wrong = W;
  wrong(0, 2) += 0.1;
  EXPECT_EQ(message(wrong, v, z, {}), "W: asymmetric by 0.1: must be symmetric (that of flexible joints is not)");
  wrong = W;
  wrong(0, 2) = wrong(2, 0) = 3;
  EXPECT_EQ(message(wrong, v, z, {}), "W: indefinite by 0.44: must be positive semidefinite");
  wrong = W;
  wrong(1, 1) = -1;
  EXPECT_NE(message(wrong, v, z, {}).find("must be positive semidefinite"), std::string::npos);
  wrong(1, 1) = NAN;
  EXPECT_EQ(message(wrong, v, z, {}), "W: nan: must be finite");
  EXPECT_EQ(message(Matrix3::Zero(), v, z, {}), "W: n.W n = 0: must be > 0: something must move along the normal");
}

// Differences between the library and the adaptive integration, relative to the impulse.
struct Comparison {
  double regular = 0, near_stop = 0;
  int count_near_stop = 0, near_stop_beyond_regular = 0, recompressed = 0, failed = 0;
};
Comparison compare_with_adaptive(std::uint64_t seed, int count) {
  test::Random random(seed);
  Comparison worst;
  for (int trial = 0; trial < count; ++trial) {
    const RandomImpact c = random_impact(random);
    const Impact found = impact(c.W, c.velocity, c.normal, c.options);
    const test::AdaptiveImpact expected = test::adaptive_impact(c.W, c.velocity, c.normal, c.options);
    const double error = (found.impulse - expected.impulse).norm() / expected.impulse.norm();
    const bool near_stop = expected.smallest_slip < 1e-4;
    worst.recompressed += expected.recompressed;
    worst.count_near_stop += near_stop;
    worst.near_stop_beyond_regular += near_stop && !(error < 1e-9);
    double& largest = near_stop ? worst.near_stop : worst.regular;
    largest = std::max(largest, error);
    if (!(error < (near_stop ? 1e-6 : 1e-9))) {
      ++worst.failed;
      std::cout << "trial " << trial << " of seed " << seed << ": " << error << ", friction " << c.options.friction
                << " (" << sticking_friction(c.W, c.normal) << " sticks), restitution " << c.options.restitution
                << ", smallest slip " << expected.smallest_slip << (expected.stopped ? ", stops" : "")
                << (expected.recompressed ? ", compresses again" : "") << "\n";
    }
  }
  return worst;
}

// The figures asked for: 1e-9, and 1e-6 where the slip falls below 1e-4 of what it was.
TEST(Impact, AgreesWithAnAdaptiveIntegration) {
  const Comparison worst = compare_with_adaptive(test::base_seed(), 3000);
  EXPECT_EQ(worst.failed, 0);
  EXPECT_GT(worst.count_near_stop, 3);
  RecordProperty("regular", std::to_string(worst.regular));
}

// Only by `make test-long`.
TEST(Impact, AgreesWithAnAdaptiveIntegrationAMillionTimes) {
  const Comparison worst = compare_with_adaptive(test::base_seed() + 1, 1000000);
  EXPECT_EQ(worst.failed, 0);
  std::cout << "largest difference " << worst.regular << "; of " << worst.count_near_stop << " that nearly stop "
            << worst.near_stop << " (" << worst.near_stop_beyond_regular << " above 1e-9); " << worst.recompressed
            << " compress again\n";
}

}  // namespace
}  // namespace thud
