#pragma once

/// The kernel for many postures: each pack goes through the passes and the inertia models, and the results are written
/// to columns. Every stage is a function that is never inlined, so that its results are bit-identical whatever is
/// requested after it. Private to the library.

#include "kernel/postures.hpp"
#include "kernel/single.hpp"
#include "kernel/transpose.hpp"

namespace thud::kernel {
namespace {

// J M^-1 J^T = Y^T D^-1 Y.
template <int N, class Real>
[[gnu::noinline]] void mobility(const Arm& arm, Postures<Real>& s) {
  const long n = N > 0 ? N : arm.size;
  S3<Real> vv{}, ww{};
  V3<Real> vw[3]{};
  for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, d = v * s.pivots[i];
    vv = vv + S3<Real>{d.x * v.x, d.y * v.y, d.z * v.z, d.x * v.y, d.x * v.z, d.y * v.z};
  }
  s.A.vv = vv;
  for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, w{y[3], y[4], y[5]}, e = w * s.pivots[i];
    ww = ww + S3<Real>{e.x * w.x, e.y * w.y, e.z * w.z, e.x * w.y, e.x * w.z, e.y * w.z};
    vw[0] = vw[0] + v * e.x, vw[1] = vw[1] + v * e.y, vw[2] = vw[2] + v * e.z;
  }
  s.A.ww = ww;
  s.A.vw[0] = vw[0], s.A.vw[1] = vw[1], s.A.vw[2] = vw[2];
}

// The first two models: algebraic and generalized momentum.
template <int N, class Real>
[[gnu::noinline]] void exact_masses(const Arm& arm, Postures<Real>& s) {
  const V3<double> normal = vector(arm.normal_W);
  const double rounding = regular_margin * smallest_mobility;
  const auto momentum = generalized_momentum_model(s.A, normal, rounding);
  s.regular = mask_and(s.regular, momentum.exists);
  s.mass[1] = momentum.mass;
  if (arm.contact_chain >= 6) {
    const auto algebraic = algebraic_model(s.A, normal, rounding);
    s.regular = mask_and(s.regular, algebraic.exists);
    s.mass[0] = algebraic.mass;
    write(algebraic.W, s.W);
  } else {
    s.mass[0] = Real{} + __builtin_nan("");
    for (long k = 0; k < 9; ++k) s.W[k] = s.mass[0];
  }
}

// Effective masses of the last two models from n.W n, and which postures are regular with a margin. `size` is at least
// the trace of the composite W; the trace of what it has in common with the joints' W is at most half of both together.
template <class Real>
[[gnu::always_inline]] inline void set_composite_masses(const Real& normal_mobility, const Real& flexible_mobility,
                                                        const Real& size, Postures<Real>& s) {
  constexpr double rounding = regular_margin * smallest_mobility;
  s.regular = mask_and(s.regular, mask_and(normal_mobility > size * rounding,
                                           flexible_mobility > (size + trace(s.A.vv)) * (2 * rounding)));
  s.mass[2] = 1 / normal_mobility, s.mass[3] = 1 / flexible_mobility;
}

// Ic^-1.
template <class Real>
[[gnu::noinline]] void invert_composite_inertia(Postures<Real>& s) {
  const auto rotational = inverse(s.Ic, largest_diagonal(s.Ic), regular_margin * smallest_mobility);
  s.Ic_inverse = rotational.matrix();
  s.regular = mask_and(s.regular, rotational.positive);
}

// The last two models, masses only: the response of the arm as one rigid body to an impulse along the normal, and what
// the response of the joints has in common with it.
template <int N, class Real>
[[gnu::noinline]] void composite_masses(const Arm& arm, Postures<Real>& s) {
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const V3<Real> r = V3<Real>{} - s.r;  // from the centre of mass to the contact point
  const V3<Real> w = s.Ic_inverse * cross(r, normal), v = cross(w, r) + broadcast<Real>(normal * inverse_mass);
  const Real *M = s.M, *pivots = s.pivots;
  Real *u = s.columns, shared{};  // u uses the output buffer as scratch
  THUD_UNROLL for (long i = n - 1; i >= 0; --i) {
    const Real* y = s.Y + 6 * i;
    Real sum = (y[0] * normal.x + y[1] * normal.y + y[2] * normal.z) * pivots[i];
    THUD_UNROLL for (long k = i + 1; k < n; ++k) sum -= M[k + n * i] * u[k];
    u[i] = sum;
    shared += (dot(s.momenta[i].linear, v) + dot(s.momenta[i].angular, w)) * sum;
  }
  const Real normal_mobility = dot(v, normal);
  set_composite_masses(normal_mobility, normal_mobility + quadratic_form(normal, s.A.vv) - shared,
                       trace(s.Ic_inverse) * dot(r, r) + 3 * inverse_mass, s);
}

// Linear columns of M^-1 J^T, and the momenta about the centre of mass: A_G.
template <int N, class Real>
[[gnu::noinline]] void responses(const Arm& arm, Postures<Real>& s) {
  const long n = N > 0 ? N : arm.size;
  const Real *M = s.M, *Y = s.Y, *pivots = s.pivots;
  V3<Real>* response = s.response;
  THUD_UNROLL for (long i = n - 1; i >= 0; --i) {
    V3<Real> u = V3<Real>{Y[6 * i], Y[6 * i + 1], Y[6 * i + 2]} * pivots[i];
    THUD_UNROLL for (long k = i + 1; k < n; ++k) u = u - response[k] * M[k + n * i];
    response[i] = u;
  }
  const V3<Real> r = s.r;
  for (long i = 0; i < n; ++i) s.momenta[i].angular = s.momenta[i].angular - cross(r, s.momenta[i].linear);
}

// The last two models with their matrices.
template <int N, class Real>
[[gnu::noinline]] void composite_matrices(const Arm& arm, Postures<Real>& s) {
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const Composite<Real> body = composite_model(inverse_mass, s.Ic_inverse, V3<Real>{} - s.r);
  write(s.A.vv, s.W + 9);
  write(body.W, s.W + 18);
  Real flexible_mobility{};
  const auto flex = [&]<int k>(Real V3<Real>::*axis, double along_normal) {
    Spatial<Real> h{};
    for (long i = 0; i < n; ++i) h = h + s.momenta[i] * (s.response[i].*axis);
    const V3<Real> column = flexible_column<k>(inverse_mass, body, s.A.vv, h);
    flexible_mobility += dot(column, normal) * along_normal;
    write(column, s.W + 27 + 3 * k);
  };
  flex.template operator()<0>(&V3<Real>::x, normal.x);
  flex.template operator()<1>(&V3<Real>::y, normal.y);
  flex.template operator()<2>(&V3<Real>::z, normal.z);
  set_composite_masses(quadratic_form(normal, body.W), flexible_mobility, trace(body.W), s);
}

// Contact velocities at joint rates dq, exact and as one rigid body, and their ratio.
template <int N, class Real>
[[gnu::noinline]] void velocities(const Arm& arm, const Real* dq, Postures<Real>& s, Real* out) {
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  Real exact{}, size{};
  Spatial<Real> h{};
  for (long i = 0; i < n; ++i) {
    const Real part = arm.joints[i].moves_contact ? dot(s.twists[i].linear, normal) * dq[i] : Real{};
    exact += part;
    size += part > 0 ? part : -part;
    h = h + s.momenta[i] * dq[i];
  }
  out[0] = exact;
  const V3<Real> r = V3<Real>{} - s.r;
  const Spatial<Real> central = about_centre(h, s.r);
  out[1] = dot(central.linear * (1 / arm.mass) + cross(s.Ic_inverse * central.angular, r), normal);
  const Real absolute = exact > 0 ? exact : -exact, none = Real{} + __builtin_nan("");
  out[2] = absolute > size * cancellation_limit ? out[1] / exact : none;
}

// One pack: postures first to first + count - 1. Bit k of the result: posture first + k is regular with a margin.
template <int N, int width>
[[gnu::always_inline]] inline unsigned compute_pack(const Arm& arm, const PostureBatch& batch, long first, long count,
                                                    Postures<typename PackOf<width>::Real>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  read_columns<width>(batch.q + batch.q_stride * first, batch.q_stride, n, count, s.q);
  const auto put = [&](const Real* from, long entries, double* to) {
    write_columns<width>(from, entries, count, to + first * entries);
  };
  joint_sines_and_cosines<N>(arm, s);
  forward_kinematics<N>(arm, s);
  twists_and_moments<N>(arm, s);
  composite_inertias<N>(arm, s);
  if (batch.M) put(s.M, n * n, batch.M);
  invert_composite_inertia(s);
  if (batch.dq) {
    Real velocity[3];
    read_columns<width>(batch.dq + batch.dq_stride * first, batch.dq_stride, n, count, s.q);
    velocities<N>(arm, s.q, s, velocity);
    put(velocity, 1, batch.v_exact);
    put(velocity + 1, 1, batch.v_approximate);
    put(velocity + 2, 1, batch.ratio);
  }
  factorise<N>(arm, s);
  mobility<N>(arm, s);
  exact_masses<N>(arm, s);
  if (batch.M) {
    responses<N>(arm, s);
    composite_matrices<N>(arm, s);
    put(&s.momenta->linear.x, 6 * n, batch.A_G);
    put(s.W, 36, batch.W);
    for (long i = 0; i < n; ++i)
      if (!arm.joints[i].moves_contact) s.twists[i] = Spatial<Real>{};  // columns of J from here on
    put(&s.twists->linear.x, 6 * n, batch.J);
    write(s.p_WC + s.r, s.columns);
    put(s.columns, 3, batch.com_W);
    write(s.Ic, s.columns);
    put(s.columns, 9, batch.Ic_W);
    if (batch.response) {
      for (long i = 0; i < n; ++i)
        s.columns[i] = s.response[i].x, s.columns[n + i] = s.response[i].y, s.columns[2 * n + i] = s.response[i].z;
      put(s.columns, 3 * n, batch.response);
    }
  } else {
    composite_masses<N>(arm, s);
  }
  if (batch.p_WC) {
    write(s.p_WC, s.columns);
    put(s.columns, 3, batch.p_WC);
  }
  put(s.mass, 4, batch.mass);
  unsigned regular = 0;
  for (long lane = 0; lane < count; ++lane) regular |= s.regular[lane] ? 1U << lane : 0U;
  return arm.mass > 0 ? regular : 0;
}

template <int N, int width>
void compute_batch(const Arm& arm, const PostureBatch& batch, long count, unsigned char* regular, void* memory) {
  Postures<typename PackOf<width>::Real>& s =
      Postures<typename PackOf<width>::Real>::layout(memory, N > 0 ? N : arm.size);
  for (long first = 0; first < count; first += width) {
    const long left = count - first;
    *regular++ = static_cast<unsigned char>(compute_pack<N, width>(arm, batch, first, left < width ? left : width, s));
  }
}

template <int width>
void batch(const Arm& arm, const PostureBatch& batch, long count, unsigned char* regular, void* memory) {
  if (arm.serial && arm.size == 7) return compute_batch<7, width>(arm, batch, count, regular, memory);
  if (arm.serial && arm.size == 6) return compute_batch<6, width>(arm, batch, count, regular, memory);
  return compute_batch<0, width>(arm, batch, count, regular, memory);
}

template <int width>
long scratch_bytes(long joints) {
  const long one = 8 * Single<0, width>::scratch_doubles(joints),
             many = 8 * width * Postures<typename PackOf<width>::Real>::scratch_doubles(joints);
  return one > many ? one : many;
}

}  // namespace
}  // namespace thud::kernel
