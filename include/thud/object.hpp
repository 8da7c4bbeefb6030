#pragma once

/// What an impact happens between: an arm and a wall, an object, another arm.

#include <thud/conventions.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>
#include <thud/impact.hpp>
#include <thud/inertia.hpp>

#include <limits>

namespace THUD_EXPORT thud {

/// A rigid body that is hit, in world axes.
struct Object {
  double mass = std::numeric_limits<double>::quiet_NaN();  // m_o, > 0 [kg]
  Matrix3 inertia_W = Matrix3::Zero();                     // I_o about its centre of mass [kg m^2]; zero: a point mass
  Vector3 com_W = Vector3::Zero();                         // its centre of mass [m]; a point mass is where it is hit
  Vector3 velocity = Vector3::Zero();                      // of its centre of mass [m/s]
  Vector3 angular_velocity = Vector3::Zero();              // [rad/s]
};

/// What one side contributes to an impact: how its contact point moves, and by how much an impulse there changes that.
/// The default is a wall that stands still. Only the sum of W and the difference of velocities matter to the impulse.
struct ContactResponse {
  Matrix3 W = Matrix3::Zero();         // dv = W iota, world axes [1/kg]; zero: does not give way
  Vector3 velocity = Vector3::Zero();  // of the contact point [m/s]
};

/// That of an object hit at a point:
///
///   W = 1/m_o - [r]x I_o^-1 [r]x,   v = v_o + w_o x r,   r = p - c_o
///
/// and of a point mass W = 1/m_o. Throws InputError unless the mass is finite and > 0, everything else finite and the
/// inertia zero or symmetric and positive definite.
ContactResponse contact_response(const Object& object, const Vector3& p_WC);

/// That of an arm by one model of its inertia, which must exist. Real-time.
ContactResponse contact_response(const ContactDynamics& dynamics, const VectorRef& dq,
                                 const InverseInertia& inertia) noexcept;

/// The mass that the relative motion along the normal has, 1/(n.(W + W_o) n) [kg]: what a contact law acts on, as in
/// force_profile(law, reduced_mass(...), u_n). Of two masses m m_o/(m + m_o); against a wall, the effective mass.
/// normal has any length but zero. Throws InputError where it is zero or nothing moves along it.
double reduced_mass(const ContactResponse& side, const ContactResponse& other, const Vector3& normal);

/// An impact between two sides.
struct PairImpact {
  Impact impact{};  // impulse on the first side, velocities of the first relative to the second
  Vector3 velocity_after = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());        // of the first [m/s]
  Vector3 other_velocity_after = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // of the second [m/s]
};

/// Solves an impact between a robot and what it hits, or between any two sides; velocities are those of their contact
/// points. `normal` points from the second side to the first. Swapped, with the opposite normal, the two sides get the
/// same impulses. Throws what impact(W, velocity, normal, options) throws.
PairImpact impact(const ContactResponse& side, const ContactResponse& other, const Vector3& normal,
                  const ImpactOptions& options = {});

/// How an object moves.
struct ObjectMotion {
  Vector3 velocity = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // of its centre of mass [m/s]
  Vector3 angular_velocity = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());  // [rad/s]
};

/// How an object moves after an impulse on it at a point [N s]: v_o + iota/m_o, w_o + I_o^-1 (r x iota). A point mass
/// does not turn. Throws as contact_response.
ObjectMotion motion_after(const Object& object, const Vector3& p_WC, const Vector3& impulse_W);

}  // namespace thud
