#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/limits_file.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "command.hpp"
#include "law_arguments.hpp"

namespace thud::cli {
namespace {

struct LimitArguments {
  ArmArguments arm;
  LawArguments law;
  std::string dq, body, area, max_force, model = "cautious", limits;
  bool clamped = false, fastest = false, json = false;
};

// A robot, and how fast it may hit.
struct Answer {
  Robot robot;
  SpeedLimit limit;
};

std::optional<InertiaModel> model_of(const std::string& name) {
  if (name == "cautious") return std::nullopt;
  for (const InertiaModel model : all_inertia_models)
    if (to_string(model) == name) return model;
  throw InputError("--model", name,
                   "must be cautious, algebraic, generalized_momentum, composite_rigid_body or flexible_joints");
}

BodyContact body_of(const LimitArguments& arguments, const std::map<std::string, BodyRegion>& own) {
  std::map<std::string, BodyRegion> regions = own;
  regions.insert(body_regions().begin(), body_regions().end());
  const auto found = regions.find(arguments.body);
  if (found == regions.end()) {
    std::string names;
    for (const auto& [name, region] : regions) names += (names.empty() ? "" : ", ") + name;
    throw InputError("--body", arguments.body, "must be one of " + names);
  }
  BodyContact contact{.region = found->second, .clamped = arguments.clamped};
  if (!arguments.area.empty()) {
    const double area = number("--area", arguments.area);
    if (area <= 0) throw InputError("--area", arguments.area, "must be > 0");
    contact.area = area * 1e-4;  // from cm^2
  }
  return contact;
}

// The law, if one is given. --restitution belongs to it where it has one, and to the joints' jumps where it has not.
void read_law(const LimitArguments& arguments, SpeedLimitOptions& options) {
  LawArguments law = arguments.law;
  const bool of_law = law.law == to_string(LawKind::spring);
  if (std::string& text = law.parameters.at("restitution"); !text.empty() && !of_law) {
    const double restitution = number("--restitution", text);
    if (!(restitution >= 0 && restitution <= 1)) throw InputError("--restitution", text, "must be from 0 to 1");
    options.restitution = restitution;
    text.clear();
  }
  if (!law.law.empty()) {
    options.law = law_of(law);
    return;
  }
  for (const auto& [name, text] : law.parameters)
    if (!text.empty()) throw InputError("--" + std::string(name), text, "is of a law: it needs --law");
}

SpeedLimitOptions options_of(const LimitArguments& arguments, const LimitsFile& file, const Robot& robot) {
  SpeedLimitOptions options;
  options.model = model_of(arguments.model);
  read_law(arguments, options);
  if (arguments.body.empty()) {
    if (arguments.clamped) throw InputError("--clamped", "given", "is of a person: it needs --body");
    if (!arguments.area.empty()) throw InputError("--area", arguments.area, "is of a person: it needs --body");
  } else {
    if (options.law) throw InputError("--body", arguments.body, "is given beside --law: one of them is hit");
    options.body = body_of(arguments, file.bodies);
  }
  if (!arguments.arm.drives.empty()) {
    if (!options.law) throw InputError("--drives", arguments.arm.drives, "needs --law: what the elastic arm hits");
    options.drives = servoed(named_drives(arguments.arm.drives, robot), arguments.arm.servo);
  } else if (!arguments.arm.servo.empty()) {
    throw InputError("--servo", arguments.arm.servo, "is of an arm with elastic joints: it needs --drives");
  }
  return options;
}

Answer answer(const LimitArguments& arguments) {
  Robot robot = named_robot(arguments.arm.robot);
  const VectorX q = joint_values("--q", arguments.arm.q, robot);
  const ContactPoint point{arguments.arm.frame, vector3("--offset", arguments.arm.offset),
                           vector3("--normal", arguments.arm.normal)};
  const LimitsFile file = arguments.limits.empty() ? LimitsFile{} : load_limits(arguments.limits, robot.size());
  const SpeedLimitOptions options = options_of(arguments, file, robot);
  Limits limits = with_limits(robot_limits(robot), file.limits);
  if (!arguments.max_force.empty()) {
    if (!options.law) throw InputError("--max-force", arguments.max_force, "needs --law: a force has a contact");
    limits.force = number("--max-force", arguments.max_force);
    if (limits.force <= 0) throw InputError("--max-force", arguments.max_force, "must be > 0");
  }
  if (arguments.fastest) {
    if (!arguments.dq.empty()) throw InputError("--dq", arguments.dq, "is one approach, --fastest searches all");
    SpeedLimit limit = fastest_approach(robot, point, q, limits, options);
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
  SpeedLimit limit = speed_limit(robot, point, q, direction, limits, options);
  limit.warnings.insert(limit.warnings.begin(), notes.begin(), notes.end());
  return {std::move(robot), std::move(limit)};
}

Json joint_json(const Robot& robot, int joint) {
  return joint < 0 ? Json(nullptr) : Json(robot.joints()[static_cast<std::size_t>(joint)].name);
}

// A speed, or null for none.
Json speed_json(double speed) {
  return std::isfinite(speed) ? json(speed) : Json(nullptr);
}

Json limit_json(const Answer& answer) {
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

std::string limit_table(const Answer& answer) {
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

void add_limit(CLI::App& program) {
  auto* command = program.add_subcommand("limit", "How fast may the arm hit: limits of joints, contact and people");
  auto arguments = std::make_shared<LimitArguments>();
  command->add_option("ROBOT", arguments->arm.robot, "A shipped name (thud info lists them) or a URDF file")
      ->required();
  add_arm_options(*command, arguments->arm);
  for (const char* option : {"--q", "--frame", "--normal"}) command->get_option(option)->required();
  command->add_option(
      "--dq", arguments->dq,
      "Joint rates of the approach, of any length; without it those of least norm, the tool not turning");
  command->add_flag("--fastest", arguments->fastest, "Search all approaches in the place of one");
  add_law_options(*command, arguments->law, LawOptions::optional);
  command->add_option("--body", arguments->body,
                      "A person is hit: skull, face, neck, back, chest, abdomen, pelvis, upper_arm, lower_arm, hand, "
                      "thigh, lower_leg, or a region of --limits (ISO/TS 15066)");
  command->add_flag("--clamped", arguments->clamped, "The person cannot give way");
  command->add_option("--area", arguments->area, "Of the contact with a person [cm^2]: pressure is judged too");
  command->add_option("--max-force", arguments->max_force, "Largest force of the contact [N]; needs --law");
  command->add_option("--model", arguments->model,
                      "An option of thud predict, or cautious: the one with the lowest speed");
  command->add_option("--limits", arguments->limits,
                      "Limits of the robot and of people: a TOML file or a shipped name");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer(
      "Example:\n  thud limit panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --frame panda_foot --offset 0,0,0.0223 "
      "--normal -1,0,0 --body chest\n  thud limit panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --frame panda_foot --offset "
      "0,0,0.0223 --normal -1,0,0 --law viscoelastic --stiffness 1e6 --damping 7.28e6 --drives panda --max-force 300");
  command->callback([arguments] {
    const Answer found = answer(*arguments);
    if (arguments->json) return print(limit_json(found));
    std::fputs(limit_table(found).c_str(), stdout);
  });
}

}  // namespace thud::cli
