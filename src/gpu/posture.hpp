#pragma once

/// One posture by one thread: the kernel's text, instantiated for a number of its own. The same function runs on a
/// processor, thread after thread (launch.hpp). No Eigen and no standard library type: CUDA compiles this. Private
/// to the library.

#include "gpu/columns.hpp"
#include "kernel/articulated.hpp"

namespace thud::gpu {

/// A chain of N joints, to be passed to a launch by value: it then lies in the constant memory that arithmetic reads at
/// no cost.
template <int N>
struct FixedArm {
  static constexpr long size = N;
  kernel::ArmJoint joints[N];
  long contact_joint, contact_chain;
  double mass, offset[3], normal_W[3];
};

/// A tree for the walk. Its joints are in depth-first order, and of the joints of a link the one that moves the contact
/// point comes last, so that after the contact joint the walk only goes back to the base.
template <class Joints, class Indices, class Places>
struct WalkedArm {
  Joints joints;       // `parent` and `contact_joint` are indices into it
  Indices column;      // which joint of the robot each is
  Indices depth, row;  // how many joints move it; the first of its rows
  int rows;            // of all
  int nothing;         // 0
  Places places;       // of the joints of the robot
  long size, contact_joint, contact_chain;
  double mass, offset[3], normal_W[3];

  /// A joint whose constants each thread of a GPU reads for itself, many at a time; from where all threads read at once
  /// they come one cache line after the other. For that the compiler must not know that all indices are the same.
  THUD_BOTH const kernel::ArmJoint& own_joint(long i) const {
#ifdef __CUDA_ARCH__
    i += static_cast<int>(threadIdx.x) * nothing;
#endif
    return joints[i];
  }

  /// Whether the parent of a joint has been reached from another of its joints before.
  THUD_BOTH bool branches(long i) const {
    return joints[i].parent >= 0 && joints[i].parent != i - 1;
  }
};

/// By value too for as many joints, or in memory.
inline constexpr int most_by_value = 32;
using TreeByValue = WalkedArm<kernel::ArmJoint[most_by_value], int[most_by_value], kernel::WalkedJoint[most_by_value]>;
using TreeInMemory = WalkedArm<const kernel::ArmJoint*, const int*, const kernel::WalkedJoint*>;

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
  kernel::Rows rows{};  // of a tree
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

  /// Entry k of an array with `entries` for each posture is row row_of(k).
  template <class RowOf>
  void put_rows(int entries, const RowOf& row_of, double* to) const {
    for (int k = 0; k < entries; ++k) to[entries * index + k] = rows[row_of(k)];
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

/// Entries of an array.
template <int entries, class Lanes>
THUD_INLINE void put(Lanes& lanes, const double* from, double* to) {
  lanes.open(entries, to);
  THUD_GPU_UNROLL for (long k = 0; k < entries; ++k) lanes.set(k, from[k]);
  lanes.close();
}

/// Velocities, of which the exact one is needed later.
template <class Lanes>
THUD_INLINE void put_velocities(Lanes& lanes, const double* velocity, const kernel::PostureBatch& batch) {
  lanes.put(velocity[0], batch.v_exact);
  lanes.put(velocity[1], batch.v_approximate);
  lanes.put(velocity[2], batch.ratio);
}

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
template <int N, bool everything, class Lanes>
THUD_INLINE void compute_chain(const FixedArm<N>& arm, const Columns& columns, FixedPostures<N>& s, Lanes& lanes) {
  using namespace kernel;
  const PostureBatch& batch = columns.batch;
  lanes.template read<N>(batch.q, batch.q_stride, s.q);
  joint_sines_and_cosines<N>(arm, s);
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

/// One posture of a tree, in the rows of `lanes`; `stack` is memory for the walk. Rates, if requested, without
/// everything.
template <bool everything, bool rates, class AnyArm, class Lanes>
THUD_INLINE void compute_tree(const AnyArm& arm, const Columns& columns, const kernel::Rows& stack, Lanes& lanes) {
  using namespace kernel;
  const PostureBatch& batch = columns.batch;
  const int n = static_cast<int>(arm.size);
  const Rows rows = lanes.rows;
  WalkedPosture<double> s;
  using Layout = WalkRows<everything, rates>;
  lanes.read_rows(n, batch.q, batch.q_stride,
                  [&](int k) { return Layout::position(arm.places[k].position, arm.places[k].row); });
  if constexpr (rates)
    lanes.read_rows(n, batch.dq, batch.dq_stride, [&](int k) { return Layout::rate(arm.places[k].position, 0); });
  // columns of J or A_G, where a joint has one
  const auto put_columns = [&](bool WalkedJoint::*exists, double* to) {
    lanes.put_rows(
        6 * n,
        [&](int k) {
          const WalkedJoint joint = arm.places[k / 6];
          return joint.*exists ? joint.row + k % 6 : arm.rows;
        },
        to);
  };
  if constexpr (everything) rows[arm.rows] = 0;
  const auto at_contact = [&] {
    if constexpr (everything) put_columns(&WalkedJoint::moves_contact, batch.J);
  };
  walk<everything, rates>(arm, rows, stack, at_contact, s);
  invert_composite_inertia(s);
  double velocity[3] = {};
  if constexpr (rates) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += 0 * rows[Layout::rate(i, 0)];
    s.regular = s.regular && sum == 0;  // else one is not finite
    set_velocities(arm, s, s.speed, s.speed_terms, s.h, velocity);
    put_velocities(lanes, velocity, batch);
  }
  exact_masses<0>(arm, s);
  double numbers[9];
  if constexpr (everything) {
    walked_matrices(arm, s);
    central_momenta(arm, rows, s.r);
    put_columns(&WalkedJoint::in_composite, batch.A_G);
    lanes.put_rows(
        n * n, [&](int k) { return mass_row(arm, k % n, k / n); }, batch.M);
    put<36>(lanes, s.W, batch.W);
    write(s.p_WC + s.r, numbers);
    put<3>(lanes, numbers, batch.com_W);
    write(s.Ic, numbers);
    put<9>(lanes, numbers, batch.Ic_W);
  } else {
    walked_masses(arm, s);
  }
  if (batch.p_WC) {
    write(s.p_WC, numbers);
    put<3>(lanes, numbers, batch.p_WC);
  }
  finish(arm, columns, s, velocity[0], lanes);
}

}  // namespace thud::gpu
