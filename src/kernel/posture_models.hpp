#pragma once

/// The inertia models of a pack of postures, from the passes of postures.hpp or a walk. Every stage is a function of
/// its own that processors never inline, so that after the passes its results are bit-identical whatever is requested
/// next. Private to the library.

#include "kernel/postures.hpp"

namespace thud::kernel {
namespace {

// J M^-1 J^T = Y^T D^-1 Y.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void mobility(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  S3<Real> vv{}, ww{};
  V3<Real> vw[3]{};
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    add_square(vv, V3<Real>{y[0], y[1], y[2]}, s.pivots[i]);
  }
  s.A.vv = vv;
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const Real* y = s.Y + 6 * i;
    const V3<Real> v{y[0], y[1], y[2]}, w{y[3], y[4], y[5]}, e = w * s.pivots[i];
    add_square(ww, w, s.pivots[i]);
    vw[0] = vw[0] + v * e.x, vw[1] = vw[1] + v * e.y, vw[2] = vw[2] + v * e.z;
  }
  s.A.ww = ww;
  s.A.vw[0] = vw[0], s.A.vw[1] = vw[1], s.A.vw[2] = vw[2];
}

// The first two models: algebraic and generalized momentum.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void exact_masses(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const V3<double> normal = vector(arm.normal_W);
  const double rounding = regular_margin * smallest_mobility;
  const auto momentum = generalized_momentum_model(s.A, normal, rounding);
  s.regular = mask_and(s.regular, momentum.exists);
  s.mass[1] = momentum.mass;
  if (arm.contact_chain >= 6) {
    const auto algebraic = algebraic_model(s.A, normal, rounding);
    s.regular = mask_and(s.regular, algebraic.exists);
    s.mass[0] = algebraic.mass;
    write(algebraic.W, s.W);
  } else {
    s.mass[0] = Real{} + __builtin_nan("");
    THUD_GPU_UNROLL for (long k = 0; k < 9; ++k) s.W[k] = s.mass[0];
  }
}

// Effective masses of the last two models from n.W n, and which postures are regular with a margin. `size` is at least
// the trace of the composite W; the trace of what it has in common with the joints' W is at most half of both together.
template <class Real, class AnyPostures>
THUD_INLINE void set_composite_masses(const Real& normal_mobility, const Real& flexible_mobility, const Real& size,
                                      AnyPostures& s) {
  constexpr double rounding = regular_margin * smallest_mobility;
  s.regular = mask_and(s.regular, mask_and(normal_mobility > size * rounding,
                                           flexible_mobility > (size + trace(s.A.vv)) * (2 * rounding)));
  s.mass[2] = 1 / normal_mobility, s.mass[3] = 1 / flexible_mobility;
}

// Ic^-1.
template <class AnyPostures>
THUD_STAGE void invert_composite_inertia(AnyPostures& s) {
  const auto rotational = inverse_inertia(s.Ic, regular_margin * smallest_mobility);
  s.Ic_inverse = rotational.matrix;
  s.regular = mask_and(s.regular, rotational.positive);
}

// The twist at the contact point of the arm as one rigid body after a unit impulse there along the normal.
template <class AnyArm, class AnyPostures>
THUD_INLINE auto rigid_twist(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const V3<Real> r = V3<Real>{} - s.r;  // from the centre of mass to the contact point
  const V3<Real> w = s.Ic_inverse * cross(r, normal), v = cross(w, r) + broadcast<Real>(normal * inverse_mass);
  s.rigid_mobility = dot(v, normal);
  s.rigid_size = trace(s.Ic_inverse) * dot(r, r) + 3 * inverse_mass;
  return Spatial<Real>{v, w};
}

// What the momenta of unit rates have in common with the response of the arm as one rigid body to an impulse along the
// normal, after which masses need the momenta no more.
template <int N, class AnyArm, class AnyPostures>
THUD_INLINE void rigid_response(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  const Spatial<Real> twist = rigid_twist(arm, s);
  Real* common = s.columns + n;  // the output buffer is scratch until then
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) common[i] = dot(s.momenta[i], twist);
}

// The last two models, masses only, from the response of the joints.
template <int N, class AnyArm, class AnyPostures>
THUD_INLINE void joint_response(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  const V3<double> normal = vector(arm.normal_W);
  const Real *M = s.M, *pivots = s.pivots;
  Real *u = s.columns, *common = s.columns + n, shared{};
  THUD_UNROLL for (long i = n - 1; i >= 0; --i) {
    const Real* y = s.Y + 6 * i;
    Real sum = (y[0] * normal.x + y[1] * normal.y + y[2] * normal.z) * pivots[i];
    THUD_UNROLL for (long k = i + 1; k < n; ++k) sum -= M[k + n * i] * u[k];
    u[i] = sum;
    shared += common[i] * sum;
  }
  set_composite_masses(s.rigid_mobility, s.rigid_mobility + quadratic_form(normal, s.A.vv) - shared, s.rigid_size, s);
}

template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void composite_masses(const AnyArm& arm, AnyPostures& s) {
  rigid_response<N>(arm, s);
  joint_response<N>(arm, s);
}

// Linear columns of M^-1 J^T, and the momenta about the centre of mass: A_G.
template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void responses(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  const Real *M = s.M, *Y = s.Y, *pivots = s.pivots;
  V3<Real>* response = s.response;
  THUD_UNROLL for (long i = n - 1; i >= 0; --i) {
    V3<Real> u = V3<Real>{Y[6 * i], Y[6 * i + 1], Y[6 * i + 2]} * pivots[i];
    THUD_UNROLL for (long k = i + 1; k < n; ++k) u = u - response[k] * M[k + n * i];
    response[i] = u;
  }
  const V3<Real> r = s.r;
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) s.momenta[i].angular =
      s.momenta[i].angular - cross(r, s.momenta[i].linear);
}

// An axis as a constant.
template <int k>
struct Axis {
  THUD_BOTH constexpr int operator()() const { return k; }
};

// The last two models with their matrices; momentum_along(axis) is the momentum about the centre of mass due to a unit
// impulse at the contact point along that axis.
template <class AnyArm, class AnyPostures, class MomentumAlong>
THUD_INLINE void set_composite_matrices(const AnyArm& arm, AnyPostures& s, const MomentumAlong& momentum_along) {
  using Real = typename AnyPostures::Number;
  const V3<double> normal = vector(arm.normal_W);
  const double inverse_mass = 1 / arm.mass;
  const Composite<Real> body = composite_model(inverse_mass, s.Ic_inverse, V3<Real>{} - s.r);
  write(s.A.vv, s.W + 9);
  write(body.W, s.W + 18);
  Real flexible_mobility{};
  const auto flex = [&]<int k>(Axis<k> axis, double along_normal) {
    const V3<Real> column = flexible_column<k>(inverse_mass, body, s.A.vv, momentum_along(axis));
    flexible_mobility += dot(column, normal) * along_normal;
    write(column, s.W + 27 + 3 * k);
  };
  flex(Axis<0>{}, normal.x);
  flex(Axis<1>{}, normal.y);
  flex(Axis<2>{}, normal.z);
  set_composite_masses(quadratic_form(normal, body.W), flexible_mobility, trace(body.W), s);
}

template <int N, class AnyArm, class AnyPostures>
THUD_STAGE void composite_matrices(const AnyArm& arm, AnyPostures& s) {
  using Real = typename AnyPostures::Number;
  const long n = joints_of<N>(arm);
  set_composite_matrices(arm, s, [&](auto axis) {
    constexpr Real V3<Real>::*axes[] = {&V3<Real>::x, &V3<Real>::y, &V3<Real>::z};
    Spatial<Real> h{};
    THUD_GPU_UNROLL for (long i = 0; i < n; ++i) h = h + s.momenta[i] * (s.response[i].*axes[axis()]);
    return h;
  });
}

// Contact velocities, exact and as one rigid body of momentum h about the contact point, and their ratio. `size` is the
// sum of the magnitudes of the terms of the exact one.
template <class AnyArm, class AnyPostures, class Real>
THUD_INLINE void set_velocities(const AnyArm& arm, const AnyPostures& s, const Real& exact, const Real& size,
                                const Spatial<Real>& h, Real* out) {
  const V3<double> normal = vector(arm.normal_W);
  out[0] = exact;
  const V3<Real> r = V3<Real>{} - s.r;
  const Spatial<Real> central = about_centre(h, s.r);
  out[1] = dot(central.linear * (1 / arm.mass) + cross(s.Ic_inverse * central.angular, r), normal);
  const Real absolute = exact > 0 ? exact : -exact, none = Real{} + __builtin_nan("");
  out[2] = absolute > size * cancellation_limit ? out[1] / exact : none;
}

// Contact velocities at joint rates dq, exact and as one rigid body, and their ratio.
template <int N, class AnyArm, class AnyPostures, class Real>
THUD_STAGE void velocities(const AnyArm& arm, const Real* dq, AnyPostures& s, Real* out) {
  const long n = joints_of<N>(arm);
  const V3<double> normal = vector(arm.normal_W);
  Real exact{}, size{};
  Spatial<Real> h{};
  THUD_GPU_UNROLL for (long i = 0; i < n; ++i) {
    const Real part = arm.joints[i].moves_contact ? dot(s.twists[i].linear, normal) * dq[i] : Real{};
    exact += part;
    size += part > 0 ? part : -part;
    h = h + s.momenta[i] * dq[i];
  }
  set_velocities(arm, s, exact, size, h, out);
}

}  // namespace
}  // namespace thud::kernel
