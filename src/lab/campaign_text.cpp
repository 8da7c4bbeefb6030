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

constexpr double box_followed =
    0.25;  // recorded after the expected touch: a box slides longer than a wall is touched [s]

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

// The damping with which a law has a restitution at a speed: it depends on d = c|v0|/k alone, and falls with it.
double damping_for(double restitution_wanted, double stiffness, double speed) {
  const auto at = [](double d) { return restitution(Viscoelastic{1, d}, 1, -1); };
  double low = 0, high = 1;
  while (at(high) > restitution_wanted) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (at(middle) > restitution_wanted ? low : high) = middle;
  }
  return (low + high) / 2 * stiffness / speed;
}

// The wall's loss as a restitution, for laws whose restitution does not depend on what hits.
void read_restitution(const toml::Table& table, Campaign& campaign) {
  const double e = table.number("restitution");
  if (!(e >= 1e-3 && e <= 1)) table.refuse("restitution", "must be from 0.001 to 1");
  if (table.has("damping")) table.refuse("restitution", "takes the place of damping: give one of them");
  if (!table.has("restitution_speed")) table.refuse("restitution", "needs restitution_speed, at which it holds [m/s]");
  const double speed = table.number("restitution_speed");
  if (!(speed > 0)) table.refuse("restitution_speed", "must be greater than 0");
  if (auto* law = std::get_if<Viscoelastic>(&campaign.law)) law->damping = damping_for(e, law->stiffness, speed);
  if (auto* law = std::get_if<HuntCrossley>(&campaign.law)) law->damping = damping_for(e, law->stiffness, speed);
}

void read_contact(const std::string& file, const ::toml::table& given, Campaign& campaign) {
  const Names common{"frame", "offset", "normal", "law", "friction"};
  Names any = common;
  any.insert(any.end(), parameter_names().begin(), parameter_names().end());
  any.push_back("restitution_speed");
  const toml::Table table(file, given, any);
  if (table.has("frame")) campaign.point.frame = table.text("frame");
  if (table.has("offset")) campaign.point.offset = table.vector3("offset");
  if (table.has("normal")) campaign.point.normal_W = table.vector3("normal");
  if (table.has("friction")) campaign.contact_friction = table.number("friction");
  if (table.has("law")) campaign.law = initial_law(table, table.text("law"));

  // now that the law is known, parameters of other laws are rejected
  Names known = common;
  for (const auto& [name, value] : law_parameters(campaign.law)) known.push_back(name);
  const bool by_restitution =
      std::holds_alternative<Viscoelastic>(campaign.law) || std::holds_alternative<HuntCrossley>(campaign.law);
  if (by_restitution) known.insert(known.end(), {"restitution", "restitution_speed"});
  const toml::Table law(file, given, known);
  for (const auto& [name, value] : law_parameters(campaign.law))
    if (law.has(name)) *value = law.number(name);
  if (by_restitution && law.has("restitution"))
    read_restitution(law, campaign);
  else if (by_restitution && law.has("restitution_speed"))
    law.refuse("restitution_speed", "is that of a restitution, which is not given");
}

// Factors of whole tables: the values of a key for all joints, whether they are given or the default.
struct Scaled {
  std::string key;
  VectorX* values;
};

std::vector<Scaled> scaled_keys(Campaign& campaign) {
  std::vector<Scaled> all;
  const auto add = [&](const char* table, const auto& keys, auto& part) {
    for (const auto& key : keys) all.push_back({std::string(table).append(".").append(key.name), &(part.*key.field)});
  };
  add("joints", drives::joints, campaign.drives);
  add("joints", keys::friction, campaign.friction);
  add("controller", drives::servo, campaign.drives);
  add("controller", keys::control_joints, campaign.control);
  return all;
}

void read_scale(const std::string& file, const ::toml::table& given, Campaign& campaign) {
  const std::vector<Scaled> all = scaled_keys(campaign);
  Names names;
  for (const Scaled& each : all) names.push_back(each.key);
  const toml::Table table(file, given, names);
  for (const Scaled& each : all) {
    if (!table.has(each.key)) continue;
    const double factor = table.number(each.key);
    if (!(factor > 0)) table.refuse(each.key, "must be a factor greater than 0");
    *each.values *= factor;
  }
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
  add_names(names, keys::unusual);
  add_names(names, keys::control_joints);
  add_names(names, drives::servo);
  const toml::Table table(file, given, names);
  read(table, keys::control, campaign.control);
  read(table, keys::unusual, campaign.control);
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

std::vector<double> list(const toml::Table& table, std::string_view key) {
  const VectorX values = table.numbers(key);
  return {values.begin(), values.end()};
}

void read_box(const std::string& file, const toml::Table& root, Campaign& campaign) {
  if (!root.has("box")) return;
  if (campaign.kind != CampaignKind::box) root.refuse("box", "needs kind = \"box\"");
  Names names{"masses", "offsets", "size"};
  add_names(names, keys::box);
  const toml::Table table(file, root.table("box"), names);
  read(table, keys::box, campaign.box);
  if (table.has("masses")) campaign.box.masses = list(table, "masses");
  if (table.has("offsets")) campaign.box.offsets = list(table, "offsets");
  if (table.has("size")) campaign.box.size = table.vector3("size");
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
  if (root.has("scale")) read_scale(file, root.table("scale"), campaign);
  read_part(file, root, "sensor", keys::sensor, campaign.sensor);
  read_part(file, root, "variation", keys::variation, campaign.variation);
  read_part(file, root, "plant", keys::plant, campaign);
  read_box(file, root, campaign);
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
  if (campaign.contact_friction != 0) out.number("friction", campaign.contact_friction, "Coulomb's [1]");
}

void write_box(toml::Writer& out, const Box& box) {
  const auto numbers = [&](std::string_view key, const std::vector<double>& values, std::string_view remark) {
    out.numbers(key, Eigen::Map<const VectorX>(values.data(), static_cast<Eigen::Index>(values.size())), remark);
  };
  out.table("box", "What is hit instead of a wall: uniform boxes on a floor.");
  numbers("masses", box.masses, "[kg]");
  numbers("offsets", box.offsets, "of the hit from the middle of the face, to the left [m]");
  out.numbers("size", box.size, "along the hit, across, up [m]");
  write(out, keys::box, box);
}

}  // namespace

Campaign parse_campaign(std::string_view text, const std::string& name, const std::string& folder) {
  const ::toml::table table = toml::parse_toml(std::string(text), name);
  const toml::Table root(name, table,
                         {"robot", "seed", "repeats", "speeds", "configuration", "contact", "joints", "controller",
                          "sensor", "variation", "plant", "scale", "kind", "box"});
  const std::string robot = root.has("robot") ? root.text("robot") : "panda";
  const auto shipped = shipped_robots();
  const bool by_name = std::find(shipped.begin(), shipped.end(), robot) != shipped.end();
  const auto about_file = [&](const Error& error) {
    return FileError(name + ": " + error.argument(), error.value(), error.rule());
  };
  Campaign campaign;
  try {
    campaign = campaign_defaults(robot, urdf_text(by_name ? robot : (std::filesystem::path(folder) / robot).string()));
  } catch (const Error& error) {
    throw about_file(error);
  }
  const Eigen::Index joints = campaign.drives.stiffness.size();
  if (root.has("kind")) {
    const std::string kind = root.text("kind");
    if (kind == to_string(CampaignKind::box)) {
      campaign.kind = CampaignKind::box;
      campaign.control.after = box_followed;
    } else if (kind != to_string(CampaignKind::wall))
      root.refuse("kind", "must be wall or box");
  }
  if (root.has("seed"))
    campaign.seed = static_cast<std::uint64_t>(root.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (root.has("repeats")) campaign.repeats = static_cast<int>(root.integer("repeats", 1, 100000));
  if (root.has("speeds")) campaign.speeds = list(root, "speeds");
  read_configurations(name, root, campaign, joints);
  read_tables(name, root, campaign, joints);
  try {
    validate(campaign);
  } catch (const Error& error) {
    throw about_file(error);
  }
  return campaign;
}

Campaign read_campaign(const std::string& path) {
  return parse_campaign(read_file(path), path, std::filesystem::path(path).parent_path().string());
}

std::string format_campaign(const Campaign& campaign) {
  toml::Writer out(toml::Writer::Quotes::literal);
  out.comment("A campaign of impacts: configurations x speeds x repeats. SI units.");
  if (campaign.kind != CampaignKind::wall) out.text("kind", to_string(campaign.kind), "what is hit");
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
  for (const auto& key : keys::unusual)
    if (campaign.control.*key.field != 0) out.number(key.name, campaign.control.*key.field, key.remark);
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
  if (campaign.kind == CampaignKind::box) write_box(out, campaign.box);
  return out.document();
}

}  // namespace thud
