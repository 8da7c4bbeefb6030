#pragma once

/// The four inverse inertias from what the passes leave behind, of a number or of packs. Private to the library.

#include "kernel.hpp"
#include "kernel_mechanics.hpp"

namespace thud {
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
  S3<Real> matrix;
  Mask positive;
};

// Inverse of a symmetric matrix through its cofactors, and whether it is positive definite. The pivots of its L D L^T
// are ratios of its leading minors; each is judged against `size`, the largest diagonal entry of its kind: its own may
// be nothing but rounding.
template <class Real>
[[gnu::always_inline]] inline auto inverse(const S3<Real>& A, const Real& size, double rounding) {
  const Real xx = A.yy * A.zz - A.yz * A.yz, xy = A.xz * A.yz - A.xy * A.zz, xz = A.xy * A.yz - A.xz * A.yy;
  const Real minor = A.xx * A.yy - A.xy * A.xy, determinant = A.xx * xx + A.xy * xy + A.xz * xz;
  const Real limit = size * rounding, over = 1 / determinant;
  const auto positive = both(both(A.xx > limit, minor > limit * A.xx), determinant > limit * minor);
  return Inverse<Real, decltype(A.xx > limit)>{{xx * over, (A.xx * A.zz - A.xz * A.xz) * over, minor * over, xy * over,
                                                xz * over, (A.xy * A.xz - A.xx * A.yz) * over},
                                               positive};
}

template <class Real>
[[gnu::always_inline]] inline Real along(const V3<double>& n, const S3<Real>& W) {
  const V3<Real> normal{Real{} + n.x, Real{} + n.y, Real{} + n.z};
  return dot(W * normal, n);
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
  const S3<Real>& B = angular.matrix;
  const V3<Real>*C = A.vw, c[3] = {C[0] * B.xx + C[1] * B.xy + C[2] * B.xz, C[0] * B.xy + C[1] * B.yy + C[2] * B.yz,
                                   C[0] * B.xz + C[1] * B.yz + C[2] * B.zz};
  const S3<Real> W{A.vv.xx - (c[0].x * C[0].x + c[1].x * C[1].x + c[2].x * C[2].x),
                   A.vv.yy - (c[0].y * C[0].y + c[1].y * C[1].y + c[2].y * C[2].y),
                   A.vv.zz - (c[0].z * C[0].z + c[1].z * C[1].z + c[2].z * C[2].z),
                   A.vv.xy - (c[0].x * C[0].y + c[1].x * C[1].y + c[2].x * C[2].y),
                   A.vv.xz - (c[0].x * C[0].z + c[1].x * C[1].z + c[2].x * C[2].z),
                   A.vv.yz - (c[0].y * C[0].z + c[1].y * C[1].z + c[2].y * C[2].z)};
  const auto effective = inverse(W, largest_diagonal(A.vv), rounding);
  const Real mass = along(n, effective.matrix);
  const auto exists = both(both(angular.positive, effective.positive), mass > trace(effective.matrix) * rounding);
  return Symmetric<Real, decltype(mass > mass)>{W, mass, exists};
}

template <class Real>
[[gnu::always_inline]] inline auto generalized_momentum_option(const Mobility<Real>& A, const V3<double>& n,
                                                               double rounding) {
  const Real moves = along(n, A.vv);
  return Symmetric<Real, decltype(moves > moves)>{A.vv, 1 / moves, moves > trace(A.vv) * rounding};
}

// W = 1/m - [r]x Ic^-1 [r]x: column k is (Ic^-1 (r x e_k)) x r.
template <class Real>
[[gnu::always_inline]] inline S3<Real> composite_matrix(double inverse_mass, const S3<Real>& Ic_inverse,
                                                        const V3<Real>& r) {
  const Real nil{};
  const V3<Real> a = Ic_inverse * V3<Real>{nil, r.z, -r.y}, b = Ic_inverse * V3<Real>{-r.z, nil, r.x};
  const V3<Real> c = Ic_inverse * V3<Real>{r.y, -r.x, nil};
  return {a.y * r.z - a.z * r.y + inverse_mass,
          b.z * r.x - b.x * r.z + inverse_mass,
          c.x * r.y - c.y * r.x + inverse_mass,
          a.z * r.x - a.x * r.z,
          a.x * r.y - a.y * r.x,
          b.x * r.y - b.y * r.x};
}

// The velocity of the contact point, r from the centre of mass, if the arm has this momentum as one body.
template <class Real>
[[gnu::always_inline]] inline V3<Real> as_one_body(double inverse_mass, const S3<Real>& Ic_inverse, const V3<Real>& r,
                                                   const Spatial<Real>& h) {
  return h.linear * inverse_mass + cross(Ic_inverse * h.angular, r);
}

// W + W_gm - X J_avg M^-1 J^T, by columns; `momenta` are those of unit impulses.
template <class Real>
struct Columns {
  V3<Real> column[3];
};
template <class Real>
[[gnu::always_inline]] inline Columns<Real> flexible_matrix(double inverse_mass, const S3<Real>& Ic_inverse,
                                                            const V3<Real>& r, const S3<Real>& W, const S3<Real>& W_gm,
                                                            const Spatial<Real>* momenta) {
  const S3<Real> sum = W + W_gm;
  return {{V3<Real>{sum.xx, sum.xy, sum.xz} - as_one_body(inverse_mass, Ic_inverse, r, momenta[0]),
           V3<Real>{sum.xy, sum.yy, sum.yz} - as_one_body(inverse_mass, Ic_inverse, r, momenta[1]),
           V3<Real>{sum.xz, sum.yz, sum.zz} - as_one_body(inverse_mass, Ic_inverse, r, momenta[2])}};
}

// Nine numbers of a symmetric matrix, or of columns.
template <class Real>
void write(const S3<Real>& A, Real* to) {
  to[0] = A.xx, to[4] = A.yy, to[8] = A.zz;
  to[1] = to[3] = A.xy;
  to[2] = to[6] = A.xz;
  to[5] = to[7] = A.yz;
}
template <class Real>
void write(const Columns<Real>& A, Real* to) {
  for (long k = 0; k < 3; ++k) to[3 * k] = A.column[k].x, to[3 * k + 1] = A.column[k].y, to[3 * k + 2] = A.column[k].z;
}

// A x for a column x of M^-1 J^T; A is J or A_G. Rows in fours, the middle two of the six twice.
template <int width>
[[gnu::always_inline]] inline Spatial<double> per_impulse(long n, const double* A, const double* x) {
  Four<width> first{}, last{};
  for (long i = 0; i < n; ++i) {
    first = first + Four<width>::load(A + 6 * i) * x[i];
    last = last + Four<width>::load(A + 6 * i + 2) * x[i];
  }
  double low[4], high[4];
  first.store(low);
  last.store(high);
  return {{low[0], low[1], low[2]}, {low[3], high[2], high[3]}};
}

template <int N, int width>
void options_of(const KernelResponse& of, KernelOptions& out) {
  const long n = N > 0 ? N : of.joints;
  const V3<double> normal{of.normal_W[0], of.normal_W[1], of.normal_W[2]};
  Spatial<double> linear[3], angular[3], momenta[3];
  for (long k = 0; k < 3; ++k) {
    linear[k] = per_impulse<width>(n, of.J, of.M_inv_JT + n * k);
    angular[k] = per_impulse<width>(n, of.J, of.M_inv_JT + n * (k + 3));
    momenta[k] = per_impulse<width>(n, of.A_G, of.M_inv_JT + n * k);
  }
  const Mobility<double> A{{linear[0].linear.x, linear[1].linear.y, linear[2].linear.z, linear[0].linear.y,
                            linear[0].linear.z, linear[1].linear.z},
                           {angular[0].angular.x, angular[1].angular.y, angular[2].angular.z, angular[0].angular.y,
                            angular[0].angular.z, angular[1].angular.z},
                           {angular[0].linear, angular[1].linear, angular[2].linear}};
  const auto algebraic = algebraic_option(A, normal, smallest_mobility);
  const auto momentum = generalized_momentum_option(A, normal, smallest_mobility);

  const double* I = of.Ic_W;
  const S3<double> Ic{I[0], I[4], I[8], I[1], I[2], I[5]};
  const V3<double> r{of.p_WC[0] - of.com_W[0], of.p_WC[1] - of.com_W[1], of.p_WC[2] - of.com_W[2]};
  const auto turning = inverse(Ic, largest_diagonal(Ic), smallest_mobility);
  const double inverse_mass = 1 / of.mass;
  const S3<double> W = composite_matrix(inverse_mass, turning.matrix, r);
  const Columns<double> flexible = flexible_matrix(inverse_mass, turning.matrix, r, W, A.vv, momenta);
  const double moves = along(normal, W), flexes = dot(flexible.column[0], normal) * normal.x +
                                                  dot(flexible.column[1], normal) * normal.y +
                                                  dot(flexible.column[2], normal) * normal.z;
  const double flexible_trace = flexible.column[0].x + flexible.column[1].y + flexible.column[2].z;

  write(algebraic.W, out.W[0]);
  write(momentum.W, out.W[1]);
  write(W, out.W[2]);
  write(flexible, out.W[3]);
  out.mass[0] = algebraic.mass, out.mass[1] = momentum.mass, out.mass[2] = 1 / moves, out.mass[3] = 1 / flexes;
  out.has_composite = of.mass > 0 && turning.positive;
  out.exists[0] = algebraic.exists, out.exists[1] = momentum.exists;
  out.exists[2] = moves > trace(W) * smallest_mobility, out.exists[3] = flexes > flexible_trace * smallest_mobility;
}

template <int width>
void options(const KernelResponse& of, KernelOptions& out) {
  if (of.joints == 7) return options_of<7, width>(of, out);
  if (of.joints == 6) return options_of<6, width>(of, out);
  options_of<0, width>(of, out);
}

}  // namespace
}  // namespace thud
