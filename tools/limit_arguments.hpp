#pragma once

/// The options that say what limits a hit: a contact law, a person, the arm's own limits, a model.

#include <thud/limits_file.hpp>

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "law_arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

struct HitArguments {
  LawArguments law;
  std::string body, area, max_force, model = "cautious", limits;
  bool clamped = false;
};

/// --law and its parameters, --body, --clamped, --area, --max-force, --model, --limits.
void add_hit_options(CLI::App& command, HitArguments& arguments);

/// What they say. Throws InputError naming the option.
std::optional<InertiaModel> model_of(const std::string& name);  ///< none: cautious
LimitsFile limits_file_of(const HitArguments& arguments, const Robot& robot, const Sources& sources = {});
Limits limits_of(const HitArguments& arguments, const LimitsFile& file, const Robot& robot);
SpeedLimitOptions speed_options_of(const HitArguments& arguments, const LimitsFile& file);

}  // namespace thud::cli
