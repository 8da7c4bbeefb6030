// What thud info says of files of drives and of limits.

#include <thud/drives_file.hpp>
#include <thud/error.hpp>
#include <thud/limits_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"

namespace thud::cli {
namespace {

struct JointValues {
  const char* name;
  const char* unit;
  VectorX values;  // empty: not known
};

bool any(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Json column_json(const JointValues& column) {
  return column.values.size() == 0 ? Json(nullptr) : json(VectorRef(column.values));
}

// The joints of a file: null where each value is for all of them.
Json joints_json(const std::vector<JointValues>& columns) {
  for (const JointValues& column : columns)
    if (column.values.size() > 1) return column.values.size();
  return nullptr;
}

std::string columns_table(const std::vector<JointValues>& columns) {
  std::string out;
  for (const JointValues& column : columns) {
    if (column.values.size() == 0) continue;
    std::vector<std::string> values;
    for (const double value : column.values) values.push_back(fmt::format("{:.6g}", value));
    const bool one = std::all_of(values.begin(), values.end(), [&](const auto& each) { return each == values[0]; });
    out += fmt::format("{:<20}{}   [{}]\n", column.name,
                       one ? values[0] + " for each joint" : fmt::format("{}", fmt::join(values, ", ")), column.unit);
  }
  return out;
}

void print_drives(const std::string& subject, bool as_json) {
  const Drives drives = load_drives(subject, -1);
  const std::vector<JointValues> columns{{"rotor_inertia", "kg m^2 or kg", drives.rotor_inertia},
                                         {"stiffness", "N m/rad or N/m", drives.stiffness},
                                         {"damping", "N m s/rad or N s/m", drives.damping},
                                         {"effort", "N m or N", drives.effort},
                                         {"servo_stiffness", "N m/rad or N/m", drives.servo_stiffness},
                                         {"servo_damping", "N m s/rad or N s/m", drives.servo_damping}};
  const std::vector<Warning> assumed = assumptions(drives);
  if (as_json) {
    Json object{{"kind", "drives"}, {"file", subject}, {"joints", joints_json(columns)}};
    for (const JointValues& column : columns) object[column.name] = column_json(column);
    object["servo_damping_ratio"] = drives.servo_damping_ratio ? json(*drives.servo_damping_ratio) : Json(nullptr);
    object["warnings"] = texts(assumed);
    return print(object);
  }
  std::string out = fmt::format("{}: drives of an arm\n{}", printable(subject), columns_table(columns));
  if (drives.servo_damping_ratio)
    out += fmt::format("{:<20}{:.6g}\n", "servo_damping_ratio", *drives.servo_damping_ratio);
  for (const Warning& warning : assumed) out += "warning: " + warning.text + "\n";
  std::fputs(out.c_str(), stdout);
}

void print_limits(const std::string& subject, bool as_json) {
  const auto [limits, bodies] = load_limits(subject, -1);
  const std::vector<JointValues> columns{{"speed", "rad/s or m/s", limits.speed},
                                         {"torque", "N m or N", limits.torque},
                                         {"collision_torque", "N m or N", limits.collision_torque}};
  const std::pair<const char*, double> forces[] = {{"collision_force", limits.collision_force},
                                                   {"force", limits.force}};
  if (as_json) {
    Json object{{"kind", "limits"}, {"file", subject}, {"joints", joints_json(columns)}};
    for (const JointValues& column : columns) object[column.name] = column_json(column);
    for (const auto& [name, force] : forces) object[name] = json(force);
    object["bodies"] = Json::array();
    for (const auto& [name, body] : bodies)
      object["bodies"].push_back({{"name", name},
                                  {"force", json(body.force)},
                                  {"pressure", json(body.pressure)},
                                  {"stiffness", json(body.stiffness)},
                                  {"mass", json(body.mass)},
                                  {"transient", json(body.transient)}});
    object["warnings"] = Json::array();
    return print(object);
  }
  std::string out = fmt::format("{}: limits of a hit\n{}", printable(subject), columns_table(columns));
  for (const auto& [name, force] : forces)
    if (!std::isnan(force)) out += fmt::format("{:<20}{:.6g}   [N]\n", name, force);
  if (!bodies.empty())
    out += fmt::format("{:<20}{:>10}{:>16}{:>18}{:>12}{:>12}\n", "region of a body", "force [N]", "pressure [Pa]",
                       "stiffness [N/m]", "mass [kg]", "transient");
  for (const auto& [name, body] : bodies)
    out += fmt::format("{:<20}{:>10.6g}{:>16.6g}{:>18.6g}{:>12.6g}{:>12.6g}\n", printable(name), body.force,
                       body.pressure, body.stiffness, body.mass, body.transient);
  std::fputs(out.c_str(), stdout);
}

}  // namespace

std::string settings_kind(const std::string& subject) {
  if (any(shipped_drives(), subject)) return "drives";
  if (any(shipped_limits(), subject)) return "limits";
  if (std::filesystem::path(subject).extension() != ".toml") return "";
  try {
    load_limits(subject, -1);
    return "limits";
  } catch (const FileError&) {  // of drives, or it says what is wrong with it as such
    const std::string text = limits_text(subject);
    return text.find("[body") != std::string::npos || text.find("collision_") != std::string::npos ? "limits"
                                                                                                   : "drives";
  }
}

void print_settings(const std::string& kind, const std::string& subject, bool as_json) {
  kind == "drives" ? print_drives(subject, as_json) : print_limits(subject, as_json);
}

std::vector<std::pair<std::string, std::vector<std::string>>> shipped_settings() {
  return {{"drives", shipped_drives()}, {"limits", shipped_limits()}};
}

std::vector<std::string> shipped_bodies() {
  std::vector<std::string> names;
  for (const auto& [name, region] : body_regions()) names.push_back(name);
  return names;
}

}  // namespace thud::cli
