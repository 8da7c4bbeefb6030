#pragma once

/// From the text of a request to the options of a command.

#include <thud/error.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "../arguments.hpp"

namespace thud::cli {

/// The object in a request's text. Throws InputError unless it is one JSON object, nested at most eight deep.
nlohmann::ordered_json parse_request(std::string_view text);

/// Sets a command's options from an object that has them as keys, without dashes: {"object-mass": 2, "normal": [-1, 0,
/// 0], "clamped": true}; "robot" is the argument ROBOT. null and false are options that are not given. The values go
/// the way of the command line's words, so that both refuse the same. Throws InputError naming the option, also for one
/// that the command does not have.
void read_options(CLI::App& command, const nlohmann::ordered_json& options);

/// Calls with the arguments of a command, from the object that has its options; `add` adds these to a command. What is
/// refused is named as the options are.
template <class Arguments, class Call>
auto with_arguments(void (*add)(CLI::App&, Arguments&), const nlohmann::ordered_json& options, const Call& call) {
  CLI::App command;
  command.set_help_flag();
  Arguments arguments;
  add(command, arguments);
  read_options(command, options);
  try {
    return call(std::as_const(arguments));
  } catch (const InputError& error) {
    throw InputError(option_name(command, error.argument()), error.value(), error.rule());
  } catch (const RobotError& error) {
    throw RobotError(option_name(command, error.argument()), error.value(), error.rule());
  }
}

}  // namespace thud::cli
