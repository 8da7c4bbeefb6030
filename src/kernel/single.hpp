#pragma once

/// The kernel for one posture: packs of joints, wherever joints do not depend on one another. A serial chain of N
/// joints, or (N = 0) any tree. Private to the library.

#include "kernel/kernel.hpp"
#include "kernel/mechanics.hpp"
#include "kernel/transpose.hpp"

namespace thud::kernel {
namespace {

// Rows of one entry per joint, `stride` entries each; data stored joint by joint follow them.
enum SingleRow : long {
  angle = 0,
  local = 1,   // 12: frame of a joint in its parent's at q, columns and origin
  pose = 13,   // 12: the same in the world
  twist = 25,  // 6
  first_moment = 31,
  second_moment = 34,      // 6
  momentum_per_rate = 40,  // 6
  single_rows = 46,
};

template <int N, int width>
struct Single {
  using Real = typename PackOf<width>::Real;
  double* rows;
  double* frames;   // 16 for the base, then for each joint
  double* U;        // D L^T, a row of stride entries per joint; entries left of the diagonal are undefined
  double* factors;  // L^T, as U
  double* Y;        // successively J^T, L^-1 J^T, M^-1 J^T: eight entries per joint, six used
  long row_length;

  Single(long n, void* memory) : rows(static_cast<double*>(memory)), row_length(padded(n)) {
    const long stride = this->stride();
    frames = rows + single_rows * stride;
    U = frames + 16 * (stride + 1);  // the padding is read too, and its values are ignored
    factors = U + n * stride;
    Y = factors + n * stride;
  }
  static constexpr long padded(long n) { return (n + 7) / 8 * 8; }
  static long scratch_doubles(long n) {
    const long row = padded(n);
    return single_rows * row + 16 * (row + 1) + 2 * n * row + 8 * n;
  }

  long stride() const { return N > 0 ? padded(N) : row_length; }
  double* at(long row, long column = 0) const { return rows + row * stride() + column; }
  V3<Real> load3(long row, long column) const {
    return {load<width>(at(row, column)), load<width>(at(row + 1, column)), load<width>(at(row + 2, column))};
  }
  void store3(const V3<Real>& v, long row, long column) const {
    store<width>(v.x, at(row, column));
    store<width>(v.y, at(row + 1, column));
    store<width>(v.z, at(row + 2, column));
  }
  Spatial<Real> load6(long row, long column) const { return {load3(row, column), load3(row + 3, column)}; }
};

// One constant of each joint, and three consecutive ones.
template <int N, int width>
auto constant(const Arm& arm, const Single<N, width>& s, long row, long column) {
  return load<width>(arm.rows + row * s.stride() + column);
}
template <int N, int width>
auto constant3(const Arm& arm, const Single<N, width>& s, long row, long column) {
  return V3<typename PackOf<width>::Real>{constant(arm, s, row, column), constant(arm, s, row + 1, column),
                                          constant(arm, s, row + 2, column)};
}

// Frames of the joints in those of their parents.
template <int N, int width>
void rotate_joints(const Arm& arm, const double* q, const Single<N, width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  bool far = false;  // beyond the range of sine_cosine: then the math library is used
  for (long i = 0; i < n; ++i) {
    s.at(angle)[i] = q[i];
    far |= __builtin_fabs(q[i]) > largest_angle;
  }
  for (long i = n; i < s.stride(); ++i) s.at(angle)[i] = 0;
  for (long i = 0; i < n; i += width) {
    const Real is_revolute = constant(arm, s, row_is_revolute, i), position = load<width>(s.at(angle, i));
    Real sine, cosine;
    sine_cosine(position * is_revolute, sine, cosine);
    for (long k = 0; far && k < width; ++k) {
      sine[k] = is_revolute[k] > 0 ? __builtin_sin(position[k]) : 0;
      cosine[k] = is_revolute[k] > 0 ? __builtin_cos(position[k]) : 1;
    }
    const V3<Real> x = constant3(arm, s, row_R, i), y = constant3(arm, s, row_R + 3, i);
    const V3<Real> z = constant3(arm, s, row_R + 6, i);
    s.store3(x * cosine + y * sine, local, i);
    s.store3(y * cosine - x * sine, local + 3, i);
    s.store3(z, local + 6, i);
    s.store3(constant3(arm, s, row_p, i) + z * (position * (1 - is_revolute)), local + 9, i);
  }
}

// Frames of the joints in the world, from the base outwards.
template <int N, int width>
void world_frames(const Arm& arm, const Single<N, width>& s) {
  const long n = N > 0 ? N : arm.size, step = s.stride();
  constexpr double base[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  __builtin_memcpy(s.frames, base, sizeof base);
  auto x = Vector4<width>::load(base), y = Vector4<width>::load(base + 4), z = Vector4<width>::load(base + 8);
  auto p = Vector4<width>::load(base + 12);
  THUD_UNROLL for (long i = 0; i < n; ++i) {
    if (N == 0) {
      const double* from = s.frames + 16 * (arm.joints[i].parent + 1);
      x = Vector4<width>::load(from), y = Vector4<width>::load(from + 4), z = Vector4<width>::load(from + 8);
      p = Vector4<width>::load(from + 12);
    }
    const double* at = s.at(local, i);
    const auto rotated = [&](long k) { return x * at[k * step] + y * at[(k + 1) * step] + z * at[(k + 2) * step]; };
    const auto of_x = rotated(0), of_y = rotated(3), of_z = rotated(6);
    p = p + rotated(9);
    x = of_x, y = of_y, z = of_z;
    double* to = s.frames + 16 * (i + 1);
    x.store(to), y.store(to + 4), z.store(to + 8), p.store(to + 12);
  }
  // Transposed back to rows, in blocks of four joints. A fourth coordinate spills into the next row, which is written
  // afterwards; the last one into the twists, which are computed later.
  for (long i = 0; i < n; i += 4) {
    const double* from = s.frames + 16 * (i + 1);
    for (long k = 0; k < 4; ++k) transpose_block<16>(from + 4 * k, step, s.at(pose + 3 * k, i));
  }
}

// Twists, and the moments of each body.
template <int N, int width>
void twists_and_moments(const Arm& arm, const V3<double>& p_WC, const Single<N, width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  const V3<Real> contact{Real{} + p_WC.x, Real{} + p_WC.y, Real{} + p_WC.z};
  for (long i = 0; i < n; i += width) {
    const Pose<Real> frame{s.load3(pose, i), s.load3(pose + 3, i), s.load3(pose + 6, i), s.load3(pose + 9, i)};
    const Real is_revolute = constant(arm, s, row_is_revolute, i);
    const V3<Real> angular = frame.z * is_revolute;
    s.store3(cross(angular, contact - frame.p) + frame.z * (1 - is_revolute), twist, i);
    s.store3(angular, twist + 3, i);
    const Body<Real> body{constant(arm, s, row_mass, i),        constant3(arm, s, row_com, i),
                          constant(arm, s, row_inertia, i),     constant3(arm, s, row_inertia + 1, i),
                          constant(arm, s, row_inertia + 4, i), constant(arm, s, row_inertia + 5, i)};
    const Moments<Real> m = moments(body, frame, contact);
    s.store3(m.first, first_moment, i);
    s.store3({m.second.xx, m.second.yy, m.second.zz}, second_moment, i);
    s.store3({m.second.xy, m.second.xz, m.second.yz}, second_moment + 3, i);
  }
}

// Moments of the subtrees. Returns those of the composite body.
template <int N, int width>
Moments<double> accumulate_subtrees(const Arm& arm, const Single<N, width>& s) {
  const long n = N > 0 ? N : arm.size;
  double whole[9] = {};
  for (long i = n - 1; i >= 0; --i) {
    const long parent = N > 0 ? i - 1 : arm.joints[i].parent;
    if (N == 0 && parent < 0 && !arm.joints[i].in_composite) continue;
    for (long k = 0; k < 9; ++k) {
      const double own = *s.at(first_moment + k, i);
      if (parent >= 0)
        *s.at(first_moment + k, parent) += own;
      else
        whole[k] += own;
    }
  }
  return {{whole[0], whole[1], whole[2]}, {whole[3], whole[4], whole[5], whole[6], whole[7], whole[8]}};
}

// Momentum per unit rate of each joint, and the magnitude of the terms of M's diagonal.
template <int N, int width>
void momenta(const Arm& arm, const Single<N, width>& s, double* scale) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  for (long i = 0; i < n; i += width) {
    const Spatial<Real> moving = s.load6(twist, i);
    const V3<Real> diagonal = s.load3(second_moment, i), mixed = s.load3(second_moment + 3, i);
    const Moments<Real> subtree{s.load3(first_moment, i),
                                {diagonal.x, diagonal.y, diagonal.z, mixed.x, mixed.y, mixed.z}};
    const Real mass = constant(arm, s, row_subtree_mass, i);
    const Spatial<Real> h = momentum(mass, subtree, moving);
    s.store3(h.linear, momentum_per_rate, i);
    s.store3(h.angular, momentum_per_rate + 3, i);
    const Real size = diagonal_magnitude(mass, subtree, moving) + constant(arm, s, row_rotor, i);
    for (long k = 0; k < width && i + k < n; ++k) scale[i + k] = size[k];
  }
}

// M_ji = (twist of joint j).(momentum of joint i) for i = j and its descendants: row j of U, and M.
template <int N, int width>
void joint_inertia(const Arm& arm, const Single<N, width>& s, double* M) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : arm.size;
  for (long j = 0; j < n; ++j) {
    const double* S = s.at(twist, j);
    double* row = s.U + j * s.stride();
    for (long i = j / width * width; i < n; i += width) {
      const Spatial<Real> h = s.load6(momentum_per_rate, i);
      Real entries = h.linear.x * S[0] + h.linear.y * S[s.stride()] + h.linear.z * S[2 * s.stride()] +
                     h.angular.x * S[3 * s.stride()] + h.angular.y * S[4 * s.stride()] +
                     h.angular.z * S[5 * s.stride()];
      if (N == 0) entries = entries * load<width>(arm.in_subtree + j * s.stride() + i);
      store<width>(entries, row + i);
    }
    row[j] += arm.joints[j].rotor;
    for (long i = j; i < n; ++i) M[i + n * j] = M[j + n * i] = row[i];
  }
}

// M = L D L^T by elimination in U, and Y = L^-1 J^T beside it. False if a pivot is rounding.
template <int N, int width>
[[gnu::noinline]] bool eliminate(long joints, const double* scale, const Single<N, width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : joints;
  for (long j = 0; j < n; ++j) {
    const double* pivots = s.U + j * s.stride();
    double* factors = s.factors + j * s.stride();
    if (!(pivots[j] > smallest_pivot * scale[j])) return false;
    const double inverse = 1 / pivots[j];
    for (long i = j / width * width; i < n; i += width) store<width>(load<width>(pivots + i) * inverse, factors + i);
    factors[j] = inverse;
    for (long i = j + 1; i < n; ++i) {
      const double factor = factors[i];
      double* row = s.U + i * s.stride();
      for (long k = i / width * width; k < n; k += width) {
        const Real left = load<width>(row + k) - load<width>(pivots + k) * factor;
        store<width>(left, row + k);
      }
      for (long k = 0; k < 6; k += width) {
        const Real left = load<width>(s.Y + 8 * i + k) - load<width>(s.Y + 8 * j + k) * factor;
        store<width>(left, s.Y + 8 * i + k);
      }
    }
  }
  return true;
}

// Y from L^-1 J^T to M^-1 J^T.
template <int N, int width>
[[gnu::noinline]] void substitute(long joints, const Single<N, width>& s) {
  using Real = typename PackOf<width>::Real;
  const long n = N > 0 ? N : joints;
  for (long j = n - 1; j >= 0; --j) {
    const double* factors = s.factors + j * s.stride();
    for (long k = 0; k < 6; k += width) {
      Real sum = load<width>(s.Y + 8 * j + k) * factors[j];
      for (long i = j + 1; i < n; ++i) sum -= load<width>(s.Y + 8 * i + k) * factors[i];
      store<width>(sum, s.Y + 8 * j + k);
    }
  }
}

// M^-1 J^T of the M in U and the J^T in Y.
template <int N, int width>
bool factor_and_solve(long joints, const double* scale, double* M_inv_JT, const Single<N, width>& s) {
  const long n = N > 0 ? N : joints;
  if (!eliminate(n, scale, s)) return false;
  substitute(n, s);
  for (long c = 0; c < 6; ++c)
    for (long i = 0; i < n; ++i) M_inv_JT[i + n * c] = s.Y[8 * i + c];
  return true;
}

// Depends on the number of joints alone, so that given M and J yield the same bits as those of a robot.
template <int width>
bool factor_and_solve(long n, const double* scale, double* M_inv_JT, void* memory) {
  if (n == 7) return factor_and_solve(n, scale, M_inv_JT, Single<7, width>(n, memory));
  if (n == 6) return factor_and_solve(n, scale, M_inv_JT, Single<6, width>(n, memory));
  return factor_and_solve(n, scale, M_inv_JT, Single<0, width>(n, memory));
}

// J and A_G, and J^T for the elimination. r points from the contact point to the centre of mass.
template <int N, int width>
void jacobian_and_centroidal_momentum(const Arm& arm, const V3<double>& r, const Single<N, width>& s,
                                      const DynamicsResult& out) {
  const long n = N > 0 ? N : arm.size;
  for (long i = 0; i < n; ++i) {
    const double moves_contact = arm.joints[i].moves_contact;
    for (long c = 0; c < 6; ++c) out.J[6 * i + c] = s.Y[8 * i + c] = moves_contact * *s.at(twist + c, i);
    s.Y[8 * i + 6] = s.Y[8 * i + 7] = 0;
    const V3<double> linear{*s.at(momentum_per_rate, i), *s.at(momentum_per_rate + 1, i),
                            *s.at(momentum_per_rate + 2, i)};
    const V3<double> shift = cross(r, linear);
    double* A = out.A_G + 6 * i;
    if (N == 0 && !arm.joints[i].in_composite) {
      for (long c = 0; c < 6; ++c) A[c] = 0;
      continue;
    }
    A[0] = linear.x, A[1] = linear.y, A[2] = linear.z;
    A[3] = *s.at(momentum_per_rate + 3, i) - shift.x;
    A[4] = *s.at(momentum_per_rate + 4, i) - shift.y;
    A[5] = *s.at(momentum_per_rate + 5, i) - shift.z;
  }
}

template <int N, int width>
bool dynamics_of(const Arm& arm, const double* q, const DynamicsResult& out, void* memory) {
  const Single<N, width> s(arm.size, memory);
  rotate_joints(arm, q, s);
  world_frames(arm, s);
  const double* frame = s.frames + 16 * (arm.contact_joint + 1);
  for (long k = 0; k < 3; ++k)
    out.p_WC[k] =
        frame[12 + k] + frame[k] * arm.offset[0] + frame[4 + k] * arm.offset[1] + frame[8 + k] * arm.offset[2];
  twists_and_moments(arm, {out.p_WC[0], out.p_WC[1], out.p_WC[2]}, s);
  const Moments<double> whole = accumulate_subtrees(arm, s);
  momenta(arm, s, out.scale);
  joint_inertia(arm, s, out.M);

  const V3<double> r = arm.mass > 0 ? whole.first * (1 / arm.mass) : V3<double>{};
  const S3<double> Ic = whole.second + parallel_axis(-arm.mass, r);
  out.com_W[0] = out.p_WC[0] + r.x, out.com_W[1] = out.p_WC[1] + r.y, out.com_W[2] = out.p_WC[2] + r.z;
  out.Ic_W[0] = Ic.xx, out.Ic_W[4] = Ic.yy, out.Ic_W[8] = Ic.zz;
  out.Ic_W[1] = out.Ic_W[3] = Ic.xy;
  out.Ic_W[2] = out.Ic_W[6] = Ic.xz;
  out.Ic_W[5] = out.Ic_W[7] = Ic.yz;
  jacobian_and_centroidal_momentum(arm, r, s, out);
  return factor_and_solve<width>(arm.size, out.scale, out.M_inv_JT, memory);
}

template <int width>
bool dynamics(const Arm& arm, const double* q, const DynamicsResult& out, void* memory) {
  if (arm.serial && arm.size == 7) return dynamics_of<7, width>(arm, q, out, memory);
  if (arm.serial && arm.size == 6) return dynamics_of<6, width>(arm, q, out, memory);
  return dynamics_of<0, width>(arm, q, out, memory);
}

template <int width>
bool solve_response(long n, const double* M, const double* J, const double* scale, double* M_inv_JT, void* memory) {
  const Single<0, width> s(n, memory);
  for (long j = 0; j < n; ++j) {
    for (long i = j; i < n; ++i) s.U[j * s.stride() + i] = M[i + n * j];
    for (long c = 0; c < 6; ++c) s.Y[8 * j + c] = J[6 * j + c];
    s.Y[8 * j + 6] = s.Y[8 * j + 7] = 0;
  }
  return factor_and_solve<width>(n, scale, M_inv_JT, memory);
}

}  // namespace
}  // namespace thud::kernel
