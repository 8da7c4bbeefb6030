#include <thud/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"

namespace {

// One line on standard error, whatever is in the message.
int fail(const std::string& message, int status) {
  std::fprintf(stderr, "thud: %s\n", thud::printable(message).c_str());
  return status;
}

int refuse(const std::string& message) {
  return fail(message, 2);
}

// What CLI11 found wrong with the words themselves, in thud's form: what, value, rule.
int refuse(const CLI::App& program, const CLI::ParseError& error) {
  const auto named = program.get_subcommands();
  const std::string command = named.empty() ? "thud" : "thud " + named.front()->get_name();
  const std::string see = " (see " + command + " --help)";
  const std::string text = error.what();
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError: {  // "The following argument was not expected: X"
      const auto colon = text.find(": ");
      const std::string argument = colon == std::string::npos ? text : text.substr(colon + 2);
      return refuse("argument: " + argument + ": not known to " + command + see);
    }
    case CLI::ExitCodes::RequiredError: {  // "X is required", or a sentence about subcommands
      const std::string what = named.empty() ? "command" : text.substr(0, text.find(" is required"));
      return refuse(what + ": missing: " + command + " needs it" + see);
    }
    default:
      return refuse("arguments: " + text + ": not what " + command + " takes" + see);
  }
}

// What the library calls "contact" is --contact to whoever gave that option.
std::string by_option(const CLI::App& program, const std::string& argument) {
  const auto named = program.get_subcommands();
  return named.empty() ? argument : thud::cli::option_name(*named.front(), argument);
}

// What is empty would be taken as what was not given.
void require_values(const CLI::App* command, const std::vector<std::string>& words) {
  const auto refuse_if = [](bool empty, const std::string& what) {
    if (empty) throw thud::InputError(what, "''", "must not be empty");
  };
  std::string asking = "argument";  // the option whose value is next
  for (const std::string& word : words) {
    refuse_if(word.empty(), asking);
    refuse_if(word.starts_with("--") && word.find('=') == word.size() - 1, word.substr(0, word.size() - 1));
    asking = command && thud::cli::asks_value(*command, word) ? word : "argument";
  }
}

int run(int argc, char** argv) {
  CLI::App program{
      "Predicts what happens when a stiffly controlled robot arm hits something, and learns the contact from "
      "measured force. SI units throughout.",
      "thud"};
  program.set_version_flag("--version", std::string("thud ") + THUD_VERSION);
  program.footer(
      "Example:\n  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot "
      "--offset 0,0,0.0223 --normal -1,0,0");
  program.require_subcommand(1);
  thud::cli::add_predict(program);
  thud::cli::add_profile(program);
  thud::cli::add_fit(program);
  thud::cli::add_translate(program);
  thud::cli::add_lab(program);
  thud::cli::add_info(program);
  thud::cli::add_completion(program);
  thud::cli::add_help(program);

  try {
    // CLI11 would call an unknown command a missing one
    const std::string first = argc > 1 ? argv[1] : "--help";
    if (first == "__complete") {  // asked by completion scripts, whose words are not for CLI11 to read
      thud::cli::print_candidates(program, {argv + 2, argv + argc});
      return 0;
    }
    const auto known = program.get_subcommands([&](const CLI::App* each) { return each->get_name() == first; });
    require_values(known.empty() ? nullptr : known.front(), {argv + 1, argv + argc});
    if (known.empty() && first != "-h" && first != "--help" && first != "--version")
      throw thud::InputError("command", first, "not a command of thud (see thud --help)");
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& done) {  // --help, --version
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error);
  } catch (const thud::InputError& error) {
    return refuse(by_option(program, error.argument()) + ": " + error.value() + ": " + error.rule());
  } catch (const thud::RobotError& error) {
    return refuse(by_option(program, error.argument()) + ": " + error.value() + ": " + error.rule());
  }
}

// What was printed has arrived, or the status says that it has not.
int flushed(int status) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return status;
  return fail("standard output: cannot be written: " + std::generic_category().message(errno),
              status == 0 ? 1 : status);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return flushed(run(argc, argv));
  } catch (const thud::cli::NoAnswer& none) {
    for (const auto& message : none.messages()) fail(message, 1);
    return flushed(1);
  } catch (const thud::PlantError& unstable) {
    return fail(unstable.what(), 1);
  } catch (const std::bad_alloc&) {
    return refuse("memory: exhausted: a smaller input is needed, or more memory");
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().string();
    return refuse("file: " + (path.empty() ? "-" : path) + ": " + error.code().message());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
