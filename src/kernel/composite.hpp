#pragma once

/// J, A_G and M of a tree by composite rigid bodies (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2).
/// Private to the library.

#include "kernel/walk.hpp"

namespace thud::kernel {
namespace {

/// Bodies of a walk: links with all that they carry, rigid; and beside them `articulated` ones. at_contact() is called
/// when the twists of all joints that move the contact point are in their rows.
template <class Real, class AnyArm, class Articulated, class AtContact>
class CompositeBodies {
 public:
  THUD_INLINE CompositeBodies(const AnyArm& arm, const Rows<Real>& rows, Stack<Real>& stack, Articulated& articulated,
                              const AtContact& at_contact)
      : arm_(arm), rows_(rows), stack_(stack), articulated_(articulated), at_contact_(at_contact) {
    rows_[arm.rows] = Real{};
  }

  THUD_INLINE void reach(const WalkStep& step, const Spatial<Real>& twist) { keep(twist, rows_, step.row()); }
  THUD_INLINE void end() {
    articulated_.end();
    subtree_ = Moments<Real>{};
  }
  THUD_INLINE void wait() {
    articulated_.wait();
    stack_.push(subtree_);
  }
  THUD_INLINE void meet() {
    stack_.pop(subtree_);
    articulated_.meet();
  }
  THUD_INLINE void contact() { at_contact_(); }
  THUD_INLINE void leave(const WalkStep& step, const ArmJoint& joint, const Moments<Real>& own, const Pose<Real>&) {
    const int i = step.joint(), row = step.row(), entries = row + spatial_rows, depth = arm_.depth[i],
              above = arm_.first_above[i];
    const Spatial<Real> twist = spatial(rows_, row);
    articulated_.leave(step, joint, own, twist);
    subtree_ = subtree_ + own;
    const Spatial<Real> h = momentum(joint.subtree_mass, subtree_, twist);
    keep(h, rows_, row);
    rows_[entries + depth] = dot(twist, h) + joint.rotor;
    THUD_GPU_UNROLL_4 for (int k = 0; k < depth; ++k) rows_[entries + k] =
        dot(spatial(rows_, arm_.rows_above[above + k]), h);
    if (step.is(WalkStep::apart)) others_ += trace(subtree_.second);
  }

  /// After the walk: the composite body, and momenta about its centre in the rows, the columns of A_G.
  THUD_INLINE void get(WalkedPosture<Real>& s) const {
    set_composite_body(arm_, subtree_, trace(subtree_.second) + others_, s);
    THUD_GPU_UNROLL_2 for (int i = 0; i < static_cast<int>(arm_.size); ++i) {
      const int row = arm_.row[i];
      write(about_centre(spatial(rows_, row), s.r).angular, row + 3);
    }
  }

 private:
  THUD_INLINE void write(const V3<Real>& v, int row) const {
    rows_[row] = v.x, rows_[row + 1] = v.y, rows_[row + 2] = v.z;
  }

  const AnyArm& arm_;
  Rows<Real> rows_;
  Stack<Real>& stack_;
  Articulated& articulated_;
  const AtContact& at_contact_;
  Moments<Real> subtree_{};  // of all that the current link carries, in the end of the composite body
  Real others_{};            // trace of the inertia of the limbs that are no part of it
};

}  // namespace
}  // namespace thud::kernel
