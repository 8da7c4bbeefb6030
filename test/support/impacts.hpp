#pragma once

#include <thud/contact.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

namespace support {

/// The seed of a random test: fixed, printed, and overridden by the environment variable THUD_SEED.
inline std::uint64_t seed() {
  const char* text = std::getenv("THUD_SEED");
  const std::uint64_t value = text ? std::strtoull(text, nullptr, 10) : 20220101;
  std::cout << "THUD_SEED=" << value << '\n';
  return value;
}

/// A number whose logarithm is uniform between those of low and high.
template <class Generator>
double log_uniform(Generator& generator, double low, double high) {
  return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(generator));
}

/// |value - expected| <= tolerance |expected|.
inline testing::AssertionResult agree(double value, double expected, double tolerance) {
  if (std::abs(value - expected) <= tolerance * std::abs(expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "value " << value << ", expected " << expected << ", relative difference "
                                     << value / expected - 1;
}

/// One impact of each law and regime: every property that holds for all laws is tested on each.
struct Impact {
  const char* name;
  thud::ContactLaw law;
  double mass, velocity;  // [kg], [m/s]
};

inline const Impact impacts[] = {
    {"spring", thud::Spring{3e5, 0.7}, 4, -0.12},
    {"spring, plastic", thud::Spring{3e5, 0}, 4, -0.12},
    {"spring, creating energy", thud::Spring{3e5, 1.3}, 4, -0.12},
    {"maxwell, weakly damped", thud::Maxwell{3e5, 5e4}, 4, -0.12},
    {"maxwell, nearly critical", thud::Maxwell{3e5, std::sqrt(3e5 * 4) / 2 / 0.9999999}, 4, -0.12},
    {"maxwell, overdamped", thud::Maxwell{3e5, 100}, 4, -0.12},
    {"viscoelastic, elastic", thud::Viscoelastic{3e5, 0}, 4, -0.12},
    {"viscoelastic, d = 1e-9", thud::Viscoelastic{1e3, 1e-6}, 1, -1},
    {"viscoelastic, d = 1", thud::Viscoelastic{3e5, 2.5e6}, 4, -0.12},
    {"viscoelastic, d = 10", thud::Viscoelastic{3e5, 2.5e7}, 4, -0.12},
    {"viscoelastic, d = 1e4", thud::Viscoelastic{3e5, 2.5e10}, 4, -0.12},
    {"hunt_crossley, Hertz", thud::HuntCrossley{1e8, 0, 1.5}, 4, -0.12},
    {"hunt_crossley, n = 1.5", thud::HuntCrossley{1e8, 2e9, 1.5}, 4, -0.12},
    {"hunt_crossley, n = 0.6", thud::HuntCrossley{1e4, 1e6, 0.6}, 4, -0.12},
    {"hunt_crossley, n = 3", thud::HuntCrossley{1e12, 1e14, 3}, 4, -0.12},
};

/// Laws of whose impact, at 4 kg and 0.12 m/s, a sensor's record tells every parameter: one or more of each. What holds
/// for all fits is tested on each, and so is the wall of the virtual lab.
inline const thud::ContactLaw recorded[] = {
    thud::Spring{3e5, 0.7},         thud::Spring{3e5, 1.3},         thud::Maxwell{3e5, 1500},
    thud::Viscoelastic{3e5, 2.5e6}, thud::Viscoelastic{3e5, 7.5e6}, thud::HuntCrossley{2e7, 5e8, 1.5},
};

}  // namespace support
