#pragma once

/// Packs: numbers side by side in one register, as vectors of the compiler (GCC and Clang). All of it is internal to
/// the file that includes it, which may be compiled for another processor. Private to the library.

namespace thud::kernel {
namespace {

template <int width>
struct PackOf {
  using Real [[gnu::vector_size(8 * width)]] = double;
  using Bits [[gnu::vector_size(8 * width)]] = long long;
};

template <int width>
typename PackOf<width>::Real load(const double* from) {
  typename PackOf<width>::Real pack;
  __builtin_memcpy(&pack, from, sizeof pack);
  return pack;
}

template <int width>
void store(const typename PackOf<width>::Real& pack, double* to) {
  __builtin_memcpy(to, &pack, sizeof pack);
}

// Four numbers: one pack, or two where packs are shorter.
template <int width>
struct Four {
  PackOf<4>::Real all;

  static Four load(const double* from) { return {kernel::load<4>(from)}; }
  void store(double* to) const { kernel::store<4>(all, to); }
  Four operator+(const Four& other) const { return {all + other.all}; }
  Four operator*(double factor) const { return {all * factor}; }
};
template <>
struct Four<2> {
  PackOf<2>::Real low, high;

  static Four load(const double* from) { return {kernel::load<2>(from), kernel::load<2>(from + 2)}; }
  void store(double* to) const {
    kernel::store<2>(low, to);
    kernel::store<2>(high, to + 2);
  }
  Four operator+(const Four& other) const { return {low + other.low, high + other.high}; }
  Four operator*(double factor) const { return {low * factor, high * factor}; }
};

// Sines and cosines, to 2 units of the last place up to 300 rad and to 4 up to the largest angle: less a multiple of a
// quarter turn, which stands in three parts so that its products are exact (Cody and Waite), then polynomials with the
// least largest relative error over an eighth of a turn (Remez): 2^-58 for the sine, 2^-63 for the cosine.
constexpr double largest_angle = 1e5;
template <class Real>
[[gnu::always_inline]] inline void sine_cosine(const Real& x, Real& sine, Real& cosine) {
  using Bits = typename PackOf<sizeof(Real) / sizeof(double)>::Bits;
  constexpr double quarter1 = 0x1.921fb544p0, quarter2 = 0x0.42d18469p-32, quarter3 = 0x0.898cc51701b839a2p-64;
  constexpr double per_quarter = 0.63661977236758134308;
  constexpr double rounder = 0x1.8p52;  // leaves the nearest integer in the low bits
  const Real shifted = x * per_quarter + rounder, k = shifted - rounder;
  const Real r = ((x - k * quarter1) - k * quarter2) - k * quarter3, z = r * r;
  constexpr double s3 = 0x1.5555555555549p-3, s5 = 0x1.111111110f881p-7, s7 = 0x1.a01a019c126bfp-13;
  constexpr double s9 = 0x1.71de3578752c8p-19, s11 = 0x1.ae5e66d58573ap-26, s13 = 0x1.5d932f781b6dap-33;
  constexpr double c4 = 0x1.555555555554bp-5, c6 = 0x1.6c16c16c14f91p-10, c8 = 0x1.a01a019c844f4p-16;
  constexpr double c10 = 0x1.27e4f7eac4b44p-22, c12 = 0x1.1ee9d7b4ded12p-29, c14 = 0x1.8fa49a05e727cp-37;
  const Real s = r - r * z * (s3 - z * (s5 - z * (s7 - z * (s9 - z * (s11 - z * s13)))));
  const Real c = 1 - z * (0.5 - z * (c4 - z * (c6 - z * (c8 - z * (c10 - z * (c12 - z * c14))))));
  const Bits quadrant = (Bits)shifted, odd = quadrant << 63;
  sine = (Real)((Bits)(odd < 0 ? c : s) ^ ((quadrant & 2) << 62));
  cosine = (Real)((Bits)(odd < 0 ? s : c) ^ (((quadrant + 1) & 2) << 62));
}

}  // namespace
}  // namespace thud::kernel
