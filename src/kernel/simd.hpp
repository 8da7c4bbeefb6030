#pragma once

/// Packs: several doubles in one SIMD register, by the vector extension of GCC and Clang. Everything has internal
/// linkage, because each file that includes this may be compiled for a different processor. Private to the library.

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

// Four doubles: one pack, or two where packs hold only two.
template <int width>
struct Vector4 {
  PackOf<4>::Real all;

  static Vector4 load(const double* from) { return {kernel::load<4>(from)}; }
  void store(double* to) const { kernel::store<4>(all, to); }
  Vector4 operator+(const Vector4& other) const { return {all + other.all}; }
  Vector4 operator*(double factor) const { return {all * factor}; }
};
template <>
struct Vector4<2> {
  PackOf<2>::Real low, high;

  static Vector4 load(const double* from) { return {kernel::load<2>(from), kernel::load<2>(from + 2)}; }
  void store(double* to) const {
    kernel::store<2>(low, to);
    kernel::store<2>(high, to + 2);
  }
  Vector4 operator+(const Vector4& other) const { return {low + other.low, high + other.high}; }
  Vector4 operator*(double factor) const { return {low * factor, high * factor}; }
};

}  // namespace
}  // namespace thud::kernel
