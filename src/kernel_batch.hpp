#pragma once

/// The kernel for many postures: packs of them, joint after joint. N joints in a row, or (N = 0) any tree. Each stage
/// is a function that no other is compiled into, so that its results are the same bits whatever is asked for after it.
/// Private to the library.

#include "kernel_options.hpp"
#include "kernel_single.hpp"
#include "transpose.hpp"

namespace thud {
namespace {

// A pivot or mobility that is this many times above rounding is plainly regular, whatever the order of operations.
constexpr double plainly = 100;

template <int width>
struct Postures {
  using Real = typename PackOf<width>::Real;
  using Mask = decltype(Real{} > Real{});

  Pose<Real>* frames;  // n, and so on:
  Spatial<Real>* twists;
  Moments<Real>* subtrees;
  Spatial<Real>* momenta;            // of unit rates, about the contact point
  Real *q, *scale, *inverse_pivots;  // n
  Real* M;                           // n^2, lower half
  Real* L;                           // n^2, strictly lower part by rows
  Real* Y;                           // 6 n: L^-1 J^T by rows, linear over angular columns
  V3<Real>* response;                // n: linear columns of M^-1 J^T, a joint at a time
  Real* W;                           // 36
  Real* columns;                     // 6 n + 3: what is about to be written
  V3<Real> p_WC, r;                  // contact point; centre of mass from there
  S3<Real> Ic, Ic_inverse, W_gm, W_composite;
  Real mass[4];
  Mask regular;

  static long numbers(long n) {
    const long records = (sizeof(Pose<Real>) + 2 * sizeof(Spatial<Real>) + sizeof(Moments<Real>)) / sizeof(Real);
    return n * (records + 18 + 2 * n) + 36 + 3;
  }

  Postures(long n, void* memory) {
    frames = static_cast<Pose<Real>*>(memory);
    twists = reinterpret_cast<Spatial<Real>*>(frames + n);
    subtrees = reinterpret_cast<Moments<Real>*>(twists + n);
    momenta = reinterpret_cast<Spatial<Real>*>(subtrees + n);
    Real* next = reinterpret_cast<Real*>(momenta + n);
    const auto take = [&](long count) { return (next += count) - count; };
    q = take(n), scale = take(n), inverse_pivots = take(n);
    M = take(n * n), L = take(n * n);
    Y = take(6 * n), response = reinterpret_cast<V3<Real>*>(take(3 * n)), W = take(36), columns = take(6 * n + 3);
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
void write(const V3<Real>& v, Real* to) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
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

// Pass out: poses and twists.
template <int N, int width>
[[gnu::noinline]] void outward(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  s.regular = Real{} <= Real{};
  for (long i = 0; i < n; ++i) {
    const KernelJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    Pose<Real>& frame = s.frames[i];
    V3<Real> x, y;
    if (parent < 0) {
      x = spread<Real>(vector(joint.R[0])), y = spread<Real>(vector(joint.R[1]));
      frame.z = spread<Real>(vector(joint.R[2]));
      frame.p = spread<Real>(vector(joint.p));
    } else {
      const Pose<Real>& from = s.frames[parent];
      x = joint.rolls ? from.x : turned(from, vector(joint.R[0]));
      y = joint.rolls ? from.y * joint.R[1][1] + from.z * joint.R[1][2] : turned(from, vector(joint.R[1]));
      frame.z = joint.rolls ? from.y * joint.R[2][1] + from.z * joint.R[2][2] : turned(from, vector(joint.R[2]));
      frame.p = from.p + turned(from, vector(joint.p));
    }
    if (joint.turns) {
      Real sine, cosine;
      sine_cosine<width>(s.q[i], sine, cosine);
      s.regular = both(s.regular, both(s.q[i] <= largest_angle, s.q[i] >= -largest_angle));
      frame.x = x * cosine + y * sine;
      frame.y = y * cosine - x * sine;
    } else {
      frame.x = x, frame.y = y;
      frame.p = frame.p + frame.z * s.q[i];
    }
  }
  const Pose<Real>& carrier = s.frames[arm.contact_joint];
  s.p_WC = carrier.p + turned(carrier, vector(arm.offset));
  for (long i = 0; i < n; ++i) {
    const Pose<Real>& frame = s.frames[i];
    if (arm.joints[i].turns)
      s.twists[i] = Spatial<Real>{cross(frame.z, s.p_WC - frame.p), frame.z};
    else
      s.twists[i] = Spatial<Real>{frame.z, V3<Real>{}};
  }
}

// Pass back: moments of the subtrees, momentum about the contact point, the lower half of M; then the whole arm.
template <int N, int width>
[[gnu::noinline]] void inward(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Moments<Real> whole{};  // in a row of joints: what the next one carries
  for (long i = 0; N == 0 && i < n; ++i) s.subtrees[i] = Moments<Real>{};
  for (long i = n - 1; i >= 0; --i) {
    const KernelJoint& joint = arm.joints[i];
    const long parent = parent_of<N>(arm, i);
    const double* I = joint.inertia;
    const Body<double> body{joint.mass, vector(joint.com), {I[0], I[1], I[2], I[3], I[4], I[5]}};
    const Moments<Real> own = moments(body, s.frames[i], s.p_WC), &behind = N > 0 ? whole : s.subtrees[i];
    const Moments<Real> subtree{own.first + behind.first, own.second + behind.second};
    if (N > 0) {
      whole = subtree;
    } else {
      Moments<Real>& onto = parent < 0 ? whole : s.subtrees[parent];
      onto = Moments<Real>{onto.first + subtree.first, onto.second + subtree.second};
    }

    const Spatial<Real> twist = s.twists[i], h = momentum(joint.subtree_mass, subtree, twist);
    s.scale[i] = size_of_terms(joint.subtree_mass, subtree, twist) + joint.rotor;
    s.momenta[i] = h;
    for (long j = 0; N == 0 && j < i; ++j) s.M[i + n * j] = Real{};
    s.M[i + n * i] = dot(twist, h) + joint.rotor;
    for (long j = parent; j >= 0; j = parent_of<N>(arm, j)) s.M[i + n * j] = dot(s.twists[j], h);
  }
  s.r = arm.mass > 0 ? whole.first * (1 / arm.mass) : V3<Real>{};
  s.Ic = whole.second + parallel_axis(-arm.mass, s.r);
}

// M = L D L^T and Y = L^-1 J^T.
template <int N, int width>
[[gnu::noinline]] void factorise(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  for (long i = 0; i < n; ++i) {
    Real* row = s.L + n * i;  // of L D, then of L
    for (long j = 0; j < i; ++j) {
      Real sum = s.M[i + n * j];
      for (long k = 0; k < j; ++k) sum -= row[k] * s.L[n * j + k];
      row[j] = sum;
    }
    Real pivot = s.M[i + n * i];
    for (long j = 0; j < i; ++j) {
      const Real entry = row[j] * s.inverse_pivots[j];
      pivot -= row[j] * entry;
      row[j] = entry;
    }
    s.regular = both(s.regular, pivot > s.scale[i] * (plainly * smallest_pivot));
    s.inverse_pivots[i] = 1 / pivot;
    Real y[6] = {};
    const Spatial<Real>& twist = s.twists[i];
    if (arm.joints[i].carries) write(twist, y);
    for (long k = 0; k < i; ++k)
      for (long c = 0; c < 6; ++c) y[c] -= row[k] * s.Y[6 * k + c];
    for (long c = 0; c < 6; ++c) s.Y[6 * i + c] = y[c];
  }
}

// J M^-1 J^T = Y^T D^-1 Y, but for the block of turning impulses if those are not asked for.
template <int N, int width>
[[gnu::always_inline]] inline auto mobility(long n, const Postures<width>& s, bool turning) {
  using Real = typename PackOf<width>::Real;
  Mobility<Real> A{};
  for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, w{y[3], y[4], y[5]}, d = v * s.inverse_pivots[i];
    A.vv = A.vv + S3<Real>{d.x * v.x, d.y * v.y, d.z * v.z, d.x * v.y, d.x * v.z, d.y * v.z};
    if (!turning) continue;
    const V3<Real> e = w * s.inverse_pivots[i];
    A.ww = A.ww + S3<Real>{e.x * w.x, e.y * w.y, e.z * w.z, e.x * w.y, e.x * w.z, e.y * w.z};
    A.vw[0] = A.vw[0] + v * e.x, A.vw[1] = A.vw[1] + v * e.y, A.vw[2] = A.vw[2] + v * e.z;
  }
  return A;
}

// The response of the joints to an impulse along the normal, and its momentum.
template <int N, int width>
auto momentum_of_normal(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  Real* u = s.columns;  // borrowed
  Spatial<Real> h{};
  for (long i = n - 1; i >= 0; --i) {
    const Real* y = s.Y + 6 * i;
    Real sum = (y[0] * normal.x + y[1] * normal.y + y[2] * normal.z) * s.inverse_pivots[i];
    for (long k = i + 1; k < n; ++k) sum -= s.L[n * k + i] * u[k];
    u[i] = sum;
    h = h + s.momenta[i] * sum;
  }
  return about_centre(h, s.r);
}

// Effective masses, and which postures are plainly regular.
template <int N, int width>
[[gnu::noinline]] void effective_masses(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<double> normal = vector(arm.normal_W);
  const double rounding = plainly * smallest_mobility, inverse_mass = 1 / arm.mass;
  const bool actuated = arm.carriers >= 6;
  const Mobility<Real> A = mobility<N>(n, s, actuated);
  const auto momentum = generalized_momentum_option(A, normal, rounding);
  s.regular = both(s.regular, momentum.exists);
  s.W_gm = A.vv;
  s.mass[0] = Real{} + __builtin_nan("");
  if (actuated) {
    const auto algebraic = algebraic_option(A, normal, rounding);
    s.regular = both(s.regular, algebraic.exists);
    s.mass[0] = algebraic.mass;
    write(algebraic.W, s.W);
  } else {
    for (long k = 0; k < 9; ++k) s.W[k] = s.mass[0];
  }

  const auto turning = inverse(s.Ic, largest_diagonal(s.Ic), rounding);
  const V3<Real> r = V3<Real>{} - s.r;  // of the contact point from the centre of mass
  s.Ic_inverse = turning.matrix;
  s.W_composite = composite_matrix(inverse_mass, turning.matrix, r);
  const Real moves = along(normal, s.W_composite);
  // n.(velocity of the momentum as one body); its trace is at most half of that of the other two
  const Spatial<Real> h = momentum_of_normal<N>(arm, s);
  const Real flexes = moves + 1 / momentum.mass - dot(as_one_body(inverse_mass, turning.matrix, r, h), normal);
  const Real composite_trace = trace(s.W_composite);
  s.regular = both(s.regular, both(turning.positive, moves > composite_trace * rounding));
  s.regular = both(s.regular, flexes > (composite_trace + trace(A.vv)) * (2 * rounding));
  s.mass[1] = momentum.mass, s.mass[2] = 1 / moves, s.mass[3] = 1 / flexes;
}

// Linear columns of M^-1 J^T, the matrices of the last three options; A_G goes to s.columns.
template <int N, int width>
[[gnu::noinline]] void matrices(const KernelArm& arm, Postures<width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Spatial<Real> of_x{}, of_y{}, of_z{};  // momenta of unit impulses
  for (long i = n - 1; i >= 0; --i) {
    const Real* y = s.Y + 6 * i;
    V3<Real> u = V3<Real>{y[0], y[1], y[2]} * s.inverse_pivots[i];
    for (long k = i + 1; k < n; ++k) u = u - s.response[k] * s.L[n * k + i];
    s.response[i] = u;
    const Spatial<Real> h = about_centre(s.momenta[i], s.r);
    of_x = of_x + h * u.x, of_y = of_y + h * u.y, of_z = of_z + h * u.z;
    write(h, s.columns + 6 * i);
  }
  const V3<Real> r = V3<Real>{} - s.r;
  const Spatial<Real> momenta[3] = {of_x, of_y, of_z};
  write(s.W_gm, s.W + 9);
  write(s.W_composite, s.W + 18);
  write(flexible_matrix(1 / arm.mass, s.Ic_inverse, r, s.W_composite, s.W_gm, momenta), s.W + 27);
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
  out[1] = dot(as_one_body(1 / arm.mass, s.Ic_inverse, r, about_centre(h, s.r)), normal);
  const Real absolute = exact > 0 ? exact : -exact, none = Real{} + __builtin_nan("");
  out[2] = absolute > size * cancelled ? out[1] / exact : none;
}

// Values of the postures side by side; where there are fewer than a pack, the last one again.
template <int width>
void gather(const double* values, long stride, long n, long count, typename PackOf<width>::Real* to) {
  for (long lane = 0; lane < width; ++lane) {
    const double* column = values + stride * (lane < count ? lane : count - 1);
    for (long i = 0; i < n; ++i) to[i][lane] = column[i];
  }
}

template <int N, int width>
unsigned batch_of(const KernelArm& arm, const KernelBatch& batch, long first, long count, void* memory) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  Postures<width> s(n, memory);
  gather<width>(batch.q + batch.q_stride * first, batch.q_stride, n, count, s.q);
  outward<N>(arm, s);
  inward<N>(arm, s);
  factorise<N>(arm, s);
  effective_masses<N>(arm, s);
  const auto put = [&](const Real* from, long entries, double* to) {
    write_columns<width>(from, entries, count, to + first * entries);
  };
  put(s.mass, 4, batch.mass);
  if (batch.M) {
    write(s.p_WC, s.columns);
    put(s.columns, 3, batch.p_WC);
    write(s.p_WC + s.r, s.columns);
    put(s.columns, 3, batch.com_W);
    write(s.Ic, s.columns);
    put(s.columns, 9, batch.Ic_W);
    matrices<N>(arm, s);
    put(s.columns, 6 * n, batch.A_G);
    for (long i = 0; i < n; ++i) {
      const Spatial<Real> column = arm.joints[i].carries ? s.twists[i] : Spatial<Real>{};
      write(column, s.columns + 6 * i);
      for (long j = 0; j < i; ++j) s.M[j + n * i] = s.M[i + n * j];
    }
    put(s.columns, 6 * n, batch.J);
    put(s.M, n * n, batch.M);
    put(s.W, 36, batch.W);
    if (batch.response) {
      for (long i = 0; i < n; ++i)
        s.columns[i] = s.response[i].x, s.columns[n + i] = s.response[i].y, s.columns[2 * n + i] = s.response[i].z;
      put(s.columns, 3 * n, batch.response);
    }
  }
  if (batch.dq) {
    Real velocity[3];
    gather<width>(batch.dq + batch.dq_stride * first, batch.dq_stride, n, count, s.q);
    velocities<N>(arm, s.q, s, velocity);
    put(velocity, 1, batch.v_exact);
    put(velocity + 1, 1, batch.v_approximate);
    put(velocity + 2, 1, batch.ratio);
  }
  unsigned regular = 0;
  for (long lane = 0; lane < count; ++lane) regular |= s.regular[lane] ? 1U << lane : 0U;
  return arm.mass > 0 ? regular : 0;
}

template <int width>
unsigned batch(const KernelArm& arm, const KernelBatch& batch, long first, long count, void* memory) {
  if (arm.serial && arm.size == 7) return batch_of<7, width>(arm, batch, first, count, memory);
  if (arm.serial && arm.size == 6) return batch_of<6, width>(arm, batch, first, count, memory);
  return batch_of<0, width>(arm, batch, first, count, memory);
}

template <int width>
long scratch_bytes(long joints) {
  const long one = 8 * Single<0, width>::numbers(joints), many = 8 * width * Postures<width>::numbers(joints);
  return one > many ? one : many;
}

}  // namespace
}  // namespace thud
