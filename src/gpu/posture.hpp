#pragma once

/// One posture by one thread: the kernel's text, instantiated for a number of its own. The same function runs on a
/// processor, thread after thread (launch.hpp). No Eigen and no standard library type: CUDA compiles this. Private
/// to the library.

#include "gpu/columns.hpp"
#include "kernel/posture_models.hpp"

namespace thud::gpu {

/// An arm of at most `capacity` joints, to be passed to a launch by value: it then lies in the constant memory that
/// arithmetic reads at no cost. A tree is filled up with joints that move nothing.
template <int capacity>
struct FixedArm {
  kernel::ArmJoint joints[capacity];
  unsigned long long movers[capacity];  // bit j: joint j moves the joint
  long size;                            // of the robot
  long contact_joint, contact_chain;
  double mass, offset[3], normal_W[3];

  THUD_BOTH bool moves(long j, long i) const { return movers[i] >> j & 1U; }
};

/// Everything computed for a posture, each number in a place of its own that the compiler makes a register.
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

/// Writes the numbers of one posture to its own column of each array, one by one.
struct OwnColumn {
  static constexpr long buffer = 1L << 40;  // entries at a time
  long index;
  double* column = nullptr;

  /// Entries follow, of arrays with `stride` entries per posture.
  THUD_BOTH void open(long /*entries*/, long stride, double* to) { column = to + stride * index; }
  THUD_BOTH void set(long k, double value) { column[k] = value; }
  THUD_BOTH void close() {}
  THUD_BOTH void together() {}
  THUD_BOTH void put(double value, double* to) { to[index] = value; }
  THUD_BOTH void put_four(const double* values, double* to) {
    for (long k = 0; k < 4; ++k) to[4 * index + k] = values[k];
  }
  THUD_BOTH void put_status(int first, int* to) {
    for (long k = 0; k < 4; ++k) to[4 * index + k] = k == 0 ? first : status_ok;
  }
  THUD_BOTH void mark(bool regular, const Columns& columns) {
    if (regular) return;
    const unsigned bit = 1U << index % 32;
#ifdef __CUDA_ARCH__
    atomicOr(columns.irregular + index / 32, bit);
    const unsigned at = atomicAdd(columns.irregular_count, 1U);
#else
    columns.irregular[index / 32] |= bit;
    const unsigned at = (*columns.irregular_count)++;
#endif
    if (at < most_listed) columns.irregular_list[at] = static_cast<unsigned>(index);
  }
};

/// Joint positions or rates of a posture, `most` of them (0: n); zero for joints that fill up.
template <int most>
THUD_INLINE void read(const double* from, long n, double* to) {
  if constexpr (most > 0) {
    THUD_GPU_UNROLL for (long k = 0; k < most; ++k) to[k] = k < n ? from[k] : 0.0;
  } else {
    for (long k = 0; k < n; ++k) to[k] = from[k];
  }
}

/// Entries of an array, at most `most` (0: any number).
template <int most, class Lanes>
THUD_INLINE void put(Lanes& lanes, const double* from, long entries, double* to) {
  lanes.open(entries, entries, to);
  if constexpr (most > 0) {
    THUD_GPU_UNROLL for (long k = 0; k < most; ++k) {
      if (k < entries) lanes.set(k, from[k]);
    }
  } else {
    for (long k = 0; k < entries; ++k) lanes.set(k, from[k]);
  }
  lanes.close();
}

/// The n x n upper left of a matrix of `joints` rows (0: n), as many columns at a time as `lanes` takes.
template <int joints, class Lanes>
THUD_INLINE void put_matrix(Lanes& lanes, const double* from, long n, double* to) {
  if constexpr (joints == 0) {
    const long step = Lanes::buffer / n < n ? Lanes::buffer / n : n;
    for (long first = 0; first < n; first += step) {
      const long entries = (n - first < step ? n - first : step) * n;
      lanes.open(entries, n * n, to + first * n);
      for (long k = 0; k < entries; ++k) lanes.set(k, from[first * n + k]);
      lanes.close();
    }
  } else {
    constexpr long step = Lanes::buffer / joints < joints ? Lanes::buffer / joints : joints;
    THUD_GPU_UNROLL for (long first = 0; first < joints; first += step) {
      if (first < n) {
        lanes.open((n - first < step ? n - first : step) * n, n * n, to + first * n);
        THUD_GPU_UNROLL for (long j = first; j < joints && j < first + step; ++j) {
          THUD_GPU_UNROLL for (long i = 0; i < joints; ++i) {
            if (i < n && j < n) lanes.set((j - first) * n + i, from[j * joints + i]);
          }
        }
        lanes.close();
      }
    }
  }
}

/// One posture of a chain of N joints, of a tree of at most -N, or (0) of any tree. `s` is its memory; `lanes` writes
/// to the columns, on a GPU those of 32 threads together; where the text is longer than the cache of instructions, it
/// keeps the threads together.
template <int N, bool everything, class AnyArm, class AnyPostures, class Lanes>
THUD_INLINE void compute_posture(const AnyArm& arm, const Columns& columns, long index, AnyPostures& s, Lanes& lanes) {
  using namespace kernel;
  constexpr int joints = N > 0 ? N : -N;
  const long n = N > 0 ? N : arm.size;
  const PostureBatch& batch = columns.batch;
  read<joints>(batch.q + batch.q_stride * index, n, s.q);
  joint_sines_and_cosines<N>(arm, s);
  lanes.together();
  forward_kinematics<N>(arm, s);
  lanes.together();
  twists_and_moments<N>(arm, s);
  lanes.together();
  composite_inertias<N>(arm, s);
  if constexpr (everything) put_matrix<joints>(lanes, s.M, n, batch.M);
  invert_composite_inertia(s);
  double velocity[3] = {};
  if (batch.dq) {
    read<joints>(batch.dq + batch.dq_stride * index, n, s.q);
    double sum = 0;
    THUD_GPU_UNROLL for (long i = 0; i < joints_of<N>(arm); ++i) sum += 0 * s.q[i];
    s.regular = s.regular && sum == 0;  // else one is not finite
    velocities<N>(arm, s.q, s, velocity);
    lanes.put(velocity[0], batch.v_exact);
    lanes.put(velocity[1], batch.v_approximate);
    lanes.put(velocity[2], batch.ratio);
  }
  if constexpr (!everything) rigid_response<N>(arm, s);
  lanes.together();
  factorise<N>(arm, s);
  lanes.together();
  mobility<N>(arm, s);
  lanes.together();
  exact_masses<N>(arm, s);
  if constexpr (everything) {
    responses<N>(arm, s);
    composite_matrices<N>(arm, s);
    put<6 * joints>(lanes, &s.momenta[0].linear.x, 6 * n, batch.A_G);
    put<36>(lanes, s.W, 36, batch.W);
    THUD_GPU_UNROLL for (long i = 0; i < joints_of<N>(arm); ++i) {
      if (!arm.joints[i].moves_contact) s.twists[i] = Spatial<double>{};  // columns of J from here on
    }
    put<6 * joints>(lanes, &s.twists[0].linear.x, 6 * n, batch.J);
    write(s.p_WC + s.r, s.columns);
    put<3>(lanes, s.columns, 3, batch.com_W);
    write(s.Ic, s.columns);
    put<9>(lanes, s.columns, 9, batch.Ic_W);
  } else {
    joint_response<N>(arm, s);
  }
  if (batch.p_WC) {
    write(s.p_WC, s.columns);
    put<3>(lanes, s.columns, 3, batch.p_WC);
  }
  lanes.put_four(s.mass, batch.mass);
  if (batch.dq) {
    const double closing = velocity[0] < 0 ? -velocity[0] : 0;
    double compression[4], total[4];
    THUD_GPU_UNROLL for (long k = 0; k < 4; ++k) {
      compression[k] = s.mass[k] * closing;
      total[k] = (1 + columns.restitution) * compression[k];
    }
    lanes.put_four(compression, columns.compression);
    lanes.put_four(total, columns.total);
  }
  lanes.put_status(arm.contact_chain >= 6 ? status_ok : status_underactuated, columns.status);
  lanes.mark(s.regular && arm.mass > 0, columns);
}

}  // namespace thud::gpu
