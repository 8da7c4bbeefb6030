#include <thud/aim.hpp>
#include <thud/contact.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/error.hpp>
#include <thud/impact.hpp>
#include <thud/inertia.hpp>
#include <thud/map.hpp>
#include <thud/robot.hpp>
#include <thud/translate.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// The robot that the line names. None if it cannot be read: the command itself will say why.
std::optional<Robot> robot_of(const CLI::App& command, const std::vector<std::string>& line) {
  std::string robot;
  const auto given = positionals(command, line);
  if (takes_robot(command) && !given.empty()) robot = given.front();
  for (std::size_t i = 1; i + 1 < line.size(); ++i)
    if (line[i] == "--robot") robot = line[i + 1];
  // what the shell will do when the line is run
  if (const char* home = std::getenv("HOME"); home && robot.starts_with("~/")) robot.replace(0, 1, home);
  try {
    if (!robot.empty()) return named_robot(robot);
  } catch (const Error&) {
  }
  return std::nullopt;
}

std::vector<std::string> frames(const std::optional<Robot>& robot) {
  std::vector<std::string> names;
  if (robot)
    for (const auto& frame : robot->frames()) names.push_back(frame.name);
  return names;
}

// Of joint=value,...; none behind a list of numbers alone.
std::vector<std::string> joint_keys(const std::optional<Robot>& robot, const std::string& before) {
  std::vector<std::string> keys;
  if (robot && (before.empty() || before.find('=') != std::string::npos))
    for (const auto& joint : robot->joints()) keys.push_back(joint.name + "=");
  return keys;
}

template <typename Values>
std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  names.reserve(std::size(values));
  for (const auto value : values) names.emplace_back(to_string(value));
  return names;
}

// Of LAW,parameter=value,...: a law, and its parameters behind it.
std::vector<std::string> wall_words(const std::string& before) {
  std::vector<std::string> keys;
  if (before.empty())
    for (const std::string& law : names_of(all_laws)) keys.push_back(law + ",");
  if (auto law = law_from_name(before.substr(0, before.find(','))))
    for (const auto& [name, value] : law_parameters(*law)) keys.push_back(std::string(name) + "=");
  return keys;
}

// The words that an option takes and no others; a list of them, after commas, where it is of several.
std::vector<std::string> fixed_values(const std::string& command, const std::string& option) {
  const auto with = [](std::vector<std::string> names, const char* other) {
    names.emplace_back(other);
    return names;
  };
  if (option == "--law") return command == "fit" ? with(names_of(all_laws), "all") : names_of(all_laws);
  if (option == "--model") return with(names_of(all_inertia_models), "cautious");
  if (option == "--restitution-kind") return names_of(all_restitution_kinds);
  if (option == "--maximize" || option == "--minimize") return names_of(all_aim_quantities);
  if (option == "--orientation") return {"free", "tool-along-normal", "fixed"};
  if (option == "--quantity") return names_of(all_map_quantities);
  if (option == "--body") return shipped_bodies();
  if (option == "--servo") return {"off"};
  if (option == "--free") return names_of(all_drive_parameters);
  if (option == "--force-axis") return {"x", "y", "z", "-x", "-y", "-z", "norm", "normal"};
  if (option == "--kind") return {"robot", "drives", "limits"};
  if (option == "--to" && command == "translate") return names_of(all_simulators);
  return {};
}

// Whether an option takes a path, be it beside something else.
bool takes_path(const std::string& command, const std::string& option) {
  constexpr std::string_view paths[] = {"--out",    "--csv",    "--plot", "--report", "--robot",    "--compare",
                                        "--drives", "--limits", "--fit",  "--tls-ca", "--tls-cert", "--tls-key"};
  return std::ranges::find(paths, option) != std::end(paths) || (command == "fit" && option == "--speed");
}

// The names that ship of what an option takes; a file will do as well.
std::vector<std::string> shipped_values(const std::string& option) {
  if (option == "--robot" || option == "--compare") return shipped_robots();
  for (const auto& [kind, names] : shipped_settings())
    if (option == "--" + kind) return names;
  return {};
}

Candidates values(const CLI::App& command, const std::string& option, const std::vector<std::string>& line,
                  const std::string& word) {
  Candidates found;
  if (option == "--frame") return found.add(frames(robot_of(command, line)));
  constexpr std::string_view lists[] = {"--compare", "--free", "--wall"};
  constexpr std::string_view of_joints[] = {"--q", "--dq", "--lock"};
  const bool joints = std::ranges::find(of_joints, option) != std::end(of_joints);
  const bool list = joints || std::ranges::find(lists, option) != std::end(lists);
  const std::string before = list ? word.substr(0, word.rfind(',') + 1) : "";
  const auto fixed = joints               ? joint_keys(robot_of(command, line), before)
                     : option == "--wall" ? wall_words(before)
                                          : fixed_values(command.get_name(), option);
  for (const std::string& name : fixed.empty() ? shipped_values(option) : fixed) {
    const std::string whole = name.ends_with('=') ? name : name + ",";
    if (("," + before).find("," + whole) == std::string::npos)  // not once more
      found.words.emplace_back(before + name, "");
  }
  found.files = takes_path(command.get_name(), option) && before.empty();
  return found;
}

Candidates options(const CLI::App& command) {
  Candidates found;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    for (const auto& name : option->get_lnames()) found.words.emplace_back("--" + name, option->get_description());
  }
  return found;
}

Candidates commands(const CLI::App& program) {
  Candidates found;
  for (const auto* command : program.get_subcommands(nullptr))
    found.words.emplace_back(command->get_name(), command->get_description());
  return found;
}

// The words of a line, `--option=value` as two.
std::vector<std::string> parted(const CLI::App& command, const std::vector<std::string>& line) {
  std::vector<std::string> words;
  for (const std::string& word : line) {
    const auto sign = word.find('=');
    if (sign != std::string::npos && asks_value(command, word.substr(0, sign))) {
      words.push_back(word.substr(0, sign));
      words.push_back(word.substr(sign + 1));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// What may stand in the place of the last word of a line that begins with the command. Of `--option=value` it is the
// value.
Candidates candidates(const CLI::App& program, std::vector<std::string> line) {
  const auto* command = line.size() < 2 ? nullptr : command_of(program, line.front());
  if (command) line = parted(*command, line);
  const std::string word = line.empty() ? "" : line.back();
  if (!line.empty()) line.pop_back();
  if (line.empty()) return word.starts_with("-") ? options(program) : commands(program);
  if (!command) return {};
  if (line.size() > 1 && asks_value(*command, line.back())) return values(*command, line.back(), line, word);
  if (word.starts_with("-")) return options(*command);
  if (command->get_name() == "help") return commands(program);
  Candidates found;
  if (command->get_name() == "completion") return found.add(shells);
  found.files = true;
  return takes_robot(*command) && positionals(*command, line).empty() ? found.add(shipped_robots()) : found;
}

// Each script asks the program, or the one that THUD names, what may stand in the place of a word: a line each, and
// ":files". What the program says may come from anybody's file: no shell may expand it, now or when the line is run.

constexpr const char* bash_script = R"bash(# bash completion for thud; made by: thud completion bash
# The words of the line up to the cursor as the program is given them: bash has them with their quotes, and breaks them at
# = and : too. What it will replace of the last one begins behind `head`, at the last such break or the open quote.
_thud_words() {
  local line=${COMP_LINE:0:COMP_POINT} word= begun= i each
  words=() head= quote=
  for ((i = 0; i < ${#line}; ++i)); do
    each=${line:i:1}
    case $quote$each in
      [[:blank:]]) [[ -z $begun ]] || words+=("$word"); word= begun= head= ;;
      [\'\"]) quote=$each begun=yes head=$word ;;
      \'\' | \"\") quote= ;;
      \\ | \"\\) ((++i)); word+=${line:i:1} begun=yes ;;
      *)
        word+=$each begun=yes
        [[ -n $quote || $COMP_WORDBREAKS != *"$each"* ]] || head=$word
        ;;
    esac
  done
  words+=("$word")
}
_thud() {
  local words head quote option= each
  _thud_words
  local word=${words[-1]}
  [[ $word != --*=* ]] || option=${word%%=*}=
  COMPREPLY=()
  while IFS=$'\t' read -r each _; do
    if [[ $each == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r each; do
        each=$option$each
        COMPREPLY+=("${each#"$head"}")
      done < <(compgen -f -- "${word#"$option"}")
    else
      each=$option$each
      [[ $each == "$word"* ]] || continue
      each=${each#"$head"}
      [[ $each != *[=,] ]] || compopt -o nospace 2>/dev/null
      if [[ $each == *[^[:alnum:]_./,:=+-]* ]]; then
        [[ -z $quote ]] || continue
        printf -v each %q "$each"
      fi
      COMPREPLY+=("$each")
    fi
  done < <("${THUD:-${COMP_WORDS[0]}}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -F _thud thud
)bash";

// A file of zsh's function path, or to be sourced.
constexpr const char* zsh_script = R"zsh(#compdef thud
# zsh completion for thud; made by: thud completion zsh
_thud() {
  local line files
  local -a found bare
  for line in "${(@f)$("${THUD:-$words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=yes ;;
      *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *[=,]) found+=("${line//:/\\:}") bare=(-S '') ;;
      *) found+=("${line//:/\\:}") ;;
    esac
  done
  compset -P '--[^=]#='
  (( ! $#found )) || _describe thud found "${bare[@]}"
  [[ -z $files ]] || _files
}
if [[ ${funcstack[1]} == _thud ]]; then
  _thud
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _thud thud
fi
)zsh";

constexpr const char* fish_script = R"fish(# fish completion for thud; made by: thud completion fish
function __thud_complete
  set -l words (commandline -opc) "$(commandline -ct)"
  set -l program $THUD $words[1]
  set -l option (string match -r -- '^--[^=]+=' $words[-1])
  set -l value (string replace -r -- '^--[^=]+=' '' $words[-1])
  for line in ($program[1] __complete $words[2..-1] 2>/dev/null)
    if test "$line" = :files
      for path in (__fish_complete_path "$value")
        echo "$option$path"
      end
    else
      echo "$option$line"
    end
  end
end
complete -c thud -f -a '(__thud_complete)'
)fish";

}  // namespace

void print_candidates(const CLI::App& program, const std::vector<std::string>& line) {
  const auto found = candidates(program, line);
  for (const auto& [word, meaning] : found.words)
    if (printable(word) == word)  // others no terminal should be shown, nor could they be typed
      std::printf("%s%s%s\n", word.c_str(), meaning.empty() ? "" : "\t", meaning.c_str());
  if (found.files) std::puts(":files");
}

void add_completion(CLI::App& program) {
  auto* command = program.add_subcommand("completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer("Example:\n  source <(thud completion bash)");
  command->callback([shell] {
    const std::map<std::string, std::string> scripts{{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    const auto script = scripts.find(*shell);
    if (script == scripts.end()) throw InputError("SHELL", *shell, "must be bash, zsh or fish");
    std::fputs(script->second.c_str(), stdout);
  });
}

}  // namespace thud::cli
