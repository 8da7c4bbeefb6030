#pragma once

/// Private: one trial of the virtual lab, and its index in the plan.

#include <thud/campaign.hpp>
#include <thud/lab.hpp>

#include <cstddef>
#include <string>

namespace thud::lab {

/// Index of a trial in the plan: configurations, then the masses of boxes and the places where they are hit, then
/// speeds, then repeats.
struct PlanIndex {
  std::size_t configuration, mass, offset, speed;
  int repeat;  // from 1
};

std::size_t trial_count(const Campaign& campaign);
PlanIndex plan_index(const Campaign& campaign, std::size_t index);

/// "one_0.08_03", or "one_m0.4_o0.03_0.08_03" for a box of 0.4 kg hit 30 mm beside the middle.
std::string trial_name(const Campaign& campaign, const PlanIndex& at);

/// Whether there is a wall.
enum class WallPresence { present, absent };

/// Runs a trial of a validated campaign, whose robot has been parsed.
LabTrial run_trial(const Campaign& campaign, const Robot& robot, std::size_t index, WallPresence wall);

}  // namespace thud::lab
