#pragma once

/// A tree in a number of operations proportional to its joints, by articulated-body inertias (Featherstone, Rigid Body
/// Dynamics Algorithms, 2008, section 7.3): a branch that does not carry the contact is folded into its parent and
/// forgotten. For one posture a thread, whose registers must not be indexed at run time: joints are walked depth-first,
/// so that the numbers of one link are all there is; those of the links where branches meet wait on a stack. Everything
/// is expressed in world axes at the contact point. Private to the library.

#include "kernel/posture_models.hpp"

namespace thud::kernel {

/// Where a joint is in the walk.
struct WalkedJoint {
  int position, after;  // its index, and the first one behind all joints it moves
  int row, depth;       // the first of its rows; how many joints move it
  bool moves_contact, in_composite;

  THUD_BOTH bool moves(const WalkedJoint& other) const { return position <= other.position && other.position < after; }
};

namespace {

/// Memory of one posture: numbers of neighbouring threads lie side by side.
struct Rows {
  double* data;
  int pitch;

  THUD_BOTH double& operator[](int row) const { return data[row * pitch]; }
};

/// Rows of a tree. A joint has two for its position, or its sine and cosine, and a third for its rate where rates are
/// given. With everything there are six before them for its twist, and when the walk has come back from it for its
/// momentum; entries of M, one with each joint that moves it, then take the place of the two, or more. With everything,
/// the last row is zero.
constexpr int spatial_rows = 6, angle_rows = 2;
THUD_BOTH constexpr int joint_rows(int depth) {
  const int entries = depth + 1;
  return spatial_rows + (entries > angle_rows ? entries : angle_rows);
}
template <bool everything, bool rates>
struct WalkRows {
  template <class AnyArm>
  THUD_BOTH static constexpr int count(const AnyArm& arm) {
    const int rows = everything ? arm.rows + 1 : position(static_cast<int>(arm.size), 0);
    const int least = everything ? 36 : 4;  // results
    return rows > least ? rows : least;
  }
  /// Of a joint, which is at a place in the walk and has `row` with everything.
  THUD_BOTH static constexpr int position(int place, int row) {
    return everything ? row + spatial_rows : (angle_rows + (rates ? 1 : 0)) * place;
  }
  THUD_BOTH static constexpr int rate(int place, int row) { return position(place, row) + angle_rows; }
};

/// Rows of the stack, of each link that waits: at most every second one does.
constexpr int rows_of_waiting = 30;
THUD_BOTH constexpr long stack_rows(long joints) {
  return rows_of_waiting * (joints / 2) + 10;  // the last ones are those of Limbs
}

/// Everything computed for a posture of a tree but what is in its rows.
template <class Real>
struct WalkedPosture {
  using Number = Real;

  V3<Real> p_WC, r;  // as in Postures
  S3<Real> Ic, Ic_inverse;
  Mobility<Real> A;
  Spatial<Real> transmitted[6];  // to the base, of unit impulses at the contact point, linear ones first
  Real size, rigid_mobility, rigid_size, mass[4], W[36];
  Real speed, speed_terms;  // along the normal at given rates, and the sum of the magnitudes of its terms
  Spatial<Real> h;          // momentum at these rates
  decltype(Real{} > Real{}) regular;
};

template <class Real>
THUD_INLINE Spatial<Real> operator*(const Mobility<Real>& I, const Spatial<Real>& v) {
  const V3<Real>&a = v.linear, &b = v.angular;
  return {I.vv * a + I.vw[0] * b.x + I.vw[1] * b.y + I.vw[2] * b.z,
          V3<Real>{dot(I.vw[0], a), dot(I.vw[1], a), dot(I.vw[2], a)} + I.ww * b};
}

// I += x x^T factor
template <class Real>
THUD_INLINE void add_square(Mobility<Real>& I, const Spatial<Real>& x, const Real& factor) {
  const V3<Real>&v = x.linear, e = x.angular * factor;
  add_square(I.vv, v, factor), add_square(I.ww, x.angular, factor);
  I.vw[0] = I.vw[0] + v * e.x, I.vw[1] = I.vw[1] + v * e.y, I.vw[2] = I.vw[2] + v * e.z;
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

template <class Real>
THUD_INLINE Moments<Real> operator+(const Moments<Real>& a, const Moments<Real>& b) {
  return {a.first + b.first, a.second + b.second};
}

// Along axis k, or about axis k - 3.
template <class Real>
THUD_INLINE Spatial<Real> unit_impulse(long k) {
  const auto one_if = [](bool is) { return Real{} + (is ? 1.0 : 0.0); };
  return {{one_if(k == 0), one_if(k == 1), one_if(k == 2)}, {one_if(k == 3), one_if(k == 4), one_if(k == 5)}};
}

// The frame of the current link, and steps to that of a joint and back. `a` and `b` are sine and cosine of a revolute
// joint, or `a` is the position of a prismatic one.
template <class Real>
struct Frame {
  TransformRow<Real> x, y, z;

  THUD_INLINE explicit Frame(const V3<Real>& p)
      : x{Real{} + 1, Real{}, Real{}, p.x}, y{Real{}, Real{} + 1, Real{}, p.y}, z{Real{}, Real{}, Real{} + 1, p.z} {}

  THUD_INLINE Pose<Real> pose() const { return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}, {x.p, y.p, z.p}}; }

  THUD_INLINE void step(const ArmJoint& joint, const Real& a, const Real& b) {
    if (joint.is_dh)
      x = transform_dh(joint, x), y = transform_dh(joint, y), z = transform_dh(joint, z);
    else
      x = transform(joint, x), y = transform(joint, y), z = transform(joint, z);
    if (joint.is_revolute)
      rotate(a, b);
    else
      slide(a);
  }

  THUD_INLINE void step_back(const ArmJoint& joint, const Real& a, const Real& b) {
    if (joint.is_revolute)
      rotate(-a, b);
    else
      slide(-a);
    if (joint.is_dh)
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

// Calls use(number, row) for all numbers of a vector or a symmetric matrix.
template <class Vector, class Use>
THUD_INLINE void visit_vector(Vector& v, const Rows& rows, int first, const Use& use) {
  use(v.x, rows[first]), use(v.y, rows[first + 1]), use(v.z, rows[first + 2]);
}
template <class Matrix, class Use>
THUD_INLINE void visit_symmetric(Matrix& A, const Rows& rows, int first, const Use& use) {
  use(A.xx, rows[first]), use(A.yy, rows[first + 1]), use(A.zz, rows[first + 2]);
  use(A.xy, rows[first + 3]), use(A.xz, rows[first + 4]), use(A.yz, rows[first + 5]);
}

// The links that wait: articulated inertias, and where momenta are wanted the moments of what they carry.
template <bool momenta>
struct Waiting {
  Rows rows;
  int next = 0;

  THUD_INLINE void push(const Mobility<double>& inertia, const Moments<double>& subtree) {
    visit(inertia, subtree, [](const double& from, double& row) { row = from; });
    next += rows_of_waiting;
  }
  THUD_INLINE void pop(Mobility<double>& inertia, Moments<double>& subtree) {
    next -= rows_of_waiting;
    visit(inertia, subtree, [](double& to, const double& row) { to += row; });
  }

 private:
  template <class Inertia, class Subtree, class Use>
  THUD_INLINE void visit(Inertia& inertia, Subtree& subtree, const Use& use) const {
    visit_symmetric(inertia.vv, rows, next, use), visit_symmetric(inertia.ww, rows, next + 6, use);
    THUD_GPU_UNROLL for (int k = 0; k < 3; ++k) visit_vector(inertia.vw[k], rows, next + 12 + 3 * k, use);
    if constexpr (momenta) {
      visit_symmetric(subtree.second, rows, next + 21, use);
      visit_vector(subtree.first, rows, next + 27, use);
    }
  }
};

// Six numbers in rows.
THUD_INLINE Spatial<double> spatial(const Rows& rows, int first) {
  return {{rows[first], rows[first + 1], rows[first + 2]}, {rows[first + 3], rows[first + 4], rows[first + 5]}};
}
THUD_INLINE void keep(const Spatial<double>& v, const Rows& rows, int first) {
  double numbers[6];
  write(v, numbers);
  THUD_GPU_UNROLL for (int c = 0; c < 6; ++c) rows[first + c] = numbers[c];
}

// Moments of the limbs that are complete: those of the composite body, and the trace of the inertia of the others.
// There are no registers for them during the walk.
struct Limbs {
  Rows rows;
  bool any = false;

  THUD_INLINE void add(bool in_composite, const Moments<double>& limb) {
    Moments<double> whole{};
    double others{};
    get(whole, others);
    if (in_composite)
      whole = whole + limb;
    else
      others += trace(limb.second);
    visit(whole, others, [](const double& from, double& row) { row = from; });
    any = true;
  }
  THUD_INLINE void get(Moments<double>& whole, double& others) const {
    if (any) visit(whole, others, [](double& to, const double& row) { to = row; });
  }

 private:
  template <class Whole, class Others, class Use>
  THUD_INLINE void visit(Whole& whole, Others& others, const Use& use) const {
    visit_vector(whole.first, rows, 0, use), visit_symmetric(whole.second, rows, 3, use), use(others, rows[9]);
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

// Entries of M of a joint with those that move it, whose twists are in their rows, in the rows of the former.
template <class AnyArm>
THUD_INLINE void keep_mass_entries(const AnyArm& arm, const Rows& rows, long i, const Spatial<double>& twist,
                                   const Spatial<double>& h) {
  const int first = arm.row[i] + spatial_rows;
  rows[first + arm.depth[i]] = dot(twist, h) + arm.joints[i].rotor;
  THUD_GPU_UNROLL_2 for (long j = arm.joints[i].parent; j >= 0; j = arm.joints[j].parent) rows[first + arm.depth[j]] =
      dot(spatial(rows, arm.row[j]), h);
}

template <class Real>
THUD_INLINE Spatial<Real> twist_of(const ArmJoint& joint, const Pose<Real>& pose) {
  return {joint.is_revolute ? cross(pose.p, pose.z) : pose.z, joint.is_revolute ? pose.z : V3<Real>{}};
}

// From the positions of the joints, and their rates, in the rows to the mobility A, the composite body and what the
// base receives. With `everything`, momenta of the joints and entries of M are in the rows at the end; at_contact() is
// called when the twists of all joints that move the contact point are. `stack`: rows of its own.
template <bool everything, bool rates, class AnyArm, class AtContact>
THUD_INLINE void walk(const AnyArm& arm, const Rows& rows, const Rows& stack, const AtContact& at_contact,
                      WalkedPosture<double>& s) {
  using Real = double;
  constexpr bool momenta = everything || rates;
  const int n = static_cast<int>(arm.size);
  using Layout = WalkRows<everything, rates>;
  const auto angle_of = [&](long i) { return Layout::position(static_cast<int>(i), everything ? arm.row[i] : 0); };

  Real furthest{};
  THUD_GPU_UNROLL_4 for (int i = 0; i < n; ++i) {
    Real a = rows[angle_of(i)], b{};
    if (arm.joints[i].is_revolute) {
      const Real angle = a;
      furthest = larger(furthest, larger(angle, -angle));
      sine_cosine(angle, a, b);
    }
    rows[angle_of(i)] = a, rows[angle_of(i) + 1] = b;
  }
  s.regular = furthest <= largest_angle;

  V3<Real> contact{arm.offset[0], arm.offset[1], arm.offset[2]};  // in the frame of a link, then in that of its parent
  for (long i = arm.contact_joint; i >= 0; i = arm.joints[i].parent)
    contact = in_parent(arm.joints[i], rows[angle_of(i)], rows[angle_of(i) + 1], contact);
  s.p_WC = contact;

  Frame<Real> frame(V3<Real>{} - contact);
  Mobility<Real> inertia{};  // articulated, of the current link
  Moments<Real> subtree{};   // of all that this link carries
  Moments<Real> whole{};     // of the composite body
  Real others{};             // trace of the inertia of the limbs that are no part of it
  Waiting<momenta> waiting{stack};
  [[maybe_unused]] Limbs limbs{{&stack[static_cast<int>(stack_rows(n)) - 10], stack.pitch}};

  // A pivot is the inertia that a joint feels while the joints beyond it are free. Its terms sum to at most three times
  // M_ii + size, as in factorise(), and M_ii is at most 2 (subtree mass |v|^2 + size): `margin` of all joints is the
  // largest size with which every pivot is regular.
  constexpr double limit = 9 * regular_margin * smallest_pivot;
  Real margin = 1e300;
  if constexpr (rates) s.speed = s.speed_terms = 0, s.h = Spatial<Real>{};

  // Folds the current link into its parent, the current one from then on.
  const auto step_back = [&](long i, const auto& respond) {
    const ArmJoint& joint = arm.own_joint(i);
    const Real a = rows[angle_of(i)], b = rows[angle_of(i) + 1];
    const double* I = joint.inertia;
    const Body<double> body{joint.mass, vector(joint.com), I[0], {I[1], I[2], I[3]}, I[4], I[5]};
    const Pose<Real> pose = frame.pose();
    const Moments<Real> own = moments(body, pose, V3<Real>{});
    if constexpr (!momenta) {
      if (joint.in_composite)
        whole = whole + own;
      else
        others += trace(own.second);
    }
    const Spatial<Real> twist = twist_of(joint, pose);
    add_body(inertia, joint.mass, own);
    if constexpr (momenta) {
      subtree = subtree + own;
      const Spatial<Real> h = momentum(joint.subtree_mass, subtree, twist);
      if constexpr (everything) {
        keep(h, rows, arm.row[i]);
        keep_mass_entries(arm, rows, i, twist, h);
      }
      if constexpr (rates)
        if (joint.in_composite) s.h = s.h + h * rows[Layout::rate(static_cast<int>(i), 0)];
    }
    const Spatial<Real> force = inertia * twist;
    const Real pivot = dot(twist, force) + joint.rotor, inverse = 1 / pivot;
    const Real largest = pivot * (1 / limit) - dot(twist.linear, twist.linear) * joint.subtree_mass;
    margin = largest > margin ? margin : largest;
    respond(i, twist, force, inverse);
    if constexpr (momenta)
      if (joint.parent < 0) limbs.add(joint.in_composite, subtree);
    add_square(inertia, force, -inverse);
    frame.step_back(joint, a, b);
    if (arm.branches(i)) waiting.pop(inertia, subtree);
  };

  // Every branch that does not carry the contact, other limbs first.
  long current = -1;
  for (long i = 0; i <= n; ++i) {
    const long from = i < n ? arm.joints[i].parent : arm.contact_joint;
    if (i == n || current != from) {  // the current one is a tip
      inertia = Mobility<Real>{}, subtree = Moments<Real>{};
      for (; current != from; current = arm.joints[current].parent)
        step_back(current, [](long, const Spatial<Real>&, const Spatial<Real>&, const Real&) {});
    }
    if (i == n) break;
    if (arm.branches(i)) waiting.push(inertia, subtree);
    const ArmJoint& joint = arm.own_joint(i);
    frame.step(joint, rows[angle_of(i)], rows[angle_of(i) + 1]);
    if constexpr (everything) keep(twist_of(joint, frame.pose()), rows, arm.row[i]);
    current = i;
  }
  at_contact();

  // From the contact to the base: what each joint takes of unit impulses at the contact point, y = S^T F, adds
  // y y^T / pivot to J M^-1 J^T; the rest is passed on.
  Mobility<Real> A{};
  Spatial<Real> F[6];
  THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) F[k] = unit_impulse<Real>(k);
  for (; current >= 0; current = arm.joints[current].parent)
    step_back(current, [&]([[maybe_unused]] long i, const Spatial<Real>& twist, const Spatial<Real>& force,
                           const Real& inverse) {
      if constexpr (rates) {
        const Real part = dot(twist.linear, vector(arm.normal_W)) * rows[Layout::rate(static_cast<int>(i), 0)];
        s.speed += part;
        s.speed_terms += part > 0 ? part : -part;
      }
      Real y[6];
      THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) y[k] = dot(twist, F[k]);
      add_square(A, Spatial<Real>{{y[0], y[1], y[2]}, {y[3], y[4], y[5]}}, inverse);
      THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) F[k] = F[k] + force * (-inverse * y[k]);
    });
  s.A = A;
  THUD_GPU_UNROLL for (long k = 0; k < 6; ++k) s.transmitted[k] = F[k];

  if constexpr (momenta) limbs.get(whole, others);
  s.r = arm.mass > 0 ? whole.first * (1 / arm.mass) : V3<Real>{};
  s.Ic = whole.second + parallel_axis(-arm.mass, s.r);
  s.size = trace(whole.second) + others;
  s.regular = mask_and(s.regular, margin > s.size);
}

// Momentum about the contact point due to a unit impulse there along axis k: what the base does not receive.
template <class Real>
THUD_INLINE Spatial<Real> retained(const WalkedPosture<Real>& s, long k) {
  return unit_impulse<Real>(k) + s.transmitted[k] * Real{-1};
}

// The last two models, masses only.
template <class AnyArm, class Real>
THUD_INLINE void walked_masses(const AnyArm& arm, WalkedPosture<Real>& s) {
  const V3<double> normal = vector(arm.normal_W);
  const Spatial<Real> twist = rigid_twist(arm, s);
  const Real shared = dot(retained(s, 0) * normal.x + retained(s, 1) * normal.y + retained(s, 2) * normal.z, twist);
  set_composite_masses(s.rigid_mobility, s.rigid_mobility + quadratic_form(normal, s.A.vv) - shared, s.rigid_size, s);
}

// The last two models with their matrices.
template <class AnyArm, class Real>
THUD_INLINE void walked_matrices(const AnyArm& arm, WalkedPosture<Real>& s) {
  set_composite_matrices(arm, s, [&](auto axis) { return about_centre(retained(s, axis()), s.r); });
}

// Momenta of the joints about the centre of mass, in their rows: the columns of A_G.
template <class AnyArm>
THUD_INLINE void central_momenta(const AnyArm& arm, const Rows& rows, const V3<double>& r) {
  THUD_GPU_UNROLL_2 for (int i = 0; i < static_cast<int>(arm.size); ++i)
      keep(about_centre(spatial(rows, arm.row[i]), r), rows, arm.row[i]);
}

// The row of an entry of M.
template <class AnyArm>
THUD_INLINE int mass_row(const AnyArm& arm, int i, int j) {
  const WalkedJoint a = arm.places[i], b = arm.places[j];
  if (a.moves(b)) return b.row + spatial_rows + a.depth;
  return b.moves(a) ? a.row + spatial_rows + b.depth : arm.rows;
}

}  // namespace
}  // namespace thud::kernel
