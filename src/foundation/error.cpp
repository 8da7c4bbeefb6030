#include <thud/error.hpp>
#include <thud/run.hpp>

#include <charconv>
#include <utility>

namespace THUD_EXPORT thud {

Error::Error(std::string argument, std::string value, std::string rule)
    : std::runtime_error(argument + ": " + value + ": " + rule),
      argument_(std::move(argument)),
      value_(std::move(value)),
      rule_(std::move(rule)) {}

Error::Error(std::string argument, double value, std::string rule)
    : Error(std::move(argument), to_text(value), std::move(rule)) {}

Interrupted::Interrupted() : std::runtime_error("stopped before the end") {}

std::string to_text(double value) {
  char text[32];  // the shortest round-trip form of a double has at most 24 characters
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string to_text(double value, int digits) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  return error == std::errc() ? std::string(text, end) : to_text(value);
}

}  // namespace thud
