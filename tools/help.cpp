#include <thud/error.hpp>

#include <cstdio>
#include <memory>
#include <span>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "command.hpp"

namespace thud::cli {
namespace {

// Text as troff shows it unchanged: a line that begins with a dot or a quote would be a request.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string option_manual(const CLI::Option& option) {
  std::string head = option.get_positional() ? italic(option.get_name()) : "";
  for (const auto& name : option.get_snames()) head += bold("-" + name) + ", ";
  for (const auto& name : option.get_lnames()) head += bold("--" + name) + ", ";
  if (head.ends_with(", ")) head.resize(head.size() - 2);
  if (!option.get_positional() && option.get_items_expected_max() > 0) head += " " + italic(option.get_type_name());
  return fmt::format(".TP\n{}{}\n{}\n", head, option.get_required() ? " (required)" : "",
                     escaped(option.get_description()));
}

// The words behind the options: paragraphs, and commands, which are set in by two blanks.
std::string footer_manual(const std::string& footer) {
  std::string text;
  bool commands = false;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const bool command = line.starts_with("  ");
    if (command != commands) text += command ? ".EX\n" : ".EE\n";
    if (!command) text += ".PP\n";
    text += escaped(line) + "\n";
    commands = command;
  }
  return text + (commands ? ".EE\n" : "");
}

std::string command_manual(const CLI::App& command) {
  std::string text =
      fmt::format(".SS \"thud {}\"\n{}\n", escaped(command.get_name()), escaped(command.get_description()));
  for (const auto* option : command.get_options())
    if (option != command.get_help_ptr() && !option->get_group().empty()) text += option_manual(*option);
  return text + footer_manual(command.get_footer());
}

struct Entry {
  const char* name;
  const char* meaning;
};

constexpr Entry environment[] = {
    {"THUD_PYTHON", "Python interpreter for logs and Dask clusters; without it the one beside the program, or on PATH"},
    {"THUD", "program that the completion scripts ask, in place of the one on the line"},
    {"DISPLAY, WAYLAND_DISPLAY", "without either, thud studio opens no browser"},
    {"THUD_STUDIO_PAGE", "file with the page that thud studio serves, in place of its own: for work on that page"},
    {"HOME", "what ~ stands for in the name of a robot on a line that is being completed"},
};

constexpr Entry exit_status[] = {
    {"0", "done"},
    {"1", "the input was fine, but there is no answer"},
    {"2", "misuse or bad input: one line on standard error says what, its value, and the rule"},
};

std::string section(const char* title, std::span<const Entry> entries) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const auto& [name, meaning] : entries) text += fmt::format(".TP\n{}\n{}\n", bold(name), escaped(meaning));
  return text;
}

// The manual page of the program, made of the help of its commands.
std::string manual(const CLI::App& program) {
  std::string text = fmt::format(".TH THUD 1 \"\" \"thud {}\" \"User Commands\"\n", escaped(THUD_VERSION));
  text += ".SH NAME\nthud \\- impacts of robot arms: predicted, and learnt from measured force\n";
  text += ".SH SYNOPSIS\n.B thud\n.I COMMAND\n[\\,\\fIARGUMENTS\\fR\\/]\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n.PP\n{}\n.SH COMMANDS\n", escaped(program.get_description()),
                      escaped("With --json a command prints one JSON object, otherwise a table for people. With "
                              "--help it says what it takes."));
  for (const auto* command : program.get_subcommands(nullptr)) text += command_manual(*command);
  return text + section("ENVIRONMENT", environment) + section("EXIT STATUS", exit_status);
}

}  // namespace

void add_help(CLI::App& program) {
  struct Arguments {
    std::string topic;
    bool manual = false;
  };
  auto* command = program.add_subcommand("help", "Show the help of a command");
  auto arguments = std::make_shared<Arguments>();
  command->footer("Example:\n  thud help predict");
  auto* topic = command->add_option("COMMAND", arguments->topic, "One of the commands");
  command->add_flag("--man", arguments->manual, "Print the manual page of all commands, for man(1)")->excludes(topic);
  command->callback([&program, arguments] {
    if (arguments->manual) {
      std::fputs(manual(program).c_str(), stdout);
      return;
    }
    const CLI::App* subject = arguments->topic.empty() ? &program : nullptr;
    for (const auto* each : program.get_subcommands(nullptr))
      if (each->get_name() == arguments->topic) subject = each;
    if (!subject) throw InputError("COMMAND", arguments->topic, "not a command of thud (see thud --help)");
    // not help(), which would delegate to the command that runs: this one
    const std::string name = subject == &program ? "thud" : "thud " + arguments->topic;
    std::fputs(subject->get_formatter()->make_help(subject, name, CLI::AppFormatMode::Normal).c_str(), stdout);
  });
}

}  // namespace thud::cli
