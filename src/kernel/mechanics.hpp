#pragma once

/// Mechanics of one joint and its body. A Real is a double, or a pack: of postures (then the joint's constants are
/// doubles), or of joints (then the constants are packs too). Private to the library.

#include "kernel/algebra.hpp"

namespace thud::kernel {
namespace {

// A body in the frame of its joint. Its inertia about the centre of mass is split into three parts that are cheap to
// rotate: isotropic 1 + x u^T + u x^T + w w^T, with u = (u_x, u_y, u_z) and w = (0, w_y, w_z).
template <class Constant>
struct Body {
  Constant mass;
  V3<Constant> com;
  Constant isotropic;
  V3<Constant> u;
  Constant w_y, w_z;
};

// Axes and origin of a frame in the world.
template <class Real>
struct Pose {
  V3<Real> x, y, z, p;
};

// First and second moments of mass about the contact point, which add up over bodies.
template <class Real>
struct Moments {
  V3<Real> first;   // m (c - p_WC)
  S3<Real> second;  // inertia
};

// Twist, wrench or momentum at the contact point.
template <class Real>
struct Spatial {
  V3<Real> linear, angular;
};

template <class Real>
THUD_BOTH Spatial<Real> operator+(const Spatial<Real>& a, const Spatial<Real>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class Real, class Number>
THUD_BOTH Spatial<Real> operator*(const Spatial<Real>& a, const Number& b) {
  return {a.linear * b, a.angular * b};
}

template <class Real>
THUD_BOTH Real dot(const Spatial<Real>& a, const Spatial<Real>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

// v, given in the axes of the pose, in world axes.
template <class Real, class Constant>
THUD_INLINE V3<Real> rotate(const Pose<Real>& pose, const V3<Constant>& v) {
  return pose.x * v.x + pose.y * v.y + pose.z * v.z;
}

// Moments of a body about the contact point.
template <class Real, class Constant>
THUD_INLINE Moments<Real> moments(const Body<Constant>& body, const Pose<Real>& pose, const V3<Real>& p_WC) {
  const V3<Real>& x = pose.x;
  const V3<Real> r = pose.p - p_WC + rotate(pose, body.com), h = r * body.mass;
  const V3<Real> u = rotate(pose, body.u), w = pose.y * body.w_y + pose.z * body.w_z;
  const Real xu = x.x * u.x, yu = x.y * u.y, zu = x.z * u.z;
  const Real xx = h.x * r.x, yy = h.y * r.y, zz = h.z * r.z;
  return {h,
          {(xu + xu) + (w.x * w.x + (yy + zz + body.isotropic)), (yu + yu) + (w.y * w.y + (xx + zz + body.isotropic)),
           (zu + zu) + (w.z * w.z + (xx + yy + body.isotropic)), (x.x * u.y + x.y * u.x) + (w.x * w.y - h.x * r.y),
           (x.x * u.z + x.z * u.x) + (w.x * w.z - h.x * r.z), (x.y * u.z + x.z * u.y) + (w.y * w.z - h.y * r.z)}};
}

// Momentum of a subtree of mass m that moves as one rigid body.
template <class Real, class Constant>
THUD_INLINE Spatial<Real> momentum(const Constant& mass, const Moments<Real>& subtree, const Spatial<Real>& twist) {
  return {twist.linear * mass + cross(twist.angular, subtree.first),
          subtree.second * twist.angular + cross(subtree.first, twist.linear)};
}

// Magnitude of the terms summed in a diagonal entry of M, without the rotor inertia.
template <class Real, class Constant>
THUD_INLINE Real diagonal_magnitude(const Constant& mass, const Moments<Real>& subtree, const Spatial<Real>& twist) {
  return trace(subtree.second) * dot(twist.angular, twist.angular) + dot(twist.linear, twist.linear) * mass;
}

}  // namespace
}  // namespace thud::kernel
