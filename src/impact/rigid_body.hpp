#pragma once

/// An object at a contact point. Private to the library.

#include <thud/object.hpp>

#include <Eigen/Dense>

namespace thud::impacting {

inline bool is_point_mass(const Object& object) noexcept {
  return object.inertia_W.isZero(0);
}

/// Angular velocity that an impulse gives a valid object.
inline Vector3 spin(const Object& object, const Vector3& p_WC, const Vector3& impulse_W) noexcept {
  if (is_point_mass(object)) return Vector3::Zero();
  return object.inertia_W.inverse() * (p_WC - object.com_W).cross(impulse_W);
}

/// The response of a valid object.
inline ContactResponse response(const Object& object, const Vector3& p_WC) noexcept {
  ContactResponse side{Matrix3::Identity() / object.mass, object.velocity};
  if (is_point_mass(object)) return side;
  const Vector3 r = p_WC - object.com_W;
  Matrix3 cross;
  cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
  const Matrix3 turning = -cross * object.inertia_W.inverse() * cross;
  side.W += (turning + turning.transpose()) / 2;
  side.velocity += object.angular_velocity.cross(r);
  return side;
}

inline ObjectMotion motion(const Object& object, const Vector3& p_WC, const Vector3& impulse_W) noexcept {
  return {object.velocity + impulse_W / object.mass, object.angular_velocity + spin(object, p_WC, impulse_W)};
}

/// Throws InputError.
void validate(const Object& object);

}  // namespace thud::impacting
