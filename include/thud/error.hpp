#pragma once

#include <thud/export.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace THUD_EXPORT thud {

/// Somebody else's text, such as a name, as it may stand in a line: control characters are written \x1b or \u202e.
std::string printable(std::string_view text);

/// What was wrong with an input: which argument, the value it had, the rule it broke; each printable, whatever was in
/// the input. what() reads "argument: value: rule".
class Error : public std::runtime_error {
 public:
  Error(const std::string& argument, const std::string& value, const std::string& rule);
  Error(const std::string& argument, double value, const std::string& rule);

  const std::string& argument() const noexcept { return argument_; }
  const std::string& value() const noexcept { return value_; }
  const std::string& rule() const noexcept { return rule_; }

 private:
  std::string argument_, value_, rule_;
};

/// A number, vector or option outside its domain.
class InputError : public Error {
 public:
  using Error::Error;
};

/// A robot description that cannot be used, or a name that the robot does not have.
class RobotError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read, written or understood.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A simulated plant that became unstable: the input was valid, but there is no answer to it.
class PlantError : public Error {
 public:
  using Error::Error;
};

/// The shortest decimal text that reads back as the same number, or one with `digits` significant digits.
std::string to_text(double value);
std::string to_text(double value, int digits);

}  // namespace thud
