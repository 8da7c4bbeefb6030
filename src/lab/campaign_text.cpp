#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <variant>

#include "drives/keys.hpp"
#include "lab/campaign_keys.hpp"
#include "lab/campaign_start.hpp"
#include "toml/table.hpp"
#include "toml/writer.hpp"

namespace THUD_EXPORT thud {
using namespace lab;
namespace {

using Names = std::vector<std::string_view>;

using toml::add_names;
using toml::per_joint;
using toml::read;
using toml::write;

// The law of that name with its typical parameters.
ContactLaw initial_law(const toml::Table& table, const std::string& name) {
  const auto law = law_from_name(name);
  if (!law) table.refuse("law", "must be " + law_names());
  return typical_law(kind_of(*law));
}

void read_contact(const std::string& file, const ::toml::table& given, Campaign& campaign) {
  const Names common{"frame", "offset", "normal", "law"};
  Names any = common;
  any.insert(any.end(), parameter_names().begin(), parameter_names().end());
  const toml::Table table(file, given, any);
  if (table.has("frame")) campaign.point.frame = table.text("frame");
  if (table.has("offset")) campaign.point.offset = table.vector3("offset");
  if (table.has("normal")) campaign.point.normal_W = table.vector3("normal");
  if (table.has("law")) campaign.law = initial_law(table, table.text("law"));

  // now that the law is known, parameters of other laws are rejected
  Names known = common;
  for (const auto& [name, value] : law_parameters(campaign.law)) known.push_back(name);
  const toml::Table law(file, given, known);
  for (const auto& [name, value] : law_parameters(campaign.law))
    if (law.has(name)) *value = law.number(name);
}

void read_configurations(const std::string& file, const toml::Table& root, Campaign& campaign, Eigen::Index joints) {
  if (!root.has("configuration")) return;
  campaign.configurations.clear();
  for (const ::toml::table* each : root.tables("configuration")) {
    const toml::Table table(file, *each, {"name", "q", "threshold"});
    campaign.configurations.push_back({table.text("name"), per_joint(table, "q", joints), table.number("threshold")});
  }
}

void read_control(const std::string& file, const ::toml::table& given, Campaign& campaign, Eigen::Index joints) {
  Names names{"detection_joints", drives::servo_damping_ratio};
  add_names(names, keys::control);
  add_names(names, keys::control_joints);
  add_names(names, drives::servo);
  const toml::Table table(file, given, names);
  read(table, keys::control, campaign.control);
  read(table, keys::control_joints, campaign.control, joints);
  read(table, drives::servo, campaign.drives, joints);
  if (table.has(drives::servo_damping_ratio))
    campaign.drives.servo_damping_ratio = table.number(drives::servo_damping_ratio);
  if (table.has("detection_joints")) campaign.detection_joints = table.texts("detection_joints");
}

template <class Part, std::size_t n>
void read_part(const std::string& file, const toml::Table& root, std::string_view name,
               const keys::Number<Part> (&keys)[n], Part& part) {
  if (!root.has(name)) return;
  Names names;
  add_names(names, keys);
  read(toml::Table(file, root.table(name), names), keys, part);
}

void read_tables(const std::string& file, const toml::Table& root, Campaign& campaign, Eigen::Index joints) {
  if (root.has("contact")) read_contact(file, root.table("contact"), campaign);
  if (root.has("joints")) {
    Names names;
    add_names(names, drives::joints);
    add_names(names, keys::friction);
    const toml::Table table(file, root.table("joints"), names);
    read(table, drives::joints, campaign.drives, joints);
    read(table, keys::friction, campaign.friction, joints);
  }
  if (root.has("controller")) read_control(file, root.table("controller"), campaign, joints);
  read_part(file, root, "sensor", keys::sensor, campaign.sensor);
  read_part(file, root, "variation", keys::variation, campaign.variation);
  read_part(file, root, "plant", keys::plant, campaign);
}

void write_contact(toml::Writer& out, const Campaign& campaign) {
  out.table("contact", "Where the robot hits, the wall's normal in world axes, and the wall's contact law.");
  out.text("frame", campaign.point.frame, "link of the robot");
  out.numbers("offset", campaign.point.offset, "of the contact point in that link's frame [m]");
  out.numbers("normal", campaign.point.normal_W, "out of the wall");
  const LawKind kind = kind_of(campaign.law);
  out.text("law", to_string(kind), law_names());
  for (const auto& [name, value] : law_parameters(campaign.law))
    out.number(name, value, std::string("[").append(parameter_unit(kind, name)).append("]"));
}

}  // namespace

Campaign parse_campaign(std::string_view text, const std::string& name, const std::string& folder) {
  const ::toml::table table = toml::parse_toml(std::string(text), name);
  const toml::Table root(name, table,
                         {"robot", "seed", "repeats", "speeds", "configuration", "contact", "joints", "controller",
                          "sensor", "variation", "plant"});
  const std::string robot = root.has("robot") ? root.text("robot") : "panda";
  const auto shipped = shipped_robots();
  const bool by_name = std::find(shipped.begin(), shipped.end(), robot) != shipped.end();
  Campaign campaign =
      campaign_defaults(robot, urdf_text(by_name ? robot : (std::filesystem::path(folder) / robot).string()));
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
  toml::Writer out(toml::Writer::Quotes::literal);
  out.comment("A campaign of impacts: configurations x speeds x repeats. SI units.");
  out.text("robot", campaign.robot, "a shipped name or a URDF file");
  out.integer("seed", campaign.seed);
  out.integer("repeats", static_cast<std::uint64_t>(campaign.repeats), "of each configuration and speed");
  const Eigen::Map<const VectorX> speeds(campaign.speeds.data(), static_cast<Eigen::Index>(campaign.speeds.size()));
  out.numbers("speeds", speeds, "along the normal [m/s]");
  for (const auto& [name, q, threshold] : campaign.configurations) {
    out.next("configuration");
    out.text("name", name);
    out.numbers("q", q, "at the touch [rad]");
    out.number("threshold", threshold, "of the detection [N m]");
  }
  write_contact(out, campaign);
  out.table("joints", "Each joint is rotor, transmission, link. One value per joint, or one for all.");
  write(out, drives::joints, campaign.drives);
  write(out, keys::friction, campaign.friction);
  out.table("controller", "Velocity control by a QP, the motor servo, and the detection of the impact.");
  write(out, keys::control, campaign.control);
  out.number(drives::servo_damping_ratio, campaign.drives.servo_damping_ratio.value_or(0), "of the servo [1]");
  write(out, keys::control_joints, campaign.control);
  write(out, drives::servo, campaign.drives);
  out.texts("detection_joints", campaign.detection_joints, "whose |tau - tau*| is summed");
  out.table("sensor", "The wall's force sensor, and the robot's own signals once a cycle.");
  write(out, keys::sensor, campaign.sensor);
  out.table("variation", "From trial to trial: standard deviations of normal draws, but for the clocks.");
  write(out, keys::variation, campaign.variation);
  out.table("plant", "The simulation itself.");
  write(out, keys::plant, campaign);
  return out.document();
}

}  // namespace thud
