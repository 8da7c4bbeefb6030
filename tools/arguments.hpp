#pragma once

/// From the words of the command line to numbers, and from numbers to JSON.

#include <thud/contact.hpp>
#include <thud/robot.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace thud::cli {

/// Keeps the keys in the order in which docs/command_line.md shows them.
using Json = nlohmann::ordered_json;

/// A finite number. Throws InputError naming the option and the text.
double number(const std::string& option, const std::string& text);

/// A whole number from 0 to 2^63 - 1, the range of integers in a campaign file.
std::uint64_t whole_number(const std::string& option, const std::string& text);

/// Comma-separated finite numbers.
VectorX numbers(const std::string& option, const std::string& text);

/// Three comma-separated finite numbers.
Vector3 vector3(const std::string& option, const std::string& text);

/// One value per joint: comma-separated numbers in the robot's order, or joint=value pairs with the others 0.
VectorX joint_values(const std::string& option, const std::string& text, const Robot& robot);

/// A contact law by its name.
LawKind law_kind(const std::string& option, const std::string& name);

/// The words between commas.
std::vector<std::string> words(const std::string& text);

/// A number, or null for what does not exist.
Json json(double value);

/// A list of numbers.
Json json(const VectorRef& values);

/// The first line of what a command writes as CSV, `# thud fit 0.2.0`, by which thud knows its own files again.
std::string mark(std::string_view command);

/// Writes the one JSON object of --json to standard output.
void print(const Json& object);

}  // namespace thud::cli
