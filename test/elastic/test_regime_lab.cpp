// Which matrix is near the truth, before the hit: the rule of regime.hpp against MuJoCo's plant with random drives and
// walls. THUD_PLANTS=400 takes as many; docs/models.md has the outcome.

#include <thud/campaign.hpp>
#include <thud/impulse.hpp>
#include <thud/lab.hpp>
#include <thud/regime.hpp>
#include <thud/urdf.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "campaigns.hpp"
#include "support.hpp"

namespace thud {
namespace {

constexpr std::array models{InertiaModel::generalized_momentum, InertiaModel::composite_rigid_body,
                            InertiaModel::algebraic};

int plants() {
  const char* wanted = std::getenv("THUD_PLANTS");
  return wanted ? std::atoi(wanted) : 24;
}

TEST(RegimeLab, TheRuleAndTheArmFindTheNearestMatrix) {
  Campaign campaign = campaigns::without_alarm(campaigns::quiet());
  const Campaign usual = campaign;
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  test::Random random(test::base_seed());
  const auto log = [&](double low, double high) {
    return std::exp(test::uniform(random, std::log(low), std::log(high)));
  };
  int hits = 0, by_rule = 0, by_arm = 0;
  std::array<int, 3> chosen{}, right{};
  for (int plant = 0; plant < plants(); ++plant) {
    campaign = usual;
    campaign.drives.stiffness.setConstant(log(2e3, 3e4));
    campaign.drives.damping.setConstant(log(0.3, 30));
    campaign.drives.rotor_inertia *= log(0.3, 3);
    campaign.drives.servo_stiffness *= log(0.2, 2.5);
    const double k = log(1e5, 1e7);
    campaign.law = Viscoelastic{k, log(0.3, 3) * k / 0.12};
    const auto index = static_cast<std::size_t>(test::uniform(random, 0, 14.99));
    const Truth truth = simulate_trial(campaign, index).run.truth;
    if (!std::isfinite(truth.impulse_compression)) continue;
    const ElasticArm arm = elastic_arm(robot, campaign.point, truth.q, campaign.drives);
    const auto found = regime(arm, elastic_profile(arm, truth.law, truth.velocity, {.horizon = 0.1}));
    if (!found) continue;
    const Prediction prediction = predict(contact_dynamics(robot, campaign.point, truth.q), truth.dq);
    const auto nearest = [&](double mass) {
      std::size_t best = 0;
      const auto off = [&](std::size_t i) {
        return std::abs(prediction[models[i]].inertia.effective_mass() / mass - 1);
      };
      for (std::size_t i = 1; i < models.size(); ++i)
        if (off(i) < off(best)) best = i;
      return models[best];
    };
    const InertiaModel truly = nearest(truth.impulse_compression / -truth.velocity);
    ++hits;
    by_rule += found->by_rule == truly;
    by_arm += nearest(found->effective_mass) == truly;
    for (std::size_t i = 0; i < models.size(); ++i) {
      chosen[i] += found->by_rule == models[i];
      right[i] += found->by_rule == models[i] && truly == models[i];
    }
  }
  std::cout << hits << " hits: the rule is right in " << 100.0 * by_rule / hits << " %, the arm itself in "
            << 100.0 * by_arm / hits << " %\n";
  for (std::size_t i = 0; i < models.size(); ++i)
    std::cout << "  " << to_string(models[i]) << ": chosen " << chosen[i] << ", right " << right[i] << "\n";
  EXPECT_GT(hits, plants() / 2);
  EXPECT_GE(by_rule, 0.6 * hits);
  EXPECT_GE(by_arm, 0.85 * hits);
}

}  // namespace
}  // namespace thud
