#pragma once

/// The four inverse inertias from what the passes leave behind, of a number or of packs. Private to the library.

#include "kernel/kernel.hpp"
#include "kernel/mechanics.hpp"

namespace thud::kernel {
namespace {

// Both of two truths, of a number or of a pack.
template <class Mask>
Mask both(Mask a, Mask b) {
  return static_cast<Mask>(a & b);
}

template <class Real>
Real larger(const Real& a, const Real& b) {
  return a > b ? a : b;
}

template <class Real>
Real largest_diagonal(const S3<Real>& A) {
  return larger(A.xx, larger(A.yy, A.zz));
}

template <class Real, class Mask>
struct Inverse {
  S3<Real> cofactors;
  Real over;  // 1 / determinant
  Mask positive;

  S3<Real> matrix() const {
    const S3<Real>& C = cofactors;
    return {C.xx * over, C.yy * over, C.zz * over, C.xy * over, C.xz * over, C.yz * over};
  }
};

// Inverse of a symmetric matrix through its cofactors, and whether it is positive definite: whether its trace, the sum
// of its principal minors and its determinant are, none of which depends on the axes. Their ratios are about its
// principal values; each is judged against `size`, the largest diagonal entry of its kind: its own may be nothing but
// rounding.
template <class Real>
[[gnu::always_inline]] inline auto inverse(const S3<Real>& A, const Real& size, double rounding) {
  const S3<Real> C{A.yy * A.zz - A.yz * A.yz, A.xx * A.zz - A.xz * A.xz, A.xx * A.yy - A.xy * A.xy,
                   A.xz * A.yz - A.xy * A.zz, A.xy * A.yz - A.xz * A.yy, A.xy * A.xz - A.xx * A.yz};
  const Real determinant = A.xx * C.xx + A.xy * C.xy + A.xz * C.xz, limit = size * rounding;
  const auto positive = both(both(trace(A) > limit, trace(C) > limit * trace(A)), determinant > limit * trace(C));
  return Inverse<Real, decltype(A.xx > limit)>{C, 1 / determinant, positive};
}

template <class Real>
[[gnu::always_inline]] inline Real along(const V3<double>& n, const S3<Real>& W) {
  return W.xx * (n.x * n.x) + W.yy * (n.y * n.y) + W.zz * (n.z * n.z) + W.xy * (2 * n.x * n.y) +
         W.xz * (2 * n.x * n.z) + W.yz * (2 * n.y * n.z);
}

// J M^-1 J^T: linear block, angular block, and the columns of the block that gives velocities by turning impulses.
template <class Real>
struct Mobility {
  S3<Real> vv, ww;
  V3<Real> vw[3];
};

// An inverse inertia matrix that is symmetric, with what decides on its status.
template <class Real, class Mask>
struct Symmetric {
  S3<Real> W;
  Real mass;
  Mask exists;
};

// The inverse of a block of the inverse is a Schur complement: W = A_vv - A_vw A_ww^-1 A_wv.
template <class Real>
[[gnu::always_inline]] inline auto algebraic_option(const Mobility<Real>& A, const V3<double>& n, double rounding) {
  const auto angular = inverse(A.ww, largest_diagonal(A.ww), rounding);
  const S3<Real> B = angular.matrix();
  const V3<Real>*C = A.vw, c[3] = {C[0] * B.xx + C[1] * B.xy + C[2] * B.xz, C[0] * B.xy + C[1] * B.yy + C[2] * B.yz,
                                   C[0] * B.xz + C[1] * B.yz + C[2] * B.zz};
  const S3<Real> W{A.vv.xx - (c[0].x * C[0].x + c[1].x * C[1].x + c[2].x * C[2].x),
                   A.vv.yy - (c[0].y * C[0].y + c[1].y * C[1].y + c[2].y * C[2].y),
                   A.vv.zz - (c[0].z * C[0].z + c[1].z * C[1].z + c[2].z * C[2].z),
                   A.vv.xy - (c[0].x * C[0].y + c[1].x * C[1].y + c[2].x * C[2].y),
                   A.vv.xz - (c[0].x * C[0].z + c[1].x * C[1].z + c[2].x * C[2].z),
                   A.vv.yz - (c[0].y * C[0].z + c[1].y * C[1].z + c[2].y * C[2].z)};
  const auto effective = inverse(W, largest_diagonal(A.vv), rounding);
  const Real moves = along(n, effective.cofactors);
  const auto exists = both(both(angular.positive, effective.positive), moves > trace(effective.cofactors) * rounding);
  return Symmetric<Real, decltype(moves > moves)>{W, moves * effective.over, exists};
}

template <class Real>
[[gnu::always_inline]] inline auto generalized_momentum_option(const Mobility<Real>& A, const V3<double>& n,
                                                               double rounding) {
  const Real moves = along(n, A.vv);
  return Symmetric<Real, decltype(moves > moves)>{A.vv, 1 / moves, moves > trace(A.vv) * rounding};
}

// Column k of a symmetric matrix.
template <int k, class Real>
[[gnu::always_inline]] inline V3<Real> column(const S3<Real>& A) {
  if constexpr (k == 0) return {A.xx, A.xy, A.xz};
  if constexpr (k == 1) return {A.xy, A.yy, A.yz};
  if constexpr (k == 2) return {A.xz, A.yz, A.zz};
}

// The arm as one body, with the contact point r from its centre of mass.
template <class Real>
struct Composite {
  V3<Real> K[3];  // velocities of the point by unit angular momenta: (Ic^-1 e_k) x r
  S3<Real> W;     // and by unit impulses on it: 1/m + K [r]x
};
template <class Real>
[[gnu::always_inline]] inline Composite<Real> composite_option(double inverse_mass, const S3<Real>& Ic_inverse,
                                                               const V3<Real>& r) {
  const V3<Real> a = cross(column<0>(Ic_inverse), r), b = cross(column<1>(Ic_inverse), r);
  const V3<Real> c = cross(column<2>(Ic_inverse), r);
  return {{a, b, c},
          {b.x * r.z - c.x * r.y + inverse_mass, c.y * r.x - a.y * r.z + inverse_mass,
           a.z * r.y - b.z * r.x + inverse_mass, b.y * r.z - c.y * r.y, b.z * r.z - c.z * r.y, c.z * r.x - a.z * r.z}};
}

// The velocity of the contact point if the arm has this momentum as one body.
template <class Real>
[[gnu::always_inline]] inline V3<Real> as_one_body(double inverse_mass, const V3<Real>* K, const Spatial<Real>& h) {
  return h.linear * inverse_mass + K[0] * h.angular.x + K[1] * h.angular.y + K[2] * h.angular.z;
}

// Column k of W + W_gm - X J_avg M^-1 J^T; h is the momentum of a unit impulse along axis k.
template <int k, class Real>
[[gnu::always_inline]] inline V3<Real> flexible_column(double inverse_mass, const Composite<Real>& body,
                                                       const S3<Real>& W_gm, const Spatial<Real>& h) {
  return column<k>(body.W) + column<k>(W_gm) - as_one_body(inverse_mass, body.K, h);
}

// Nine numbers of a symmetric matrix.
template <class Real>
void write(const S3<Real>& A, Real* to) {
  to[0] = A.xx, to[4] = A.yy, to[8] = A.zz;
  to[1] = to[3] = A.xy;
  to[2] = to[6] = A.xz;
  to[5] = to[7] = A.yz;
}
template <class Real>
void write(const V3<Real>& v, Real* to) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

}  // namespace
}  // namespace thud::kernel
