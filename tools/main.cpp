#include <thud/error.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "command.hpp"

namespace {

int refuse(const std::string& message) {
  std::string line = "thud: " + message;
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  std::fprintf(stderr, "%s\n", line.c_str());
  return 2;
}

// What CLI11 found wrong with the words themselves, in thud's form: what, value, rule.
int refuse(const CLI::App& program, const CLI::ParseError& error) {
  const auto named = program.get_subcommands();
  const std::string command = named.empty() ? "thud" : "thud " + named.front()->get_name();
  const std::string see = " (see " + command + " --help)";
  const std::string text = error.what();
  const std::string tail = text.substr(text.rfind(": ") == std::string::npos ? 0 : text.rfind(": ") + 2);
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError: return refuse("argument: " + tail + ": not known to " + command + see);
    case CLI::ExitCodes::RequiredError: {
      const std::string what = text.substr(0, text.find(" is required"));
      return refuse((named.empty() ? "command" : what) + ": missing: " + command + " needs it" + see);
    }
    default: return refuse("arguments: " + text + ": not what " + command + " takes" + see);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program{"Predicts what happens when a stiffly controlled robot arm hits something, and learns the contact from "
                   "measured force. SI units throughout.",
                   "thud"};
  program.set_version_flag("--version", std::string("thud ") + THUD_VERSION);
  program.set_help_flag("-h,--help", "Show this and exit");
  program.footer("Example:\n  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot "
                 "--offset 0,0,0.0223 --normal -1,0,0");
  program.require_subcommand(1);
  thud::cli::add_predict(program);
  thud::cli::add_info(program);
  thud::cli::add_completion(program);
  std::string topic;
  auto* help = program.add_subcommand("help", "Show the help of a command");
  help->footer("Example:\n  thud help predict");
  help->add_option("COMMAND", topic, "One of the commands");
  help->callback([&] {
    const CLI::App* subject = topic.empty() ? &program : nullptr;
    for (const auto* command : program.get_subcommands(nullptr))
      if (command->get_name() == topic) subject = command;
    if (!subject) throw thud::InputError("COMMAND", topic, "not a command of thud (see thud --help)");
    std::fputs(subject->help("thud").c_str(), stdout);
  });

  try {
    // CLI11 would call an unknown command a missing one
    const std::string first = argc > 1 ? argv[1] : "--help";
    const bool known = !program.get_subcommands([&](const CLI::App* each) { return each->get_name() == first; }).empty();
    if (!known && first != "-h" && first != "--help" && first != "--version")
      throw thud::InputError("command", first, "not a command of thud (see thud --help)");
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& done) {  // --help, --version
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error);
  } catch (const thud::cli::NoAnswer& none) {
    std::fprintf(stderr, "thud: %s\n", none.what());
    return 1;
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
