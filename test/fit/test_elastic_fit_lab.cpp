// The arm identified from records of the virtual lab, whose plant shares no code with the model.

#include <thud/campaign.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/lab.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

// The default campaign without an alarm: nothing pulls the arm back. Noise and variation are as they are.
Campaign campaign_without_alarm() {
  Campaign campaign = default_campaign();
  campaign.repeats = 1;
  campaign.sensor.range = 1e6;
  for (Configuration& configuration : campaign.configurations) configuration.threshold = 1e9;
  return campaign;
}

const FitParameter& parameter(const ElasticFit& fit, std::string_view name) {
  return *std::find_if(fit.result.parameters.begin(), fit.result.parameters.end(),
                       [&](const FitParameter& each) { return each.name == name; });
}

bool holds(const FitParameter& parameter, double truth) {
  return parameter.low <= truth && truth <= parameter.high;
}

// The same intervals without an error of the model hold far fewer: what the model gets wrong is more than noise, and
// noise is all that the residual shows.
TEST(ElasticFitLab, IntervalsAreCalibratedOnThePlant) {
  const Campaign campaign = campaign_without_alarm();
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  const std::size_t trials = campaign.configurations.size() * campaign.speeds.size();
  std::map<std::string, std::vector<double>> errors;
  std::map<std::string, int> covered, by_noise;
  for (std::size_t index = 0; index < trials; ++index) {
    const LabTrial trial = simulate_trial(campaign, index);
    const Truth& truth = trial.run.truth;
    const ElasticArm arm = elastic_arm(robot, campaign.point, truth.q, campaign.drives);
    const auto fitted = [&](const ElasticFitOptions& options) {
      const ElasticIdentification found =
          identify(trial.trial.force, arm, truth.velocity, options, LawKind::viscoelastic,
                   {.to = truth.touch_time - trial.trial.clock_offset + 12e-3});
      return found.laws.at(0);
    };
    const std::vector<DriveParameter> free{DriveParameter::stiffness, DriveParameter::damping};
    const ElasticFit fit = fitted({.free = free}), statistical = fitted({.free = free, .model_error = 0});
    ASSERT_TRUE(fit.result.ok()) << trial.trial.name << ": " << fit.result.message;
    EXPECT_TRUE(fit.not_identifiable.empty()) << trial.trial.name;
    const auto& law = std::get<Viscoelastic>(truth.law);
    for (const auto& [name, value] : {std::pair("stiffness", law.stiffness), std::pair("damping", law.damping),
                                      std::pair("joints.stiffness", 1.0), std::pair("joints.damping", 1.0)}) {
      errors[name].push_back(std::abs(parameter(fit, name).value / value - 1));
      covered[name] += holds(parameter(fit, name), value);
      by_noise[name] += holds(parameter(statistical, name), value);
    }
  }
  int all = 0;
  for (auto& [name, each] : errors) {
    std::sort(each.begin(), each.end());
    all += covered[name];
    const auto percent = [&](int count) { return 100.0 * count / static_cast<double>(trials); };
    std::cout << name << ": median error " << 100 * each[trials / 2] << " %, largest " << 100 * each.back()
              << " %; intervals hold " << percent(covered[name]) << " %, without an error of the model "
              << percent(by_noise[name]) << " %\n";
    EXPECT_GE(percent(covered[name]), 80) << name;
  }
  EXPECT_GE(all, 0.9 * 4 * static_cast<double>(trials));
  EXPECT_LT(errors["stiffness"][trials / 2], 0.01);
  EXPECT_LT(errors["damping"][trials / 2], 0.03);
  EXPECT_LT(errors["joints.stiffness"][trials / 2], 0.01);
  EXPECT_LT(errors["joints.damping"][trials / 2], 0.05);
}

}  // namespace
}  // namespace thud
