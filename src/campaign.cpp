#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <toml++/toml.h>

namespace thud {
namespace {

// ---- defaults

constexpr double half_pi = M_PI / 2;

VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

Configuration posture(const std::string& name, double q2, double q4, double threshold) {
  return {name, vector({0, q2, 0, q4, 0, half_pi + q2 - q4, M_PI / 4}), threshold};
}

// Values for an arm of which nothing is known: of the order of those of the Panda's large joints.
Drives plain_drives(const Robot& robot) {
  const auto all = [&](double value) { return VectorX::Constant(robot.size(), value); };
  Drives drives{all(0.2), all(1e4), all(1), all(100), all(0), all(0), all(0)};
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
  campaign.drives.friction_level = vector({0.54615, 0.87224, 0.64068, 1.2794, 0.83904, 0.30301, 0.56489});
  campaign.drives.friction_slope = vector({5.1181, 9.0657, 10.136, 5.5903, 8.3469, 17.133, 10.336});
  campaign.drives.friction_offset = vector({0.039533, 0.025882, -0.04607, 0.036194, 0.026226, -0.021047, 0.0035526});
  campaign.control.acceleration = vector({15, 7.5, 10, 12.5, 15, 20, 20});
  campaign.control.stiffness = vector({3000, 3000, 3000, 2500, 2500, 2000, 2000});
  campaign.configurations = {posture("one", 0.1, -1.5, 1.8), posture("two", 0.4, -1.3, 1.8),
                             posture("three", 0.8, -1.1, 1.5)};
  campaign.point = {.frame = "panda_foot", .offset = {0, 0, 0.0223}, .normal_W = {-1, 0, 0}};
  campaign.detection_joints = {"panda_joint5", "panda_joint6"};
}

// What a campaign with this robot starts from: for arms other than the Panda there is no posture and no contact point.
Campaign starting_from(const std::string& name, const std::string& urdf) {
  const Robot robot = parse_urdf(urdf, name);
  Campaign campaign;
  campaign.robot = name;
  campaign.urdf = urdf;
  campaign.speeds = {0.08, 0.10, 0.12, 0.15, 0.18};
  // restitution 0.627 at 0.12 m/s, the material's of [Wang22, (sec:robot_configuration)]
  campaign.law = Viscoelastic{.stiffness = 1e6, .damping = 7.279e6};
  campaign.drives = plain_drives(robot);
  campaign.control.acceleration = VectorX::Constant(robot.size(), 10);
  campaign.control.stiffness = VectorX::Constant(robot.size(), 2500);
  for (const auto& joint : robot.joints()) campaign.detection_joints.push_back(joint.name);
  if (is_panda(robot)) set_panda_defaults(campaign);
  return campaign;
}

// ---- reading

std::string line_of(const std::string& file, const toml::node& node) {
  return file + ":" + std::to_string(node.source().begin.line);
}

std::string text_of(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_table<decltype(value)>)
      out << "a table";
    else
      out << value;
  });
  return out.str();
}

// One table of the file. Every key is taken at most once; what is left over at the end is unknown.
class Table {
 public:
  Table(const toml::table& table, std::string file, std::string name)
      : table_(table), file_(std::move(file)), name_(std::move(name)) {}

  void finish() const {
    for (const auto& [key, node] : table_)
      if (!taken_.contains(std::string(key.str())))
        throw FileError(line_of(file_, node), name_ + std::string(key.str()), "unknown key");
  }

  const toml::node* find(const std::string& key) {
    taken_.insert(key);
    return table_.get(key);
  }

  [[noreturn]] void refuse(const std::string& key, const toml::node& node, const std::string& rule) const {
    throw FileError(line_of(file_, node), name_ + key + " = " + text_of(node), rule);
  }

  void read(const std::string& key, double& value) {
    if (const toml::node* node = find(key)) value = number(key, *node);
  }

  void read(const std::string& key, std::string& value) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_string()) refuse(key, *node, "must be a text in quotes");
    value = node->as_string()->get();
  }

  template <class Integer>
  void read_count(const std::string& key, Integer& value, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_integer()) refuse(key, *node, "must be a whole number");
    const std::int64_t number = node->as_integer()->get();
    if (number < least || number > most)
      refuse(key, *node, "must lie between " + std::to_string(least) + " and " + std::to_string(most));
    value = static_cast<Integer>(number);
  }

  std::vector<double> numbers(const std::string& key, const toml::node& node) const {
    if (!node.is_array()) refuse(key, node, "must be a list of numbers");
    std::vector<double> values;
    for (const auto& each : *node.as_array()) values.push_back(number(key, each));
    return values;
  }

  void read(const std::string& key, std::vector<double>& values) {
    if (const toml::node* node = find(key)) values = numbers(key, *node);
  }

  void read(const std::string& key, Vector3& value) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto values = numbers(key, *node);
    if (values.size() != 3) refuse(key, *node, "must have three numbers");
    value = Eigen::Map<const Vector3>(values.data());
  }

  // One number per joint, or one for all.
  void read(const std::string& key, VectorX& value, Eigen::Index joints) {
    const toml::node* node = find(key);
    if (!node) return;
    if (node->is_number()) {
      value = VectorX::Constant(joints, number(key, *node));
      return;
    }
    const auto values = numbers(key, *node);
    if (static_cast<Eigen::Index>(values.size()) != joints)
      refuse(key, *node, "must have " + std::to_string(joints) + " numbers, one per joint, or be a single number");
    value = Eigen::Map<const VectorX>(values.data(), joints);
  }

  void read(const std::string& key, std::vector<std::string>& values) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_array()) refuse(key, *node, "must be a list of texts");
    values.clear();
    for (const auto& each : *node->as_array()) {
      if (!each.is_string()) refuse(key, each, "must be a text in quotes");
      values.push_back(each.as_string()->get());
    }
  }

  // Calls `read` with the table under a key, if there is one.
  template <class Read>
  void within(const std::string& key, Read read) {
    const toml::node* node = find(key);
    if (!node) return;
    if (!node->is_table()) refuse(key, *node, "must be a table, [" + key + "]");
    Table inner(*node->as_table(), file_, key + ".");
    read(inner);
    inner.finish();
  }

  const std::string& file() const noexcept { return file_; }

 private:
  double number(const std::string& key, const toml::node& node) const {
    double value = 0;
    if (const auto* floating = node.as_floating_point())
      value = floating->get();
    else if (const auto* integer = node.as_integer())
      value = static_cast<double>(integer->get());
    else
      refuse(key, node, "must be a number");
    if (!std::isfinite(value)) refuse(key, node, "must be finite");
    return value;
  }

  const toml::table& table_;
  std::string file_, name_;
  std::set<std::string> taken_;
};

void read_configurations(Table& root, Campaign& campaign, Eigen::Index joints) {
  const toml::node* node = root.find("configuration");
  if (!node) return;
  if (!node->is_array_of_tables()) root.refuse("configuration", *node, "must be one or more tables, [[configuration]]");
  campaign.configurations.clear();
  for (const auto& each : *node->as_array()) {
    Table table(*each.as_table(), root.file(), "configuration.");
    Configuration& configuration = campaign.configurations.emplace_back();
    table.read("name", configuration.name);
    table.read("q", configuration.q, joints);
    table.read("threshold", configuration.threshold);
    table.finish();
    for (const char* key : {"name", "q", "threshold"})
      if (!each.as_table()->contains(key))
        throw FileError(line_of(root.file(), each), std::string("configuration.") + key, "is missing");
  }
}

void read_contact(Table& table, Campaign& campaign) {
  table.read("frame", campaign.point.frame);
  table.read("offset", campaign.point.offset);
  table.read("normal", campaign.point.normal_W);
  std::string name(law_name(campaign.law));
  const std::string before = name;
  table.read("law", name);
  if (name == "spring")
    campaign.law = Spring{.stiffness = 1e6, .restitution = 0.627};
  else if (name == "maxwell")
    campaign.law = Maxwell{.stiffness = 1e6, .damping = 1e4};
  else if (name == "hunt_crossley")
    campaign.law = HuntCrossley{.stiffness = 1e6, .damping = 7.279e6, .exponent = 1};
  else if (name != "viscoelastic")
    table.refuse("law", *table.find("law"), "must be spring, maxwell, viscoelastic or hunt_crossley");
  std::visit(
      [&](auto& law) {
        table.read("stiffness", law.stiffness);
        if constexpr (requires { law.damping; }) table.read("damping", law.damping);
        if constexpr (requires { law.exponent; }) table.read("exponent", law.exponent);
        if constexpr (requires { law.restitution; }) table.read("restitution", law.restitution);
      },
      campaign.law);
}

void read_tables(Table& root, Campaign& campaign, Eigen::Index joints) {
  root.within("contact", [&](Table& table) { read_contact(table, campaign); });
  root.within("joints", [&](Table& table) {
    Drives& drives = campaign.drives;
    table.read("rotor_inertia", drives.rotor_inertia, joints);
    table.read("stiffness", drives.stiffness, joints);
    table.read("damping", drives.damping, joints);
    table.read("effort", drives.effort, joints);
    table.read("friction_level", drives.friction_level, joints);
    table.read("friction_slope", drives.friction_slope, joints);
    table.read("friction_offset", drives.friction_offset, joints);
  });
  root.within("controller", [&](Table& table) {
    Control& control = campaign.control;
    table.read("period", control.period);
    table.read("ramp", control.ramp);
    table.read("cruise", control.cruise);
    table.read("after", control.after);
    table.read("retreat_speed", control.retreat_speed);
    table.read("retreat_acceleration", control.retreat_acceleration);
    table.read("position_gain", control.position_gain);
    table.read("linear_weight", control.linear_weight);
    table.read("angular_weight", control.angular_weight);
    table.read("posture_weight", control.posture_weight);
    table.read("acceleration", control.acceleration, joints);
    table.read("stiffness", control.stiffness, joints);
    table.read("damping_ratio", control.damping_ratio);
    table.read("detection_joints", campaign.detection_joints);
  });
  root.within("sensor", [&](Table& table) {
    Sensor& sensor = campaign.sensor;
    table.read("rate", sensor.rate);
    table.read("bandwidth", sensor.bandwidth);
    table.read("noise", sensor.noise);
    table.read("resolution", sensor.resolution);
    table.read("range", sensor.range);
    table.read("torque_noise", sensor.torque_noise);
    table.read("torque_resolution", sensor.torque_resolution);
    table.read("encoder_resolution", sensor.encoder_resolution);
    table.read("velocity_noise", sensor.velocity_noise);
  });
  root.within("variation", [&](Table& table) {
    Variation& variation = campaign.variation;
    table.read("wall", variation.wall);
    table.read("posture", variation.posture);
    table.read("law", variation.law);
    table.read("baseline", variation.baseline);
    table.read("clock_offset", variation.clock_offset);
  });
  root.within("plant", [&](Table& table) { table.read("step", campaign.step); });
}

// ---- writing

class Writer {
 public:
  void section(const std::string& title, const std::string& remark) {
    text_ += "\n# " + remark + "\n[" + title + "]\n";
  }
  void line(const std::string& key, const std::string& value, const std::string& remark) {
    std::string row = key + " = " + value;
    if (!remark.empty()) row += std::string(row.size() < 40 ? 40 - row.size() : 1, ' ') + "# " + remark;
    text_ += row + "\n";
  }
  void line(const std::string& key, double value, const std::string& remark) { line(key, number(value), remark); }
  void line(const std::string& key, const VectorRef& values, const std::string& remark) {
    line(key, list(values), remark);
  }
  void raw(const std::string& text) { text_ += text; }
  const std::string& text() const noexcept { return text_; }

  static std::string number(double value) {
    const std::string text = to_text(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  static std::string list(const VectorRef& values) {
    std::string text = "[";
    for (Eigen::Index i = 0; i < values.size(); ++i) text += (i ? ", " : "") + number(values[i]);
    return text + "]";
  }
  static std::string quoted(const std::string& value) {
    std::ostringstream out;
    out << toml::value<std::string>(value);
    return out.str();
  }
  static std::string list(const std::vector<std::string>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + quoted(values[i]);
    return text + "]";
  }

 private:
  std::string text_;
};

void write_contact(Writer& out, const Campaign& campaign) {
  out.section("contact", "Where the robot hits, the wall's normal in world axes, and the wall's contact law.");
  out.line("frame", Writer::quoted(campaign.point.frame), "link of the robot");
  out.line("offset", campaign.point.offset, "of the contact point in that link's frame [m]");
  out.line("normal", campaign.point.normal_W, "out of the wall");
  out.line("law", Writer::quoted(std::string(law_name(campaign.law))),
           "spring, maxwell, viscoelastic or hunt_crossley");
  std::visit(
      [&](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        const bool general = std::is_same_v<Law, HuntCrossley>;
        out.line("stiffness", law.stiffness, general ? "[N/m^n]" : "[N/m]");
        if constexpr (requires { law.damping; })
          out.line("damping", law.damping,
                   std::is_same_v<Law, Maxwell> ? "[N s/m]"
                   : general                    ? "[N s/m^(n+1)]"
                                                : "[N s/m^2]");
        if constexpr (requires { law.exponent; }) out.line("exponent", law.exponent, "[1]");
        if constexpr (requires { law.restitution; }) out.line("restitution", law.restitution, "[1]");
      },
      campaign.law);
}

void write_drives(Writer& out, const Drives& drives) {
  out.section("joints", "Each joint is rotor, transmission, link. One value per joint, or one for all.");
  out.line("rotor_inertia", drives.rotor_inertia, "reflected to the joint [kg m^2]");
  out.line("stiffness", drives.stiffness, "of the transmission [N m/rad]");
  out.line("damping", drives.damping, "of the transmission [N m s/rad]");
  out.line("effort", drives.effort, "largest motor torque [N m]");
  out.line("friction_level", drives.friction_level, "of the motor, a [N m]");
  out.line("friction_slope", drives.friction_slope, "s [s/rad]");
  out.line("friction_offset", drives.friction_offset, "d [rad/s]");
}

void write_control(Writer& out, const Campaign& campaign) {
  const Control& control = campaign.control;
  out.section("controller", "Velocity control by a QP, the motor servo, and the detection of the impact.");
  out.line("period", control.period, "of a cycle [s]");
  out.line("ramp", control.ramp, "time to come to speed [s]");
  out.line("cruise", control.cruise, "time at speed before the expected touch [s]");
  out.line("after", control.after, "time recorded after it [s]");
  out.line("retreat_speed", control.retreat_speed, "after the alarm [m/s]");
  out.line("retreat_acceleration", control.retreat_acceleration, "of the pull-back, in those of the approach");
  out.line("position_gain", control.position_gain, "of path, orientation, posture and limits [1/s]");
  out.line("linear_weight", control.linear_weight, "of the contact point's velocity");
  out.line("angular_weight", control.angular_weight, "of its rotation");
  out.line("posture_weight", control.posture_weight, "of the way back to the nominal posture");
  out.line("acceleration", control.acceleration, "largest of each joint [rad/s^2]");
  out.line("stiffness", control.stiffness, "of the servo on the motors' positions [N m/rad]");
  out.line("damping_ratio", control.damping_ratio, "of the servo [1]");
  out.line("detection_joints", Writer::list(campaign.detection_joints), "whose |tau - tau*| is summed");
}

void write_sensor(Writer& out, const Campaign& campaign) {
  const Sensor& sensor = campaign.sensor;
  out.section("sensor", "The wall's force sensor, and the robot's own signals once a cycle.");
  out.line("rate", sensor.rate, "of the force [Hz]");
  out.line("bandwidth", sensor.bandwidth, "of its low-pass [Hz]");
  out.line("noise", sensor.noise, "standard deviation of a sample [N]");
  out.line("resolution", sensor.resolution, "[N]");
  out.line("range", sensor.range, "largest force [N]");
  out.line("torque_noise", sensor.torque_noise, "standard deviation of a sample [N m]");
  out.line("torque_resolution", sensor.torque_resolution, "[N m]");
  out.line("encoder_resolution", sensor.encoder_resolution, "[rad]");
  out.line("velocity_noise", sensor.velocity_noise, "standard deviation of a sample [rad/s]");
  const Variation& variation = campaign.variation;
  out.section("variation", "From trial to trial: standard deviations of normal draws, but for the clocks.");
  out.line("wall", variation.wall, "position of the wall along its normal [m]");
  out.line("posture", variation.posture, "each joint [rad]");
  out.line("law", variation.law, "each parameter of the contact law, relative");
  out.line("baseline", variation.baseline, "offset of the force sensor [N]");
  out.line("clock_offset", variation.clock_offset, "between the clocks, uniform within plus or minus [s]");
  out.section("plant", "The simulation itself.");
  out.line("step", campaign.step, "[s]; must divide the controller's period");
}

// ---- rules

void require(bool holds, const std::string& key, double value, const std::string& rule) {
  if (!holds) throw InputError(key, value, rule);
}

void require_each(const VectorX& values, const std::string& key, const Robot& robot, bool zero_too) {
  if (values.size() != robot.size())
    throw InputError(key, std::to_string(values.size()) + " values",
                     "needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  for (const double value : values)
    require(std::isfinite(value) && (value > 0 || (zero_too && value == 0)), key, value,
            zero_too ? "must be finite and not negative" : "must be finite and positive");
}

void validate_drives(const Campaign& campaign, const Robot& robot) {
  require_each(campaign.drives.rotor_inertia, "joints.rotor_inertia", robot, false);
  require_each(campaign.drives.stiffness, "joints.stiffness", robot, false);
  require_each(campaign.drives.damping, "joints.damping", robot, true);
  require_each(campaign.drives.effort, "joints.effort", robot, false);
  require_each(campaign.drives.friction_level, "joints.friction_level", robot, true);
  require_each(campaign.drives.friction_slope, "joints.friction_slope", robot, true);
  require_each(campaign.drives.friction_offset.cwiseAbs(), "joints.friction_offset", robot, true);
  require_each(campaign.control.acceleration, "controller.acceleration", robot, false);
  require_each(campaign.control.stiffness, "controller.stiffness", robot, false);
}

void validate_numbers(const Campaign& campaign) {
  const auto positive = [](const std::string& key, double value) {
    require(std::isfinite(value) && value > 0, key, value, "must be finite and positive");
  };
  const auto not_negative = [](const std::string& key, double value) {
    require(std::isfinite(value) && value >= 0, key, value, "must be finite and not negative");
  };
  const Control& control = campaign.control;
  positive("controller.period", control.period);
  positive("controller.ramp", control.ramp);
  not_negative("controller.cruise", control.cruise);
  positive("controller.after", control.after);
  not_negative("controller.retreat_speed", control.retreat_speed);
  positive("controller.retreat_acceleration", control.retreat_acceleration);
  not_negative("controller.position_gain", control.position_gain);
  positive("controller.linear_weight", control.linear_weight);
  not_negative("controller.angular_weight", control.angular_weight);
  positive("controller.posture_weight", control.posture_weight);
  not_negative("controller.damping_ratio", control.damping_ratio);
  const Sensor& sensor = campaign.sensor;
  positive("sensor.rate", sensor.rate);
  positive("sensor.bandwidth", sensor.bandwidth);
  positive("sensor.range", sensor.range);
  not_negative("sensor.noise", sensor.noise);
  not_negative("sensor.resolution", sensor.resolution);
  not_negative("sensor.torque_noise", sensor.torque_noise);
  not_negative("sensor.torque_resolution", sensor.torque_resolution);
  not_negative("sensor.encoder_resolution", sensor.encoder_resolution);
  not_negative("sensor.velocity_noise", sensor.velocity_noise);
  const Variation& variation = campaign.variation;
  not_negative("variation.wall", variation.wall);
  not_negative("variation.posture", variation.posture);
  not_negative("variation.law", variation.law);
  not_negative("variation.baseline", variation.baseline);
  not_negative("variation.clock_offset", variation.clock_offset);
  positive("plant.step", campaign.step);
  require(campaign.step <= 1e-4, "plant.step", campaign.step, "must be at most 1e-4 s");
  const double steps = control.period / campaign.step;
  require(steps >= 1 && std::abs(steps - std::round(steps)) < 1e-9 * steps, "plant.step", campaign.step,
          "must divide controller.period = " + to_text(control.period));
  require(sensor.rate * campaign.step <= 1 + 1e-9, "sensor.rate", sensor.rate,
          "must not exceed one sample per plant.step = " + to_text(campaign.step));
  require(sensor.bandwidth * campaign.step <= 0.25, "sensor.bandwidth", sensor.bandwidth,
          "must be at most a quarter of 1/plant.step = " + to_text(1 / campaign.step));
  const double duration = control.ramp + control.cruise + control.after;
  require(duration <= 60, "controller", duration, "ramp + cruise + after must be at most 60 s");
  require(variation.clock_offset < duration / 2, "variation.clock_offset", variation.clock_offset,
          "must be less than half of a trial");
}

void validate_plan(const Campaign& campaign, const Robot& robot) {
  if (campaign.speeds.empty()) throw InputError("speeds", "none", "needs at least one");
  for (const double speed : campaign.speeds)
    require(std::isfinite(speed) && speed > 0 && speed <= 10, "speeds", speed, "must lie above 0 and up to 10 m/s");
  if (std::set<double>(campaign.speeds.begin(), campaign.speeds.end()).size() != campaign.speeds.size())
    throw InputError("speeds", std::to_string(campaign.speeds.size()) + " values", "must differ from each other");
  if (campaign.repeats < 1 || campaign.repeats > 100000)
    throw InputError("repeats", std::to_string(campaign.repeats), "must lie between 1 and 100000");
  if (campaign.configurations.empty()) throw InputError("configuration", "none", "needs at least one");
  std::set<std::string> names;
  for (const auto& [name, q, threshold] : campaign.configurations) {
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
    });
    if (!plain) throw InputError("configuration.name", name, "must be letters, digits, `_`, `-` and `.`");
    if (!names.insert(name).second) throw InputError("configuration.name", name, "is there twice");
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
}

}  // namespace

Campaign default_campaign() {
  return starting_from("panda", urdf_text("panda"));
}

Campaign parse_campaign(std::string_view text, const std::string& name, const std::string& folder) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw FileError(name + ":" + std::to_string(error.source().begin.line), std::string(error.description()),
                    "is not TOML");
  }
  Table root(table, name, "");
  std::string robot_name = "panda";
  root.read("robot", robot_name);
  const auto shipped = shipped_robots();
  const bool by_name = std::find(shipped.begin(), shipped.end(), robot_name) != shipped.end();
  const std::string urdf = urdf_text(by_name ? robot_name : (std::filesystem::path(folder) / robot_name).string());
  Campaign campaign = starting_from(robot_name, urdf);
  const auto joints = static_cast<Eigen::Index>(parse_urdf(urdf, robot_name).size());
  root.read_count("seed", campaign.seed, 0, std::numeric_limits<std::int64_t>::max());
  root.read_count("repeats", campaign.repeats, 1, 100000);
  root.read("speeds", campaign.speeds);
  read_configurations(root, campaign, joints);
  read_tables(root, campaign, joints);
  root.finish();
  try {
    validate(campaign);
  } catch (const InputError& error) {
    throw FileError(name, error.argument() + " = " + error.value(), error.rule());
  }
  return campaign;
}

Campaign read_campaign(const std::string& path) {
  return parse_campaign(read_file(path), path, std::filesystem::path(path).parent_path().string());
}

std::string format_campaign(const Campaign& campaign) {
  Writer out;
  out.raw("# A campaign of impacts: configurations x speeds x repeats. SI units.\n");
  out.line("robot", Writer::quoted(campaign.robot), "a shipped name or a URDF file");
  out.line("seed", std::to_string(campaign.seed), "");
  out.line("repeats", std::to_string(campaign.repeats), "of each configuration and speed");
  out.line(
      "speeds",
      VectorX(Eigen::Map<const VectorX>(campaign.speeds.data(), static_cast<Eigen::Index>(campaign.speeds.size()))),
      "along the normal [m/s]");
  for (const auto& [name, q, threshold] : campaign.configurations) {
    out.raw("\n[[configuration]]\n");
    out.line("name", Writer::quoted(name), "");
    out.line("q", q, "at the touch [rad]");
    out.line("threshold", threshold, "of the detection [N m]");
  }
  write_contact(out, campaign);
  write_drives(out, campaign.drives);
  write_control(out, campaign);
  write_sensor(out, campaign);
  return out.text();
}

void validate(const Campaign& campaign) {
  const Robot robot = parse_urdf(campaign.urdf, campaign.robot);
  validate_numbers(campaign);
  validate_plan(campaign, robot);
  validate_drives(campaign, robot);
  validate(campaign.law);
  const Frame& frame = robot.frame(campaign.point.frame);
  if (frame.joint < 0)
    throw InputError("contact.frame", campaign.point.frame, "is fixed to the base and cannot hit anything");
  if (!campaign.point.offset.allFinite()) throw InputError("contact.offset", "not finite", "must be finite");
  if (!campaign.point.normal_W.allFinite() || campaign.point.normal_W.isZero(0))
    throw InputError("contact.normal", "zero or not finite", "must be a direction");
  if (campaign.detection_joints.empty()) throw InputError("controller.detection_joints", "none", "needs at least one");
  for (const auto& joint : campaign.detection_joints) robot.joint_index(joint);
}

}  // namespace thud
