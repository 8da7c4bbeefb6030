// Limits against MuJoCo's plant, which shares no code with them.

#include <thud/campaign.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/lab.hpp>
#include <thud/limit.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include <gtest/gtest.h>

#include "campaigns.hpp"
#include "support.hpp"

namespace thud {
namespace {

// The arm touches late where it approaches more slowly than it was told.
Campaign quiet_campaign(double speed) {
  Campaign campaign = campaigns::quiet();
  campaign.speeds = {speed};
  return campaign;
}

// The largest of a log over its limits, from the touch on.
double share(const MatrixX& log, const VectorX& time, double from, const VectorX& limits) {
  double largest = 0;
  for (Eigen::Index row = 0; row < log.rows(); ++row)
    if (time[row] >= from)
      largest = std::max(largest, (log.row(row).transpose().cwiseAbs().array() / limits.array()).maxCoeff());
  return largest;
}

TEST(LimitLab, TheElasticArmsTorquePeaksAreThoseOfThePlant) {
  const Campaign campaign = campaigns::without_alarm(quiet_campaign(0.12));
  for (std::size_t index = 0; index < campaign.configurations.size(); ++index) {
    const LabTrial trial = simulate_trial(campaign, index);
    SCOPED_TRACE(trial.trial.name);
    const Truth& truth = trial.run.truth;
    const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
    const ElasticArm arm = elastic_arm(robot, campaign.point, truth.q, campaign.drives);
    const double span = 0.02;
    const ElasticProfile profile = elastic_profile(arm, truth.law, truth.velocity, {.horizon = span});
    ASSERT_FALSE(profile.end_of_contact && profile.end < 0.01);
    const VectorX predicted = largest_torques(profile, arm.holding);
    const JointLog& joints = trial.trial.joints;
    VectorX largest = VectorX::Zero(7);
    for (Eigen::Index row = 0; row < joints.time.size(); ++row) {
      const double since = joints.time[row] - truth.touch_time;
      if (since >= 0 && since <= profile.end) largest = largest.cwiseMax(joints.torque.row(row).transpose().cwiseAbs());
    }
    for (Eigen::Index i : {1, 3, 5}) {  // those that the hit loads
      std::cout << trial.trial.name << " joint " << i + 1 << ": " << predicted[i] << " predicted, " << largest[i]
                << " N m\n";
      EXPECT_NEAR(predicted[i] / largest[i], 1, 0.03) << i;  // the log has a sample a millisecond
    }
  }
}

TEST(LimitLab, AControllerThatKeepsTheRowsKeepsTheLimits) {
  const Robot robot = load_robot("panda");
  const Limits limits = robot_limits(robot);
  Campaign plain = quiet_campaign(0.3);
  plain.control.cruise = 0.05;
  plain.control.after = 1.5;
  Campaign kept = plain;
  kept.control.impact_contact_time = 8e-3;
  kept.control.impact_restitution = 0.6;
  for (std::size_t index = 0; index < plain.configurations.size(); ++index) {
    const LabTrial fast = simulate_trial(plain, index), slow = simulate_trial(kept, index);
    SCOPED_TRACE(slow.trial.name);
    ASSERT_TRUE(std::isfinite(slow.run.truth.touch_time));
    const auto shares = [&](const LabTrial& trial) {
      const JointLog& joints = trial.trial.joints;
      const double touch = trial.run.truth.touch_time;
      return std::pair{share(joints.torque, joints.time, touch, limits.torque),
                       share(joints.velocity, joints.time, touch, limits.speed)};
    };
    std::cout << slow.trial.name << ": " << -fast.run.truth.velocity << " m/s, torque " << 100 * shares(fast).first
              << " %, speed " << 100 * shares(fast).second << " % of the limits; with rows " << -slow.run.truth.velocity
              << " m/s, " << 100 * shares(slow).first << " %, " << 100 * shares(slow).second << " %\n";
    EXPECT_GT(shares(fast).first, 1);
    EXPECT_LE(shares(slow).first, 1);
    EXPECT_LE(shares(slow).second, 1);
    EXPECT_GT(-slow.run.truth.velocity, 0.02);  // it does hit
  }
}

}  // namespace
}  // namespace thud
