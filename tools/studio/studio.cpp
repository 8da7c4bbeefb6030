#include "studio.hpp"

#include <thud/error.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "../arguments.hpp"
#include "server.hpp"

extern char** environ;

namespace thud::cli {
namespace {

struct StudioArguments {
  std::string subject, port = "0";
  bool no_browser = false, json = false;
};

int port_of(const std::string& text) {
  return static_cast<int>(whole_number("--port", text, 65535));
}

// The desktop's own way to open an address; none where there is no desktop.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", argument = address;
  char* const words[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // it hears signals again, but not the Ctrl-C that ends this program
  posix_spawnattr_t own;
  posix_spawnattr_init(&own);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&own, &none);
  posix_spawnattr_setpgroup(&own, 0);
  posix_spawnattr_setflags(&own, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  posix_spawnp(&process, words[0], &quiet, &own, words, environ);
  posix_spawnattr_destroy(&own);
  posix_spawn_file_actions_destroy(&quiet);
}

void run_studio(const StudioArguments& arguments) {
  const int port = port_of(arguments.port);
  Opened opened;
  const std::string subject = arguments.subject.empty() ? "" : opened.open(arguments.subject);

  // before there is any thread, so that this one alone hears of them
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  Service service(opened, subject);
  Server server(service);
  server.bind(port);
  std::thread listening([&] { server.listen(); });
  if (arguments.json)
    print({{"address", server.address()}, {"port", server.port()}, {"warnings", Json::array()}});
  else
    std::printf("%s\n", server.address().c_str());
  std::fflush(stdout);
  if (!arguments.no_browser) open_browser(server.address());
  int signal = 0;
  sigwait(&ends, &signal);
  // at once, whatever is computed: there is nothing that would be lost
  std::_Exit(0);
}

}  // namespace

void add_studio(CLI::App& program) {
  auto* command =
      program.add_subcommand("studio", "See a hit before it happens: robot, records, maps, studies in the browser");
  auto arguments = std::make_shared<StudioArguments>();
  command->add_option("SUBJECT", arguments->subject,
                      "What to begin with: a robot (shipped name, URDF or MJCF file), a dataset or a record");
  command->add_option("--port", arguments->port, "Port of this machine; 0, and without it, a free one");
  command->add_flag("--no-browser", arguments->no_browser, "Print the address and open nothing");
  command->add_flag("--json", arguments->json, "Print the address as one JSON object");
  command->footer(
      "Serves this machine alone, and only whoever has the printed address. Ctrl-C ends it.\n"
      "Example:\n  thud studio panda");
  command->callback([arguments] { run_studio(*arguments); });
}

}  // namespace thud::cli
