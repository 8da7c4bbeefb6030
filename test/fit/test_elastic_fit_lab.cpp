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
Campaign campaign_without_alarm(int repeats) {
  Campaign campaign = default_campaign();
  campaign.repeats = repeats;
  campaign.sensor.range = 1e6;
  for (Configuration& configuration : campaign.configurations) configuration.threshold = 1e9;
  return campaign;
}

double error_of(const ElasticFit& fit, std::string_view name, double truth) {
  for (const FitParameter& each : fit.result.parameters)
    if (each.name == name) return each.value / truth - 1;
  return NAN;
}

bool holds(const ElasticFit& fit, std::string_view name, double truth) {
  return std::any_of(fit.result.parameters.begin(), fit.result.parameters.end(), [&](const FitParameter& each) {
    return each.name == name && each.low <= truth && truth <= each.high;
  });
}

TEST(ElasticFitLab, IntervalsAreCalibratedOnThePlant) {
  const Campaign campaign = campaign_without_alarm(2);
  const std::size_t trials = campaign.configurations.size() * campaign.speeds.size() * 2;
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  std::map<std::string, std::vector<double>> errors;
  std::map<std::string, int> covered;
  int fits = 0;
  for (std::size_t index = 0; index < trials; ++index) {
    const LabTrial trial = simulate_trial(campaign, index);
    const Truth& truth = trial.run.truth;
    const ElasticArm arm = elastic_arm(robot, campaign.point, truth.q, campaign.drives);
    const ElasticIdentification found =
        identify(trial.trial.force, arm, truth.velocity, {.free = {DriveParameter::stiffness, DriveParameter::damping}},
                 LawKind::viscoelastic, {.to = truth.touch_time - trial.trial.clock_offset + 12e-3});
    ASSERT_EQ(found.laws.size(), 1u) << trial.trial.name;
    const ElasticFit& fit = found.laws[0];
    std::cout << trial.trial.name << " " << to_string(fit.result.status) << " rmse " << fit.result.rmse;
    if (!fit.result.ok()) {
      std::cout << "\n";
      continue;
    }
    ++fits;
    const auto& law = std::get<Viscoelastic>(truth.law);
    for (const auto& [name, value] : {std::pair("stiffness", law.stiffness), std::pair("damping", law.damping),
                                      std::pair("joints.stiffness", 1.0), std::pair("joints.damping", 1.0)}) {
      const double error = error_of(fit, name, value);
      std::cout << ", " << name << " " << 100 * error << " %" << (holds(fit, name, value) ? "" : " *");
      errors[name].push_back(std::abs(error));
      covered[name] += holds(fit, name, value);
    }
    for (const FitParameter& each : fit.result.parameters) std::cout << " " << 50 * (each.high - each.low) / each.value;
    std::cout << "\n";
  }
  EXPECT_EQ(fits, static_cast<int>(trials));
  for (auto& [name, all] : errors) {
    std::sort(all.begin(), all.end());
    std::cout << name << ": median error " << 100 * all[all.size() / 2] << " %, largest " << 100 * all.back()
              << " %, intervals hold " << 100.0 * covered[name] / fits << " %\n";
  }
}

}  // namespace
}  // namespace thud
