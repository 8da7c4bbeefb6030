#pragma once

/// The masses of a tree in a number of operations proportional to its joints, by articulated-body inertias
/// (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3): a branch that does not carry the contact is
/// folded into its parent and forgotten. Private to the library.

#include "kernel/walk.hpp"

namespace thud::kernel {
namespace {

template <class Real>
THUD_INLINE Spatial<Real> operator*(const Mobility<Real>& I, const Spatial<Real>& v) {
  const V3<Real>&a = v.linear, &b = v.angular;
  return {I.vv * a + I.vw[0] * b.x + I.vw[1] * b.y + I.vw[2] * b.z,
          V3<Real>{dot(I.vw[0], a), dot(I.vw[1], a), dot(I.vw[2], a)} + I.ww * b};
}

// I += inertia of a body; the same map as momentum() of mechanics.hpp.
template <class Real>
THUD_INLINE void add_body(Mobility<Real>& I, double mass, const Moments<Real>& body) {
  const V3<Real>& f = body.first;
  I.vv.xx += mass, I.vv.yy += mass, I.vv.zz += mass;
  I.vw[0].y -= f.z, I.vw[0].z += f.y;
  I.vw[1].x += f.z, I.vw[1].z -= f.x;
  I.vw[2].x -= f.y, I.vw[2].y += f.x;
  I.ww = I.ww + body.second;
}

// Along axis k, or about axis k - 3.
template <class Real>
THUD_INLINE Spatial<Real> unit_impulse(long k) {
  const auto one_if = [](bool is) { return Real{} + (is ? 1.0 : 0.0); };
  return {{one_if(k == 0), one_if(k == 1), one_if(k == 2)}, {one_if(k == 3), one_if(k == 4), one_if(k == 5)}};
}

// A pivot is the inertia that a joint feels while the joints beyond it are free. Its terms sum to at most three times
// M_ii + size, as in factorise(), and M_ii is at most 2 (subtree mass |v|^2 + size): below this share of
// subtree mass |v|^2 + size it may be nothing but rounding.
constexpr double walked_pivot = 9 * regular_margin * smallest_pivot;

/// Bodies of a walk: links with all that they carry, whose joints are free. `alone`: no other bodies keep account of
/// the composite body. With rates, rate_of(i) is that of joint i. `path` is the end of rows for what waits until after
/// the walk.
template <class Real, bool alone, bool rates, class AnyArm, class RateOf>
class ArticulatedBodies {
 public:
  THUD_INLINE ArticulatedBodies(const AnyArm& arm, Stack<Real>& stack, const Rows<Real>& path, const RateOf& rate_of)
      : arm_(arm), rate_of_(rate_of), stack_(stack), path_(path), left_(path) {}

  THUD_INLINE void reach(const WalkStep&, const Spatial<Real>&) {}
  THUD_INLINE void end() {
    inertia_ = Mobility<Real>{};
    if constexpr (rates) subtree_ = Moments<Real>{};
  }
  THUD_INLINE void wait() {
    stack_.push(inertia_);
    if constexpr (rates) stack_.push(subtree_);
  }
  THUD_INLINE void meet() {
    if constexpr (rates) stack_.pop(subtree_);
    stack_.pop(inertia_);
  }
  THUD_INLINE void contact() {}
  THUD_INLINE void leave(const WalkStep& step, const ArmJoint& joint, const Moments<Real>& own,
                         const Pose<Real>& pose) {
    Spatial<Real> twist{cross(pose.p, pose.z), pose.z};
    if (step.is(WalkStep::prismatic)) twist = {pose.z, V3<Real>{}};
    leave(step, joint, own, twist);
  }
  THUD_INLINE void leave(const WalkStep& step, const ArmJoint& joint, const Moments<Real>& own,
                         const Spatial<Real>& twist) {
    if constexpr (alone) {
      whole_ = whole_ + own;
      if (step.is(WalkStep::apart)) {
        others_ += trace(whole_.second);
        whole_ = Moments<Real>{};
      }
    }
    add_body(inertia_, joint.mass, own);
    if constexpr (rates) {
      subtree_ = subtree_ + own;
      const Real rate = rate_of_(step.joint());
      if (step.is(WalkStep::composite)) h_ = h_ + momentum(joint.subtree_mass, subtree_, twist) * rate;
      if (step.is(WalkStep::path)) {
        const Real part = dot(twist.linear, vector(arm_.normal_W)) * rate;
        speed_ += part;
        speed_terms_ += part > 0 ? part : -part;
      }
    }
    const Spatial<Real> force = inertia_ * twist;
    const Real pivot = dot(twist, force) + joint.rotor, inverse = 1 / pivot;
    const Real largest = pivot * (1 / walked_pivot) - dot(twist.linear, twist.linear) * joint.subtree_mass;
    margin_ = largest > margin_ ? margin_ : largest;
    if (step.is(WalkStep::path)) {
      left_ = left_.from(-path_rows);
      keep(twist, left_, 0), keep(force, left_, spatial_rows);
      left_[2 * spatial_rows] = inverse;
    }
    add_square(inertia_, force, -inverse);
  }

  /// After the walk, long before get(): what it needs first comes from far away.
  THUD_INLINE void fetch() { first_ = left_joint(0); }

  THUD_INLINE void get(WalkedPosture<Real>& s) const {
    transmit(s);
    if constexpr (alone) set_composite_body(arm_, whole_, trace(whole_.second) + others_, s);
    s.regular = margin_ > s.size;
    if constexpr (rates) s.speed = speed_, s.speed_terms = speed_terms_, s.h = h_;
  }

 private:
  struct LeftJoint {
    Spatial<Real> twist, force;  // force: what a unit acceleration of the joint takes
    Real inverse;                // of the pivot
  };
  THUD_INLINE LeftJoint left_joint(int k) const {
    const Rows<Real> at = path_.from(-path_rows * (k + 1));
    return {spatial(at, 0), spatial(at, spatial_rows), at[2 * spatial_rows]};
  }

  // From the contact to the base: what each joint takes of unit impulses at the contact point, y = S^T F, adds
  // y y^T / pivot to J M^-1 J^T; the rest is passed on. During the walk there are no registers for that.
  THUD_INLINE void transmit(WalkedPosture<Real>& s) const {
    const int joints = static_cast<int>(arm_.contact_chain);
    Mobility<Real> A{};
    Spatial<Real> F[6];
    THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) F[k] = unit_impulse<Real>(k);
    LeftJoint next = first_;
    THUD_GPU_UNROLL_2 for (int i = 1; i <= joints; ++i) {
      const LeftJoint joint = next;
      if (i < joints) next = left_joint(i);
      Real y[6];
      THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) y[k] = dot(joint.twist, F[k]);
      add_square(A, Spatial<Real>{{y[0], y[1], y[2]}, {y[3], y[4], y[5]}}, joint.inverse);
      THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) F[k] = F[k] + joint.force * (-joint.inverse * y[k]);
    }
    s.A = A;
    THUD_GPU_UNROLL for (long k = 0; k < 3; ++k) s.transmitted[k] = F[k];
  }

  const AnyArm& arm_;
  const RateOf& rate_of_;
  Stack<Real>& stack_;
  Rows<Real> path_, left_;
  LeftJoint first_{};
  Mobility<Real> inertia_{};      // articulated, of the current link
  Moments<Real> subtree_{};       // of all that this link carries
  Moments<Real> whole_{};         // of the composite body
  Real others_{};                 // trace of the inertia of the limbs that are no part of it
  Real margin_ = Real{} + 1e300;  // the largest size with which every pivot is regular
  Real speed_{}, speed_terms_{};
  Spatial<Real> h_{};
};

// Momentum about the contact point due to a unit impulse there along axis k: what the base does not receive.
template <class Real>
THUD_INLINE Spatial<Real> retained(const WalkedPosture<Real>& s, long k) {
  return unit_impulse<Real>(k) + s.transmitted[k] * -1.0;
}

// The last two models with their matrices.
template <class AnyArm, class Real>
THUD_INLINE void walked_matrices(const AnyArm& arm, WalkedPosture<Real>& s) {
  set_composite_matrices(arm, s, [&](auto axis) { return about_centre(retained(s, axis()), s.r); });
}

// The last two models, masses only.
template <class AnyArm, class Real>
THUD_INLINE void walked_masses(const AnyArm& arm, WalkedPosture<Real>& s) {
  const V3<double> normal = vector(arm.normal_W);
  const Spatial<Real> twist = rigid_twist(arm, s);
  const Real shared = dot(retained(s, 0) * normal.x + retained(s, 1) * normal.y + retained(s, 2) * normal.z, twist);
  set_composite_masses(s.rigid_mobility, s.rigid_mobility + quadratic_form(normal, s.A.vv) - shared, s.rigid_size, s);
}

}  // namespace
}  // namespace thud::kernel
