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

// pi/2 in three parts whose products with an integer are exact (Cody and Waite), and minimax polynomials (Remez) up to
// pi/4, with a relative error of 2^-58 for the sine and 2^-63 for the cosine.
struct SineCoefficients {
  double two_over_pi, half_pi[3];
  double s3, s5, s7, s9, s11, s13, c4, c6, c8, c10, c12, c14;
};
constexpr SineCoefficients sine_coefficients{
    0.63661977236758134308, {0x1.921fb544p0, 0x0.42d18469p-32, 0x0.898cc51701b839a2p-64},
    0x1.5555555555549p-3,   0x1.111111110f881p-7,
    0x1.a01a019c126bfp-13,  0x1.71de3578752c8p-19,
    0x1.ae5e66d58573ap-26,  0x1.5d932f781b6dap-33,
    0x1.555555555554bp-5,   0x1.6c16c16c14f91p-10,
    0x1.a01a019c844f4p-16,  0x1.27e4f7eac4b44p-22,
    0x1.1ee9d7b4ded12p-29,  0x1.8fa49a05e727cp-37,
};
#ifdef __CUDACC__
// Arithmetic of a GPU reads them here at no cost; a literal is two instructions.
__constant__ SineCoefficients sine_coefficients_there = sine_coefficients;
#endif

// Sines and cosines, to 2 units in the last place up to 300 rad and to 4 up to the largest angle.
constexpr double largest_angle = 1e5;
template <class Real>
THUD_INLINE void sine_cosine(const Real& x, Real& sine, Real& cosine) {
#ifdef __CUDA_ARCH__
  const SineCoefficients& k = sine_coefficients_there;
#else
  constexpr SineCoefficients k = sine_coefficients;
#endif
  constexpr double rounding_shift = 0x1.8p52;  // leaves the nearest integer in the low bits
  const Real shifted = x * k.two_over_pi + rounding_shift, turns = shifted - rounding_shift;
  const Real r = ((x - turns * k.half_pi[0]) - turns * k.half_pi[1]) - turns * k.half_pi[2], z = r * r;
  const Real s = r - r * z * (k.s3 - z * (k.s5 - z * (k.s7 - z * (k.s9 - z * (k.s11 - z * k.s13)))));
  const Real c = 1 - z * (0.5 - z * (k.c4 - z * (k.c6 - z * (k.c8 - z * (k.c10 - z * (k.c12 - z * k.c14))))));
  const auto quadrant = bits_of(shifted), odd = quadrant << 63;
  sine = from_bits(bits_of(odd < 0 ? c : s) ^ ((quadrant & 2) << 62), s);
  cosine = from_bits(bits_of(odd < 0 ? s : c) ^ (((quadrant + 1) & 2) << 62), s);
}

}  // namespace
}  // namespace thud::kernel
