#pragma once

/// The plan of a virtual experiment: which robot hits which wall, how fast, how often, under which control.
///
/// As text it is TOML; `format_campaign(default_campaign())` is the whole of it, to start from, but for delays and a
/// friction that are 0, and boxes in the place of the wall (kind = "box", table [box]). A key that is left out keeps
/// its default, an unknown one is rejected by name. Vectors with one value per joint may be given as a single number; a
/// table [scale] multiplies them, by quoted key: "joints.stiffness" = 0.5. The loss of a wall may be given as a
/// restitution at a speed (restitution, restitution_speed) in the place of its damping. The defaults are the experiment
/// of [Wang22, (sec:robot_configuration)]; docs/lab.md says where each number comes from, and which are assumptions.

#include <thud/contact.hpp>
#include <thud/conventions.hpp>
#include <thud/dataset.hpp>
#include <thud/drives.hpp>
#include <thud/export.hpp>
#include <thud/robot.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Motor-side friction, tau = a/(1 + exp(-s (dtheta + d))) - a/(1 + exp(-s d))      [Gaz19]
struct MotorFriction {
  VectorX level;   ///< a >= 0                                                          [N m or N]       (n)
  VectorX slope;   ///< s >= 0                                                          [s/rad or s/m]   (n)
  VectorX offset;  ///< d                                                               [rad/s or m/s]   (n)
};

/// Velocity control by a QP, and what follows an impact: in the first cycle in which the residual has been above the
/// threshold for detection_delay the alarm is raised; in the first cycle after it that is at least command_delay later
/// the arm pulls back. The servo that realises it is the drives'. With an impact_contact_time the QP also keeps, in
/// every cycle, the rows of impact_rows for a hit at its end, by the generalized momentum and by the composite rigid
/// body.
struct Control {
  double period = 1e-3;             ///< of one cycle; commands are held between cycles            [s]
  double ramp = 0.15;               ///< time to come to speed along the approach                  [s]
  double cruise = 0.2;              ///< time at constant speed before the expected touch          [s]
  double retreat_speed = 0.1;       ///< of the pull-back after the alarm                          [m/s]
  double after = 0.08;              ///< time recorded after the expected touch                    [s]
  double retreat_acceleration = 4;  ///< of the pull-back, in those of the approach               [1]
  double detection_delay = 0;       ///< from the threshold to the alarm                          [s]
  double command_delay = 0;         ///< from the alarm to the pull-back                          [s]
  double impact_contact_time = 0;   ///< of a hit that may come; above 0 limits are kept through it [s]
  double impact_restitution = 0;    ///< of that hit, 0 to 1                                      [1]
  double position_gain = 20;        ///< of path and orientation errors, and of the posture task   [1/s]
  double linear_weight = 1;         ///< of the velocity of the contact point                      [1/(m/s)^2]
  double angular_weight = 0.1;      ///< of its rotation                                           [1/(rad/s)^2]
  double posture_weight = 1e-4;     ///< of the joints' way back to the nominal posture            [1/(rad/s)^2]
  VectorX acceleration;             ///< largest of each joint, > 0                                [rad/s^2]      (n)
};

/// The wall's force sensor and the robot's own signals.
struct Sensor {
  double rate = 25e3;                ///< of the force                                            [Hz]
  double bandwidth = 5e3;            ///< of its low-pass, second order, critically flat          [Hz]
  double noise = 0.25;               ///< standard deviation of one force sample                  [N]
  double resolution = 0.125;         ///< step of the force                                       [N]
  double range = 580;                ///< largest force                                           [N]
  double torque_noise = 0.02;        ///< standard deviation of one torque sample                 [N m]
  double torque_resolution = 0.02;   ///< step of the torques                                     [N m]
  double encoder_resolution = 1e-6;  ///< step of the positions                                  [rad or m]
  double velocity_noise = 1e-4;      ///< standard deviation of one joint-velocity sample         [rad/s or m/s]
};

/// What differs from trial to trial: standard deviations of independent normal draws, unless said otherwise.
struct Variation {
  double wall = 5e-4;          ///< position of the wall along its normal                         [m]
  double posture = 2e-3;       ///< each joint of the configuration                               [rad or m]
  double law = 0.03;           ///< each parameter of the contact law, relative                   [1]
  double baseline = 0.5;       ///< offset of the force sensor                                    [N]
  double clock_offset = 0.01;  ///< between the clocks, uniform within plus or minus              [s]
};

/// What the robot hits.
enum class CampaignKind {
  wall,  ///< a wall that stands still, with a force sensor
  box    ///< a box that slides on a floor, whose pose is measured; no force is. As text, control.after is then 0.25 s
};

/// "wall" or "box".
std::string_view to_string(CampaignKind kind) noexcept;

/// Uniform boxes on a floor, one in each trial, hit in the middle of a face or beside it, at half their height.
struct Box {
  std::vector<double> masses;         ///< > 0; all of them are hit                                 [kg]
  std::vector<double> offsets = {0};  ///< of the hit from the middle of the face, to the left as the robot sees it  [m]
  Vector3 size = {0.2, 0.2, 0.2};     ///< along the hit, across it, up                              [m]
  double floor_friction = 0.2;        ///< Coulomb's, of box and floor                               [1]
  double rate = 200;                  ///< of the poses                                              [Hz]
  double position_noise = 1e-4;       ///< standard deviation of each coordinate                     [m]
  double orientation_noise = 5e-4;    ///< likewise, of a rotation about each axis                   [rad]
};

/// Configurations x speeds x repeats, and everything that makes them. With boxes: configurations x masses x offsets x
/// speeds x repeats.
struct Campaign {
  std::string robot = "panda";  ///< a shipped name or a URDF path
  std::string urdf;             ///< its text
  std::uint64_t seed = 1;
  int repeats = 10;
  std::vector<double> speeds;  ///< approach speeds along the normal, > 0                       [m/s]
  std::vector<Configuration> configurations;
  ContactPoint point;
  ContactLaw law = Viscoelastic{};
  Drives drives;  ///< all of it known, the servo's damping as a ratio
  MotorFriction friction;
  Control control;
  Sensor sensor;
  Variation variation;
  std::vector<std::string> detection_joints;  ///< joints whose torques are watched, by name
  double step = 2e-5;                         ///< of the plant                                  [s]
  CampaignKind kind = CampaignKind::wall;
  double contact_friction = 0;  ///< Coulomb's, of the contact point and what it hits            [1]
  Box box{};                    ///< of kind box
};

/// The paper's 150 trials: 3 configurations x 5 speeds x 10 repeats with the shipped Panda.
Campaign default_campaign();

/// A campaign from TOML; `name` is the file in messages, relative URDF paths start from `folder`.
/// Throws FileError naming file, line, key, value and rule.
Campaign parse_campaign(std::string_view text, const std::string& name, const std::string& folder = "");
Campaign read_campaign(const std::string& path);

/// The campaign as TOML that parse_campaign reads back to the same campaign, every key written out.
std::string format_campaign(const Campaign& campaign);

/// Throws InputError, naming the key, unless every value obeys the rule on its line and fits the robot.
void validate(const Campaign& campaign);

}  // namespace thud
