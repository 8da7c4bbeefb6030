#pragma once

/// Three-vectors and symmetric 3 x 3 matrices, templated on the scalar: a double, or a pack of doubles (simd.hpp).
/// Nothing here depends on which, so another backend can instantiate the same source. Everything has internal linkage,
/// because each file that includes this may be compiled for a different processor. Private to the library.

// CUDA compiles the same text for a thread of a GPU. There every stage is part of one function and every loop over a
// fixed number of joints is unrolled, so that the numbers of a posture stay in registers; processors are faster with
// rolled loops, but for those marked THUD_UNROLL. (Clang unrolls these without being told.)
#ifdef __CUDACC__
#define THUD_BOTH __host__ __device__
#define THUD_INLINE __host__ __device__ __forceinline__
#define THUD_STAGE __host__ __device__ __forceinline__
#define THUD_UNROLL _Pragma("unroll")
#define THUD_GPU_UNROLL _Pragma("unroll")
#define THUD_GPU_UNROLL_2 _Pragma("unroll 2")
#define THUD_GPU_UNROLL_4 _Pragma("unroll 4")
#else
#define THUD_BOTH
#define THUD_INLINE [[gnu::always_inline]] inline
#define THUD_STAGE [[gnu::noinline]]
#ifdef __clang__
#define THUD_UNROLL
#else
#define THUD_UNROLL _Pragma("GCC unroll 8")
#endif
#define THUD_GPU_UNROLL
#define THUD_GPU_UNROLL_2
#define THUD_GPU_UNROLL_4
#endif

// What follows in a block is jumped over, not computed each time and then selected.
#ifdef __CUDA_ARCH__
#define THUD_BRANCH asm volatile("")
#else
#define THUD_BRANCH
#endif

namespace thud::kernel {
namespace {

// Copied member by member: as one block, GCC would move packs through general-purpose registers.
template <class Real>
struct V3 {
  Real x, y, z;

  V3() = default;
  THUD_BOTH V3(const Real& x_, const Real& y_, const Real& z_) : x(x_), y(y_), z(z_) {}
  THUD_BOTH V3(const V3& other) : x(other.x), y(other.y), z(other.z) {}
  THUD_BOTH V3& operator=(const V3& other) {
    x = other.x, y = other.y, z = other.z;
    return *this;
  }
};

template <class A, class B>
THUD_BOTH auto operator+(const V3<A>& a, const V3<B>& b) {
  return V3<decltype(a.x + b.x)>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
THUD_BOTH auto operator-(const V3<A>& a, const V3<B>& b) {
  return V3<decltype(a.x - b.x)>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A, class B>
THUD_BOTH auto operator*(const V3<A>& a, const B& b) {
  return V3<decltype(a.x * b)>{a.x * b, a.y * b, a.z * b};
}
template <class A, class B>
THUD_BOTH auto dot(const V3<A>& a, const V3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
THUD_BOTH auto cross(const V3<A>& a, const V3<B>& b) {
  return V3<decltype(a.x * b.x)>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Real>
THUD_BOTH V3<Real> broadcast(const V3<double>& v) {
  return {Real{} + v.x, Real{} + v.y, Real{} + v.z};
}

template <class Real>
struct S3 {
  Real xx, yy, zz, xy, xz, yz;

  S3() = default;
  THUD_BOTH S3(const Real& xx_, const Real& yy_, const Real& zz_, const Real& xy_, const Real& xz_, const Real& yz_)
      : xx(xx_), yy(yy_), zz(zz_), xy(xy_), xz(xz_), yz(yz_) {}
  THUD_BOTH S3(const S3& other) : S3(other.xx, other.yy, other.zz, other.xy, other.xz, other.yz) {}
  THUD_BOTH S3& operator=(const S3& other) {
    xx = other.xx, yy = other.yy, zz = other.zz;
    xy = other.xy, xz = other.xz, yz = other.yz;
    return *this;
  }
};

template <class Real>
THUD_BOTH S3<Real> operator+(const S3<Real>& a, const S3<Real>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class Real>
THUD_BOTH V3<Real> operator*(const S3<Real>& a, const V3<Real>& b) {
  return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
          a.xz * b.x + a.yz * b.y + a.zz * b.z};
}
template <class Real>
THUD_BOTH Real trace(const S3<Real>& a) {
  return a.xx + a.yy + a.zz;
}

// A += v v^T factor
template <class Real>
THUD_BOTH void add_square(S3<Real>& A, const V3<Real>& v, const Real& factor) {
  const V3<Real> d = v * factor;
  A = A + S3<Real>{d.x * v.x, d.y * v.y, d.z * v.z, d.x * v.y, d.x * v.z, d.y * v.z};
}

// m [ |r|^2 1 - r r^T ]
template <class Real, class Mass>
THUD_BOTH S3<Real> parallel_axis(const Mass& mass, const V3<Real>& r) {
  const V3<Real> h = r * mass;
  const Real xx = h.x * r.x, yy = h.y * r.y, zz = h.z * r.z;
  return {yy + zz, xx + zz, xx + yy, -h.x * r.y, -h.x * r.z, -h.y * r.z};
}

}  // namespace
}  // namespace thud::kernel
