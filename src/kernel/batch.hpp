#pragma once

/// The kernel for many postures: each pack goes through the passes, or the walk of a large tree, and the inertia
/// models, and the results are written to columns. Private to the library.

#include <cassert>

#include "kernel/posture_models.hpp"
#include "kernel/single.hpp"
#include "kernel/transpose.hpp"
#include "kernel/walked_posture.hpp"

namespace thud::kernel {
namespace {

// Bit k of the result: lane k, one of the first `count`, is set in the mask.
template <class Mask>
[[gnu::always_inline]] inline unsigned lanes_of(const Mask& mask, long count) {
  unsigned bits = 0;
  for (long lane = 0; lane < count; ++lane) bits |= mask[lane] ? 1U << lane : 0U;
  return bits;
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
  return arm.mass > 0 ? lanes_of(s.regular, count) : 0;
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

// The columns of a pack, postures first to first + count - 1, as a walk reads and writes them.
template <int width>
struct PackColumns {
  using Real = typename PackOf<width>::Real;

  long first, count;
  Rows<Real> rows;
  Real* buffer;  // room for the largest array
  long entries = 0;
  double* target = nullptr;

  template <class RowOf>
  [[gnu::always_inline]] void read_rows(int entries_, const double* from, long stride, const RowOf& row_of) const {
    read_columns<width>(from + stride * first, stride, entries_, count, buffer);
    for (int k = 0; k < entries_; ++k) rows[row_of(k)] = buffer[k];
  }
  [[gnu::always_inline]] void put_rows(int entries_, const int* row_of, double* to) const {
    for (int k = 0; k < entries_; ++k) buffer[k] = rows[row_of[k]];
    write_columns<width>(buffer, entries_, count, to + entries_ * first);
  }
  [[gnu::always_inline]] void put(const Real& value, double* to) const {
    write_columns<width>(&value, 1, count, to + first);
  }
  [[gnu::always_inline]] void open(long entries_, double* to) { entries = entries_, target = to + entries_ * first; }
  [[gnu::always_inline]] void set(long k, const Real& value) { buffer[k] = value; }
  [[gnu::always_inline]] void close() { write_columns<width>(buffer, entries, count, target); }
};

// In packs of postures. Rows of the joints, of what waits, and the buffer of the columns.
inline long walked_rows(long n) {
  return n * (spatial_rows + angle_rows) + n * (n + 1) / 2 + 36;  // at most, as TreeRows counts them
}
inline long walked_buffer(long n) {
  return n * n + 6 * n + 36;
}

template <bool everything, bool rates, int width>
[[gnu::noinline]] void walk_batch(const TreeInMemory& arm, const PostureBatch& batch, long count,
                                  unsigned char* regular, void* memory) {
  using Real = typename PackOf<width>::Real;
  Real* const rows = static_cast<Real*>(memory);
  Real* const buffer = rows + walked_rows(arm.size);
  const Rows<Real> waiting{buffer + walked_buffer(arm.size), 1};
  for (long first = 0; first < count; first += width) {
    const long left = count - first;
    PackColumns<width> lanes{first, left < width ? left : width, {rows, 1}, buffer};
    WalkedPosture<Real> s;
    Real velocity[3];
    compute_walked<everything, rates>(arm, batch, waiting, lanes, s, velocity);
    put<4>(lanes, s.mass, batch.mass);
    *regular++ = static_cast<unsigned char>(arm.mass > 0 ? lanes_of(s.regular, lanes.count) : 0);
  }
}

template <int width>
void batch(const Arm& arm, const TreeInMemory* walk, const PostureBatch& batch, long count, unsigned char* regular,
           void* memory) {
  if (walk && !(batch.M && batch.dq)) {
    assert(!batch.M || walk->rows_of_M);  // built with everything
    if (batch.M) return walk_batch<true, false, width>(*walk, batch, count, regular, memory);
    if (batch.dq) return walk_batch<false, true, width>(*walk, batch, count, regular, memory);
    return walk_batch<false, false, width>(*walk, batch, count, regular, memory);
  }
  if (arm.serial && arm.size == 7) return compute_batch<7, width>(arm, batch, count, regular, memory);
  if (arm.serial && arm.size == 6) return compute_batch<6, width>(arm, batch, count, regular, memory);
  return compute_batch<0, width>(arm, batch, count, regular, memory);
}

template <int width>
long scratch_bytes(long joints) {
  const long one = Single<0, width>::scratch_doubles(joints),
             passed = width * Postures<typename PackOf<width>::Real>::scratch_doubles(joints),
             walked = width * (walked_rows(joints) + walked_buffer(joints) + most_memory(static_cast<int>(joints)));
  const long most = one > passed ? one : passed;
  return 8 * (most > walked ? most : walked);
}

}  // namespace
}  // namespace thud::kernel
