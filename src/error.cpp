#include <thud/error.hpp>

#include <charconv>
#include <utility>

namespace thud {

Error::Error(std::string argument, std::string value, std::string rule)
    : std::runtime_error(argument + ": " + value + ": " + rule),
      argument_(std::move(argument)),
      value_(std::move(value)),
      rule_(std::move(rule)) {}

Error::Error(std::string argument, double value, std::string rule)
    : Error(std::move(argument), to_text(value), std::move(rule)) {}

std::string to_text(double value) {
  char text[32];  // the longest shortest form of a double has 24 characters
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace thud
