#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/limits_file.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/shipped.hpp"
#include "limit_files/shipped.hpp"
#include "toml/keys.hpp"
#include "toml/table.hpp"

namespace THUD_EXPORT thud {
namespace {

using toml::Rule;
using Names = std::vector<std::string_view>;

constexpr toml::PerJoint<Limits> joint_keys[] = {
    {"speed", &Limits::speed, Rule::positive, "before and after a hit [rad/s or m/s]"},
    {"torque", &Limits::torque, Rule::positive, "during a hit [N m or N]"},
    {"collision_torque", &Limits::collision_torque, Rule::positive, "at which the robot stops itself [N m or N]"},
};
constexpr toml::Number<Limits> contact_keys[] = {
    {"force", &Limits::force, Rule::positive, "largest force [N]"},
    {"collision_force", &Limits::collision_force, Rule::positive, "at which the robot stops itself [N]"},
};
constexpr toml::Number<BodyRegion> body_keys[] = {
    {"force", &BodyRegion::force, Rule::positive, "for long [N]"},
    {"pressure", &BodyRegion::pressure, Rule::positive, "for long [Pa]"},
    {"stiffness", &BodyRegion::stiffness, Rule::positive, "[N/m]"},
    {"mass", &BodyRegion::mass, Rule::positive, "[kg]"},
    {"transient", &BodyRegion::transient, Rule::not_negative, "times as much for a moment; 0: not permitted"},
};

template <class Keys>
Names names_of(const Keys& keys) {
  Names names;
  toml::add_names(names, keys);
  return names;
}

// What the library refuses, in the file's words.
template <class Check>
void checked(const std::string& where, Check&& check) {
  try {
    check();
  } catch (const InputError& error) {
    throw FileError(where + ": " + error.argument(), error.value(), error.rule());
  }
}

BodyRegion read_region(const std::string& file, const std::string& name, const ::toml::node& node) {
  const ::toml::table* described = node.as_table();
  if (!described) throw FileError(file, "body." + name, "must be a table");
  const toml::Table table(file, *described, names_of(body_keys));
  for (const char* key : {"force", "pressure", "stiffness", "mass"})
    if (!table.has(key)) throw FileError(file, "body." + name, std::string("must have ") + key);
  BodyRegion region;
  region.name = name;
  toml::read(table, body_keys, region);
  checked(file + ": body." + name, [&] { validate(region); });
  return region;
}

}  // namespace

LimitsFile parse_limits(std::string_view text, const std::string& name, int joints) {
  const ::toml::table table = toml::parse_toml(std::string(text), name);
  const toml::Table root(name, table, {"joints", "contact", "body"});
  LimitsFile out;
  if (root.has("joints")) {
    const toml::Table of_joints(name, root.table("joints"), names_of(joint_keys));
    if (joints < 0) joints = std::max(static_cast<int>(toml::listed_joints(of_joints, joint_keys)), 1);
    toml::read(of_joints, joint_keys, out.limits, joints);
  }
  if (root.has("contact"))
    toml::read(toml::Table(name, root.table("contact"), names_of(contact_keys)), contact_keys, out.limits);
  if (root.has("body"))
    for (const auto& [key, node] : root.table("body")) {
      const std::string region(key.str());
      out.bodies.emplace(region, read_region(name, region, node));
    }
  checked(name, [&] { validate(out.limits, joints); });
  return out;
}

std::vector<std::string> shipped_limits() {
  return io::names_of(limit_files::shipped());
}

std::string limits_text(const std::string& name_or_path) {
  const auto& shipped = limit_files::shipped();
  if (const auto found = shipped.find(name_or_path); found != shipped.end()) return std::string(found->second);
  try {
    return read_file(name_or_path);
  } catch (const FileError& error) {
    throw io::not_found("limits", name_or_path, shipped, error);
  }
}

LimitsFile load_limits(const std::string& name_or_path, int joints) {
  return parse_limits(limits_text(name_or_path), name_or_path, joints);
}

const std::map<std::string, BodyRegion>& body_regions() {
  static const std::map<std::string, BodyRegion> regions =
      parse_limits(limits_text("iso_ts_15066"), "iso_ts_15066", 0).bodies;
  return regions;
}

}  // namespace thud
