#pragma once

/// Private: the sensors of the virtual lab.

#include <thud/campaign.hpp>
#include <thud/conventions.hpp>

#include <cstdint>
#include <random>

namespace thud::lab {

/// Random numbers that are reproducible across platforms, unlike the standard library's normal distribution.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t stream);
  double uniform();  // in (0, 1)
  double normal();   // mean 0, deviation 1

 private:
  std::mt19937_64 bits_;
};

/// Second-order Butterworth low-pass, by the bilinear transform with prewarped corner frequency.
class LowPass {
 public:
  LowPass(double bandwidth, double step);
  double operator()(double input) noexcept;

 private:
  double b_, a1_, a2_;  // y = b (u + 2 u' + u'') - a1 y' - a2 y''
  double u1_ = 0, u2_ = 0, y1_ = 0, y2_ = 0;
};

/// The nearest multiple of the resolution; the value itself for resolution 0.
double quantized(double value, double resolution) noexcept;

}  // namespace thud::lab
