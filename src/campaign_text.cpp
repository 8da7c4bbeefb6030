#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <string>
#include <variant>

#include "campaign_keys.hpp"
#include "campaign_start.hpp"
#include "toml_table.hpp"

namespace thud {
namespace {

using Names = std::vector<std::string_view>;

template <class Keys>
void add_names(Names& names, const Keys& keys) {
  for (const auto& key : keys) names.emplace_back(key.name);
}

template <class Part, std::size_t n>
void read(const TomlTable& table, const campaign::Number<Part> (&keys)[n], Part& part) {
  for (const auto& key : keys)
    if (table.has(key.name)) part.*key.field = table.number(key.name);
}

VectorX per_joint(const TomlTable& table, std::string_view key, Eigen::Index joints) {
  if (table.is_number(key)) return VectorX::Constant(joints, table.number(key));
  VectorX values = table.numbers(key);
  if (values.size() != joints)
    table.refuse(key, "must have " + std::to_string(joints) + " numbers, one per joint, or be a single number");
  return values;
}

template <class Part, std::size_t n>
void read(const TomlTable& table, const campaign::PerJoint<Part> (&keys)[n], Part& part, Eigen::Index joints) {
  for (const auto& key : keys)
    if (table.has(key.name)) part.*key.field = per_joint(table, key.name, joints);
}

// A law of that name with the numbers that its kind starts from: about as stiff and as lossy as the default wall.
ContactLaw law_to_start_from(const TomlTable& table, const std::string& name) {
  if (name == "spring") return Spring{.stiffness = 1e6, .restitution = 0.627};
  if (name == "maxwell") return Maxwell{.stiffness = 1e6, .damping = 1e4};
  if (name == "viscoelastic") return Viscoelastic{.stiffness = 1e6, .damping = 7.279e6};
  if (name == "hunt_crossley") return HuntCrossley{.stiffness = 1e6, .damping = 7.279e6, .exponent = 1};
  table.refuse("law", "must be spring, maxwell, viscoelastic or hunt_crossley");
}

void read_contact(const std::string& file, const toml::table& given, Campaign& campaign) {
  const Names own{"frame", "offset", "normal", "law"};
  Names any = own;
  for (const char* name : {"stiffness", "damping", "exponent", "restitution"}) any.emplace_back(name);
  const TomlTable table(file, given, any);
  if (table.has("frame")) campaign.point.frame = table.text("frame");
  if (table.has("offset")) campaign.point.offset = table.vector3("offset");
  if (table.has("normal")) campaign.point.normal_W = table.vector3("normal");
  if (table.has("law")) campaign.law = law_to_start_from(table, table.text("law"));

  // now that the law is known, a parameter of another one is refused
  Names known = own;
  for (const auto& [name, value] : law_parameters(campaign.law)) known.push_back(name);
  const TomlTable law(file, given, known);
  for (const auto& [name, value] : law_parameters(campaign.law))
    if (law.has(name)) *value = law.number(name);
}

void read_configurations(const std::string& file, const TomlTable& root, Campaign& campaign, Eigen::Index joints) {
  if (!root.has("configuration")) return;
  campaign.configurations.clear();
  for (const toml::table* each : root.tables("configuration")) {
    const TomlTable table(file, *each, {"name", "q", "threshold"});
    campaign.configurations.push_back({table.text("name"), per_joint(table, "q", joints), table.number("threshold")});
  }
}

void read_control(const std::string& file, const toml::table& given, Campaign& campaign, Eigen::Index joints) {
  Names names{"detection_joints"};
  add_names(names, campaign::control);
  add_names(names, campaign::control_joints);
  const TomlTable table(file, given, names);
  read(table, campaign::control, campaign.control);
  read(table, campaign::control_joints, campaign.control, joints);
  if (table.has("detection_joints")) campaign.detection_joints = table.texts("detection_joints");
}

template <class Part, std::size_t n>
void read_part(const std::string& file, const TomlTable& root, std::string_view name,
               const campaign::Number<Part> (&keys)[n], Part& part) {
  if (!root.has(name)) return;
  Names names;
  add_names(names, keys);
  read(TomlTable(file, root.table(name), names), keys, part);
}

void read_tables(const std::string& file, const TomlTable& root, Campaign& campaign, Eigen::Index joints) {
  if (root.has("contact")) read_contact(file, root.table("contact"), campaign);
  if (root.has("joints")) {
    Names names;
    add_names(names, campaign::drives);
    read(TomlTable(file, root.table("joints"), names), campaign::drives, campaign.drives, joints);
  }
  if (root.has("controller")) read_control(file, root.table("controller"), campaign, joints);
  read_part(file, root, "sensor", campaign::sensor, campaign.sensor);
  read_part(file, root, "variation", campaign::variation, campaign.variation);
  read_part(file, root, "plant", campaign::plant, campaign);
}

std::string number(double value) {
  const std::string text = to_text(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string quoted(const std::string& value) {
  std::ostringstream out;
  out << toml::value<std::string>(value);
  return out.str();
}

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string text;
  for (const auto& item : items) text.append(text.empty() ? "[" : ", ").append(write(item));
  return text.empty() ? "[]" : text.append("]");
}

class Writer {
 public:
  void remark(const std::string& text) { text_ += "# " + text + "\n"; }
  void section(const std::string& title, const std::string& about) { text_ += "\n# " + about + "\n[" + title + "]\n"; }
  void configuration() { text_ += "\n[[configuration]]\n"; }
  void line(const std::string& key, const std::string& value, const std::string& about = "") {
    std::string row = key + " = " + value;
    if (!about.empty()) row.append(row.size() < 40 ? 40 - row.size() : 1, ' ').append("# ").append(about);
    text_ += row + "\n";
  }
  void line(const std::string& key, const VectorRef& values, const std::string& about) {
    line(key, list(values, number), about);
  }
  template <class Part, std::size_t n>
  void lines(const campaign::Number<Part> (&keys)[n], const Part& part) {
    for (const auto& key : keys) line(key.name, number(part.*key.field), key.remark);
  }
  template <class Part, std::size_t n>
  void lines(const campaign::PerJoint<Part> (&keys)[n], const Part& part) {
    for (const auto& key : keys) line(key.name, part.*key.field, key.remark);
  }
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

std::string unit(const ContactLaw& law, std::string_view parameter) {
  if (parameter == "stiffness") return std::holds_alternative<HuntCrossley>(law) ? "[N/m^n]" : "[N/m]";
  if (parameter != "damping") return "[1]";
  if (std::holds_alternative<Maxwell>(law)) return "[N s/m]";
  return std::holds_alternative<Viscoelastic>(law) ? "[N s/m^2]" : "[N s/m^(n+1)]";
}

void write_contact(Writer& out, const Campaign& campaign) {
  out.section("contact", "Where the robot hits, the wall's normal in world axes, and the wall's contact law.");
  out.line("frame", quoted(campaign.point.frame), "link of the robot");
  out.line("offset", campaign.point.offset, "of the contact point in that link's frame [m]");
  out.line("normal", campaign.point.normal_W, "out of the wall");
  out.line("law", quoted(std::string(law_name(campaign.law))), "spring, maxwell, viscoelastic or hunt_crossley");
  for (const auto& [name, value] : law_parameters(campaign.law))
    out.line(std::string(name), number(value), unit(campaign.law, name));
}

}  // namespace

Campaign parse_campaign(std::string_view text, const std::string& name, const std::string& folder) {
  const toml::table table = parse_toml(std::string(text), name);
  const TomlTable root(name, table,
                       {"robot", "seed", "repeats", "speeds", "configuration", "contact", "joints", "controller",
                        "sensor", "variation", "plant"});
  const std::string robot = root.has("robot") ? root.text("robot") : "panda";
  const auto shipped = shipped_robots();
  const bool by_name = std::find(shipped.begin(), shipped.end(), robot) != shipped.end();
  Campaign campaign =
      starting_from(robot, urdf_text(by_name ? robot : (std::filesystem::path(folder) / robot).string()));
  const Eigen::Index joints = campaign.drives.stiffness.size();
  if (root.has("seed"))
    campaign.seed = static_cast<std::uint64_t>(root.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (root.has("repeats")) campaign.repeats = static_cast<int>(root.integer("repeats", 1, 100000));
  if (root.has("speeds")) {
    const VectorX speeds = root.numbers("speeds");
    campaign.speeds.assign(speeds.begin(), speeds.end());
  }
  read_configurations(name, root, campaign, joints);
  read_tables(name, root, campaign, joints);
  try {
    validate(campaign);
  } catch (const InputError& error) {
    throw FileError(name + ": " + error.argument(), error.value(), error.rule());
  }
  return campaign;
}

Campaign read_campaign(const std::string& path) {
  return parse_campaign(read_file(path), path, std::filesystem::path(path).parent_path().string());
}

std::string format_campaign(const Campaign& campaign) {
  Writer out;
  out.remark("A campaign of impacts: configurations x speeds x repeats. SI units.");
  out.line("robot", quoted(campaign.robot), "a shipped name or a URDF file");
  out.line("seed", std::to_string(campaign.seed));
  out.line("repeats", std::to_string(campaign.repeats), "of each configuration and speed");
  out.line("speeds", list(campaign.speeds, number), "along the normal [m/s]");
  for (const auto& [name, q, threshold] : campaign.configurations) {
    out.configuration();
    out.line("name", quoted(name));
    out.line("q", q, "at the touch [rad]");
    out.line("threshold", number(threshold), "of the detection [N m]");
  }
  write_contact(out, campaign);
  out.section("joints", "Each joint is rotor, transmission, link. One value per joint, or one for all.");
  out.lines(campaign::drives, campaign.drives);
  out.section("controller", "Velocity control by a QP, the motor servo, and the detection of the impact.");
  out.lines(campaign::control, campaign.control);
  out.lines(campaign::control_joints, campaign.control);
  out.line("detection_joints", list(campaign.detection_joints, quoted), "whose |tau - tau*| is summed");
  out.section("sensor", "The wall's force sensor, and the robot's own signals once a cycle.");
  out.lines(campaign::sensor, campaign.sensor);
  out.section("variation", "From trial to trial: standard deviations of normal draws, but for the clocks.");
  out.lines(campaign::variation, campaign.variation);
  out.section("plant", "The simulation itself.");
  out.lines(campaign::plant, campaign);
  return out.text();
}

}  // namespace thud
