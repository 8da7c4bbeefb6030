#pragma once

/// Sines and cosines of a double or of a pack. Private to the library.

#include "kernel/algebra.hpp"

#ifndef __CUDACC__
#include "kernel/simd.hpp"
#endif

namespace thud::kernel {
namespace {

// The bits of a number as an integer, and the number of the same kind as `like` that has these bits.
THUD_INLINE long long bits_of(double x) {
  return __builtin_bit_cast(long long, x);
}
THUD_INLINE double from_bits(long long bits, double /*like*/) {
  return __builtin_bit_cast(double, bits);
}
#ifndef __CUDACC__
template <class Real>
THUD_INLINE auto bits_of(const Real& x) {
  return (typename PackOf<sizeof(Real) / sizeof(double)>::Bits) x;
}
template <class Bits, class Real>
THUD_INLINE Real from_bits(const Bits& bits, const Real& /*like*/) {
  return (Real)bits;
}
#endif

// Sines and cosines, to 2 units in the last place up to 300 rad and to 4 up to the largest angle. A multiple of pi/2 is
// subtracted in three parts whose products are exact (Cody and Waite); then minimax polynomials (Remez) up to pi/4,
// with a relative error of 2^-58 for the sine and 2^-63 for the cosine.
constexpr double largest_angle = 1e5;
template <class Real>
THUD_INLINE void sine_cosine(const Real& x, Real& sine, Real& cosine) {
  constexpr double half_pi_1 = 0x1.921fb544p0, half_pi_2 = 0x0.42d18469p-32, half_pi_3 = 0x0.898cc51701b839a2p-64;
  constexpr double two_over_pi = 0.63661977236758134308;
  constexpr double rounding_shift = 0x1.8p52;  // leaves the nearest integer in the low bits
  const Real shifted = x * two_over_pi + rounding_shift, k = shifted - rounding_shift;
  const Real r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3, z = r * r;
  constexpr double s3 = 0x1.5555555555549p-3, s5 = 0x1.111111110f881p-7, s7 = 0x1.a01a019c126bfp-13;
  constexpr double s9 = 0x1.71de3578752c8p-19, s11 = 0x1.ae5e66d58573ap-26, s13 = 0x1.5d932f781b6dap-33;
  constexpr double c4 = 0x1.555555555554bp-5, c6 = 0x1.6c16c16c14f91p-10, c8 = 0x1.a01a019c844f4p-16;
  constexpr double c10 = 0x1.27e4f7eac4b44p-22, c12 = 0x1.1ee9d7b4ded12p-29, c14 = 0x1.8fa49a05e727cp-37;
  const Real s = r - r * z * (s3 - z * (s5 - z * (s7 - z * (s9 - z * (s11 - z * s13)))));
  const Real c = 1 - z * (0.5 - z * (c4 - z * (c6 - z * (c8 - z * (c10 - z * (c12 - z * c14))))));
  const auto quadrant = bits_of(shifted), odd = quadrant << 63;
  sine = from_bits(bits_of(odd < 0 ? c : s) ^ ((quadrant & 2) << 62), s);
  cosine = from_bits(bits_of(odd < 0 ? s : c) ^ (((quadrant + 1) & 2) << 62), s);
}

}  // namespace
}  // namespace thud::kernel
