#pragma once

/// From the words of the command line to numbers, and from numbers to JSON.

#include <thud/contact.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
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

/// Memory in GiB, > 0, as bytes.
std::uint64_t gibibytes(const std::string& option, const std::string& text);

/// Comma-separated finite numbers.
VectorX numbers(const std::string& option, const std::string& text);

/// Three comma-separated finite numbers.
Vector3 vector3(const std::string& option, const std::string& text);

/// One value per joint: comma-separated numbers in the robot's order, or joint=value pairs with the others 0.
VectorX joint_values(const std::string& option, const std::string& text, const Robot& robot);

/// joint=value pairs, each joint once.
std::map<std::string, double> named_values(const std::string& option, const std::string& text);

/// How much URDF is accepted, with the number of moving joints that --max-joints gives.
UrdfLimits urdf_limits(const std::string& max_joints);

/// A contact law by its name.
LawKind law_kind(const std::string& option, const std::string& name);

/// The words between commas.
std::vector<std::string> words(const std::string& text);

/// A number, or null for what does not exist.
Json json(double value);

/// A list of numbers.
Json json(const VectorRef& values);

/// Text of a file, such as a name, as it may stand in a line on a terminal: control characters are written \x1b.
std::string printable(const std::string& text);

/// How wide a column of texts must be, with two spaces after the longest; at least `least`.
std::size_t column_width(const std::vector<std::string>& texts, std::size_t least);

/// Writes the one JSON object of --json to standard output.
void print(const Json& object);

}  // namespace thud::cli
