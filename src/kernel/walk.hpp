#pragma once

/// A walk over a tree, for a pack of postures or for one a thread, whose registers must not be indexed at run time:
/// joints are walked depth-first, so that the numbers of one link are all there is; those of the links where branches
/// meet wait on a stack. Everything is expressed in world axes at the contact point. Private to the library.

#include "kernel/posture_models.hpp"
#include "kernel/walked_arm.hpp"

namespace thud::kernel {

namespace {

/// What is found for the masses of a posture.
template <class Real>
struct WalkedPosture {
  using Number = Real;

  V3<Real> p_WC, r;  // as in Postures
  S3<Real> Ic, Ic_inverse;
  Mobility<Real> A;
  Spatial<Real> transmitted[3];  // to the base, of unit impulses at the contact point
  Real size, rigid_mobility, rigid_size, mass[4], W[36];
  Real speed, speed_terms;  // along the normal at given rates, and the sum of the magnitudes of its terms
  Spatial<Real> h;          // momentum at these rates
  decltype(Real{} > Real{}) regular;
};

/// Memory of a pack of postures, or of one: numbers of neighbouring threads lie side by side.
template <class Real>
struct Rows {
  Real* data;
  int pitch;

  THUD_BOTH Real& operator[](int row) const { return data[static_cast<long>(row) * pitch]; }
  THUD_BOTH Rows from(int row) const { return {&(*this)[row], pitch}; }
};

// In spatial_rows rows.
template <class Real>
THUD_INLINE Spatial<Real> spatial(const Rows<Real>& rows, int first) {
  return {{rows[first], rows[first + 1], rows[first + 2]}, {rows[first + 3], rows[first + 4], rows[first + 5]}};
}
template <class Real>
THUD_INLINE void keep(const Spatial<Real>& v, const Rows<Real>& rows, int first) {
  Real numbers[6];
  write(v, numbers);
  THUD_GPU_UNROLL for (int c = 0; c < 6; ++c) rows[first + c] = numbers[c];
}

// Calls use(number) for each.
template <class Real, class Use>
THUD_INLINE void for_numbers(V3<Real>& v, const Use& use) {
  use(v.x), use(v.y), use(v.z);
}
template <class Real, class Use>
THUD_INLINE void for_numbers(S3<Real>& A, const Use& use) {
  use(A.xx), use(A.yy), use(A.zz), use(A.xy), use(A.xz), use(A.yz);
}
template <class Real, class Use>
THUD_INLINE void for_numbers(Moments<Real>& body, const Use& use) {
  for_numbers(body.first, use), for_numbers(body.second, use);
}
template <class Real, class Use>
THUD_INLINE void for_numbers(Mobility<Real>& I, const Use& use) {
  for_numbers(I.vv, use), for_numbers(I.ww, use);
  THUD_GPU_UNROLL for (int k = 0; k < 3; ++k) for_numbers(I.vw[k], use);
}

/// Links that wait until the walk comes back to them.
template <class Real>
class Stack {
 public:
  THUD_INLINE explicit Stack(const Rows<Real>& rows) : rows_(rows) {}

  template <class Part>
  THUD_INLINE void push(Part& part) {
    for_numbers(part, [&](const Real& number) { rows_[next_++] = number; });
  }
  /// Adds what was pushed last.
  template <class Part>
  THUD_INLINE void pop(Part& part) {
    for_numbers(part, [&](const Real&) { --next_; });
    int at = next_;
    for_numbers(part, [&](Real& number) { number += rows_[at++]; });
  }

 private:
  Rows<Real> rows_;
  int next_ = 0;
};

template <class Real>
THUD_INLINE Moments<Real> operator+(const Moments<Real>& a, const Moments<Real>& b) {
  return {a.first + b.first, a.second + b.second};
}

// The frame of the current link, and steps to that of a joint and back. `a` and `b` are sine and cosine of a revolute
// joint, or `a` is the position of a prismatic one.
template <class Real>
struct Frame {
  TransformRow<Real> x, y, z;

  THUD_INLINE explicit Frame(const V3<Real>& p)
      : x{Real{} + 1, Real{}, Real{}, p.x}, y{Real{}, Real{} + 1, Real{}, p.y}, z{Real{}, Real{}, Real{} + 1, p.z} {}

  THUD_INLINE Pose<Real> pose() const { return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}, {x.p, y.p, z.p}}; }

  // To a joint; returns its twist.
  THUD_INLINE Spatial<Real> step(const ArmJoint& joint, const WalkStep& step, const Real& a, const Real& b) {
    if (step.is(WalkStep::dh))
      x = transform_dh(joint, x), y = transform_dh(joint, y), z = transform_dh(joint, z);
    else
      x = transform(joint, x), y = transform(joint, y), z = transform(joint, z);
    if (step.is(WalkStep::prismatic)) {
      slide(a);
      return {{x.z, y.z, z.z}, V3<Real>{}};
    }
    rotate(a, b);
    const V3<Real> axis{x.z, y.z, z.z};
    return {cross(V3<Real>{x.p, y.p, z.p}, axis), axis};
  }

  // From it to its parent.
  THUD_INLINE void step_back(const ArmJoint& joint, const WalkStep& step, const Real& a, const Real& b) {
    if (step.is(WalkStep::prismatic))
      slide(-a);
    else
      rotate(-a, b);
    if (step.is(WalkStep::dh))
      x = back_dh(joint, x), y = back_dh(joint, y), z = back_dh(joint, z);
    else
      x = back(joint, x), y = back(joint, y), z = back(joint, z);
  }

 private:
  THUD_INLINE void rotate(const Real& sine, const Real& cosine) {
    const auto rotate_row = [&](TransformRow<Real>& at) {
      const Real along_x = at.x;
      at.x = along_x * cosine + at.y * sine;
      at.y = at.y * cosine - along_x * sine;
    };
    rotate_row(x), rotate_row(y), rotate_row(z);
  }
  THUD_INLINE void slide(const Real& q) { x.p += x.z * q, y.p += y.z * q, z.p += z.z * q; }

  // The inverse of transform() and of transform_dh().
  THUD_INLINE static TransformRow<Real> back(const ArmJoint& joint, const TransformRow<Real>& at) {
    const double(&R)[3][3] = joint.R, *p = joint.p;
    const Real x = at.x * R[0][0] + at.y * R[1][0] + at.z * R[2][0],
               y = at.x * R[0][1] + at.y * R[1][1] + at.z * R[2][1],
               z = at.x * R[0][2] + at.y * R[1][2] + at.z * R[2][2];
    return {x, y, z, at.p - x * p[0] - y * p[1] - z * p[2]};
  }
  THUD_INLINE static TransformRow<Real> back_dh(const ArmJoint& joint, const TransformRow<Real>& at) {
    const double(&R)[3][3] = joint.R;
    return {at.x, at.y * R[1][1] + at.z * R[2][1], at.y * R[1][2] + at.z * R[2][2],
            at.p - at.x * joint.p[0] - at.z * joint.dh_offset};
  }
};

// A point of the frame of a joint in that of its parent; `a` and `b` as for Frame.
template <class Real>
THUD_INLINE V3<Real> in_parent(const ArmJoint& joint, const Real& a, const Real& b, const V3<Real>& v) {
  const double(&R)[3][3] = joint.R, *p = joint.p;
  const V3<Real> u =
      joint.is_revolute ? V3<Real>{v.x * b - v.y * a, v.x * a + v.y * b, v.z} : V3<Real>{v.x, v.y, v.z + a};
  return {u.x * R[0][0] + u.y * R[1][0] + u.z * R[2][0] + p[0], u.x * R[0][1] + u.y * R[1][1] + u.z * R[2][1] + p[1],
          u.x * R[0][2] + u.y * R[1][2] + u.z * R[2][2] + p[2]};
}

// Sine and cosine of a joint in its turned frame.
template <class Real>
THUD_INLINE void turn(const TurnedJoint& joint, Real& sine, Real& cosine) {
  const Real before = sine;
  sine = sine * joint.turn_cosine + cosine * joint.turn_sine;
  cosine = cosine * joint.turn_cosine - before * joint.turn_sine;
}

// Sines and cosines in the place of angles: row angle_of(i, row) has the position of joint i, the next one is for its
// cosine. An angle that is too large has no sine, and with it nothing of this posture exists.
template <class Real, class AnyArm, class AngleOf>
THUD_INLINE void walked_sines_and_cosines(const AnyArm& arm, const Rows<Real>& rows, const AngleOf& angle_of) {
  const Real nothing = Real{} + __builtin_nan("");
  THUD_GPU_UNROLL_4 for (int i = 0; i < static_cast<int>(arm.size); ++i) {
    if (!arm.joints[i].is_revolute) continue;
    const int row = angle_of(i, arm.row[i]);
    const Real angle = rows[row], size = angle > 0 ? angle : -angle;
    Real sine{}, cosine{};
    sine_cosine(angle, sine, cosine);
    turn(arm.joints[i], sine, cosine);
    rows[row] = size <= largest_angle ? sine : nothing;
    rows[row + 1] = cosine;
  }
}

// The contact point in the world.
template <class Real, class AnyArm, class AngleOf>
THUD_INLINE V3<Real> walked_contact(const AnyArm& arm, const Rows<Real>& rows, const AngleOf& angle_of) {
  V3<Real> p = broadcast<Real>(vector(arm.offset));  // in the frame of a link, then in that of its parent
  for (int at = arm.contact_step; at < 2 * static_cast<int>(arm.size); ++at) {
    const WalkStep step = arm.steps[at];
    const int angle = angle_of(step.joint(), step.row());
    p = in_parent(arm.joints[step.joint()], rows[angle], rows[angle + 1], p);
  }
  return p;
}

// I += x x^T factor
template <class Real>
THUD_INLINE void add_square(Mobility<Real>& I, const Spatial<Real>& x, const Real& factor) {
  const V3<Real>&v = x.linear, e = x.angular * factor;
  add_square(I.vv, v, factor), add_square(I.ww, x.angular, factor);
  I.vw[0] = I.vw[0] + v * e.x, I.vw[1] = I.vw[1] + v * e.y, I.vw[2] = I.vw[2] + v * e.z;
}

// Walks every branch that does not carry the contact, other limbs first, and then from the contact to the base.
// `bodies` is told: a joint is reached; a link has nothing beyond it; a joint is left on the way back, so that what its
// link carries belongs to its parent; a link waits, and is met again; the contact is reached, after which joints are
// left along its path alone. Two loops that take turns: one would copy the frame between registers.
template <class Real, class AnyArm, class AngleOf, class Bodies>
THUD_INLINE void walk(const AnyArm& arm, const Rows<Real>& rows, const AngleOf& angle_of, const V3<Real>& contact,
                      Bodies& bodies) {
  Frame<Real> frame(V3<Real>{} - contact);
  WalkStep step = arm.steps[0];
  for (int at = 0; at < 2 * static_cast<int>(arm.size);) {
    do {
      const ArmJoint& joint = arm.own_joint(step.joint());
      const int angle = angle_of(step.joint(), step.row());
      const Real a = rows[angle], b = rows[angle + 1];
      if (step.is(WalkStep::branch)) bodies.wait();
      bodies.reach(step, frame.step(joint, step, a, b));
      step = arm.steps[++at];
    } while (step.is(WalkStep::reach));
    do {
      const ArmJoint& joint = arm.own_joint(step.joint());
      const int angle = angle_of(step.joint(), step.row());
      const Real a = rows[angle], b = rows[angle + 1];
      if (at == arm.contact_step) bodies.contact();
      if (step.is(WalkStep::tip)) {
        THUD_BRANCH;
        bodies.end();
      }
      const Pose<Real> pose = frame.pose();
      bodies.leave(step, joint, moments(body_of(joint), pose, V3<Real>{}), pose);
      frame.step_back(joint, step, a, b);
      if (step.is(WalkStep::branch)) bodies.meet();
      step = arm.steps[++at];
    } while (!step.is(WalkStep::reach));
  }
}

}  // namespace
}  // namespace thud::kernel
