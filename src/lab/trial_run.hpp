#pragma once

/// Private: one trial of the virtual lab, and its place in the plan.

#include <thud/campaign.hpp>
#include <thud/lab.hpp>

#include <cstddef>
#include <string>

namespace thud::lab {

/// Which trial of the plan: configurations, then speeds, then repeats.
struct Place {
  std::size_t configuration, speed;
  int repeat;  // from 1
};

std::size_t trials(const Campaign& campaign);
Place place(const Campaign& campaign, std::size_t index);

/// "one_0.08_03"
std::string name(const Campaign& campaign, const Place& at);

/// Runs a trial of a validated campaign, with the wall or without.
LabTrial run_trial(const Campaign& campaign, std::size_t index, bool wall_there);

}  // namespace thud::lab
