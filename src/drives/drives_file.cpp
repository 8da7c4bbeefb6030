#include <thud/drives_file.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drives/keys.hpp"
#include "drives/shipped.hpp"
#include "io/shipped.hpp"
#include "toml/table.hpp"

namespace THUD_EXPORT thud {
namespace {

using Names = std::vector<std::string_view>;

toml::Table joints_table(const toml::Table& root, const std::string& name) {
  Names names(std::begin(drives::joints_of_campaign), std::end(drives::joints_of_campaign));
  toml::add_names(names, drives::joints);
  return toml::Table(name, root.table("joints"), names);
}

toml::Table controller_table(const toml::Table& root, const std::string& name) {
  Names names(std::begin(drives::controller_of_campaign), std::end(drives::controller_of_campaign));
  toml::add_names(names, drives::servo);
  names.emplace_back(drives::servo_damping);
  names.emplace_back(drives::servo_damping_ratio);
  return toml::Table(name, root.table("controller"), names);
}

void read_controller(const toml::Table& table, int joints, Drives& out) {
  toml::read(table, drives::servo, out, joints);
  if (table.has(drives::servo_damping)) {
    if (table.has(drives::servo_damping_ratio))
      table.refuse(drives::servo_damping_ratio, "is given beside damping: one of them says it");
    out.servo_damping = toml::per_joint(table, drives::servo_damping, joints);
  }
  if (table.has(drives::servo_damping_ratio)) out.servo_damping_ratio = table.number(drives::servo_damping_ratio);
}

}  // namespace

Drives parse_drives(std::string_view text, const std::string& name, int joints) {
  const ::toml::table table = toml::parse_toml(std::string(text), name);
  const toml::Table root(name, table,
                         {"robot", "seed", "repeats", "speeds", "configuration", "contact", "joints", "controller",
                          "sensor", "variation", "plant", "kind", "box"});
  if (!root.has("joints")) throw FileError(name, "no table joints", "must have one, with what is known of the drives");
  Drives out;
  const toml::Table of_joints = joints_table(root, name);
  std::optional<toml::Table> of_controller;
  if (root.has("controller")) of_controller.emplace(controller_table(root, name));
  if (joints < 0) {
    joints = static_cast<int>(toml::listed_joints(of_joints, drives::joints));
    if (joints == 0 && of_controller) joints = static_cast<int>(toml::listed_joints(*of_controller, drives::servo));
    joints = std::max(joints, 1);
  }
  toml::read(of_joints, drives::joints, out, joints);
  if (of_controller) read_controller(*of_controller, joints, out);
  try {
    validate(out, joints);
  } catch (const InputError& error) {
    throw FileError(name + ": " + error.argument(), error.value(), error.rule());
  }
  return out;
}

Drives read_drives(const std::string& path, int joints) {
  return parse_drives(read_file(path), path, joints);
}

std::vector<std::string> shipped_drives() {
  return io::names_of(drives::shipped());
}

std::string drives_text(const std::string& name_or_path) {
  const auto& shipped = drives::shipped();
  if (const auto found = shipped.find(name_or_path); found != shipped.end()) return std::string(found->second);
  try {
    return read_file(name_or_path);
  } catch (const FileError& error) {
    throw io::not_found("drives", name_or_path, shipped, error);
  }
}

Drives load_drives(const std::string& name_or_path, int joints) {
  return parse_drives(drives_text(name_or_path), name_or_path, joints);
}

Drives drives_of(const Robot& robot) {
  const auto known = [&](double Joint::*quantity) {
    VectorX values(robot.size());
    for (int i = 0; i < robot.size(); ++i) {
      const double value = robot.joints()[static_cast<std::size_t>(i)].*quantity;
      values[i] = std::isfinite(value) && value > 0 ? value : std::numeric_limits<double>::quiet_NaN();
    }
    return values;
  };
  return {.rotor_inertia = known(&Joint::rotor_inertia), .effort = known(&Joint::effort)};
}

}  // namespace thud
