#include <thud/error.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "command.hpp"

namespace thud::cli {
namespace {

std::string long_options(const CLI::App& command) {
  std::string names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names += "--" + name + " ";
  return names;
}

// Whether the first argument is a robot, by its name or file.
bool takes_robot(const CLI::App& command) {
  for (const auto* option : command.get_options())
    if (option->get_positional()) return option->get_name() == "ROBOT" || option->get_name() == "SUBJECT";
  return false;
}

// A bash script made from the program's own commands and options, so that it is always up to date.
std::string bash_script(const CLI::App& program) {
  std::string commands, robot_commands, cases;
  for (const auto* command : program.get_subcommands(nullptr)) {
    commands += command->get_name() + " ";
    if (takes_robot(*command)) robot_commands += command->get_name() + " ";
    cases += fmt::format("    {}) options='{}' ;;\n", command->get_name(), long_options(*command));
  }
  std::string robots;
  for (const auto& name : shipped_robots()) robots += name + " ";
  return fmt::format(R"(# bash completion for thud; made by: thud completion bash
_thud() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} options robots='{robots}'
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '{commands}{program}' -- "$word")
    return
  fi
  case $command in
{cases}  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [ "$command" = help ]; then
    mapfile -t COMPREPLY < <(compgen -W '{commands}' -- "$word")
  elif [ "$COMP_CWORD" -eq 2 ] && [[ ' {robot_commands}' == *" $command "* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$robots" -- "$word"; compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _thud thud
)",
                     fmt::arg("robots", robots), fmt::arg("commands", commands),
                     fmt::arg("robot_commands", robot_commands), fmt::arg("cases", cases),
                     fmt::arg("program", long_options(program)));
}

}  // namespace

void add_completion(CLI::App& program) {
  auto* command = program.add_subcommand("completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash")->required();
  command->footer("Example:\n  source <(thud completion bash)");
  command->callback([&program, shell] {
    if (*shell != "bash") throw InputError("SHELL", *shell, "must be bash");
    std::fputs(bash_script(program).c_str(), stdout);
  });
}

}  // namespace thud::cli
