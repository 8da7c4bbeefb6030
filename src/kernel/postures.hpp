#pragma once

/// Passes over the joints for a pack of postures at a time, up to M = L D L^T. A serial chain of N joints, or (N = 0)
/// any tree. Private to the library.

#include "kernel/kernel.hpp"
#include "kernel/mechanics.hpp"
#include "kernel/models.hpp"
#include "kernel/sine.hpp"

namespace thud::kernel {
namespace {

// A pivot or mobility this many times above its rounding limit is regular, whatever the order of operations.
constexpr double regular_margin = 100;

// Everything computed for a pack of postures, laid out in the scratch memory. The results after the backward pass reuse
// the memory of its inputs, so that all of it stays in the first-level cache.
template <class Real>
struct Postures {
  using Number = Real;
  using Mask = decltype(Real{} > Real{});
  static constexpr bool in_registers = false;

  Spatial<Real>* twists;   // n
  Spatial<Real>* momenta;  // n: of unit rates, about the contact point
  Real *q, *pivots;        // n; pivots are inverse
  Real* M;                 // n^2; its strictly lower part is L from the factorisation on

  // up to the backward pass
  Pose<Real>* frames;       // n
  Moments<Real>* subtrees;  // n
  Real *sine, *cosine;      // n

  // after the backward pass, in the same memory
  Real* Y;             // 6 n: L^-1 J^T by rows, linear columns before angular ones
  V3<Real>* response;  // n: linear columns of M^-1 J^T, a joint at a time
  Real* W;             // 36
  Real* columns;       // 3 n + 9: output buffer

  V3<Real> p_WC, r;  // contact point; from there to the centre of mass
  S3<Real> Ic, Ic_inverse;
  Mobility<Real> A;
  Real size;                        // trace of the inertia of all moving bodies about the contact point
  Real rigid_mobility, rigid_size;  // n.W n of the arm as one rigid body, and at least the trace of its W
  Real mass[4];
  Mask regular;

  static constexpr long frame = sizeof(Pose<Real>) / sizeof(Real), body = sizeof(Moments<Real>) / sizeof(Real);
  THUD_BOTH static constexpr long scratch_doubles(long n) {
    const long before = n * (frame + body + 2), after = n * (6 + 3 + 3) + 36 + 9;
    return static_cast<long>(sizeof(Postures) / sizeof(Real)) + 1 + n * (12 + 2 + n) +
           (before > after ? before : after);
  }

  THUD_BOTH static Postures& layout(void* memory, long n) {
    Postures& s = *static_cast<Postures*>(memory);
    Real* next = reinterpret_cast<Real*>(&s + 1);
    const auto take = [&](long count) { return (next += count) - count; };
    s.twists = reinterpret_cast<Spatial<Real>*>(take(6 * n));
    s.momenta = reinterpret_cast<Spatial<Real>*>(take(6 * n));
    s.q = take(n), s.pivots = take(n), s.M = take(n * n);
    Real* const shared = next;
    s.frames = reinterpret_cast<Pose<Real>*>(take(frame * n));
    s.subtrees = reinterpret_cast<Moments<Real>*>(take(body * n));
    s.sine = take(n), s.cosine = take(n);
    next = shared;
    s.Y = take(6 * n), s.response = reinterpret_cast<V3<Real>*>(take(3 * n));
    s.W = take(36), s.columns = take(3 * n + 9);
    return s;
  }
};

template <int N, class AnyArm>
THUD_BOTH constexpr long joints_of(const AnyArm& arm) {
  return N > 0 ? N : arm.size;
}

// Calls use(i) for an index that is known at run time only, where it must not be one into registers.
template <bool in_registers, class Use>
THUD_INLINE void with_index(long index, long below, const Use& use) {
  if constexpr (in_registers) {
    THUD_GPU_UNROLL for (long i = 0; i < below; ++i) {
      if (i == index) use(i);
    }
  } else {
    use(index);
  }
}

template <int N, class AnyArm>
THUD_BOTH long parent_of(const AnyArm& arm, long joint) {
  return N > 0 ? joint - 1 : arm.joints[joint].parent;
}

THUD_BOTH inline V3<double> vector(const double* v) {
  return {v[0], v[1], v[2]};
}

template <class Real>
THUD_BOTH void write(const Spatial<Real>& v, Real* to) {
  write(v.linear, to);
  write(v.angular, to + 3);
}

// A momentum about the contact point, moved to the centre of mass, which lies r from there.
template <class Real>
THUD_BOTH Spatial<Real> about_centre(const Spatial<Real>& h, const V3<Real>& r) {
  return {h.linear, h.angular - cross(r, h.linear)};
}

// Sines and cosines of the joint angles; 0 and 1 for a prismatic joint.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void joint_sines_and_cosines(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  Real furthest{};
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const Real& q = s.q[i];
    if (arm.joints[i].is_revolute) {
      sine_cosine(q, s.sine[i], s.cosine[i]);
      furthest = larger(furthest, larger(q, -q));
    } else {
      s.sine[i] = Real{}, s.cosine[i] = Real{} + 1;
    }
  }
  s.regular = furthest <= largest_angle;
}

// One row of the homogeneous transform of a frame: a coordinate of its axes and its origin.
template <class Real>
struct TransformRow {
  Real x, y, z, p;
};

// The frame of a joint at q = 0 from that of its parent, in general and for a Denavit-Hartenberg joint.
template <class Real>
THUD_INLINE TransformRow<Real> transform(const ArmJoint& joint, const TransformRow<Real>& from) {
  const double(&R)[3][3] = joint.R, *p = joint.p;
  return {
      from.x * R[0][0] + from.y * R[0][1] + from.z * R[0][2], from.x * R[1][0] + from.y * R[1][1] + from.z * R[1][2],
      from.x * R[2][0] + from.y * R[2][1] + from.z * R[2][2], from.p + from.x * p[0] + from.y * p[1] + from.z * p[2]};
}
template <class Real>
THUD_INLINE TransformRow<Real> transform_dh(const ArmJoint& joint, const TransformRow<Real>& from) {
  const double(&R)[3][3] = joint.R;
  const Real y = from.y * R[1][1] + from.z * R[1][2], z = from.y * R[2][1] + from.z * R[2][2];
  return {from.x, y, z, from.p + from.x * joint.p[0] + z * joint.dh_offset};
}

// Forward pass: poses.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void forward_kinematics(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  TransformRow<Real> x{}, y{}, z{};  // of the frame
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const ArmJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    if (parent < 0) {
      const auto row = [&](long k) {
        return TransformRow<Real>{Real{} + joint.R[0][k], Real{} + joint.R[1][k], Real{} + joint.R[2][k],
                                  Real{} + joint.p[k]};
      };
      x = row(0), y = row(1), z = row(2);
    } else {
      if constexpr (N == 0) {
        const Pose<Real>& from = s.frames[parent];
        x = {from.x.x, from.y.x, from.z.x, from.p.x};
        y = {from.x.y, from.y.y, from.z.y, from.p.y};
        z = {from.x.z, from.y.z, from.z.z, from.p.z};
      }
      if (AnyArm::always_dh || joint.is_dh) {
        x = transform_dh(joint, x), y = transform_dh(joint, y), z = transform_dh(joint, z);
      } else {
        x = transform(joint, x), y = transform(joint, y), z = transform(joint, z);
      }
    }
    const Real sine = s.sine[i], cosine = s.cosine[i];
    const auto rotate_row = [&](TransformRow<Real>& at) {
      const Real along_x = at.x;
      at.x = along_x * cosine + at.y * sine;
      at.y = at.y * cosine - along_x * sine;
    };
    rotate_row(x), rotate_row(y), rotate_row(z);
    if (!joint.is_revolute) x.p += x.z * s.q[i], y.p += y.z * s.q[i], z.p += z.z * s.q[i];
    Pose<Real>& to = s.frames[i];
    to.x.x = x.x, to.x.y = y.x, to.x.z = z.x;
    to.y.x = x.y, to.y.y = y.y, to.y.z = z.y;
    to.z.x = x.z, to.z.y = y.z, to.z.z = z.z;
    to.p.x = x.p, to.p.y = y.p, to.p.z = z.p;
  }
  with_index<AnyPostures::in_registers>(arm.contact_joint, n, [&](long i) {
    const Pose<Real>& carrier = s.frames[i];
    s.p_WC = carrier.p + rotate(carrier, vector(arm.offset));
  });
}

THUD_INLINE Body<double> body_of(const ArmJoint& joint) {
  const double* I = joint.inertia;
  return {joint.mass, vector(joint.com), I[0], {I[1], I[2], I[3]}, I[4], I[5]};
}

// Twists, and the moments of each single body.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void twists_and_moments(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const ArmJoint& joint = arm.joints[i];
    const Pose<Real>& frame = s.frames[i];
    s.twists[i].linear = joint.is_revolute ? cross(frame.p - s.p_WC, frame.z) : frame.z;
    s.twists[i].angular = joint.is_revolute ? frame.z : V3<Real>{};
    s.subtrees[i] = moments(body_of(joint), frame, s.p_WC);
  }
}

// From the moments of the composite body, and the trace of the inertia of all moving bodies.
template <class AnyArm, class AnyPostures, class Real>
THUD_INLINE void set_composite_body(const AnyArm& arm, const Moments<Real>& whole, const Real& size, AnyPostures& s) {
  s.r = arm.mass > 0 ? whole.first * (1 / arm.mass) : V3<Real>{};
  s.Ic = whole.second + parallel_axis(-arm.mass, s.r);
  s.size = size;
}

// Backward pass: moments of the subtrees, momenta about the contact point and M; then the composite body. Momenta of
// what is no part of it are zero.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void composite_inertias(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  Moments<Real> whole{};  // of a serial chain: the subtree of the current joint
  Real others{};          // trace of the inertia of the limbs that are no part of the composite body
  THUD_GPU_UNROLL for (long i = n - 1; i >= 0; --i) {
    const ArmJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    const Moments<Real>& own = s.subtrees[i];
    if (N > 0 || parent >= 0 || joint.in_composite) {
      const auto add_to = [&](Moments<Real>& onto) {
        onto = Moments<Real>{onto.first + own.first, onto.second + own.second};
      };
      add_to(N > 0 || parent < 0 ? whole : s.subtrees[parent]);
    } else {
      others += trace(own.second);
    }
    const Moments<Real>& subtree = N > 0 ? whole : own;

    const Spatial<Real>& twist = s.twists[i];
    const Spatial<Real> h = momentum(joint.subtree_mass, subtree, twist);
    s.momenta[i] = N > 0 || joint.in_composite ? h : Spatial<Real>{};
    s.M[i + n * i] = dot(twist, h) + joint.rotor;
    for (long j = 0; N == 0 && j < i; ++j) s.M[i + n * j] = s.M[j + n * i] = Real{};
    THUD_GPU_UNROLL for (long j = parent; j >= 0; j = parent_of<N>(arm, j)) {
      s.M[i + n * j] = s.M[j + n * i] = dot(s.twists[j], h);
    }
  }
  const Real size = trace(whole.second);
  set_composite_body(arm, whole, N > 0 ? size : size + others, s);
}

// M = L D L^T and Y = L^-1 J^T. L takes the place of the lower half of M.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void factorise(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  const Real size = s.size;
  Real *M = s.M, *Y = s.Y, *pivots = s.pivots, fixed_row[N > 0 ? N : 1];
  auto regular = s.regular;
  THUD_UNROLL for (long i = 0; i < n; ++i) {
    Real* row = N > 0 ? fixed_row : s.columns;  // of L D
    THUD_UNROLL for (long j = 0; j < i; ++j) {
      Real sum = M[i + n * j];
      THUD_UNROLL for (long k = 0; k < j; ++k) sum -= row[k] * M[j + n * k];
      row[j] = sum;
    }
    Real pivot = M[i + n * i], y[6] = {};
    // M_ii = |a + b|^2 with |b|^2 at most `size`: its terms sum to at most three times both
    const Real smallest = (pivot + size) * (3 * regular_margin * smallest_pivot);
    if (arm.joints[i].moves_contact) write(s.twists[i], y);
    THUD_UNROLL for (long j = 0; j < i; ++j) {
      const Real entry = row[j] * pivots[j];
      pivot -= row[j] * entry;
      M[i + n * j] = entry;
      THUD_GPU_UNROLL for (long c = 0; c < 6; ++c) y[c] -= entry * Y[6 * j + c];
    }
    regular = mask_and(regular, pivot > smallest);
    pivots[i] = 1 / pivot;
    THUD_GPU_UNROLL for (long c = 0; c < 6; ++c) Y[6 * i + c] = y[c];
  }
  s.regular = regular;
}

}  // namespace
}  // namespace thud::kernel
