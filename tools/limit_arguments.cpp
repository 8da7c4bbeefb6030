#include "limit_arguments.hpp"

#include <thud/error.hpp>

#include <map>

#include "arguments.hpp"

namespace thud::cli {
namespace {

BodyContact body_of(const HitArguments& arguments, const std::map<std::string, BodyRegion>& own) {
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
void read_law(const HitArguments& arguments, SpeedLimitOptions& options) {
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

}  // namespace

void add_hit_options(CLI::App& command, HitArguments& arguments) {
  add_law_options(command, arguments.law, LawOptions::optional);
  command.add_option("--body", arguments.body,
                     "A person is hit: skull, face, neck, back, chest, abdomen, pelvis, upper_arm, lower_arm, hand, "
                     "thigh, lower_leg, or a region of --limits (ISO/TS 15066)");
  command.add_flag("--clamped", arguments.clamped, "The person cannot give way");
  command.add_option("--area", arguments.area, "Of the contact with a person [cm^2]: pressure is judged too");
  command.add_option("--max-force", arguments.max_force, "Largest force of the contact [N]; needs --law");
  command.add_option("--model", arguments.model,
                     "An option of thud predict, or cautious: the one with the lowest speed");
  command.add_option("--limits", arguments.limits, "Limits of the robot and of people: a TOML file or a shipped name");
}

std::optional<InertiaModel> model_of(const std::string& name) {
  if (name == "cautious") return std::nullopt;
  for (const InertiaModel model : all_inertia_models)
    if (to_string(model) == name) return model;
  throw InputError("--model", name,
                   "must be cautious, algebraic, generalized_momentum, composite_rigid_body or flexible_joints");
}

LimitsFile limits_file_of(const HitArguments& arguments, const Robot& robot, const Sources& sources) {
  if (arguments.limits.empty()) return {};
  return parse_limits(sources.limits_text(arguments.limits), arguments.limits, robot.size());
}

Limits limits_of(const HitArguments& arguments, const LimitsFile& file, const Robot& robot) {
  Limits limits = with_limits(robot_limits(robot), file.limits);
  if (arguments.max_force.empty()) return limits;
  if (arguments.law.law.empty())
    throw InputError("--max-force", arguments.max_force, "needs --law: a force has a contact");
  limits.force = number("--max-force", arguments.max_force);
  if (limits.force <= 0) throw InputError("--max-force", arguments.max_force, "must be > 0");
  return limits;
}

SpeedLimitOptions speed_options_of(const HitArguments& arguments, const LimitsFile& file) {
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
  return options;
}

}  // namespace thud::cli
