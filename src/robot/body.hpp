#pragma once

/// Poses, and rigid bodies that become one. Private to the library.

#include <thud/robot.hpp>

namespace thud::robot {

struct Pose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();
};

/// A pose given in the axes of another, where that one is given.
inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.R * inner.R, outer.p + outer.R * inner.p};
}

/// m [ |r|^2 1 - r r^T ], the parallel-axis term.
inline Matrix3 parallel_axis(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

/// Adds to a body another that is fixed to it, `at` the pose of the other's frame.
inline void merge(BodyInertia& body, const Pose& at, const BodyInertia& other) {
  if (other.mass == 0) {
    body.inertia += at.R * other.inertia * at.R.transpose();
    return;
  }
  const Vector3 com = at.p + at.R * other.com;
  const double mass = body.mass + other.mass;
  const Vector3 merged = (body.mass * body.com + other.mass * com) / mass;
  body.inertia += parallel_axis(body.mass, body.com - merged) + at.R * other.inertia * at.R.transpose() +
                  parallel_axis(other.mass, com - merged);
  body.mass = mass;
  body.com = merged;
}

}  // namespace thud::robot
