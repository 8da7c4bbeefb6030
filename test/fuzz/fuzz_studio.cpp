/// Any text of a request is an object whose options a command takes, or an InputError that says in one line what is
/// wrong with it; what is taken is what the text says. The first byte chooses between options and who asks: no visitor
/// without the token comes through the gate.

#include <string>
#include <string_view>

#include "studio/gate.hpp"
#include "studio/request.hpp"
#include "target.hpp"

namespace {

using thud::cli::Visitor;

struct Options {
  std::string robot, q, object_mass;
  bool clamped = false;
};

void add_options(CLI::App& command, Options& options) {
  command.add_option("ROBOT", options.robot)->required();
  command.add_option("--q", options.q)->required();
  command.add_option("--object-mass", options.object_mass);
  command.add_flag("--clamped", options.clamped);
}

bool takes_request(std::string_view text) {
  try {
    const auto request = thud::cli::parse_request(text);
    promise(request.is_object());
    thud::cli::with_arguments(add_options, request, [&](const Options& options) {
      promise(!options.robot.empty() && options.robot.front() != '-' && !options.q.empty());
      promise(request.at("robot").is_array() || request["robot"].is_number() || options.robot == request["robot"]);
      promise(options.clamped == (request.contains("clamped") && request["clamped"] == true));
      promise(options.object_mass.empty() == (!request.contains("object-mass") || request["object-mass"].is_null()));
      for (const auto& [key, value] : request.items())
        promise(key == "robot" || key == "q" || key == "object-mass" || key == "clamped");
    });
    return true;
  } catch (const thud::InputError& error) {
    promise(!error.argument().empty());
    check_message(error, "");
    return false;
  }
}

// A line each: host, origin, site, cookie, token.
bool lets_in(std::string_view text) {
  const thud::cli::Gate gate(8080, "0123456789abcdef0123456789abcdef");
  Visitor visitor;
  for (std::string* field : {&visitor.host, &visitor.origin, &visitor.fetch_site, &visitor.cookie, &visitor.token}) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    *field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (gate.judge(visitor) != thud::cli::Entry::open) return false;
  promise(visitor.host == "127.0.0.1:8080" || visitor.host == "localhost:8080");
  promise(visitor.origin.empty() || visitor.origin == "http://" + visitor.host);
  promise(visitor.token == gate.token() || visitor.cookie.find("thud_8080=" + gate.token()) != std::string::npos);
  return true;
}

}  // namespace

bool takes(std::string_view text) {
  return text.starts_with('@') ? lets_in(text.substr(1)) : takes_request(text);
}
