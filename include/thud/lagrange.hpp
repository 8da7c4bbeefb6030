#pragma once

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <memory>

namespace THUD_EXPORT thud {

/// Gravity for a robot mounted upright on earth [m/s^2].
inline const Vector3 earth_gravity_W{0, 0, -9.81};

/// The terms of Lagrange's equations that follow from the state alone. n joints.
///
///   d/dt p = tau + dL/dq + tau_ext,   L = T - U the kinetic less the potential energy
///
/// In the form M ddq + C dq + g = tau + tau_ext, with C such that dM/dt = C + C^T, they are M dq and C^T dq - g.
struct LagrangeTerms {
  VectorX momentum;  // p = dL/d(dq) = M dq, with rotors [kg m^2/s or kg m/s]   (n)
  VectorX gradient;  // dL/dq [N m or N]                                        (n)
};

/// Scratch and results for one robot, sized once so that the loop allocates nothing.
class LagrangeWorkspace {
 public:
  /// Throws InputError for a gravity that is not finite.
  explicit LagrangeWorkspace(const Robot& robot, const Vector3& gravity_W = earth_gravity_W);
  LagrangeWorkspace(LagrangeWorkspace&&) noexcept;
  LagrangeWorkspace& operator=(LagrangeWorkspace&&) noexcept;
  ~LagrangeWorkspace();

  int size() const noexcept;                    // number of joints
  const LagrangeTerms& terms() const noexcept;  // of the last call; NaN before the first

 private:
  friend const LagrangeTerms& lagrange_terms(LagrangeWorkspace& workspace, const VectorRef& q,
                                             const VectorRef& dq) noexcept;
  struct Kernel;
  std::unique_ptr<Kernel> kernel_;
};

/// Momentum and gradient at joint positions q [rad or m] and rates dq [rad/s or m/s].
///
/// With S_j the twist of joint j per unit rate, V the twist of the body that it moves, h the momentum of the subtree
/// behind it, all about one fixed point, and m, c the subtree's mass and centre of mass:
///
///   p_j = S_j.h,   dT/dq_j = h.(V x S_j),   -dU/dq_j = m gravity.(velocity of c under S_j)
///
/// The middle one, because a rotation of joint j rotates the subtree as one body: seen from the subtree nothing changes
/// but the motion that it starts from, that of the body before the joint, and that by V x S_j (S_j x S_j is nil, so
/// that V may be taken on either side of the joint). Rotors add their inertia times dq to p and nothing to dL/dq.
/// One forward and one backward pass: O(n). Throws what LagrangeWorkspace throws, and InputError unless q and dq have
/// one finite value per joint.
LagrangeTerms lagrange_terms(const Robot& robot, const VectorRef& q, const VectorRef& dq,
                             const Vector3& gravity_W = earth_gravity_W);

/// The same into a workspace. q and dq must have workspace.size() finite values and lie in contiguous memory.
/// Real-time.
const LagrangeTerms& lagrange_terms(LagrangeWorkspace& workspace, const VectorRef& q, const VectorRef& dq) noexcept;

}  // namespace thud
