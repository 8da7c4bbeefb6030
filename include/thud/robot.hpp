#pragma once

#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/warning.hpp>

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

enum class JointType { revolute, continuous, prismatic };

/// The words of URDF: "revolute", ...
std::string_view to_string(JointType type) noexcept;

/// One moving joint and its limits. An absent limit is infinite.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string link;                    // the link it moves
  int parent = -1;                     // index of the joint before it on the way to the base; -1 is the base
  Matrix3 R_PJ = Matrix3::Identity();  // orientation at q = 0 in the parent joint's frame
  Vector3 p_PJ = Vector3::Zero();      // origin in the parent joint's frame [m]
  Vector3 axis = Vector3::UnitX();     // unit vector, the same in the joint's frame before and after the motion
  double lower = -std::numeric_limits<double>::infinity();    // [rad or m]
  double upper = std::numeric_limits<double>::infinity();     // [rad or m]
  double velocity = std::numeric_limits<double>::infinity();  // [rad/s or m/s]
  double effort = std::numeric_limits<double>::infinity();    // [N m or N]
  double rotor_inertia = 0;                                   // reflected to the joint [kg m^2 or kg]
};

/// Rigid-body inertia in the axes of the joint that moves the body.
struct BodyInertia {
  double mass = 0;                    // [kg]
  Vector3 com = Vector3::Zero();      // centre of mass from the joint's origin [m]
  Matrix3 inertia = Matrix3::Zero();  // about the centre of mass [kg m^2]
};

/// A joint that moves with another, its leader: q = multiplier q_leader + offset. The <mimic> of URDF.
struct Follower {
  Joint joint;            // its parent counts as Frame::joint does
  BodyInertia body;       // that it moves
  int leader = 0;         // index of the leader among the joints of the robot
  double multiplier = 1;  // [1, or m/rad, or rad/m]
  double offset = 0;      // [rad or m]
};

/// A link, moving or not, as a place where contact may happen.
struct Frame {
  std::string name;
  int joint = -1;                      // the joint that carries it; -1 is the fixed base, size() + k is follower k
  Matrix3 R_JF = Matrix3::Identity();  // orientation in that joint's frame (in the world for the base)
  Vector3 p_JF = Vector3::Zero();      // origin in that joint's frame [m]
};

/// What stands still: the root link and all that is fixed to it. Its mass has no part in any motion.
///
/// A base with mass may be the trunk of something that walks, rolls or flies, and the robot warns that it is taken as
/// fixed to the world where it carries several limbs with mass, or where the root link itself has mass (a root without
/// mass, fixed to a link that has some, says that this one is fixed) and carries less than its own mass, or a trunk: a
/// limb that further out branches into several with a tenth of the moving mass each. It does not warn of an arm on its
/// pedestal, a heavy root that carries one limb with at most light branches such as fingers, nor of a root link that is
/// called world. A limb is all that a joint on the base moves.
struct Base {
  std::string link{};          // the root
  double mass = 0;             // of all of it [kg]
  bool root_has_mass = false;  // of the root link itself
};

/// A fixed-base tree of joints. Immutable: a different robot is another object.
///
/// Joint i moves body i: the link after the joint, with every link that is fixed to it merged in. Each joint comes
/// after its parent. Followers have no coordinate of their own: q, dq and every matrix are those of the joints, and
/// what a follower moves counts with its leader.
class Robot {
 public:
  /// A robot from parts, wherever they come from. Throws RobotError, with the part as argument ("joints[2].axis"),
  /// unless there is at least one joint, and a body for each; each parent is -1 or a joint before; R_PJ and R_JF are
  /// rotations and axes have unit length, to 1e-6 (the robot keeps the nearest exact ones); places, masses,
  /// inertias and rotors are finite, inertias symmetric; masses, rotors and limits of velocity and effort are not
  /// negative; lower <= upper; frames are on the base or on a joint; names of joints and of frames are unique and not
  /// empty; a follower is a joint of those rules, with a finite multiplier and offset, on the base, a joint or a
  /// follower before it; the base's mass is finite and not negative. A non-physical or implausible inertia, a link that
  /// moves without any and a base that may not be fixed add a warning.
  Robot(std::string name, std::vector<Joint> joints, std::vector<BodyInertia> bodies, std::vector<Frame> frames,
        std::vector<Warning> warnings = {}, std::vector<Follower> followers = {}, Base base = {});

  const std::string& name() const noexcept { return name_; }
  int size() const noexcept { return static_cast<int>(joints_.size()); }
  const std::vector<Joint>& joints() const noexcept { return joints_; }
  const std::vector<BodyInertia>& bodies() const noexcept { return bodies_; }
  const std::vector<Frame>& frames() const noexcept { return frames_; }
  const std::vector<Follower>& followers() const noexcept { return followers_; }
  const std::vector<Warning>& warnings() const noexcept { return warnings_; }
  const Base& base() const noexcept { return base_; }

  double mass() const noexcept;  // of all moving bodies [kg]

  /// Throws RobotError if the robot has no link of that name.
  const Frame& frame(std::string_view name) const;

  /// Throws RobotError if the robot has no moving joint of that name.
  int joint_index(std::string_view name) const;

  /// The same robot with rotor inertias, one per joint, as reflected to the joint side [kg m^2 or kg]. They add a
  /// diagonal to M and nothing else. Throws InputError unless there are size() finite values >= 0.
  Robot with_rotor_inertia(const VectorRef& rotor_inertia) const;

  /// The same robot with a rigid tool fixed to a link: mass, centre of mass and inertia about it in that link's frame.
  /// Throws RobotError for an unknown link or one of the base, InputError naming tool.mass, tool.com or tool.inertia
  /// unless they are finite, the mass >= 0 and the inertia symmetric, and where they are too large to compute with. A
  /// non-physical or implausible inertia adds a warning.
  Robot with_tool(std::string_view frame, const BodyInertia& tool) const;

  /// The same robot with the named joints locked at a position [rad or m]: what they move becomes part of what carries
  /// them, or of the base, which is judged anew. Followers are locked with their leader; frames stay; rotors of locked
  /// joints are gone. A position outside the joint's limits adds a warning. Throws RobotError for a name that is no
  /// joint, or if no joint is left, and InputError for a position that is not finite.
  Robot reduced(const std::map<std::string, double>& locked) const;

  /// The joints between the base and a link, every other one locked: at the position named, or else at 0, whatever its
  /// limits. The leader of a follower on the way stays too; a joint on the way that is named is locked. Throws what
  /// reduced throws, and RobotError for an unknown link or one of the base.
  Robot chain_to(std::string_view frame, const std::map<std::string, double>& locked = {}) const;

 private:
  std::string name_;
  std::vector<Joint> joints_;
  std::vector<BodyInertia> bodies_;
  std::vector<Frame> frames_;
  std::vector<Warning> warnings_;
  std::vector<Follower> followers_;
  Base base_;
};

/// Joint positions and velocities in the robot's joint order.
struct State {
  VectorX q;   // [rad or m]
  VectorX dq;  // [rad/s or m/s]
};

/// Where the robot is hit, and from which side.
struct ContactPoint {
  std::string frame;                    // a link of the robot
  Vector3 offset = Vector3::Zero();     // of the point, in that link's frame [m]
  Vector3 normal_W = Vector3::UnitX();  // out of the environment, in world axes; any length but zero
  bool whole = false;                   // the composite body is every limb of the robot, not only the one that is hit
};

/// The links of the composite body of a contact, those fixed to others among them, in the order of Robot::frames.
///
/// A limb is all that a joint on the fixed base moves. The composite body is the limb that carries the contact point:
/// other limbs do not answer the impact. With `whole` it is every limb. Throws what validate throws.
std::vector<std::string> composite_links(const Robot& robot, const ContactPoint& point);

/// Checks a contact point against the robot: its frame is a link that moves, its offset is finite, its normal has a
/// length, and that is finite. Throws RobotError naming frame, or InputError naming offset or normal; `prefix` stands
/// before these names where the point is a part of something ("contact." for "contact.frame").
void validate(const Robot& robot, const ContactPoint& point, std::string_view prefix = {});

/// Checks a state against the robot. Throws InputError naming q or dq unless the vector has size() finite values.
void validate_positions(const Robot& robot, const VectorRef& q);
void validate_velocities(const Robot& robot, const VectorRef& dq);

/// A warning for each joint position and velocity outside the robot's limits, those of followers among them.
std::vector<Warning> limit_warnings(const Robot& robot, const State& state);

}  // namespace thud
