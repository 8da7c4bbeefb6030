#include "lab/sensor.hpp"

#include <cmath>

#include "foundation/splitmix.hpp"

namespace thud::lab {
namespace {

// Decorrelates generators with neighbouring seeds and streams.
std::uint64_t spread_bits(std::uint64_t value) noexcept {
  return foundation::splitmix(value + foundation::splitmix_step);
}

}  // namespace

Draw::Draw(std::uint64_t seed, std::uint64_t stream) : bits_(spread_bits(spread_bits(seed) + stream)) {}

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
