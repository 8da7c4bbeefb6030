#pragma once

/// The kernel for many postures: each pack goes through the passes and the inertia models, and the results are written
/// to columns. Private to the library.

#include "kernel/posture_models.hpp"
#include "kernel/single.hpp"
#include "kernel/transpose.hpp"

namespace thud::kernel {
namespace {

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
