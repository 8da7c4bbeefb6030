#include <thud/error.hpp>
#include <thud/impact_batch.hpp>
#include <thud/impact_prediction.hpp>
#include <thud/urdf.hpp>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Rows of hits, each with a point, a normal and an object of its own.
struct Rows {
  Robot robot;
  ContactPoint point;
  Eigen::MatrixXd q, dq;
  ImpactBatchOptions options;

  ImpactBatch ask() const { return predict_impact_batch(robot, point, q, dq, options); }

  // The single query of one row; throws what it throws.
  ImpactPrediction single(Eigen::Index row) const {
    const auto at = [&](const MatrixX& values) { return values.col(values.cols() == 1 ? 0 : row); };
    ContactPoint hit = point;
    if (!options.frame.empty())
      hit.frame = options.frame[options.frame.size() == 1 ? 0 : static_cast<std::size_t>(row)];
    if (options.offset.size() > 0) hit.offset = at(options.offset);
    if (options.normal_W.size() > 0) hit.normal_W = at(options.normal_W);
    ImpactPredictionOptions rules{.friction = options.friction,
                                  .restitution = options.restitution,
                                  .kind = options.kind,
                                  .pseudo_inverse = options.pseudo_inverse};
    if (options.object_mass.size() > 0) {
      Object object{.mass = options.object_mass[options.object_mass.size() == 1 ? 0 : row]};
      if (options.object_inertia_W.size() > 0) object.inertia_W = at(options.object_inertia_W).reshaped(3, 3);
      if (options.object_com_W.size() > 0) object.com_W = at(options.object_com_W);
      if (options.object_velocity.size() > 0) object.velocity = at(options.object_velocity);
      if (options.object_angular_velocity.size() > 0) object.angular_velocity = at(options.object_angular_velocity);
      rules.object = object;
    }
    const ContactDynamics dynamics = contact_dynamics(robot, hit, at(q));
    const VectorX rates = at(dq);
    validate_velocities(robot, rates);
    return predict_impact(dynamics, rates, rules);
  }
};

Rows random_rows(const Robot& robot, const ContactPoint& point, Eigen::Index count, const ImpactBatchOptions& rules) {
  test::Random random(test::base_seed());
  Rows rows{robot, point, Eigen::MatrixXd(robot.size(), count), Eigen::MatrixXd(robot.size(), count), rules};
  ImpactBatchOptions& o = rows.options;
  o.offset.resize(3, count);
  o.normal_W.resize(3, count);
  o.object_mass.resize(count);
  o.object_inertia_W.resize(9, count);
  for (MatrixX* each : {&o.object_com_W, &o.object_velocity, &o.object_angular_velocity}) each->resize(3, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const State state = test::random_sample(random, robot).state;
    rows.q.col(i) = state.q;
    rows.dq.col(i) = state.dq;
    o.offset.col(i) = 0.1 * test::random_vector(random);
    o.normal_W.col(i) = 3 * test::random_direction(random);
    o.object_mass[i] = std::exp(test::uniform(random, -2, 2));
    const Matrix3 R = test::random_rotation(random);
    const Matrix3 inertia = 0.1 * o.object_mass[i] * R * Vector3(1, 1.2, 1.7).asDiagonal() * R.transpose();
    o.object_inertia_W.col(i) = ((inertia + inertia.transpose()) / 2).reshaped();
    if (i % 3 == 0) o.object_inertia_W.col(i).setZero();
    o.object_com_W.col(i) = test::random_vector(random);
    o.object_velocity.col(i) = test::random_vector(random);
    o.object_angular_velocity.col(i) = test::random_vector(random);
  }
  return rows;
}

// The same bits, a NaN being any NaN.
bool same(const MatrixRef& a, const MatrixRef& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.cols(); ++i)
    for (Eigen::Index k = 0; k < a.rows(); ++k) {
      const double x = a(k, i), y = b(k, i);
      if (std::isnan(x) && std::isnan(y)) continue;
      if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y)) return false;
    }
  return true;
}

bool same(const ImpactBatch& a, const ImpactBatch& b) {
  return same(a.p_WC, b.p_WC) && same(a.velocity, b.velocity) && same(a.v_normal, b.v_normal) &&
         same(a.v_tangential, b.v_tangential) && (a.inertia.all().array() == b.inertia.all().array()).all() &&
         (a.status.all().array() == b.status.all().array()).all() && same(a.impulse.all(), b.impulse.all()) &&
         same(a.velocity_after.all(), b.velocity_after.all()) && same(a.compression.all(), b.compression.all()) &&
         same(a.energy_lost.all(), b.energy_lost.all()) &&
         (a.phase_mode.all().array() == b.phase_mode.all().array()).all() &&
         same(a.phase_impulse.all(), b.phase_impulse.all()) && same(a.object_velocity.all(), b.object_velocity.all()) &&
         same(a.object_angular_velocity.all(), b.object_angular_velocity.all()) &&
         same(a.joint_velocity_jump.all(), b.joint_velocity_jump.all()) &&
         same(a.joint_velocity_jump_least_norm.all(), b.joint_velocity_jump_least_norm.all()) &&
         same(a.joint_impulse.all(), b.joint_impulse.all());
}

void expect_single(const Rows& rows, const ImpactBatch& batch, Eigen::Index i) {
  SCOPED_TRACE(i);
  const ImpactPrediction single = rows.single(i);
  EXPECT_TRUE(same(batch.velocity.col(i), single.velocity));
  EXPECT_EQ(batch.v_normal[i], single.v_normal);
  EXPECT_EQ(batch.v_tangential[i], single.v_tangential);
  for (const InertiaModel model : all_inertia_models) {
    SCOPED_TRACE(to_string(model));
    const ModelImpact& one = single[model];
    EXPECT_EQ(batch.inertia[model][i], one.inertia);
    EXPECT_EQ(batch.status[model][i], one.impact.status);
    EXPECT_TRUE(same(batch.impulse[model].col(i), one.impact.impulse));
    EXPECT_TRUE(same(batch.velocity_after[model].col(i), one.velocity_after));
    EXPECT_TRUE(same(VectorX::Constant(1, batch.compression[model][i]), VectorX::Constant(1, one.impact.compression)));
    EXPECT_TRUE(same(VectorX::Constant(1, batch.energy_lost[model][i]), VectorX::Constant(1, one.impact.energy_lost)));
    for (std::size_t k = 0; k < ImpactPhases::max_size; ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      const double impulse = batch.phase_impulse[model](at, i);
      EXPECT_EQ(std::isnan(impulse), k >= one.impact.phases.size());
      if (k >= one.impact.phases.size()) continue;
      EXPECT_EQ(impulse, one.impact.phases[k].normal_impulse);
      EXPECT_EQ(batch.phase_mode[model](at, i), one.impact.phases[k].mode);
    }
    if (rows.options.object_mass.size() > 0) {
      EXPECT_TRUE(same(batch.object_velocity[model].col(i), one.object.velocity));
      EXPECT_TRUE(same(batch.object_angular_velocity[model].col(i), one.object.angular_velocity));
    }
    if (rows.options.jumps) {
      EXPECT_TRUE(same(batch.joint_velocity_jump[model].col(i), one.joint_velocity_jump));
      EXPECT_TRUE(same(batch.joint_velocity_jump_least_norm[model].col(i), one.joint_velocity_jump_least_norm));
      EXPECT_TRUE(same(batch.joint_impulse[model].col(i), one.joint_impulse));
    }
  }
}

TEST(ImpactBatch, EqualsSingleHitsToTheLastBit) {
  const ImpactBatchOptions rules{.friction = 0.4, .restitution = 0.3, .jumps = true, .run = {.jobs = 2}};
  const ImpactBatchOptions smooth{.restitution = 1, .kind = RestitutionKind::newton, .pseudo_inverse = true};
  std::vector<Rows> all;
  for (const ImpactBatchOptions& of : {rules, smooth}) {
    all.push_back(random_rows(load_robot("panda"), test::paper_contact(), 600, of));
    all.push_back(random_rows(load_robot("planar_2r"), {"tip"}, 40, of));
    const Robot tree = parse_urdf(test::random_urdf(5, 7), "limbs");  // of several limbs, hit anywhere
    all.push_back(random_rows(tree, {tree.joints()[0].link}, 60, of));
    for (std::size_t i = 0; i < 60; ++i) all.back().options.frame.push_back(tree.joints()[i % 7].link);
    all.push_back(all.back());
    all.back().point.whole = true;
  }
  for (const Rows& rows : all) {
    SCOPED_TRACE(rows.robot.name());
    const ImpactBatch batch = rows.ask();
    EXPECT_TRUE(batch.refused.empty());
    for (Eigen::Index i = 0; i < rows.q.cols() && !testing::Test::HasFailure(); ++i) expect_single(rows, batch, i);
  }
}

TEST(ImpactBatch, TakesOneOfEachForAllRows) {
  Rows rows = random_rows(load_robot("panda"), test::paper_contact(), 30, {.friction = 0.2, .jumps = true});
  ImpactBatchOptions& o = rows.options;
  o.object_mass = VectorX::Constant(1, 2.5);
  o.object_inertia_W = {};
  o.object_com_W = MatrixX(o.object_com_W.leftCols(1));
  o.object_velocity = {};
  o.object_angular_velocity = {};
  o.frame = {"panda_link7"};
  rows.dq = rows.dq.col(3).eval();
  const auto compare = [&](Eigen::Index count) {
    const ImpactBatch batch = rows.ask();
    ASSERT_EQ(batch.v_normal.size(), count);
    for (Eigen::Index i = 0; i < count; ++i) expect_single(rows, batch, i);
  };
  compare(30);
  rows.q = rows.q.col(5).eval();  // one posture, hit at many points
  compare(30);
  o.offset = o.normal_W = {};
  compare(1);
  o = {.friction = 0.2};  // a wall
  compare(1);
  EXPECT_EQ(rows.ask().object_velocity.postures() + rows.ask().joint_impulse.postures(), 0);
}

TEST(ImpactBatch, DoesNotDependOnTheThreads) {
  Rows rows = random_rows(load_robot("panda"), test::paper_contact(), 1500, {.friction = 0.4, .jumps = true});
  rows.options.run.jobs = 1;
  const ImpactBatch one = rows.ask();
  for (const int jobs : {0, 2, 7}) {
    rows.options.run.jobs = jobs;
    EXPECT_TRUE(same(rows.ask(), one)) << jobs;
  }
}

// A row that a single query refuses says the same, and its numbers are NaN; the others are as they were.
TEST(ImpactBatch, NamesRowsThatHaveNoAnswerAndTheOthersStand) {
  Rows rows = random_rows(load_robot("panda"), test::paper_contact(), 700, {.friction = 0.4, .jumps = true});
  rows.options.frame.assign(700, "panda_foot");
  ImpactBatch expected = rows.ask();
  ASSERT_TRUE(expected.refused.empty());
  ImpactBatchOptions& o = rows.options;
  rows.q(3, 10) = nan;
  rows.dq(6, 20) = std::numeric_limits<double>::infinity();
  o.offset(1, 30) = nan;
  o.normal_W.col(40).setZero();
  o.object_mass[50] = -1;
  o.object_mass[51] = nan;
  o.object_inertia_W(0, 61) = -3;
  o.object_velocity(0, 70) = nan;
  o.frame[80] = "no_such_link";
  o.frame[699] = "panda_link0";  // of the base
  const ImpactBatch found = rows.ask();
  ASSERT_EQ(found.refused.size(), 10U);
  for (const RefusedRow& refused : found.refused) {
    std::string said;
    try {
      rows.single(refused.row);
    } catch (const std::exception& error) {
      said = error.what();
    }
    EXPECT_EQ(refused.reason, said) << refused.row;
    EXPECT_FALSE(refused.reason.empty());
    EXPECT_TRUE(found.impulse.all().col(refused.row).array().isNaN().all());
    EXPECT_TRUE(found.joint_impulse.all().col(refused.row).array().isNaN().all());
    EXPECT_TRUE(found.object_velocity.all().col(refused.row).array().isNaN().all());
    EXPECT_TRUE(found.p_WC.col(refused.row).array().isNaN().all());
    for (const InertiaModel model : all_inertia_models) {
      EXPECT_EQ(found.status[model][refused.row], ImpactStatus::not_run);
      EXPECT_EQ(found.inertia[model][refused.row], InertiaStatus::not_run);
    }
  }
  EXPECT_EQ(found.refused[0].row, 10);
  EXPECT_EQ(found.refused[0].reason.substr(0, 23), "q: nan: must be finite ");
  EXPECT_EQ(found.refused[9].row, 699);
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < 700; ++i) {
    if (next < 10 && found.refused[next].row == i) {
      ++next;
      continue;
    }
    EXPECT_TRUE(same(found.impulse.all().col(i), expected.impulse.all().col(i))) << i;
    EXPECT_TRUE(same(found.joint_velocity_jump.all().col(i), expected.joint_velocity_jump.all().col(i))) << i;
  }
}

TEST(ImpactBatch, SaysWhichModelHasNoAnswer) {
  Rows rows{load_robot("panda"),
            test::paper_contact(),
            Eigen::MatrixXd::Zero(7, 2),
            Eigen::MatrixXd::Zero(7, 2),
            {.friction = 0.3}};
  rows.q.col(1) = test::paper_configuration(0);
  const ImpactBatch batch = rows.ask();
  EXPECT_TRUE(batch.refused.empty());
  EXPECT_EQ(batch.inertia[InertiaModel::algebraic][0], InertiaStatus::singular);  // stretched out
  EXPECT_EQ(batch.status[InertiaModel::algebraic][0], ImpactStatus::not_run);
  EXPECT_EQ(batch.inertia[InertiaModel::flexible_joints][1], InertiaStatus::ok);  // but not with friction
  EXPECT_EQ(batch.status[InertiaModel::flexible_joints][1], ImpactStatus::not_run);
  EXPECT_EQ(batch.status[InertiaModel::generalized_momentum][1], ImpactStatus::no_approach);
  EXPECT_EQ(batch.impulse[InertiaModel::generalized_momentum].col(1), Vector3::Zero());
}

TEST(ImpactBatch, OfNoRows) {
  const Robot panda = load_robot("panda");
  const ImpactBatch none =
      predict_impact_batch(panda, test::paper_contact(), Eigen::MatrixXd(7, 0), Eigen::MatrixXd(7, 0), {.jumps = true});
  EXPECT_EQ(none.v_normal.size(), 0);
  EXPECT_EQ(none.impulse.postures(), 0);
  EXPECT_TRUE(none.refused.empty());
}

TEST(ImpactBatch, TellsHowFarItIsAndStops) {
  Rows rows = random_rows(load_robot("panda"), test::paper_contact(), 2000, {});
  std::size_t last = 0;
  rows.options.run = {.jobs = 2, .progress = [&](std::size_t done, std::size_t all) {
                        EXPECT_GT(done, last);
                        EXPECT_EQ(all, 2000U);
                        last = done;
                      }};
  rows.ask();
  EXPECT_EQ(last, 2000U);
  const std::atomic<bool> stop = true;
  rows.options.run = {.stop = &stop};
  EXPECT_THROW(rows.ask(), Interrupted);
}

std::string refusal(const Rows& rows) {
  try {
    rows.ask();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(ImpactBatchRefuses, WhatDoesNotFit) {
  const Rows good = random_rows(load_robot("panda"), test::paper_contact(), 9, {});
  Rows bad = good;
  bad.q = good.q.topRows(6);
  EXPECT_EQ(refusal(bad), "q: 6 values per row: each needs 7");
  bad = good;
  bad.dq = good.dq.leftCols(8);
  EXPECT_EQ(refusal(bad), "dq: 8 rows: needs 9, as others have, or one for all of them");
  bad = good;
  bad.options.offset = MatrixX::Zero(3, 4);
  EXPECT_EQ(refusal(bad), "offset: 4 rows: needs 9, as others have, or one for all of them");
  bad = good;
  bad.options.frame = {"panda_foot", "panda_foot"};
  EXPECT_EQ(refusal(bad), "frame: 2 rows: needs 9, as others have, or one for all of them");
  bad = good;
  bad.options.object_mass = {};
  EXPECT_EQ(refusal(bad), "object_inertia_W: 9 rows: is of an object: it needs object_mass");
  bad = good;
  bad.options.friction = -0.1;
  EXPECT_EQ(refusal(bad), "friction: -0.1: must be finite and >= 0");
  bad = good;
  bad.options.run.jobs = -1;
  EXPECT_EQ(refusal(bad), "jobs: -1: must be at least 0");
}

}  // namespace
}  // namespace thud
