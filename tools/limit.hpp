#pragma once

/// `thud limit`: what it is asked, what it finds, how that is written.

#include <thud/limit.hpp>
#include <thud/run.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "limit_arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

struct LimitArguments {
  ArmArguments arm;
  HitArguments hit;
  std::string dq;
  bool fastest = false;
};

void add_limit_options(CLI::App& command, LimitArguments& arguments);

/// A robot, and how fast it may hit.
struct LimitAnswer {
  Robot robot;
  SpeedLimit limit;
};

/// Throws InputError naming the option, and Interrupted.
LimitAnswer limit_answer(const LimitArguments& arguments, const Sources& sources = {}, const RunOptions& run = {});

/// What --json prints.
Json limit_json(const LimitAnswer& answer);

}  // namespace thud::cli
