// Any bytes: a plan of a sweep, or a refusal that names the file. What is accepted comes back from its own text.

#include <thud/sweep.hpp>

#include "target.hpp"

bool takes(std::string_view text) {
  const auto formatted = [](std::string_view plan) {
    return thud::format_sweep(thud::parse_sweep(plan, "fuzz.toml", "/nowhere"));
  };
  std::string written;
  try {
    written = formatted(text);
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.toml");
    return false;
  }
  promise(formatted(written) == written);
  return true;
}
