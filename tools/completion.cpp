#include <thud/aim.hpp>
#include <thud/contact.hpp>
#include <thud/error.hpp>
#include <thud/impact.hpp>
#include <thud/inertia.hpp>
#include <thud/robot.hpp>
#include <thud/translate.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"

namespace thud::cli {
namespace {

constexpr const char* shells[] = {"bash", "zsh", "fish"};

/// What may stand at a place of the command line: words with what they mean, and perhaps the name of any file.
struct Candidates {
  std::vector<std::pair<std::string, std::string>> words{};
  bool files = false;

  template <typename Names>
  Candidates& add(const Names& names) {
    for (const auto& name : names) words.emplace_back(name, "");
    return *this;
  }
};

const CLI::App* command_of(const CLI::App& program, const std::string& name) {
  for (const auto* command : program.get_subcommands(nullptr))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::string long_options(const CLI::App& command) {
  std::string names;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    for (const auto& name : option->get_lnames()) names += "--" + name + " ";
  }
  return names;
}

// The option that a word names and that takes a value.
const CLI::Option* asks_value(const CLI::App& command, const std::string& word) {
  const auto* option = word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
  return option && option->get_items_expected_max() > 0 ? option : nullptr;
}

std::string first_positional(const CLI::App& command) {
  for (const auto* option : command.get_options())
    if (option->get_positional()) return option->get_name();
  return "";
}

bool takes_robot(const CLI::App& command) {
  const std::string name = first_positional(command);
  return name == "ROBOT" || name == "SUBJECT";
}

// The words of a line that are no options and no values of them, the command aside.
std::vector<std::string> positionals(const CLI::App& command, const std::vector<std::string>& line) {
  std::vector<std::string> found;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (asks_value(command, line[i]))
      ++i;
    else if (!line[i].starts_with("-"))
      found.push_back(line[i]);
  }
  return found;
}

// The links of the robot that the line names. One that cannot be read has none: the command itself will say why.
std::vector<std::string> frames(const CLI::App& command, const std::vector<std::string>& line) {
  std::string robot;
  const auto given = positionals(command, line);
  if (takes_robot(command) && !given.empty()) robot = given.front();
  for (std::size_t i = 1; i + 1 < line.size(); ++i)
    if (line[i] == "--robot") robot = line[i + 1];
  std::vector<std::string> names;
  try {
    if (robot.empty()) return names;
    const Robot read = named_robot(robot);
    for (const auto& frame : read.frames()) names.push_back(frame.name);
  } catch (const Error&) {
  }
  return names;
}

template <typename Values>
std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(to_string(value));
  return names;
}

Candidates values(const CLI::App& command, const std::string& option, const std::vector<std::string>& line) {
  Candidates found;
  const auto shipped = shipped_settings();
  const auto settings =
      std::find_if(shipped.begin(), shipped.end(), [&](const auto& each) { return "--" + each.first == option; });
  if (option == "--frame") return found.add(frames(command, line));
  if (option == "--law") {
    found.add(names_of(all_laws));
    return command.get_name() == "fit" ? found.add(std::vector{"all"}) : found;
  }
  if (option == "--model") return found.add(names_of(all_inertia_models)).add(std::vector{"cautious"});
  if (option == "--restitution-kind") return found.add(names_of(all_restitution_kinds));
  if (option == "--maximize" || option == "--minimize") return found.add(names_of(all_aim_quantities));
  if (option == "--to") return found.add(names_of(all_simulators));
  found.files = true;
  if (option == "--robot" || option == "--compare") return found.add(shipped_robots());
  return settings == shipped.end() ? found : found.add(settings->second);
}

Candidates options(const CLI::App& command) {
  Candidates found;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) found.words.emplace_back("--" + name, option->get_description());
  return found;
}

Candidates commands(const CLI::App& program) {
  Candidates found;
  for (const auto* command : program.get_subcommands(nullptr))
    found.words.emplace_back(command->get_name(), command->get_description());
  return found;
}

// What may stand in the place of the last word of a line that begins with the command.
Candidates candidates(const CLI::App& program, std::vector<std::string> line) {
  const std::string word = line.empty() ? "" : line.back();
  if (!line.empty()) line.pop_back();
  if (line.empty()) return word.starts_with("-") ? options(program) : commands(program);
  const auto* command = command_of(program, line.front());
  if (!command) return {};
  if (line.size() > 1 && asks_value(*command, line.back())) return values(*command, line.back(), line);
  if (word.starts_with("-")) return options(*command);
  if (command->get_name() == "help") return commands(program);
  Candidates found;
  if (command->get_name() == "completion") return found.add(shells);
  found.files = true;
  return takes_robot(*command) && positionals(*command, line).empty() ? found.add(shipped_robots()) : found;
}

// Each script asks the program, or the one that THUD names, what may stand in the place of a word; bash knows commands
// and options by heart.
std::string bash_script(const CLI::App& program) {
  std::string commands, cases;
  for (const auto* command : program.get_subcommands(nullptr)) {
    commands += command->get_name() + " ";
    cases += fmt::format("    {}) options='{}' ;;\n", command->get_name(), long_options(*command));
  }
  return fmt::format(R"(# bash completion for thud; made by: thud completion bash
_thud() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options answer
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '{commands}{program}' -- "$word")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  answer=$("${{THUD:-${{COMP_WORDS[0]}}}}" __complete "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null | cut -f 1)
  mapfile -t COMPREPLY < <(compgen -W "${{answer%:files}}" -- "$word"; [[ $answer != *:files ]] || compgen -f -- "$word")
}}
complete -o filenames -F _thud thud
)",
                     fmt::arg("commands", commands), fmt::arg("cases", cases),
                     fmt::arg("program", long_options(program)));
}

// A file of zsh's function path, or to be sourced.
constexpr const char* zsh_script = R"zsh(#compdef thud
# zsh completion for thud; made by: thud completion zsh
_thud() {
  local line files
  local -a found
  for line in "${(@f)$("${THUD:-$words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=yes ;;
      *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) found+=("${line//:/\\:}") ;;
    esac
  done
  (( ! $#found )) || _describe thud found
  [[ -z $files ]] || _files
}
if [[ ${funcstack[1]} == _thud ]]; then _thud; else compdef _thud thud; fi
)zsh";

constexpr const char* fish_script = R"fish(# fish completion for thud; made by: thud completion fish
function __thud_complete
  set -l words (commandline -opc) "$(commandline -ct)"
  set -l program $THUD $words[1]
  for line in ($program[1] __complete $words[2..-1] 2>/dev/null)
    if test $line = :files
      __fish_complete_path "$(commandline -ct)"
    else
      echo $line
    end
  end
end
complete -c thud -f -a '(__thud_complete)'
)fish";

}  // namespace

void print_candidates(const CLI::App& program, const std::vector<std::string>& line) {
  const auto found = candidates(program, line);
  for (const auto& [word, meaning] : found.words)
    std::printf("%s%s%s\n", word.c_str(), meaning.empty() ? "" : "\t", meaning.c_str());
  if (found.files) std::puts(":files");
}

void add_completion(CLI::App& program) {
  auto* command = program.add_subcommand("completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer("Example:\n  source <(thud completion bash)");
  command->callback([&program, shell] {
    const std::map<std::string, std::string> scripts{
        {"bash", bash_script(program)}, {"zsh", zsh_script}, {"fish", fish_script}};
    const auto script = scripts.find(*shell);
    if (script == scripts.end()) throw InputError("SHELL", *shell, "must be bash, zsh or fish");
    std::fputs(script->second.c_str(), stdout);
  });
}

}  // namespace thud::cli
