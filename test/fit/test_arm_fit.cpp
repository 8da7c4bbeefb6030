// One arm from several hits: the model's own records give the drives back, with intervals from how far the hits
// disagree.

#include <thud/arm_fit.hpp>
#include <thud/error.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arms.hpp"
#include "support.hpp"

namespace thud {
namespace {

const Viscoelastic wall{1e6, 7.279e6};
const std::vector<DriveParameter> transmissions{DriveParameter::stiffness, DriveParameter::damping};
constexpr double touch = 3.013e-3;  // [s]

// A hit in one of the paper's configurations against a wall of its own. The drives that it is told are wrong by
// `wrong`, and those of its arm differ by `apart`: what a model gets wrong in one posture.
ArmHit hit_of(int configuration, double speed, double noise, std::uint64_t seed, double wrong = 1, double apart = 1) {
  Drives drives = arms::panda_drives();
  drives.stiffness *= apart;
  const ElasticArm truth = arms::panda_arm(configuration, drives);
  const Viscoelastic own{wall.stiffness * (1 + 0.03 * configuration), wall.damping * (1 - 0.02 * configuration)};
  const ElasticProfile profile = elastic_profile(truth, own, -speed);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(400, 0, 399 / 25e3);
  Eigen::VectorXd force(times.size());
  forces(profile, (times.array() - touch).matrix(), force);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(0, noise);
  for (double& each : force) each += normal(generator);
  Drives told = arms::panda_drives();
  told.stiffness *= wrong;
  told.damping /= wrong;
  ArmHit hit;
  hit.arm = arms::panda_arm(configuration, told);
  hit.contact = {.time = {times.begin(), times.end()}, .force = {force.begin(), force.end()}};
  hit.alone =
      elastic_fit(times, force, hit.arm, LawKind::viscoelastic, -speed, {.free = transmissions, .intervals = false});
  hit.group = configuration;
  return hit;
}

std::vector<ArmHit> hits_of(double noise, double wrong, const std::vector<double>& apart = {1, 1, 1}) {
  std::vector<ArmHit> hits;
  for (int configuration = 0; configuration < 3; ++configuration)
    for (const double speed : {0.08, 0.12})
      hits.push_back(hit_of(configuration, speed, noise, test::base_seed() + hits.size(), wrong,
                            apart[static_cast<std::size_t>(configuration)]));
  return hits;
}

TEST(ArmFit, FindsTheArmWhateverItIsTold) {
  for (const double wrong : {1.0, 2.5, 0.4}) {
    SCOPED_TRACE(wrong);
    const ArmFit fit = fit_arm(hits_of(0.25, wrong), {.free = transmissions});
    ASSERT_EQ(fit.status, FitStatus::converged) << fit.message;
    ASSERT_EQ(fit.factors.size(), 2u);
    EXPECT_EQ(fit.factors[0].name, "joints.stiffness");
    EXPECT_NEAR(fit.factors[0].value * wrong, 1, 1e-3);
    EXPECT_NEAR(fit.factors[1].value / wrong, 1, 0.02);
    EXPECT_TRUE(fit.factors[0].low <= 1 / wrong && 1 / wrong <= fit.factors[0].high);
    EXPECT_TRUE(fit.factors[1].low <= wrong && wrong <= fit.factors[1].high);
    EXPECT_NEAR(fit.drives.stiffness[0], 1e4, 10);
    for (std::size_t i = 0; i < fit.hits.size(); ++i) {  // each its own wall
      const double own = wall.stiffness * (1 + 0.03 * static_cast<double>(i / 2));
      EXPECT_NEAR(std::get<Viscoelastic>(fit.hits[i].result.law).stiffness / own, 1, 3e-3);
      EXPECT_TRUE(fit.hits[i].deepest_turn);
    }
  }
}

// The sum of squares at the minimum is below that at any other factors, each hit's own wall fitted: a second road.
TEST(ArmFit, IsTheMinimumOverAllHits) {
  const std::vector<ArmHit> hits = hits_of(0.25, 1);
  const ArmFit fit = fit_arm(hits, {.free = transmissions, .model_error = 0, .intervals = false});
  const auto sum = [&](double stiffness, double damping) {
    double total = 0;
    for (const ArmHit& hit : hits) {
      Drives drives = hit.arm.drives;
      drives.stiffness *= stiffness;
      drives.damping *= damping;
      const ElasticArm arm = elastic_arm(hit.arm.M, hit.arm.j, drives, hit.arm.holding);
      const auto n = static_cast<Eigen::Index>(hit.contact.time.size());
      const ElasticFit own = elastic_fit(Eigen::Map<const Eigen::VectorXd>(hit.contact.time.data(), n),
                                         Eigen::Map<const Eigen::VectorXd>(hit.contact.force.data(), n), arm,
                                         LawKind::viscoelastic, hit.alone.result.velocity, {.intervals = false});
      total += std::pow(own.result.rmse / hit.alone.result.rmse, 2) * static_cast<double>(n);
    }
    return total;
  };
  const double stiffness = fit.factors[0].value, damping = fit.factors[1].value, here = sum(stiffness, damping);
  for (const double other : {0.998, 1.002}) {
    EXPECT_GT(sum(other * stiffness, damping), here);
    EXPECT_GT(sum(stiffness, std::pow(other, 10) * damping), here);
  }
}

// Postures that disagree widen the interval, which then holds what each of them has.
TEST(ArmFit, IntervalsHoldHowFarTheGroupsDisagree) {
  const ElasticFitOptions options{.free = transmissions, .model_error = 0, .intervals = false};
  const auto width = [&](const std::vector<double>& apart) {
    const ArmFit fit = fit_arm(hits_of(0.1, 1, apart), options);
    EXPECT_EQ(fit.groups, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(fit.without.rows(), 3);
    return std::log(fit.factors[0].high / fit.factors[0].low);
  };
  const double agreeing = width({1, 1, 1}), disagreeing = width({0.98, 1, 1.02});
  EXPECT_LT(agreeing, 0.01);
  EXPECT_GT(disagreeing, 0.04);
  ArmFit stated = fit_arm(hits_of(0.1, 1), {.free = transmissions, .model_error = 0.005, .intervals = false});
  EXPECT_GT(std::log(stated.factors[0].high / stated.factors[0].low), 2 * agreeing);  // it does not average out
}

TEST(ArmFit, WithoutThreeGroupsThereIsNoInterval) {
  std::vector<ArmHit> hits = hits_of(0.25, 1);
  for (ArmHit& hit : hits) hit.group = 0;
  const ArmFit fit = fit_arm(hits, {.free = transmissions, .intervals = false});
  ASSERT_EQ(fit.status, FitStatus::converged);
  EXPECT_NEAR(fit.factors[0].value, 1, 1e-3);
  EXPECT_TRUE(std::isnan(fit.factors[0].low) && std::isnan(fit.factors[0].high));
  EXPECT_EQ(fit.without.size(), 0);
}

TEST(ArmFit, RefusesWhatCannotBeShared) {
  const std::vector<ArmHit> hits{hit_of(0, 0.1, 0.25, 1)};
  EXPECT_THROW(fit_arm({}, {.free = transmissions}), InputError);
  EXPECT_THROW(fit_arm(hits, {}), InputError);
  EXPECT_THROW(fit_arm(hits, {.free = {DriveParameter::servo}}), InputError);
  std::vector<ArmHit> mixed{hits[0], hits[0]};
  mixed[1].alone.result.kind = LawKind::spring;
  EXPECT_THROW(fit_arm(mixed, {.free = transmissions}), InputError);
  mixed[1] = hits[0];
  mixed[1].alone.result.status = FitStatus::no_convergence;
  EXPECT_THROW(fit_arm(mixed, {.free = transmissions}), InputError);
}

}  // namespace
}  // namespace thud
