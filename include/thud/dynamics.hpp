#pragma once

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <limits>
#include <memory>
#include <vector>

namespace THUD_EXPORT thud {

/// Everything the models of inertia.hpp need to know about a robot at one posture and one contact point. n joints.
struct ContactDynamics {
  // from the contact point
  Vector3 p_WC;      // contact point [m]
  Vector3 normal_W;  // out of the environment, unit length

  // outward pass: kinematics
  Matrix6X J;  // velocity of the contact point, linear over angular, per joint rate          (6 x n)

  // inward pass: inertia
  MatrixX M;     // joint-space inertia, with rotors [kg m^2, kg m, kg]                      (n x n)
  Matrix6X A_G;  // centroidal momentum, linear over angular about com_W, per joint rate     (6 x n)   [Orin13]
  double mass = std::numeric_limits<double>::quiet_NaN();  // of the moving bodies [kg]
  Vector3 com_W;                                           // their centre of mass [m]; the contact point if mass is 0
  Matrix3 Ic_W;                                            // their composite rotational inertia about com_W [kg m^2]

  // factorisation of M
  MatrixX6 M_inv_JT;           // M^-1 J^T, the jump of the joint rates per unit impulse at the contact (n x 6)
  bool M_is_positive = false;  // M is positive definite; if not, M_inv_JT is NaN and some joint moves no inertia
};

/// Scratch and results for one robot and one contact point, sized once so that the loop allocates nothing.
class Workspace {
 public:
  /// Throws InputError for a zero or non-finite normal or offset, RobotError for an unknown frame or one of the base.
  Workspace(const Robot& robot, const ContactPoint& point);
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  int size() const noexcept;                         // number of joints
  const ContactDynamics& dynamics() const noexcept;  // of the last call; NaN before the first

 private:
  friend const ContactDynamics& contact_dynamics(Workspace& workspace, const VectorRef& q) noexcept;
  struct Kernel;
  std::unique_ptr<Kernel> kernel_;
};

/// Contact dynamics of a robot at joint positions q [rad or m].
///
/// All twists are referred to the contact point, so that J's columns are the joints' twists themselves; one pass out
/// for kinematics, one pass back for composite inertia, M and momentum.       [Wang22, (def_I_eq)], [Orin13, (22)]
/// Throws what Workspace throws, and InputError unless q has one finite value per joint.
ContactDynamics contact_dynamics(const Robot& robot, const VectorRef& q, const ContactPoint& point);

/// The same into a workspace. q must have workspace.size() finite values and lie in contiguous memory. Real-time.
const ContactDynamics& contact_dynamics(Workspace& workspace, const VectorRef& q) noexcept;

/// The same from matrices that another library computed: world axes, linear over angular, A_G about the centre of mass.
/// Throws InputError for a shape that does not fit, a non-finite entry, an M that is not symmetric, a zero normal.
ContactDynamics contact_dynamics(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G, double mass,
                                 const Vector3& com_W, const Matrix3& Ic_W, const Vector3& p_WC,
                                 const Vector3& normal_W);

/// Inertia of each moving body about the contact point, linear over angular, world axes (6 x 6 each). Their sum is the
/// equivalent inertia of the whole arm at the contact point.                          [Wang22, (contribution_im)]
/// Throws what contact_dynamics throws.
std::vector<Matrix6> link_inertias(const Robot& robot, const VectorRef& q, const ContactPoint& point);

/// Gravity for a robot that stands upright on earth [m/s^2].
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
/// The middle one, because a turn of joint j turns the subtree as one body: seen from the subtree nothing changes but
/// the motion that it starts from, that of the body before the joint, and that by V x S_j (S_j x S_j is nil, so that V
/// may be taken on either side of the joint). Rotors add their inertia times dq to p and nothing to dL/dq.
/// One pass out, one pass back: O(n). Throws what LagrangeWorkspace throws, and InputError unless q and dq have one
/// finite value per joint.
LagrangeTerms lagrange_terms(const Robot& robot, const VectorRef& q, const VectorRef& dq,
                             const Vector3& gravity_W = earth_gravity_W);

/// The same into a workspace. q and dq must have workspace.size() finite values and lie in contiguous memory.
/// Real-time.
const LagrangeTerms& lagrange_terms(LagrangeWorkspace& workspace, const VectorRef& q, const VectorRef& dq) noexcept;

}  // namespace thud
