#pragma once

/// The kernel for many postures: packs of them, joint after joint. N joints in a row, or (N = 0) any tree. Each stage
/// is a function that no other is compiled into, so that its results are the same bits whatever is asked for after it.
/// Private to the library.

#include <type_traits>

#include "kernel_options.hpp"
#include "kernel_single.hpp"
#include "transpose.hpp"

namespace thud {
namespace {

// A pivot or mobility that is this many times above rounding is plainly regular, whatever the order of operations.
constexpr double plainly = 100;

// All that is known of a pack of postures. It lies in the scratch memory, and what the pass back leaves behind over
// what it needs, so that it stays in the fastest cache.
template <int width>
struct Postures {
  using Real = typename PackOf<width>::Real;
  using Mask = decltype(Real{} > Real{});

  Spatial<Real>* twists;     // n
  Spatial<Real>* momenta;    // n: of unit rates, about the contact point
  Real *q, *scale, *pivots;  // n; pivots are inverse
  Real* M;                   // n^2

  // up to the pass back
  Pose<Real>* frames;       // n
  Moments<Real>* subtrees;  // n
  Real *sine, *cosine;      // n

  // from there on
  Real* L;             // n^2, strictly lower part by rows
  Real* Y;             // 6 n: L^-1 J^T by rows, linear over angular columns
  V3<Real>* response;  // n: linear columns of M^-1 J^T, a joint at a time
  Real* W;             // 36
  Real* columns;       // 3 n + 9: what is about to be written

  V3<Real> p_WC, r;  // contact point; centre of mass from there
  S3<Real> Ic, Ic_inverse;
  Mobility<Real> A;
  Real mass[4];
  Mask regular;

  static constexpr long frame = sizeof(Pose<Real>) / sizeof(Real), body = sizeof(Moments<Real>) / sizeof(Real);
  static long numbers(long n) {
    const long before = n * (frame + body + 2), after = n * (n + 6 + 3 + 3) + 36 + 9;
    return static_cast<long>(sizeof(Postures) / sizeof(Real)) + 1 + n * (12 + 3 + n) +
           (before > after ? before : after);
  }

  static Postures& in(void* memory, long n) {
    Postures& s = *static_cast<Postures*>(memory);
    Real* next = reinterpret_cast<Real*>(&s + 1);
    const auto take = [&](long count) { return (next += count) - count; };
    s.twists = reinterpret_cast<Spatial<Real>*>(take(6 * n));
    s.momenta = reinterpret_cast<Spatial<Real>*>(take(6 * n));
    s.q = take(n), s.scale = take(n), s.pivots = take(n), s.M = take(n * n);
    Real* const both = next;
    s.frames = reinterpret_cast<Pose<Real>*>(take(frame * n));
    s.subtrees = reinterpret_cast<Moments<Real>*>(take(body * n));
    s.sine = take(n), s.cosine = take(n);
    next = both;
    s.L = take(n * n), s.Y = take(6 * n), s.response = reinterpret_cast<V3<Real>*>(take(3 * n));
    s.W = take(36), s.columns = take(3 * n + 9);
    return s;
  }
};

template <int N>
long parent_of(const KernelArm& arm, long joint) {
  return N > 0 ? joint - 1 : arm.joints[joint].parent;
}

inline V3<double> vector(const double* v) {
  return {v[0], v[1], v[2]};
}

template <class Real>
V3<Real> spread(const V3<double>& v) {
  return {Real{} + v.x, Real{} + v.y, Real{} + v.z};
}

template <class Real>
void write(const Spatial<Real>& v, Real* to) {
  write(v.linear, to);
  write(v.angular, to + 3);
}

// A momentum about the contact point, about a centre that lies r from there.
template <class Real>
Spatial<Real> about_centre(const Spatial<Real>& h, const V3<Real>& r) {
  return {h.linear, h.angular - cross(r, h.linear)};
}

// Sines and cosines; those of a joint that slides are 0 and 1.
template <int N, int width>
[[gnu::noinline]] void turn(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Real furthest{};
  for (long i = 0; i < n; ++i) {
    const Real& q = s.q[i];
    if (arm.joints[i].turns) {
      sine_cosine<width>(q, s.sine[i], s.cosine[i]);
      furthest = larger(furthest, larger(q, -q));
    } else {
      s.sine[i] = Real{}, s.cosine[i] = Real{} + 1;
    }
  }
  s.regular = furthest <= largest_angle;
}

// One coordinate of the axes and the origin of a frame.
template <class Real>
struct Coordinate {
  Real x, y, z, p;
};

// The frame of a joint at q = 0 from that of its parent, and of one that rolls.
template <class Real>
[[gnu::always_inline]] inline Coordinate<Real> placed(const KernelJoint& joint, const Coordinate<Real>& from) {
  const double(&R)[3][3] = joint.R, *p = joint.p;
  return {
      from.x * R[0][0] + from.y * R[0][1] + from.z * R[0][2], from.x * R[1][0] + from.y * R[1][1] + from.z * R[1][2],
      from.x * R[2][0] + from.y * R[2][1] + from.z * R[2][2], from.p + from.x * p[0] + from.y * p[1] + from.z * p[2]};
}
template <class Real>
[[gnu::always_inline]] inline Coordinate<Real> rolled(const KernelJoint& joint, const Coordinate<Real>& from) {
  const double(&R)[3][3] = joint.R;
  const Real y = from.y * R[1][1] + from.z * R[1][2], z = from.y * R[2][1] + from.z * R[2][2];
  return {from.x, y, z, from.p + from.x * joint.p[0] + z * joint.offset};
}

// Pass out: poses.
template <int N, int width>
[[gnu::noinline]] void outward(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Coordinate<Real> x{}, y{}, z{};  // of the frame
  for (long i = 0; i < n; ++i) {
    const KernelJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    if (parent < 0) {
      const auto row = [&](long k) {
        return Coordinate<Real>{Real{} + joint.R[0][k], Real{} + joint.R[1][k], Real{} + joint.R[2][k],
                                Real{} + joint.p[k]};
      };
      x = row(0), y = row(1), z = row(2);
    } else {
      if (N == 0) {
        const Pose<Real>& from = s.frames[parent];
        x = {from.x.x, from.y.x, from.z.x, from.p.x};
        y = {from.x.y, from.y.y, from.z.y, from.p.y};
        z = {from.x.z, from.y.z, from.z.z, from.p.z};
      }
      if (joint.rolls) {
        x = rolled(joint, x), y = rolled(joint, y), z = rolled(joint, z);
      } else {
        x = placed(joint, x), y = placed(joint, y), z = placed(joint, z);
      }
    }
    const Real sine = s.sine[i], cosine = s.cosine[i];
    const auto turn = [&](Coordinate<Real>& at) {
      const Real along_x = at.x;
      at.x = along_x * cosine + at.y * sine;
      at.y = at.y * cosine - along_x * sine;
    };
    turn(x), turn(y), turn(z);
    if (!joint.turns) x.p += x.z * s.q[i], y.p += y.z * s.q[i], z.p += z.z * s.q[i];
    Pose<Real>& to = s.frames[i];
    to.x.x = x.x, to.x.y = y.x, to.x.z = z.x;
    to.y.x = x.y, to.y.y = y.y, to.y.z = z.y;
    to.z.x = x.z, to.z.y = y.z, to.z.z = z.z;
    to.p.x = x.p, to.p.y = y.p, to.p.z = z.p;
  }
  const Pose<Real>& carrier = s.frames[arm.contact_joint];
  s.p_WC = carrier.p + turned(carrier, vector(arm.offset));
}

// Twists, and the moments of the bodies, each on its own.
template <int N, int width>
[[gnu::noinline]] void twists_and_bodies(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  for (long i = 0; i < n; ++i) {
    const KernelJoint& joint = arm.joints[i];
    const double* I = joint.inertia;
    const Body<double> body{joint.mass, vector(joint.com), I[0], {I[1], I[2], I[3]}, I[4], I[5]};
    const Pose<Real>& frame = s.frames[i];
    s.twists[i].linear = joint.turns ? cross(frame.p - s.p_WC, frame.z) : frame.z;
    s.twists[i].angular = joint.turns ? frame.z : V3<Real>{};
    s.subtrees[i] = moments(body, frame, s.p_WC);
  }
}

// Pass back: moments of the subtrees, momentum about the contact point, the lower half of M; then the whole arm.
template <int N, int width>
[[gnu::noinline]] void inward(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Moments<Real> whole{};  // in a row of joints: what the next one carries
  for (long i = n - 1; i >= 0; --i) {
    const KernelJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    const Moments<Real>& own = s.subtrees[i];
    Moments<Real>& onto = N > 0 || parent < 0 ? whole : s.subtrees[parent];
    onto = Moments<Real>{onto.first + own.first, onto.second + own.second};
    const Moments<Real>& subtree = N > 0 ? whole : own;

    const Spatial<Real>& twist = s.twists[i];
    const V3<Real>&v = twist.linear, &w = twist.angular, mv = v * joint.subtree_mass;
    const Spatial<Real> h{mv + cross(w, subtree.first), subtree.second * w + cross(subtree.first, v)};
    const Real turning = joint.turns ? trace(subtree.second) : Real{};
    s.scale[i] = dot(v, mv) + turning + joint.rotor;
    s.momenta[i] = h;
    for (long j = 0; N == 0 && j < i; ++j) s.M[i + n * j] = s.M[j + n * i] = Real{};
    s.M[i + n * i] = dot(twist, h) + joint.rotor;
    for (long j = parent; j >= 0; j = parent_of<N>(arm, j)) s.M[i + n * j] = s.M[j + n * i] = dot(s.twists[j], h);
  }
  s.r = arm.mass > 0 ? whole.first * (1 / arm.mass) : V3<Real>{};
  s.Ic = whole.second + parallel_axis(-arm.mass, s.r);
}

// M = L D L^T and Y = L^-1 J^T.
template <int N, int width>
[[gnu::noinline]] void factorise(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const Real *M = s.M, *scale = s.scale;
  Real *L = s.L, *Y = s.Y, *pivots = s.pivots, few[N > 0 ? N : 1];
  auto regular = s.regular;
#pragma GCC unroll 8
  for (long i = 0; i < n; ++i) {
    Real* row = N > 0 ? few : L + n * i;  // of L D
#pragma GCC unroll 8
    for (long j = 0; j < i; ++j) {
      Real sum = M[i + n * j];
#pragma GCC unroll 8
      for (long k = 0; k < j; ++k) sum -= row[k] * L[n * j + k];
      row[j] = sum;
    }
    Real pivot = M[i + n * i], y[6] = {};
    if (arm.joints[i].carries) write(s.twists[i], y);
#pragma GCC unroll 8
    for (long j = 0; j < i; ++j) {
      const Real entry = row[j] * pivots[j];
      pivot -= row[j] * entry;
      L[n * i + j] = entry;
      for (long c = 0; c < 6; ++c) y[c] -= entry * Y[6 * j + c];
    }
    regular = both(regular, pivot > scale[i] * (plainly * smallest_pivot));
    pivots[i] = 1 / pivot;
    for (long c = 0; c < 6; ++c) Y[6 * i + c] = y[c];
  }
  s.regular = regular;
}

// J M^-1 J^T = Y^T D^-1 Y, but for the block of turning impulses if those are not asked for.
template <int N, int width>
[[gnu::noinline]] void mobility(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  S3<Real> vv{}, ww{};
  V3<Real> vw[3]{};
  for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, d = v * s.pivots[i];
    vv = vv + S3<Real>{d.x * v.x, d.y * v.y, d.z * v.z, d.x * v.y, d.x * v.z, d.y * v.z};
  }
  s.A.vv = vv;
  for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, w{y[3], y[4], y[5]}, e = w * s.pivots[i];
    ww = ww + S3<Real>{e.x * w.x, e.y * w.y, e.z * w.z, e.x * w.y, e.x * w.z, e.y * w.z};
    vw[0] = vw[0] + v * e.x, vw[1] = vw[1] + v * e.y, vw[2] = vw[2] + v * e.z;
  }
  s.A.ww = ww;
  s.A.vw[0] = vw[0], s.A.vw[1] = vw[1], s.A.vw[2] = vw[2];
}

// The first two options.
template <int N, int width>
[[gnu::noinline]] void exact_masses(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const V3<double> normal = vector(arm.normal_W);
  const double rounding = plainly * smallest_mobility;
  const auto momentum = generalized_momentum_option(s.A, normal, rounding);
  s.regular = both(s.regular, momentum.exists);
  s.mass[1] = momentum.mass;
  if (arm.carriers >= 6) {
    const auto algebraic = algebraic_option(s.A, normal, rounding);
    s.regular = both(s.regular, algebraic.exists);
    s.mass[0] = algebraic.mass;
    write(algebraic.W, s.W);
  } else {
    s.mass[0] = Real{} + __builtin_nan("");
    for (long k = 0; k < 9; ++k) s.W[k] = s.mass[0];
  }
}

// What the last two options make of n.W n, and which postures are plainly regular. `size` is at least the trace of the
// composite W; that of what it shares with the joints' W is at most half of the sum of both.
template <int width>
[[gnu::always_inline]] inline void judge(const typename PackOf<width>::Real& moves,
                                         const typename PackOf<width>::Real& flexes,
                                         const typename PackOf<width>::Real& size, Postures<width>& s) {
  constexpr double rounding = plainly * smallest_mobility;
  s.regular = both(s.regular, both(moves > size * rounding, flexes > (size + trace(s.A.vv)) * (2 * rounding)));
  s.mass[2] = 1 / moves, s.mass[3] = 1 / flexes;
}

// Ic^-1.
template <int width>
[[gnu::noinline]] void turn_as_one_body(Postures<width>& s) {
  const auto turning = inverse(s.Ic, largest_diagonal(s.Ic), plainly * smallest_mobility);
  s.Ic_inverse = turning.matrix;
  s.regular = both(s.regular, turning.positive);
}

// The last two options, their masses alone: how the arm as one body answers an impulse along the normal, and how much
// of that the answer of the joints has in it.
template <int N, int width>
[[gnu::noinline]] void composite_masses(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const V3<Real> r = V3<Real>{} - s.r;  // of the contact point from the centre of mass
  const V3<Real> w = s.Ic_inverse * cross(r, normal), v = cross(w, r) + spread<Real>(normal * inverse_mass);
  const Real *L = s.L, *pivots = s.pivots;
  Real *u = s.columns, shared{};  // u is borrowed
#pragma GCC unroll 8
  for (long i = n - 1; i >= 0; --i) {
    const Real* y = s.Y + 6 * i;
    Real sum = (y[0] * normal.x + y[1] * normal.y + y[2] * normal.z) * pivots[i];
#pragma GCC unroll 8
    for (long k = i + 1; k < n; ++k) sum -= L[n * k + i] * u[k];
    u[i] = sum;
    shared += (dot(s.momenta[i].linear, v) + dot(s.momenta[i].angular, w)) * sum;
  }
  const Real moves = dot(v, normal);
  judge(moves, moves + along(normal, s.A.vv) - shared, trace(s.Ic_inverse) * dot(r, r) + 3 * inverse_mass, s);
}

// Linear columns of M^-1 J^T; and the momenta about the centre of mass: A_G.
template <int N, int width>
[[gnu::noinline]] void responses(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const Real *L = s.L, *Y = s.Y, *pivots = s.pivots;
  V3<Real>* response = s.response;
#pragma GCC unroll 8
  for (long i = n - 1; i >= 0; --i) {
    V3<Real> u = V3<Real>{Y[6 * i], Y[6 * i + 1], Y[6 * i + 2]} * pivots[i];
#pragma GCC unroll 8
    for (long k = i + 1; k < n; ++k) u = u - response[k] * L[n * k + i];
    response[i] = u;
  }
  const V3<Real> r = s.r;
  for (long i = 0; i < n; ++i) s.momenta[i].angular = s.momenta[i].angular - cross(r, s.momenta[i].linear);
}

// The last two options with their matrices.
template <int N, int width>
[[gnu::noinline]] void composite_matrices(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const Composite<Real> body = composite_option(inverse_mass, s.Ic_inverse, V3<Real>{} - s.r);
  write(s.A.vv, s.W + 9);
  write(body.W, s.W + 18);
  Real flexes{};
  const auto flex = [&]<int k>(std::integral_constant<int, k>, Real V3<Real>::*axis, double along_normal) {
    Spatial<Real> h{};
    for (long i = 0; i < n; ++i) h = h + s.momenta[i] * (s.response[i].*axis);
    const V3<Real> column = flexible_column<k>(inverse_mass, body, s.A.vv, h);
    flexes += dot(column, normal) * along_normal;
    write(column, s.W + 27 + 3 * k);
  };
  flex(std::integral_constant<int, 0>{}, &V3<Real>::x, normal.x);
  flex(std::integral_constant<int, 1>{}, &V3<Real>::y, normal.y);
  flex(std::integral_constant<int, 2>{}, &V3<Real>::z, normal.z);
  judge(along(normal, body.W), flexes, trace(body.W), s);
}

// Contact velocities at joint rates dq, exact and as one body, and their ratio.
template <int N, int width>
[[gnu::noinline]] void velocities(const KernelArm& arm, const typename PackOf<width>::Real* dq, Postures<width>& s,
                                  typename PackOf<width>::Real* out) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  Real exact{}, size{};
  Spatial<Real> h{};
  for (long i = 0; i < n; ++i) {
    const Real part = arm.joints[i].carries ? dot(s.twists[i].linear, normal) * dq[i] : Real{};
    exact += part;
    size += part > 0 ? part : -part;
    h = h + s.momenta[i] * dq[i];
  }
  out[0] = exact;
  const V3<Real> r = V3<Real>{} - s.r;
  const Spatial<Real> central = about_centre(h, s.r);
  out[1] = dot(central.linear * (1 / arm.mass) + cross(s.Ic_inverse * central.angular, r), normal);
  const Real absolute = exact > 0 ? exact : -exact, none = Real{} + __builtin_nan("");
  out[2] = absolute > size * cancelled ? out[1] / exact : none;
}

// Postures first to first + count - 1, a pack of them. Bit k of the result: posture first + k is plainly regular.
template <int N, int width>
[[gnu::always_inline]] inline unsigned pack_of(const KernelArm& arm, const KernelBatch& batch, long first, long count,
                                               Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  read_columns<width>(batch.q + batch.q_stride * first, batch.q_stride, n, count, s.q);
  const auto put = [&](const Real* from, long entries, double* to) {
    write_columns<width>(from, entries, count, to + first * entries);
  };
  turn<N>(arm, s);
  outward<N>(arm, s);
  twists_and_bodies<N>(arm, s);
  inward<N>(arm, s);
  turn_as_one_body(s);
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
      if (!arm.joints[i].carries) s.twists[i] = Spatial<Real>{};  // columns of J from here on
    put(&s.twists->linear.x, 6 * n, batch.J);
    put(s.M, n * n, batch.M);
    write(s.p_WC, s.columns);
    put(s.columns, 3, batch.p_WC);
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
  put(s.mass, 4, batch.mass);
  unsigned regular = 0;
  for (long lane = 0; lane < count; ++lane) regular |= s.regular[lane] ? 1U << lane : 0U;
  return arm.mass > 0 ? regular : 0;
}

template <int N, int width>
void batch_of(const KernelArm& arm, const KernelBatch& batch, long count, unsigned char* regular, void* memory) {
  Postures<width>& s = Postures<width>::in(memory, N > 0 ? N : arm.size);
  for (long first = 0; first < count; first += width) {
    const long left = count - first;
    *regular++ = static_cast<unsigned char>(pack_of<N>(arm, batch, first, left < width ? left : width, s));
  }
}

template <int width>
void batch(const KernelArm& arm, const KernelBatch& batch, long count, unsigned char* regular, void* memory) {
  if (arm.serial && arm.size == 7) return batch_of<7, width>(arm, batch, count, regular, memory);
  if (arm.serial && arm.size == 6) return batch_of<6, width>(arm, batch, count, regular, memory);
  return batch_of<0, width>(arm, batch, count, regular, memory);
}

template <int width>
long scratch_bytes(long joints) {
  const long one = 8 * Single<0, width>::numbers(joints), many = 8 * width * Postures<width>::numbers(joints);
  return one > many ? one : many;
}

}  // namespace
}  // namespace thud
