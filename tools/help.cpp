#include <thud/error.hpp>

#include <cstdio>
#include <memory>
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

std::string command_manual(const CLI::App& command) {
  std::string text =
      fmt::format(".SS \"thud {}\"\n{}\n", escaped(command.get_name()), escaped(command.get_description()));
  for (const auto* option : command.get_options())
    if (option != command.get_help_ptr()) text += option_manual(*option);
  const std::string title = "Example:\n", footer = command.get_footer();
  return text + fmt::format(".PP\n{}.EX\n{}\n.EE\n", title, escaped(footer.substr(footer.find(title) + title.size())));
}

// The manual page of the program, made of the help of its commands.
std::string manual(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH THUD 1 \"\" \"thud {}\" \"User Commands\"\n.SH NAME\nthud \\- impacts of robot arms: predicted, and learnt "
      "from "
      "measured force\n.SH SYNOPSIS\n.B thud\n.I COMMAND\n[\\,\\fIARGUMENTS\\fR\\/]\n.SH DESCRIPTION\n{}\n",
      escaped(THUD_VERSION), escaped(program.get_description()));
  text +=
      ".PP\nWith \\fB\\-\\-json\\fR a command prints one JSON object, otherwise a table for people. With "
      "\\fB\\-\\-help\\fR it says what it takes.\n.SH COMMANDS\n";
  for (const auto* command : program.get_subcommands(nullptr)) text += command_manual(*command);
  text +=
      ".SH ENVIRONMENT\n.TP\n.B THUD_PYTHON\nthe Python that reads logs and asks clusters, instead of the one beside "
      "the "
      "program or the first on the PATH\n.TP\n.B THUD\nthe program that the completion scripts ask, instead of the one "
      "on "
      "the line\n.TP\n.BR DISPLAY \", \" WAYLAND_DISPLAY\nwithout either, thud studio opens no "
      "browser\n.TP\n.B THUD_STUDIO_PAGE\na file with the page that thud studio serves, instead of its own: for work "
      "on "
      "that page\n.TP\n.B HOME\nwhat ~ stands for where a robot is named on a line that is completed\n";
  return text +
         ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input was fine, but there is no answer\n.TP\n2\nmisuse or bad "
         "input: one line on standard error says what, its value, and the rule\n";
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
