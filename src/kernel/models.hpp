#pragma once

/// The four inverse inertia models from the results of the passes, for a scalar or for packs. Private to the library.

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
  S3<Real> cofactors;
  Real inverse_determinant;
  Mask positive;

  THUD_BOTH S3<Real> matrix() const {
    const S3<Real>& C = cofactors;
    return {C.xx * inverse_determinant, C.yy * inverse_determinant, C.zz * inverse_determinant,
            C.xy * inverse_determinant, C.xz * inverse_determinant, C.yz * inverse_determinant};
  }
};

// Inverse of a symmetric matrix by its cofactors, and whether the matrix is positive definite: whether its three
// invariants are positive (trace, sum of principal minors, determinant). Their ratios approximate the eigenvalues; each
// is compared with `size`, the largest diagonal entry of a matrix of the same kind, because its own may be nothing but
// rounding.
template <class Real>
THUD_INLINE auto inverse(const S3<Real>& A, const Real& size, double rounding) {
  const S3<Real> C{A.yy * A.zz - A.yz * A.yz, A.xx * A.zz - A.xz * A.xz, A.xx * A.yy - A.xy * A.xy,
                   A.xz * A.yz - A.xy * A.zz, A.xy * A.yz - A.xz * A.yy, A.xy * A.xz - A.xx * A.yz};
  const Real determinant = A.xx * C.xx + A.xy * C.xy + A.xz * C.xz, limit = size * rounding;
  const auto positive =
      mask_and(mask_and(trace(A) > limit, trace(C) > limit * trace(A)), determinant > limit * trace(C));
  return Inverse<Real, decltype(A.xx > limit)>{C, 1 / determinant, positive};
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
  const Real projected = quadratic_form(n, effective.cofactors);
  const auto exists =
      mask_and(mask_and(angular.positive, effective.positive), projected > trace(effective.cofactors) * rounding);
  return SymmetricModel<Real, decltype(projected > projected)>{W, projected * effective.inverse_determinant, exists};
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
