#pragma once

/// The four inverse inertia models from the results of the passes or of a walk, for a scalar or for packs. Private to
/// the library.

#include "kernel/kernel.hpp"
#include "kernel/mechanics.hpp"

namespace thud::kernel {
namespace {

// Logical and of two comparisons, of scalars or of packs.
template <class Mask>
THUD_BOTH Mask mask_and(Mask a, Mask b) {
  return static_cast<Mask>(a & b);
}

template <class Real>
THUD_BOTH Real larger(const Real& a, const Real& b) {
  return a > b ? a : b;
}

template <class Real>
THUD_BOTH Real largest_diagonal(const S3<Real>& A) {
  return larger(A.xx, larger(A.yy, A.zz));
}

template <class Real, class Mask>
struct Inverse {
  S3<Real> matrix;
  Mask positive;
};

// Whether a symmetric matrix is positive definite: whether its three invariants are positive. Their ratios approximate
// the eigenvalues; each is compared with `size`, the largest diagonal entry of a matrix of the same kind, because its
// own may be nothing but rounding. `minors` is the sum of the principal ones.
template <class Real>
THUD_INLINE auto is_positive(const Real& trace, const Real& minors, const Real& determinant, const Real& limit) {
  return mask_and(mask_and(trace > limit, minors > limit * trace), determinant > limit * minors);
}

// Inverse by cofactors, whose products lose the condition of the matrix, and once more where two eigenvalues are small.
// No two moments of inertia are: each is at most the sum of the other two.
template <class Real>
THUD_INLINE auto inverse_inertia(const S3<Real>& I, double rounding) {
  const S3<Real> C{I.yy * I.zz - I.yz * I.yz, I.xx * I.zz - I.xz * I.xz, I.xx * I.yy - I.xy * I.xy,
                   I.xz * I.yz - I.xy * I.zz, I.xy * I.yz - I.xz * I.yy, I.xy * I.xz - I.xx * I.yz};
  const Real determinant = I.xx * C.xx + I.xy * C.xy + I.xz * C.xz, d = 1 / determinant;
  const auto positive = is_positive(trace(I), trace(C), determinant, largest_diagonal(I) * rounding);
  return Inverse<Real, decltype(d > d)>{{C.xx * d, C.yy * d, C.zz * d, C.xy * d, C.xz * d, C.yz * d}, positive};
}

// A symmetric matrix of any kind as L D L^T, L with ones on its diagonal.
template <class Real, class Mask>
struct Factors {
  Real yx, zx, zy;  // of L
  V3<Real> inverse_pivots;
  Real minors, determinant;
  Mask positive;

  // L^-1 (x, y, z), of numbers or of vectors.
  template <class Any>
  THUD_INLINE void solve(const Any& x, Any& y, Any& z) const {
    y = y - x * yx;
    z = z - x * zx - y * zy;
  }
};
template <class Real>
THUD_INLINE auto factors(const S3<Real>& A, const Real& size, double rounding) {
  const Real a = 1 / A.xx, yx = A.xy * a, zx = A.xz * a;
  const Real y = A.yy - yx * A.xy, yz = A.yz - yx * A.xz, b = 1 / y, zy = yz * b;
  const Real z = A.zz - zx * A.xz - zy * yz;
  const Real minors = (A.xx * A.yy - A.xy * A.xy) + (A.xx * A.zz - A.xz * A.xz) + (A.yy * A.zz - A.yz * A.yz);
  const Real determinant = A.xx * y * z;
  const auto positive = is_positive(trace(A), minors, determinant, size * rounding);
  return Factors<Real, decltype(z > z)>{yx, zx, zy, {a, b, 1 / z}, minors, determinant, positive};
}

// n.W n
template <class Real>
THUD_INLINE Real quadratic_form(const V3<double>& n, const S3<Real>& W) {
  return W.xx * (n.x * n.x) + W.yy * (n.y * n.y) + W.zz * (n.z * n.z) + W.xy * (2 * n.x * n.y) +
         W.xz * (2 * n.x * n.z) + W.yz * (2 * n.y * n.z);
}

// J M^-1 J^T: linear block, angular block, and the columns of the block that maps angular impulses to linear
// velocities.
template <class Real>
struct Mobility {
  S3<Real> vv, ww;
  V3<Real> vw[3];
};

// A model whose inverse inertia matrix W is symmetric, its effective mass along the normal, and whether it exists.
template <class Real, class Mask>
struct SymmetricModel {
  S3<Real> W;
  Real mass;
  Mask exists;
};

// The inverse of a block of the inverse is a Schur complement: W = A_vv - A_vw A_ww^-1 A_wv.
template <class Real>
THUD_INLINE auto algebraic_model(const Mobility<Real>& A, const V3<double>& n, double rounding) {
  const auto angular = factors(A.ww, largest_diagonal(A.ww), rounding);
  V3<Real> x = A.vw[0], y = A.vw[1], z = A.vw[2];
  angular.solve(x, y, z);
  S3<Real> W = A.vv;
  add_square(W, x, -angular.inverse_pivots.x);
  add_square(W, y, -angular.inverse_pivots.y);
  add_square(W, z, -angular.inverse_pivots.z);
  const auto effective = factors(W, largest_diagonal(A.vv), rounding);
  V3<Real> u = broadcast<Real>(n);
  effective.solve(u.x, u.y, u.z);
  const V3<Real>& d = effective.inverse_pivots;
  const Real mass = u.x * u.x * d.x + u.y * u.y * d.y + u.z * u.z * d.z;
  const auto exists = mask_and(mask_and(angular.positive, effective.positive),
                               mass * effective.determinant > effective.minors * rounding);
  return SymmetricModel<Real, decltype(mass > mass)>{W, mass, exists};
}

template <class Real>
THUD_INLINE auto generalized_momentum_model(const Mobility<Real>& A, const V3<double>& n, double rounding) {
  const Real normal_mobility = quadratic_form(n, A.vv);
  return SymmetricModel<Real, decltype(normal_mobility > normal_mobility)>{A.vv, 1 / normal_mobility,
                                                                           normal_mobility > trace(A.vv) * rounding};
}

// Column k of a symmetric matrix.
template <int k, class Real>
THUD_INLINE V3<Real> column(const S3<Real>& A) {
  if constexpr (k == 0) return {A.xx, A.xy, A.xz};
  if constexpr (k == 1) return {A.xy, A.yy, A.yz};
  if constexpr (k == 2) return {A.xz, A.yz, A.zz};
}

// The arm as one rigid body, with r from its centre of mass to the contact point.
template <class Real>
struct Composite {
  V3<Real> K[3];  // velocity of the contact point per unit angular momentum: (Ic^-1 e_k) x r
  S3<Real> W;     // and per unit impulse at the point: 1/m + K [r]x
};
template <class Real>
THUD_INLINE Composite<Real> composite_model(double inverse_mass, const S3<Real>& Ic_inverse, const V3<Real>& r) {
  const V3<Real> a = cross(column<0>(Ic_inverse), r), b = cross(column<1>(Ic_inverse), r);
  const V3<Real> c = cross(column<2>(Ic_inverse), r);
  return {{a, b, c},
          {b.x * r.z - c.x * r.y + inverse_mass, c.y * r.x - a.y * r.z + inverse_mass,
           a.z * r.y - b.z * r.x + inverse_mass, b.y * r.z - c.y * r.y, b.z * r.z - c.z * r.y, c.z * r.x - a.z * r.z}};
}

// Velocity of the contact point if the arm had this momentum as one rigid body.
template <class Real>
THUD_INLINE V3<Real> composite_velocity(double inverse_mass, const V3<Real>* K, const Spatial<Real>& h) {
  return h.linear * inverse_mass + K[0] * h.angular.x + K[1] * h.angular.y + K[2] * h.angular.z;
}

// Column k of W + W_gm - X J_avg M^-1 J^T; h is the momentum due to a unit impulse along axis k.
template <int k, class Real>
THUD_INLINE V3<Real> flexible_column(double inverse_mass, const Composite<Real>& body, const S3<Real>& W_gm,
                                     const Spatial<Real>& h) {
  return column<k>(body.W) + column<k>(W_gm) - composite_velocity(inverse_mass, body.K, h);
}

// The nine entries of a symmetric matrix.
template <class Real>
THUD_BOTH void write(const S3<Real>& A, Real* to) {
  to[0] = A.xx, to[4] = A.yy, to[8] = A.zz;
  to[1] = to[3] = A.xy;
  to[2] = to[6] = A.xz;
  to[5] = to[7] = A.yz;
}
template <class Real>
THUD_BOTH void write(const V3<Real>& v, Real* to) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

}  // namespace
}  // namespace thud::kernel
