#pragma once

/// One posture by one thread: the kernel's text, instantiated for a number of its own. The same function runs on a
/// processor, thread after thread (launch.hpp). No Eigen and no standard library type: CUDA compiles this. Private
/// to the library.

#include "gpu/columns.hpp"
#include "kernel/walked_posture.hpp"

namespace thud::gpu {

/// A chain of N joints, to be passed to a launch by value: it then lies in the constant memory that arithmetic reads at
/// no cost.
/// `dh`: all joints but the first follow the Denavit-Hartenberg convention.
template <int N, bool dh>
struct FixedArm {
  static constexpr long size = N;
  static constexpr bool always_dh = dh;
  kernel::TurnedJoint joints[N];
  bool turned;  // one of them is
  long contact_joint, contact_chain;
  double mass, offset[3], normal_W[3];
};

/// A tree by value too, of as many joints.
inline constexpr int most_by_value = 32;
using TreeByValue =
    kernel::WalkedArm<kernel::TurnedJoint[most_by_value], int[most_by_value], kernel::WalkStep[2 * most_by_value + 1],
                      unsigned short[6 * most_by_value], unsigned short[most_by_value * most_by_value]>;

/// Everything computed for a posture of a chain, each number in a place of its own that the compiler makes a register.
template <int joints>
struct FixedPostures {
  using Number = double;
  using Mask = bool;
  static constexpr bool in_registers = true;

  kernel::Spatial<double> twists[joints], momenta[joints];
  double q[joints], pivots[joints], M[joints * joints];
  kernel::Pose<double> frames[joints];
  kernel::Moments<double> subtrees[joints];
  double sine[joints], cosine[joints];
  double Y[6 * joints];
  kernel::V3<double> response[joints];
  double W[36], columns[3 * joints + 9];
  kernel::V3<double> p_WC, r;
  kernel::S3<double> Ic, Ic_inverse;
  kernel::Mobility<double> A;
  double size, rigid_mobility, rigid_size, mass[4];
  bool regular;
};

/// Reads and writes the numbers of one posture, its own column of each array, one by one.
struct OwnColumn {
  long index;
  kernel::Rows<double> rows{};  // of a tree
  double* column = nullptr;

  /// A column of an array whose columns are `stride` apart.
  template <int entries>
  void read(const double* from, long stride, double* to) const {
    for (long k = 0; k < entries; ++k) to[k] = from[stride * index + k];
  }
  /// Likewise, entry k to row row_of(k).
  template <class RowOf>
  void read_rows(int entries, const double* from, long stride, const RowOf& row_of) const {
    for (int k = 0; k < entries; ++k) rows[row_of(k)] = from[stride * index + k];
  }

  /// Entries follow.
  void open(long entries, double* to) { column = to + entries * index; }
  void set(long k, double value) { column[k] = value; }
  void close() {}

  /// Entry k of an array with `entries` for each posture is row row_of[k].
  template <class Table>
  void put_rows(int entries, const Table& row_of, double* to) const {
    for (int k = 0; k < entries; ++k) to[entries * index + k] = rows[row_of[k]];
  }
  void put(double value, double* to) const { to[index] = value; }
  void put_four(const double* values, double* to) const {
    for (long k = 0; k < 4; ++k) to[4 * index + k] = values[k];
  }
  void put_status(int first, int* to) const {
    for (long k = 0; k < 4; ++k) to[4 * index + k] = k == 0 ? first : status_ok;
  }
  void mark(bool regular, const Columns& columns) const {
    unsigned& bits = columns.irregular[index / 32];
    if (index % 32 == 0) bits = 0;
    if (regular) return;
    bits |= 1U << index % 32;
    if (!columns.irregular_count) return;
    const unsigned at = (*columns.irregular_count)++;
    if (at < most_listed) columns.irregular_list[at] = static_cast<unsigned>(index);
  }
};

/// What follows from masses and the exact velocity, and what is left to the processor.
template <class Posture, class AnyArm, class Lanes>
THUD_INLINE void finish(const AnyArm& arm, const Columns& columns, const Posture& s, double velocity, Lanes& lanes) {
  lanes.put_four(s.mass, columns.batch.mass);
  if (columns.batch.dq) {
    const double closing = velocity < 0 ? -velocity : 0;
    double compression[4], total[4];
    THUD_GPU_UNROLL for (long k = 0; k < 4; ++k) {
      compression[k] = s.mass[k] * closing;
      total[k] = (1 + columns.restitution) * compression[k];
    }
    lanes.put_four(compression, columns.compression);
    lanes.put_four(total, columns.total);
  }
  if (columns.status) lanes.put_status(arm.contact_chain >= 6 ? status_ok : status_underactuated, columns.status);
  lanes.mark(s.regular && arm.mass > 0, columns);
}

/// One posture of a chain of N joints. `s` is its memory; `lanes` writes to the columns, on a GPU those of 32 threads
/// together.
template <int N, bool dh, bool everything, class Lanes>
THUD_INLINE void compute_chain(const FixedArm<N, dh>& arm, const Columns& columns, FixedPostures<N>& s, Lanes& lanes) {
  using namespace kernel;
  const PostureBatch& batch = columns.batch;
  lanes.template read<N>(batch.q, batch.q_stride, s.q);
  joint_sines_and_cosines<N>(arm, s);
  if (arm.turned) {
    THUD_GPU_UNROLL for (long i = 0; i < N; ++i) turn(arm.joints[i], s.sine[i], s.cosine[i]);
  }
  forward_kinematics<N>(arm, s);
  twists_and_moments<N>(arm, s);
  composite_inertias<N>(arm, s);
  if constexpr (everything) put<N * N>(lanes, s.M, batch.M);
  invert_composite_inertia(s);
  double velocity[3] = {};
  if (batch.dq) {
    lanes.template read<N>(batch.dq, batch.dq_stride, s.q);
    double sum = 0;
    THUD_GPU_UNROLL for (long i = 0; i < N; ++i) sum += 0 * s.q[i];
    s.regular = s.regular && sum == 0;  // else one is not finite
    velocities<N>(arm, s.q, s, velocity);
    put_velocities(lanes, velocity, batch);
  }
  if constexpr (!everything) rigid_response<N>(arm, s);
  factorise<N>(arm, s);
  mobility<N>(arm, s);
  exact_masses<N>(arm, s);
  if constexpr (everything) {
    responses<N>(arm, s);
    composite_matrices<N>(arm, s);
    put<6 * N>(lanes, &s.momenta[0].linear.x, batch.A_G);
    put<36>(lanes, s.W, batch.W);
    THUD_GPU_UNROLL for (long i = 0; i < N; ++i) {
      if (!arm.joints[i].moves_contact) s.twists[i] = Spatial<double>{};  // columns of J from here on
    }
    put<6 * N>(lanes, &s.twists[0].linear.x, batch.J);
    write(s.p_WC + s.r, s.columns);
    put<3>(lanes, s.columns, batch.com_W);
    write(s.Ic, s.columns);
    put<9>(lanes, s.columns, batch.Ic_W);
  } else {
    joint_response<N>(arm, s);
  }
  if (batch.p_WC) {
    write(s.p_WC, s.columns);
    put<3>(lanes, s.columns, batch.p_WC);
  }
  finish(arm, columns, s, velocity[0], lanes);
}

/// Postures that run together. Their numbers lie side by side in the tile of a warp; one more, so that threads that
/// read numbers of one posture do not wait for each other.
inline constexpr int warp_size = 32, pitch = warp_size + 1;

/// Of the tile of a warp, aligned for pairs.
template <bool everything, bool rates, class AnyArm>
THUD_BOTH constexpr int tile_doubles(const AnyArm& arm) {
  const int doubles = kernel::TreeRows<everything, rates>::count(arm) * pitch;
  return doubles + doubles % 2;
}

/// One posture of a tree, in the rows of `lanes`; `memory` has more of them. Rates, if requested, without
/// everything.
template <bool everything, bool rates, class AnyArm, class Lanes>
THUD_INLINE void compute_tree(const AnyArm& arm, const Columns& columns, const kernel::Rows<double>& memory,
                              Lanes& lanes) {
  kernel::WalkedPosture<double> s;
  double velocity[3] = {};
  kernel::compute_walked<everything, rates>(arm, columns.batch, memory, lanes, s, velocity);
  finish(arm, columns, s, velocity[0], lanes);
}

}  // namespace thud::gpu
