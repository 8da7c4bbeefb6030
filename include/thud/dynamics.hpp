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
                 // of the composite body; columns of joints that are no part of it are zero
  double mass = std::numeric_limits<double>::quiet_NaN();  // of the composite body (ContactPoint) [kg]
  Vector3 com_W;                                           // its centre of mass [m]; the contact point if mass is 0
  Matrix3 Ic_W;                                            // its rotational inertia about com_W [kg m^2]

  // factorisation of M
  MatrixX6 M_inv_JT;           // M^-1 J^T, the jump of the joint rates per unit impulse at the contact (n x 6)
  bool M_is_positive = false;  // M is positive definite; if not, M_inv_JT is NaN and some joint moves no inertia
};

/// Scratch and results for one robot and one contact point, sized once so that the loop allocates nothing.
class DynamicsWorkspace {
 public:
  /// Throws InputError for a zero or non-finite normal or offset, RobotError for an unknown frame or one of the base.
  DynamicsWorkspace(const Robot& robot, const ContactPoint& point);
  DynamicsWorkspace(DynamicsWorkspace&&) noexcept;
  DynamicsWorkspace& operator=(DynamicsWorkspace&&) noexcept;
  ~DynamicsWorkspace();

  int size() const noexcept;                         // number of joints
  const ContactDynamics& dynamics() const noexcept;  // of the last call; NaN before the first

  /// Another point of the same link, hit from another side: offset and normal as in ContactPoint. Throws InputError for
  /// those that are not finite, and a zero normal; allocates nothing else.
  void set_contact(const Vector3& offset, const Vector3& normal_W);

 private:
  friend const ContactDynamics& contact_dynamics(DynamicsWorkspace& workspace, const VectorRef& q) noexcept;
  struct Kernel;
  std::unique_ptr<Kernel> kernel_;
};

/// Contact dynamics of a robot at joint positions q [rad or m].
///
/// All twists are referred to the contact point, so that J's columns are the joints' twists themselves; one pass out
/// for kinematics, one pass back for composite inertia, M and momentum.       [Wang22, (def_I_eq)], [Orin13, (22)]
/// Throws what DynamicsWorkspace throws, and InputError unless q has one finite value per joint.
ContactDynamics contact_dynamics(const Robot& robot, const ContactPoint& point, const VectorRef& q);

/// The same into a workspace. q must have workspace.size() finite values and lie in contiguous memory. Real-time.
const ContactDynamics& contact_dynamics(DynamicsWorkspace& workspace, const VectorRef& q) noexcept;

/// The moving bodies of an arm as one, in world axes.
struct CompositeBody {
  double mass = 0;                  // [kg]
  Vector3 com_W = Vector3::Zero();  // centre of mass [m]
  Matrix3 Ic_W = Matrix3::Zero();   // rotational inertia about com_W [kg m^2]
};

/// Where the contact is, in the world.
struct ContactGeometry {
  Vector3 p_WC = Vector3::Zero();       // contact point [m]
  Vector3 normal_W = Vector3::UnitX();  // out of the environment; any length but zero
};

/// From matrices that another library computed: world axes, linear over angular, A_G about the centre of mass.
/// Throws InputError for a shape that does not fit, a non-finite entry, an M that is not symmetric, a zero normal.
ContactDynamics contact_dynamics(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G,
                                 const CompositeBody& body, const ContactGeometry& contact);

/// Inertia of each moving body about the contact point, linear over angular, world axes (6 x 6 each), zero for those
/// that are no part of the composite body; followers come after the joints. Their sum is the equivalent inertia of the
/// composite body at the contact point. [Wang22, (contribution_im)] Throws what contact_dynamics throws.
std::vector<Matrix6> link_inertias(const Robot& robot, const ContactPoint& point, const VectorRef& q);

}  // namespace thud
