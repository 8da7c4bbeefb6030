#include "profile.hpp"

#include <thud/error.hpp>
#include <thud/object.hpp>
#include <thud/profile.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "output.hpp"
#include "plot.hpp"

namespace thud::cli {
namespace {

struct ProfileOutput {
  std::string csv, plot;
  bool force = false, json = false;
};

// Of what is hit; none: a wall.
std::optional<double> object_mass(const ProfileArguments& arguments) {
  if (arguments.object_mass.empty()) return std::nullopt;
  const Object object{.mass = number("--object-mass", arguments.object_mass)};
  return 1 / contact_response(object, Vector3::Zero()).W(0, 0);
}

MassHit mass_hit(const ProfileArguments& arguments, const ContactLaw& law, double speed) {
  const double mass = number("--mass", arguments.mass);
  const std::optional<double> other = object_mass(arguments);
  if (!other) return {mass, std::nullopt, force_profile(law, mass, -speed)};
  if (!(mass > 0)) throw InputError("--mass", arguments.mass, "must be > 0");
  const ContactResponse side{Matrix3::Identity() / mass}, object{Matrix3::Identity() / *other};
  return {mass, other, force_profile(law, reduced_mass(side, object, Vector3::UnitX()), -speed)};
}

std::string profile_table(const MassHit& hit) {
  const ForceProfile& profile = hit.profile;
  std::string out = fmt::format("{}: {:.6g} kg", to_string(kind_of(profile.law)), hit.mass);
  if (hit.object_mass)
    out += fmt::format(" against {:.6g} kg, reduced mass {:.6g} kg,", *hit.object_mass, profile.mass);
  out += fmt::format(" at {:.6g} m/s", -profile.velocity);
  const Json parameters = parameters_json(profile.law);
  for (const auto& [name, value] : parameters.items()) out += fmt::format(", {} {:.6g}", name, value.get<double>());
  out += fmt::format("\nrestitution {:.6g}", profile.restitution);
  if (const auto* law = std::get_if<Viscoelastic>(&profile.law))
    out += fmt::format(" exact, {:.6g} asymptotic k/(c|v0|)", restitution_asymptotic(*law, profile.velocity));
  out += fmt::format("\n\n{:<22}{:>12}{:>14}{:>14}\n", "event", "time [ms]", "force [N]", "impulse [N s]");
  const auto row = [&](const std::string& name, double time, double force, double impulse) {
    out += fmt::format("{:<22}{:>12.5g}{:>14.6g}{:>14.5g}\n", name, 1e3 * time, force, impulse);
  };
  const auto never = [&](const char* name) { out += fmt::format("{:<22}{:>12}\n", name, "never"); };
  row("peak", profile.peak.time, profile.peak.force, profile.impulse.peak);
  if (const auto& event = profile.end_of_compression) {
    row("end of compression", event->time, event->force, *profile.impulse.compression);
  } else {
    never("end of compression");
  }
  const double end = profile.end_of_force.time;
  row(fmt::format("end of force ({:g} %)", 100 * profile.end_of_force.fraction), end, state(profile, end).force,
      state(profile, end).impulse);
  if (const auto& event = profile.end_of_contact) {
    row("end of contact", event->time, 0, profile.impulse.total);
  } else {
    never("end of contact");
  }
  if (const auto& event = profile.end_of_compression) out += fmt::format("\ndeepest {:.5g} mm", 1e3 * event->depth);
  if (const auto& event = profile.end_of_contact) out += fmt::format(", leaves at {:.5g} m/s", event->velocity);
  out +=
      fmt::format("\nenergy: {:.5g} J before, {:.5g} J stored at most, {:.5g} J dissipated, {:.5g} J after\n",
                  profile.energy.initial, profile.energy.stored_max, profile.energy.dissipated, profile.energy.final);
  for (const auto& warning : warnings(profile)) out += "warning: " + warning.text + "\n";
  return out;
}

// From touch to the end of contact; a contact that outlasts its force is cut where nothing is left to see.
std::vector<ContactState> sampled_states(const ForceProfile& profile) {
  double end = 1.5 * profile.end_of_force.time;
  if (profile.end_of_contact) end = std::min(end, profile.end_of_contact->time);
  return states(profile, Eigen::VectorXd::LinSpaced(instants, 0, end));
}

std::string profile_csv(const MassHit& hit) {
  const ForceProfile& profile = hit.profile;
  std::string text = fmt::format("# {} by thud profile, mass {} kg, speed {} m/s\n", to_string(kind_of(profile.law)),
                                 profile.mass, -profile.velocity);
  text += "time [s],force [N],compression [m],velocity [m/s],impulse [N s],kinetic [J],potential [J],dissipated [J]\n";
  for (const auto& at : sampled_states(profile))
    text += fmt::format("{},{},{},{},{},{},{},{}\n", at.time, at.force, at.compression, at.velocity, at.impulse,
                        at.kinetic, at.potential, at.dissipated);
  return text;
}

plot::Chart profile_chart(const MassHit& hit) {
  const ForceProfile& profile = hit.profile;
  const auto at = sampled_states(profile);
  const auto series = [&](const char* label, double ContactState::*field, double scale) {
    plot::Series result{label, {}, {}};
    for (const auto& each : at) {
      result.x.push_back(1e3 * each.time);
      result.y.push_back(scale * each.*field);
    }
    return result;
  };
  std::vector<plot::Mark> marks{{1e3 * profile.peak.time, "peak"}};
  if (const auto& event = profile.end_of_compression) marks.push_back({1e3 * event->time, "end of compression"});
  marks.push_back({1e3 * profile.end_of_force.time, "end of force"});
  plot::Chart chart;
  chart.title = fmt::format("{} contact: {:.4g} kg at {:.4g} m/s", to_string(kind_of(profile.law)), profile.mass,
                            -profile.velocity);
  chart.subtitle = fmt::format("restitution {:.4g}, peak {:.4g} N", profile.restitution, profile.peak.force);
  chart.x_label = "time [ms]";
  chart.panels = {{"force [N]", {series("", &ContactState::force, 1)}, marks, 1.4},
                  {"compression [mm]", {series("", &ContactState::compression, 1e3)}, {}, 1},
                  {"energy [mJ]",
                   {series("kinetic", &ContactState::kinetic, 1e3), series("potential", &ContactState::potential, 1e3),
                    series("dissipated", &ContactState::dissipated, 1e3)},
                   {},
                   1.2}};
  chart.height = 760;
  return chart;
}

// Writes and prints what was asked for. Drawings are made before anything is written.
template <class Profile>
void present(Outputs& outputs, const ProfileOutput& output, const Profile& profile) {
  const std::string drawing =
      outputs.wanted("--plot") ? plot::drawing(output.plot, profile_chart(profile)) : std::string();
  outputs.write("--csv", profile_csv(profile));
  outputs.write("--plot", drawing);
  if (output.json) return print(profile_json(profile));
  std::fputs(profile_table(profile).c_str(), stdout);
}

void run_profile(const ProfileArguments& arguments, const ProfileOutput& output) {
  Outputs outputs("profile", {.inputs = {arguments.arm.robot, arguments.arm.drives}, .force = output.force});
  outputs.add("--csv", output.csv);
  outputs.add("--plot", output.plot);
  std::visit([&](const auto& hit) { present(outputs, output, hit); }, profile_hit(arguments));
}

}  // namespace

std::variant<MassHit, ElasticHit> profile_hit(const ProfileArguments& arguments, const Sources& sources) {
  const ContactLaw law = law_of(arguments.law);
  const double speed = number("--speed", arguments.speed);
  if (speed <= 0) throw InputError("--speed", arguments.speed, "must be > 0");
  if (arguments.arm.given("ROBOT")) {
    if (!arguments.mass.empty()) throw InputError("--mass", arguments.mass, "is the arm's with ROBOT");
    const double horizon =
        arguments.horizon.empty() ? ElasticOptions{}.horizon : number("--horizon", arguments.horizon);
    return elastic_hit(arguments.arm, law, speed, horizon, object_mass(arguments), sources);
  }
  if (arguments.mass.empty()) throw InputError("--mass", "missing", "is needed without ROBOT");
  if (!arguments.horizon.empty()) throw InputError("--horizon", arguments.horizon, "is of an arm: it needs ROBOT");
  return mass_hit(arguments, law, speed);
}

Json profile_json(const MassHit& hit) {
  const ForceProfile& profile = hit.profile;
  Json object;
  object["law"] = to_string(kind_of(profile.law));
  object["mass"] = json(hit.mass);
  if (hit.object_mass) {
    object["object_mass"] = json(*hit.object_mass);
    object["reduced_mass"] = json(profile.mass);
  }
  object["speed"] = json(-profile.velocity);
  object["parameters"] = parameters_json(profile.law);
  object["restitution"] = json(profile.restitution);
  if (const auto* law = std::get_if<Viscoelastic>(&profile.law))
    object["restitution_asymptotic"] = json(restitution_asymptotic(*law, profile.velocity));
  Json& events = object["events"];
  events["peak"] = {{"time", json(profile.peak.time)}, {"force", json(profile.peak.force)}};
  events["end_of_compression"] = nullptr;
  if (const auto& event = profile.end_of_compression)
    events["end_of_compression"] = {
        {"time", json(event->time)}, {"depth", json(event->depth)}, {"force", json(event->force)}};
  events["end_of_contact"] = nullptr;
  if (const auto& event = profile.end_of_contact)
    events["end_of_contact"] = {{"time", json(event->time)}, {"velocity", json(event->velocity)}};
  events["end_of_force"] = {{"time", json(profile.end_of_force.time)},
                            {"fraction", json(profile.end_of_force.fraction)}};
  object["impulse"] = {
      {"peak", json(profile.impulse.peak)},
      {"compression", profile.impulse.compression ? json(*profile.impulse.compression) : Json(nullptr)},
      {"total", json(profile.impulse.total)}};
  object["energy"] = {{"initial", json(profile.energy.initial)},
                      {"stored_max", json(profile.energy.stored_max)},
                      {"dissipated", json(profile.energy.dissipated)},
                      {"final", json(profile.energy.final)}};
  object["warnings"] = texts(warnings(profile));
  return object;
}

Json course_json(const MassHit& hit) {
  const auto at = sampled_states(hit.profile);
  Json object = Json::object();
  const std::pair<const char*, double ContactState::*> columns[] = {
      {"time", &ContactState::time}, {"force", &ContactState::force}, {"impulse", &ContactState::impulse}};
  for (const auto& [name, field] : columns) {
    Json& list = object[name] = Json::array();
    for (const ContactState& each : at) list.push_back(json(each.*field));
  }
  return object;
}

Json parameters_json(const ContactLaw& law) {
  Json object = Json::object();
  for (const auto& [name, value] : law_parameters(law)) object[std::string(name)] = json(value);
  return object;
}

void add_profile_options(CLI::App& command, ProfileArguments& arguments) {
  add_law_options(command, arguments.law);
  command.add_option("ROBOT", arguments.arm.robot,
                     "An arm with elastic joints in the place of --mass: a shipped name or a URDF or MJCF file");
  command.add_option("--mass", arguments.mass, "Effective mass [kg]");
  command.add_option("--object-mass", arguments.object_mass,
                     "Mass of what is hit, free to move [kg]: the law acts on the reduced mass");
  command.add_option("--speed", arguments.speed, "Approach speed [m/s], > 0")->required();
  add_arm_options(command, arguments.arm);
  command.add_option("--horizon", arguments.horizon, "End of an arm's record, if the contact lasts longer [s]");
}

void add_profile(CLI::App& program) {
  auto* command =
      program.add_subcommand("profile", "Force of one impact over time: a mass or an arm against a contact law");
  auto arguments = std::make_shared<ProfileArguments>();
  auto output = std::make_shared<ProfileOutput>();
  add_profile_options(*command, *arguments);
  command->add_option("--csv", output->csv, "Write the course of force, motion and energies as CSV");
  command->add_option("--plot", output->plot, "Draw it, as .svg or .html");
  command->add_flag("--force", output->force, "Replace a file that is not an earlier result of this command");
  command->add_flag("--json", output->json, "Print one JSON object");
  command->footer(
      "Example:\n  thud profile --law viscoelastic --mass 4 --speed 0.12 --stiffness 3e5 --damping 2.5e6 --plot "
      "impact.svg\n  thud profile panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --frame panda_foot --offset 0,0,0.0223 "
      "--normal "
      "-1,0,0 --drives panda --law viscoelastic --speed 0.12 --stiffness 1e6 --damping 7.28e6");
  command->callback([arguments, output] { run_profile(*arguments, *output); });
}

}  // namespace thud::cli
