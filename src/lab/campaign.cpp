#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "drives/keys.hpp"
#include "lab/campaign_keys.hpp"
#include "lab/campaign_start.hpp"
#include "lab/trial_run.hpp"

namespace THUD_EXPORT thud {
using namespace lab;
namespace {

void require(bool holds, const std::string& key, double value, const std::string& rule) {
  if (!holds) throw InputError(key, value, rule);
}

void require(double value, const std::string& key, keys::Rule rule) {
  using keys::Rule;
  require(std::isfinite(value), key, value, "must be finite");
  if (rule == Rule::positive) require(value > 0, key, value, "must be positive");
  if (rule == Rule::not_negative) require(value >= 0, key, value, "must not be negative");
}

template <class Part, std::size_t n>
void require_numbers(const std::string& table, const keys::Number<Part> (&keys)[n], const Part& part) {
  for (const auto& key : keys) require(part.*key.field, table + key.name, key.rule);
}

template <class Part, std::size_t n>
void require_per_joint(const std::string& table, const keys::PerJoint<Part> (&keys)[n], const Part& part,
                       const Robot& robot) {
  for (const auto& key : keys) {
    const VectorX& values = part.*key.field;
    if (values.size() != robot.size())
      throw InputError(table + key.name, std::to_string(values.size()) + " values",
                       "needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
    for (const double value : values) require(value, table + key.name, key.rule);
  }
}

// Rules that relate several numbers.
void validate_times(const Campaign& campaign) {
  const Control& control = campaign.control;
  const Sensor& sensor = campaign.sensor;
  require(campaign.step <= 1e-4, "plant.step", campaign.step, "must be at most 1e-4 s");
  const double steps = control.period / campaign.step;
  require(steps >= 1 && std::abs(steps - std::round(steps)) < 1e-9 * steps, "plant.step", campaign.step,
          "must divide controller.period = " + to_text(control.period));
  require(sensor.rate * campaign.step <= 1 + 1e-9, "sensor.rate", sensor.rate,
          "must not exceed one sample per plant.step = " + to_text(campaign.step));
  require(sensor.bandwidth * campaign.step <= 0.25, "sensor.bandwidth", sensor.bandwidth,
          "must be at most a quarter of 1/plant.step = " + to_text(1 / campaign.step));
  require(control.impact_restitution <= 1, "controller.impact_restitution", control.impact_restitution,
          "must be at most 1");
  require(control.impact_contact_time == 0 || control.impact_contact_time >= control.period / 10,
          "controller.impact_contact_time", control.impact_contact_time, "must be 0 or at least a tenth of the period");
  const double duration = control.ramp + control.cruise + control.after;
  require(duration <= 60, "controller", duration, "ramp + cruise + after must be at most 60 s");
  require(campaign.variation.clock_offset < duration / 2, "variation.clock_offset", campaign.variation.clock_offset,
          "must be less than half of a trial");
}

void require_distinct(const std::vector<double>& values, const std::string& key) {
  if (values.empty()) throw InputError(key, "none", "needs at least one");
  if (std::set<double>(values.begin(), values.end()).size() != values.size())
    throw InputError(key, std::to_string(values.size()) + " values", "must differ from each other");
}

void validate_box(const Campaign& campaign) {
  const Box& box = campaign.box;
  require_numbers("box.", keys::box, box);
  for (const double mass : box.masses) require(mass, "box.masses", keys::Rule::positive);
  require_distinct(box.masses, "box.masses");
  for (const double length : box.size) require(length, "box.size", keys::Rule::positive);
  for (const double offset : box.offsets)
    require(std::abs(offset) < box.size[1] / 2, "box.offsets", offset,
            "must lie within the face, that is within " + to_text(box.size[1] / 2));
  require_distinct(box.offsets, "box.offsets");
  require(box.rate * campaign.step <= 1 + 1e-9, "box.rate", box.rate,
          "must not exceed one sample per plant.step = " + to_text(campaign.step));
  constexpr double level = 1e-6;  // slope of a normal that counts as horizontal
  const Vector3 normal = campaign.point.normal_W.normalized();
  require(std::abs(normal[2]) <= level, "contact.normal", normal[2], "must be horizontal where a box is hit");
}

void validate_plan(const Campaign& campaign, const Robot& robot) {
  for (const double speed : campaign.speeds)
    require(std::isfinite(speed) && speed > 0 && speed <= 10, "speeds", speed, "must lie above 0 and up to 10 m/s");
  require_distinct(campaign.speeds, "speeds");
  if (campaign.repeats < 1 || campaign.repeats > 100000)
    throw InputError("repeats", std::to_string(campaign.repeats), "must lie between 1 and 100000");
  if (campaign.configurations.empty()) throw InputError("configuration", "none", "needs at least one");
  std::set<std::string> names;
  for (const auto& [name, q, threshold] : campaign.configurations) {
    validate_name("configuration.name", name);
    if (!names.insert(name).second) throw InputError("configuration.name", name, "must not repeat");
    if (q.size() != robot.size() || !q.allFinite())
      throw InputError("configuration.q", std::to_string(q.size()) + " values",
                       "needs " + std::to_string(robot.size()) + " finite ones, one per joint of " + robot.name());
    for (int i = 0; i < robot.size(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      require(q[i] >= joint.lower && q[i] <= joint.upper, "configuration.q", q[i],
              joint.name + " of configuration " + name + " must lie between " + to_text(joint.lower) + " and " +
                  to_text(joint.upper));
    }
    require(std::isfinite(threshold) && threshold > 0, "configuration.threshold", threshold,
            "must be finite and positive");
  }
  // Trial names extend those of their configurations, and must be valid too.
  const auto repeats = static_cast<std::size_t>(campaign.repeats);
  for (std::size_t i = repeats - 1; i < trial_count(campaign); i += repeats)
    validate_name("configuration.name", trial_name(campaign, plan_index(campaign, i)));
}

}  // namespace

std::string_view to_string(CampaignKind kind) noexcept {
  return kind == CampaignKind::box ? "box" : "wall";
}

Campaign default_campaign() {
  return campaign_defaults("panda", urdf_text("panda"));
}

void validate(const Campaign& campaign) {
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  require_numbers("controller.", keys::control, campaign.control);
  require_numbers("controller.", keys::unusual, campaign.control);
  require_numbers("sensor.", keys::sensor, campaign.sensor);
  require_numbers("variation.", keys::variation, campaign.variation);
  require_numbers("plant.", keys::plant, campaign);
  require_per_joint("joints.", drives::joints, campaign.drives, robot);
  require_per_joint("joints.", keys::friction, campaign.friction, robot);
  require_per_joint("controller.", keys::control_joints, campaign.control, robot);
  require_per_joint("controller.", drives::servo, campaign.drives, robot);
  if (campaign.drives.servo_damping.size() != 0 || !campaign.drives.servo_damping_ratio)
    throw InputError("controller.damping_ratio", "none", "must say the servo's damping");
  require(*campaign.drives.servo_damping_ratio, "controller.damping_ratio", keys::Rule::not_negative);
  require(campaign.contact_friction, "contact.friction", keys::Rule::not_negative);
  validate_times(campaign);
  if (campaign.kind == CampaignKind::box) validate_box(campaign);
  validate_plan(campaign, robot);
  validate(campaign.law);
  try {
    validate(robot, campaign.point, "contact.");
  } catch (const RobotError& error) {
    throw InputError(error.argument(), error.value(), error.rule());
  }
  if (campaign.detection_joints.empty()) throw InputError("controller.detection_joints", "none", "needs at least one");
  for (const auto& joint : campaign.detection_joints) robot.joint_index(joint);
}

}  // namespace thud
