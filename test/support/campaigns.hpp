#pragma once

// Campaigns of the virtual lab for tests.

#include <thud/campaign.hpp>

namespace thud::campaigns {

// The default campaign once, without noise or variation from trial to trial.
inline Campaign quiet() {
  Campaign campaign = default_campaign();
  campaign.repeats = 1;
  campaign.variation = {.wall = 0, .posture = 0, .law = 0, .baseline = 0, .clock_offset = 0};
  Sensor& sensor = campaign.sensor;
  sensor.noise = sensor.resolution = sensor.torque_noise = sensor.torque_resolution = 0;
  sensor.encoder_resolution = sensor.velocity_noise = 0;
  sensor.range = 1e6;
  return campaign;
}

// One in which the controller never pulls back.
inline Campaign without_alarm(Campaign campaign) {
  for (Configuration& configuration : campaign.configurations) configuration.threshold = 1e9;
  return campaign;
}

}  // namespace thud::campaigns
