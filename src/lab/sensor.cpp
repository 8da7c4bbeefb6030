#include "lab/sensor.hpp"

#include <cmath>

namespace thud::lab {
namespace {

// Decorrelates generators with neighbouring seeds and streams: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t splitmix64(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

}  // namespace

Draw::Draw(std::uint64_t seed, std::uint64_t stream) : bits_(splitmix64(splitmix64(seed) + stream)) {}

double Draw::uniform() {
  return (static_cast<double>(bits_() >> 11U) + 0.5) * 0x1p-53;
}

// Box-Muller transform, one of its two values.
double Draw::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * M_PI * uniform());
}

LowPass::LowPass(double bandwidth, double step) {
  const double c = 1 / std::tan(M_PI * bandwidth * step);
  b_ = 1 / (1 + M_SQRT2 * c + c * c);
  a1_ = 2 * b_ * (1 - c * c);
  a2_ = b_ * (1 - M_SQRT2 * c + c * c);
}

double LowPass::operator()(double input) noexcept {
  const double y = b_ * (input + 2 * u1_ + u2_) - a1_ * y1_ - a2_ * y2_;
  u2_ = u1_;
  u1_ = input;
  y2_ = y1_;
  y1_ = y;
  return y;
}

double quantized(double value, double resolution) noexcept {
  return resolution > 0 ? resolution * std::round(value / resolution) : value;
}

}  // namespace thud::lab
