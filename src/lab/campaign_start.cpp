#include "lab/campaign_start.hpp"

#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace thud::lab {
namespace {

constexpr double half_pi = M_PI / 2;

VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

Configuration posture(const std::string& name, double q2, double q4, double threshold) {
  return {name, vector({0, q2, 0, q4, 0, half_pi + q2 - q4, M_PI / 4}), threshold};
}

// Values for an unknown arm: of the order of those of the Panda's large joints.
Drives default_drives(const Robot& robot) {
  const auto all = [&](double value) { return VectorX::Constant(robot.size(), value); };
  Drives drives{.rotor_inertia = all(0.2),
                .stiffness = all(1e4),
                .damping = all(1),
                .effort = all(100),
                .servo_stiffness = all(2500),
                .servo_damping_ratio = 1};
  for (int i = 0; i < robot.size(); ++i) {
    const double effort = robot.joints()[static_cast<std::size_t>(i)].effort;
    if (std::isfinite(effort) && effort > 0) drives.effort[i] = effort;
  }
  return drives;
}

bool is_panda(const Robot& robot) {
  if (robot.size() != 7) return false;
  for (int i = 0; i < 7; ++i)
    if (robot.joints()[static_cast<std::size_t>(i)].name != "panda_joint" + std::to_string(i + 1)) return false;
  return true;
}

void set_panda_defaults(Campaign& campaign) {
  // rotors: mujoco_menagerie's franka_fr3; transmissions: franka_description; friction: [Gaz19]
  campaign.drives.rotor_inertia = vector({0.195, 0.195, 0.195, 0.195, 0.074, 0.074, 0.074});
  campaign.friction.level = vector({0.54615, 0.87224, 0.64068, 1.2794, 0.83904, 0.30301, 0.56489});
  campaign.friction.slope = vector({5.1181, 9.0657, 10.136, 5.5903, 8.3469, 17.133, 10.336});
  campaign.friction.offset = vector({0.039533, 0.025882, -0.04607, 0.036194, 0.026226, -0.021047, 0.0035526});
  campaign.control.acceleration = vector({15, 7.5, 10, 12.5, 15, 20, 20});
  campaign.drives.servo_stiffness = vector({3000, 3000, 3000, 2500, 2500, 2000, 2000});
  campaign.configurations = {posture("one", 0.1, -1.5, 1.8), posture("two", 0.4, -1.3, 1.8),
                             posture("three", 0.8, -1.1, 1.5)};
  campaign.point = {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  campaign.detection_joints = {"panda_joint5", "panda_joint6"};
}

}  // namespace

Campaign campaign_defaults(const std::string& name, const std::string& urdf) {
  const Robot robot = parse_urdf(urdf, name);
  Campaign campaign;
  campaign.robot = name;
  campaign.urdf = urdf;
  campaign.speeds = {0.08, 0.10, 0.12, 0.15, 0.18};
  // restitution 0.627 at 0.12 m/s, the material's of [Wang22, (sec:robot_configuration)]
  campaign.law = typical_law(LawKind::viscoelastic);
  campaign.drives = default_drives(robot);
  campaign.control.acceleration = VectorX::Constant(robot.size(), 10);
  const VectorX none = VectorX::Zero(robot.size());
  campaign.friction = {none, none, none};
  for (const auto& joint : robot.joints()) campaign.detection_joints.push_back(joint.name);
  if (is_panda(robot)) set_panda_defaults(campaign);
  return campaign;
}

}  // namespace thud::lab
