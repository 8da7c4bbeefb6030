#include "limit.hpp"

#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/limits_file.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "command.hpp"

namespace thud::cli {
namespace {

SpeedLimitOptions options_of(const LimitArguments& arguments, const LimitsFile& file, const Robot& robot,
                             const Sources& sources) {
  SpeedLimitOptions options = speed_options_of(arguments.hit, file);
  if (!arguments.arm.drives.empty()) {
    if (!options.law) throw InputError("--drives", arguments.arm.drives, "needs --law: what the elastic arm hits");
    options.drives = servoed(sources.drives(arguments.arm.drives, robot), arguments.arm.servo);
  } else if (!arguments.arm.servo.empty()) {
    throw InputError("--servo", arguments.arm.servo, "is of an arm with elastic joints: it needs --drives");
  }
  return options;
}

Json joint_json(const Robot& robot, int joint) {
  return joint < 0 ? Json(nullptr) : Json(robot.joints()[static_cast<std::size_t>(joint)].name);
}

// A speed, or null for none.
Json speed_json(double speed) {
  return std::isfinite(speed) ? json(speed) : Json(nullptr);
}

const char* unit_of(LimitKind kind) {
  switch (kind) {
    case LimitKind::joint_speed_before:
    case LimitKind::joint_speed_after:
      return "rad/s or m/s";
    case LimitKind::joint_torque:
    case LimitKind::collision_torque:
      return "N m or N";
    case LimitKind::body_pressure:
      return "Pa";
    default:
      return "N";
  }
}

std::string limit_table(const LimitAnswer& answer) {
  const auto& [robot, limit] = answer;
  std::string out = limit.binding ? fmt::format("{}: at most {:.4g} m/s along the normal, by {}\n",
                                                printable(robot.name()), limit.speed, to_string(limit.model))
                                  : fmt::format("{}: no limit binds at any speed\n", printable(robot.name()));
  out += fmt::format("\n{:<20}  {:<22}{:>12}  {:<14}{:>12}\n", "limit", "joint", "bound", "", "speed [m/s]");
  for (std::size_t i = 0; i < limit.rows.size(); ++i) {
    const SpeedLimitRow& row = limit.rows[i];
    const std::string joint = row.joint < 0 ? "" : printable(robot.joints()[static_cast<std::size_t>(row.joint)].name);
    out += fmt::format("{:<20}  {:<22}{:>12.5g}  {:<14}{:>12}{}\n", to_string(row.kind), joint, row.bound,
                       unit_of(row.kind), std::isfinite(row.speed) ? fmt::format("{:.4g}", row.speed) : "never",
                       limit.binding == i ? "  <- binds" : "");
  }
  out += "\njoint rates of the approach [rad/s or m/s]:";
  for (const double rate : limit.dq) out += fmt::format(" {:.4g}", rate);
  out += "\n";
  for (const auto& warning : limit.warnings) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

}  // namespace

LimitAnswer limit_answer(const LimitArguments& arguments, const Sources& sources, const RunOptions& run) {
  Robot robot = sources.robot(arguments.arm.robot);
  const VectorX q = joint_values("--q", arguments.arm.q, robot);
  const ContactPoint point{arguments.arm.frame, vector3("--offset", arguments.arm.offset),
                           vector3("--normal", arguments.arm.normal)};
  const LimitsFile file = limits_file_of(arguments.hit, robot, sources);
  const SpeedLimitOptions options = options_of(arguments, file, robot, sources);
  const Limits limits = limits_of(arguments.hit, file, robot);
  if (arguments.fastest) {
    if (!arguments.dq.empty()) throw InputError("--dq", arguments.dq, "is one approach, --fastest searches all");
    SpeedLimit limit = fastest_approach(robot, point, q, limits, options, run);
    return {std::move(robot), std::move(limit)};
  }
  VectorX direction;
  std::vector<Warning> notes;
  const ContactDynamics dynamics = contact_dynamics(robot, point, q);
  if (arguments.dq.empty()) {
    const auto motion = nearest_approach(dynamics, 1);
    if (!motion)
      throw InputError("--normal", arguments.arm.normal,
                       "no motion of the joints moves the contact point along it at this posture");
    direction = motion->dq;
    if (motion->sideways > 0)
      notes.push_back({WarningCode::nearest_approach, "",
                       "the contact point cannot move along the normal alone; the nearest motion is taken"});
    if (motion->turns)
      notes.push_back({WarningCode::tool_turns, "", "the arm cannot approach without turning the tool; it turns"});
  } else {
    direction = joint_values("--dq", arguments.dq, robot);
    if (!(contact_velocity(dynamics, direction) < 0))
      throw InputError("--dq", arguments.dq, "must approach: the contact point must move towards what it is to hit");
  }
  SpeedLimit limit = speed_limit(robot, point, q, direction, limits, options, run);
  limit.warnings.insert(limit.warnings.begin(), notes.begin(), notes.end());
  return {std::move(robot), std::move(limit)};
}

Json limit_json(const LimitAnswer& answer) {
  const auto& [robot, limit] = answer;
  Json object;
  object["speed"] = speed_json(limit.speed);
  object["binding"] = nullptr;
  if (limit.binding) {
    const SpeedLimitRow& row = limit.rows[*limit.binding];
    object["binding"] = {{"name", to_string(row.kind)}, {"joint", joint_json(robot, row.joint)}};
  }
  object["model"] = to_string(limit.model);
  object["dq"] = json(limit.dq);
  object["limits"] = Json::array();
  for (const SpeedLimitRow& row : limit.rows)
    object["limits"].push_back({{"name", to_string(row.kind)},
                                {"joint", joint_json(robot, row.joint)},
                                {"bound", json(row.bound)},
                                {"speed", speed_json(row.speed)}});
  object["warnings"] = texts(limit.warnings);
  return object;
}

void add_limit_options(CLI::App& command, LimitArguments& arguments) {
  command.add_option("ROBOT", arguments.arm.robot, "A shipped name (thud info lists them) or a URDF or MJCF file")
      ->required();
  add_arm_options(command, arguments.arm);
  for (const char* option : {"--q", "--frame", "--normal"}) command.get_option(option)->required();
  command.add_option(
      "--dq", arguments.dq,
      "Joint rates of the approach, of any length; without it those of least norm, the tool not turning");
  command.add_flag("--fastest", arguments.fastest, "Search all approaches in the place of one");
  add_hit_options(command, arguments.hit);
}

void add_limit(CLI::App& program) {
  auto* command = program.add_subcommand("limit", "How fast may the arm hit: limits of joints, contact and people");
  auto arguments = std::make_shared<LimitArguments>();
  auto as_json = std::make_shared<bool>(false);
  add_limit_options(*command, *arguments);
  command->add_flag("--json", *as_json, "Print one JSON object");
  command->footer(
      "Example:\n  thud limit panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --frame panda_foot --offset 0,0,0.0223 "
      "--normal -1,0,0 --body chest\n  thud limit panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --frame panda_foot --offset "
      "0,0,0.0223 --normal -1,0,0 --law viscoelastic --stiffness 1e6 --damping 7.28e6 --drives panda --max-force 300");
  command->callback([arguments, as_json] {
    const LimitAnswer found = limit_answer(*arguments);
    if (*as_json) return print(limit_json(found));
    std::fputs(limit_table(found).c_str(), stdout);
  });
}

}  // namespace thud::cli
