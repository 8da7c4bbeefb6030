#include "translate.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "command.hpp"
#include "profile.hpp"

namespace thud::cli {
namespace {

/// The hit to translate: a law, and the mass and speed it is for.
struct Hit {
  ContactLaw law;
  double mass, speed;
};

double above_zero(const std::string& option, const std::string& text) {
  const double value = number(option, text);
  if (value <= 0) throw InputError(option, text, "must be > 0");
  return value;
}

/// What `thud fit --json` found: the law that was asked for, or the best, with the mass and the speed of the fit.
Hit fitted_hit(const TranslateArguments& arguments) {
  const auto refuse = [&](const std::string& rule) { return FileError("--fit", arguments.fit, rule); };
  const Json file = Json::parse(read_file(arguments.fit), nullptr, false);
  if (!file.is_object() || !file.contains("records") || !file["records"].is_array() || file["records"].size() != 1 ||
      !file["records"][0].is_object())
    throw refuse("must be what thud fit --json prints for one record");
  const Json& record = file["records"][0];
  const auto text_at = [&](const Json& object, const char* key) -> std::string {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string())
      throw refuse(fmt::format("has no {}: no law converged", key));
    return object[key];
  };
  const auto at = [&](const Json& object, const std::string& key) -> const Json& {
    if (!object.is_object() || !object.contains(key)) throw refuse("has no " + key);
    return object[key];
  };
  const auto number_at = [&](const Json& object, const std::string& key) {
    const Json& value = at(object, key);
    if (!value.is_number()) throw refuse("has no number " + key);
    return value.get<double>();
  };
  const std::string name = arguments.law.law.empty() ? text_at(record, "best") : arguments.law.law;
  const LawKind kind = law_kind("--law", name);
  const Json& found = at(at(record, "laws"), name);
  const Json& parameters = at(found, "parameters");
  Hit hit{typical_law(kind), 0, 0};
  for (const auto& [parameter, value] : law_parameters(hit.law))
    *value = number_at(at(parameters, std::string(parameter)), "value");
  hit.mass = arguments.mass.empty() ? number_at(at(parameters, "mass"), "value") : above_zero("--mass", arguments.mass);
  hit.speed = arguments.speed.empty() ? number_at(record, "speed") : above_zero("--speed", arguments.speed);
  return hit;
}

Hit hit_of(const TranslateArguments& arguments) {
  if (!arguments.fit.empty()) {
    for (const auto& [name, text] : arguments.law.parameters)
      if (!text.empty()) throw InputError("--" + std::string(name), text, "is the fit's with --fit");
    return fitted_hit(arguments);
  }
  if (arguments.law.law.empty()) throw InputError("--law", "missing", "is needed without --fit");
  if (arguments.mass.empty()) throw InputError("--mass", "missing", "is needed without --fit");
  if (arguments.speed.empty()) throw InputError("--speed", "missing", "is needed without --fit");
  return {law_of(arguments.law), above_zero("--mass", arguments.mass), above_zero("--speed", arguments.speed)};
}

/// The same parameters at another mass and speed.
struct Elsewhere {
  double mass, speed;
  HitOutcome of_law, of_simulator;
};

std::vector<Elsewhere> elsewhere(const Translation& translation) {
  constexpr double factors[][2] = {{1, 0.5}, {1, 2}, {0.5, 1}, {2, 1}};
  std::vector<Elsewhere> all;
  for (const auto& [of_mass, of_speed] : factors) {
    const double mass = of_mass * translation.mass, speed = of_speed * translation.speed;
    all.push_back(
        {mass, speed, law_outcome(translation.law, mass, speed), simulated_outcome(translation, mass, speed)});
  }
  return all;
}

Json outcome_json(const HitOutcome& outcome) {
  return {
      {"peak", json(outcome.peak)}, {"duration", json(outcome.duration)}, {"restitution", json(outcome.restitution)}};
}

/// "128.8 -> 130.1 (+1.0 %)", law and simulator.
std::string compared(double of_law, double of_simulator, double scale) {
  const double off = 100 * (of_simulator / of_law - 1);
  const std::string share = std::isfinite(off) ? fmt::format("{:+.1f} %", std::abs(off) < 0.05 ? 0.0 : off) : "";
  return fmt::format("{:.4g} -> {:.4g} {}", scale * of_law, scale * of_simulator, share);
}

std::string translation_table(const Translation& translation) {
  std::string out = fmt::format("{}: {:.6g} kg at {:.6g} m/s", to_string(kind_of(translation.law)), translation.mass,
                                translation.speed);
  for (const auto& [name, value] : law_parameters(translation.law)) out += fmt::format(", {} {:.6g}", name, value);
  out += fmt::format("\n{}{}: {}\n\n", to_string(translation.simulator),
                     translation.step ? fmt::format(" at steps of {:.6g} s", *translation.step) : "",
                     translation.exact ? "the same law"
                     : translation.matched.empty()
                         ? "the nearest that it has"
                         : fmt::format("the nearest that it has, by {}", fmt::join(translation.matched, ", ")));
  for (const SimulatorParameter& each : translation.parameters) {
    std::vector<std::string> values;
    for (const double value : each.values) values.push_back(fmt::format("{:.9g}", value));
    out += fmt::format("{:<26}{}   [{}]\n", each.name, fmt::join(values, " "), each.unit);
  }
  out += fmt::format("\n{:<26}{:<30}{:<30}{}\n", "law -> simulator", "peak [N]", "duration [ms]", "restitution");
  const auto row = [&](double mass, double speed, const HitOutcome& of_law, const HitOutcome& of_simulator) {
    out +=
        fmt::format("{:<26}{:<30}{:<30}{}\n", fmt::format("{:.4g} kg at {:.4g} m/s", mass, speed),
                    compared(of_law.peak, of_simulator.peak, 1), compared(of_law.duration, of_simulator.duration, 1e3),
                    compared(of_law.restitution, of_simulator.restitution, 1));
  };
  row(translation.mass, translation.speed, translation.of_law, translation.of_simulator);
  for (const Elsewhere& each : elsewhere(translation)) row(each.mass, each.speed, each.of_law, each.of_simulator);
  out += "\n" + translation.snippet;
  for (const Warning& warning : translation.warnings) out += "warning: " + warning.text + "\n";
  return out;
}

}  // namespace

Translation translation_of(const TranslateArguments& arguments) {
  const std::optional<Simulator> to = simulator_from_name(arguments.to);
  if (!to) throw InputError("--to", arguments.to, "must be " + simulator_names());
  if (arguments.constant_impedance && *to != Simulator::mujoco)
    throw InputError("--constant-impedance", arguments.to, "is of mujoco alone");
  const Hit hit = hit_of(arguments);
  TranslateOptions options{.step = {}, .constant_impedance = arguments.constant_impedance};
  if (!arguments.step.empty()) options.step = above_zero("--step", arguments.step);
  return translate(hit.law, hit.mass, hit.speed, *to, options);
}

Json translation_json(const Translation& translation) {
  Json object;
  object["law"] = to_string(kind_of(translation.law));
  object["mass"] = json(translation.mass);
  object["speed"] = json(translation.speed);
  object["parameters"] = parameters_json(translation.law);
  object["to"] = to_string(translation.simulator);
  object["step"] = translation.step ? json(*translation.step) : Json(nullptr);
  object["contact"] = Json::object();
  object["units"] = Json::object();
  for (const SimulatorParameter& each : translation.parameters) {
    object["contact"][each.name] = each.values.size() == 1 ? Json(each.values[0]) : Json(each.values);
    object["units"][each.name] = each.unit;
  }
  object["exact"] = translation.exact;
  object["matched"] = translation.matched;
  object["outcome"] = {{"law", outcome_json(translation.of_law)},
                       {"simulator", outcome_json(translation.of_simulator)},
                       {"lowest", outcome_json(translation.lowest)},
                       {"highest", outcome_json(translation.highest)}};
  object["elsewhere"] = Json::array();
  for (const Elsewhere& each : elsewhere(translation))
    object["elsewhere"].push_back({{"mass", json(each.mass)},
                                   {"speed", json(each.speed)},
                                   {"law", outcome_json(each.of_law)},
                                   {"simulator", outcome_json(each.of_simulator)}});
  object["snippet"] = translation.snippet;
  object["warnings"] = texts(translation.warnings);
  return object;
}

void add_translate_options(CLI::App& command, TranslateArguments& arguments) {
  add_law_options(command, arguments.law, LawOptions::optional);
  command.add_option("--mass", arguments.mass, "Effective mass of the hit [kg]");
  command.add_option("--speed", arguments.speed, "Approach speed [m/s], > 0");
  command.add_option("--to", arguments.to, simulator_names())->required();
  command.add_option("--step", arguments.step,
                     "Time step of the simulator [s]: parameters that give the law's peak and restitution at it; "
                     "without it, those of small steps");
  command.add_flag("--constant-impedance", arguments.constant_impedance,
                   "mujoco: one impedance at every depth; for arms, where diagexact is not enabled");
}

void add_translate(CLI::App& program) {
  auto* command = program.add_subcommand("translate",
                                         "A contact law as contact parameters of a simulator, and what it makes of it");
  auto arguments = std::make_shared<TranslateArguments>();
  auto as_json = std::make_shared<bool>(false);
  add_translate_options(*command, *arguments);
  command->add_option("--fit", arguments->fit,
                      "What thud fit --json printed for one record: its best law, or that of --law, with its mass and "
                      "speed");
  command->add_flag("--json", *as_json, "Print one JSON object");
  command->footer(
      "Example:\n  thud translate --law viscoelastic --mass 4 --speed 0.12 --stiffness 3e5 --damping 2.5e6 --to "
      "mujoco");
  command->callback([arguments, as_json] {
    const Translation translation = translation_of(*arguments);
    if (*as_json) return print(translation_json(translation));
    std::fputs(translation_table(translation).c_str(), stdout);
  });
}

}  // namespace thud::cli
