#pragma once

/// A tree in the order of a walk, in plain numbers: as in kernel.hpp, no Eigen or standard library type, and no
/// function that the linker could merge. Private to the library.

#include "kernel/algebra.hpp"
#include "kernel/kernel.hpp"

namespace thud::kernel {

/// A step of the walk: a joint, which has rows, is reached from its parent, or left on the way back.
class WalkStep {
 public:
  enum Flag : unsigned {
    reach = 1,
    prismatic = 2,
    dh = 4,
    tip = 8,         // nothing is beyond its link
    branch = 16,     // its parent has been reached from other joints before
    path = 32,       // it moves the contact point
    composite = 64,  // it is of the composite body
    apart = 128,     // the first joint of a limb that is not
  };

  WalkStep() = default;
  THUD_INLINE WalkStep(int joint, int row, unsigned flags)
      : word_(static_cast<unsigned>(joint) << 8 | flags), row_(row) {}

  THUD_INLINE int joint() const { return static_cast<int>(word_ >> 8); }
  THUD_INLINE int row() const { return row_; }
  THUD_INLINE bool is(Flag flag) const { return (word_ & flag) != 0; }

 private:
  unsigned word_;
  int row_;
};

/// A tree for the walk. Its joints are in depth-first order, and of the joints of a link the one that moves the contact
/// point comes last, so that after the contact joint the walk only goes back to the base.
template <class Joints, class Indices, class Steps, class Columns, class Square>
struct WalkedArm {
  Joints joints;
  Indices position;                // of the joints of the robot
  Indices depth, row;              // how many joints move it; the first of its rows
  Indices first_above;             // in rows_above: of the joints that move it, from the base on
  int above;                       // how many rows_above has
  int rows;                        // of all
  int nothing;                     // 0
  Steps steps;                     // two of each joint, and one that is not taken
  int contact_step;                // with which the way from the contact to the base begins
  int memory_rows;                 // of links that wait and joints on that way
  Columns rows_of_J, rows_of_A_G;  // of their entries
  Square rows_of_M, rows_above;
  long size, contact_chain;
  double mass, offset[3], normal_W[3];

  /// A joint whose constants each thread of a GPU reads for itself, many at a time; from where all threads read at once
  /// they come one cache line after the other. For that the compiler must not know that all indices are the same.
  THUD_INLINE const TurnedJoint& own_joint(long i) const {
#ifdef __CUDA_ARCH__
    i += static_cast<int>(threadIdx.x) * nothing;
#endif
    return joints[i];
  }
};

/// In memory, of any size.
struct TreeInMemory : WalkedArm<const TurnedJoint*, const int*, const WalkStep*, const int*, const int*> {};

namespace {

constexpr int spatial_rows = 6;

/// Rows of a joint: its twist, and when it is left its momentum; its sine and cosine until then, and in their place its
/// entries of M with each joint that moves it and with itself. The last row of all is zero.
constexpr int angle_rows = 2;
THUD_BOTH constexpr int joint_rows(int depth) {
  return spatial_rows + (depth + 1 > angle_rows ? depth + 1 : angle_rows);
}

/// Rows of a link that waits, at most; and of a joint between contact and base.
constexpr int waiting_rows = 30, path_rows = 13;

/// Rows of both together, at most, of `joints`: of a tree with p of them between contact and base, of which k are left,
/// p - k links wait and no more than there are other joints.
THUD_BOTH constexpr int most_memory(int joints) {
  return waiting_rows / 2 * joints + path_rows;
}

}  // namespace
}  // namespace thud::kernel
