#pragma once

/// What the kernel says of one joint. A number is a double, or a pack: of postures (then the joint's constants are
/// doubles), or of joints (then they are packs too). Private to the library.

#include "pack.hpp"

namespace thud {
namespace {

// A body: mass and second moments about its centre of mass, in the frame of its joint.
template <class Constant>
struct Body {
  Constant mass;
  V3<Constant> com;
  S3<Constant> inertia;
};

// Axes and origin of a frame in the world.
template <class Real>
struct Pose {
  V3<Real> x, y, z, p;
};

// First and second moments of mass about the contact point: what adds up over bodies.
template <class Real>
struct Moments {
  V3<Real> first;   // m (c - p_WC)
  S3<Real> second;  // inertia
};

// Twist or wrench or momentum at the contact point.
template <class Real>
struct Spatial {
  V3<Real> linear, angular;
};

template <class Real>
Spatial<Real> operator+(const Spatial<Real>& a, const Spatial<Real>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class Real>
Spatial<Real> operator*(const Spatial<Real>& a, const Real& b) {
  return {a.linear * b, a.angular * b};
}

template <class Real>
Real dot(const Spatial<Real>& a, const Spatial<Real>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

template <class Real, class Constant>
[[gnu::always_inline]] inline V3<Real> turned(const Pose<Real>& pose, const V3<Constant>& v) {
  return pose.x * v.x + pose.y * v.y + pose.z * v.z;
}

// Moments of a body about the contact point.
template <class Real, class Constant>
[[gnu::always_inline]] inline Moments<Real> moments(const Body<Constant>& body, const Pose<Real>& pose,
                                                    const V3<Real>& p_WC) {
  const V3<Real>&x = pose.x, &y = pose.y, &z = pose.z;
  const S3<Constant>& I = body.inertia;
  const V3<Real> r = pose.p - p_WC + turned(pose, body.com);
  // R I = [a b c], then times R^T
  const V3<Real> a = turned(pose, V3<Constant>{I.xx, I.xy, I.xz}), b = turned(pose, V3<Constant>{I.xy, I.yy, I.yz});
  const V3<Real> c = turned(pose, V3<Constant>{I.xz, I.yz, I.zz});
  const S3<Real> own{a.x * x.x + b.x * y.x + c.x * z.x, a.y * x.y + b.y * y.y + c.y * z.y,
                     a.z * x.z + b.z * y.z + c.z * z.z, a.x * x.y + b.x * y.y + c.x * z.y,
                     a.x * x.z + b.x * y.z + c.x * z.z, a.y * x.z + b.y * y.z + c.y * z.z};
  return {r * body.mass, own + parallel_axis(body.mass, r)};
}

// Momentum of a subtree of mass m that moves as one body.
template <class Real, class Constant>
[[gnu::always_inline]] inline Spatial<Real> momentum(const Constant& mass, const Moments<Real>& subtree,
                                                     const Spatial<Real>& twist) {
  return {twist.linear * mass + cross(twist.angular, subtree.first),
          subtree.second * twist.angular + cross(subtree.first, twist.linear)};
}

// The size of the terms that a diagonal entry of M is the sum of, but for the rotor.
template <class Real, class Constant>
[[gnu::always_inline]] inline Real size_of_terms(const Constant& mass, const Moments<Real>& subtree,
                                                 const Spatial<Real>& twist) {
  return trace(subtree.second) * dot(twist.angular, twist.angular) + dot(twist.linear, twist.linear) * mass;
}

}  // namespace
}  // namespace thud
