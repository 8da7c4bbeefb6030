#pragma once

/// From the words of the command line to numbers, and from numbers to JSON.

#include <thud/contact.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace thud::cli {

/// Keeps the keys in the order in which docs/command_line.md shows them.
using Json = nlohmann::ordered_json;

/// A finite number. Throws InputError naming the option and the text.
double number(const std::string& option, const std::string& text);

/// A whole number from 0 to `most`: 2^63 - 1 ends the range of integers in a campaign file.
std::uint64_t whole_number(const std::string& option, const std::string& text,
                           std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Adds --jobs: how many threads.
void add_jobs(CLI::App& command, int& jobs, const std::string& help);

/// What a dataset's numbers may take by --memory, in GiB, > 0, as bytes; an empty text is the default.
std::uint64_t memory_limit(const std::string& text);
std::string memory_help();

/// Comma-separated finite numbers.
VectorX numbers(const std::string& option, const std::string& text);

/// Three comma-separated finite numbers.
Vector3 vector3(const std::string& option, const std::string& text);

/// One value per joint: comma-separated numbers in the robot's order, or joint=value pairs with the others 0.
VectorX joint_values(const std::string& option, const std::string& text, const Robot& robot);

/// Pairs of a name and a value, `joint=value` where the noun is "joint", each name once.
std::map<std::string, double> named_values(const std::string& option, const std::string& text, const char* noun);

/// How much URDF is accepted: the options --max-joints and --max-size, where they are not empty.
UrdfLimits urdf_limits(const std::string& max_joints, const std::string& max_size);

/// Their help.
std::string max_joints_help();
std::string max_size_help();

/// A robot by its shipped name or its file: URDF, or MJCF where the program is built with the virtual lab.
Robot named_robot(const std::string& name_or_path, const UrdfLimits& limits = {});

/// A contact law by its name.
LawKind law_kind(const std::string& option, const std::string& name);

/// The words between commas.
std::vector<std::string> words(const std::string& text);

/// A number, or null for what does not exist.
Json json(double value);

/// A number with six significant digits, as tables have it: of what is measured, not computed with.
double six_digits(double value);

/// The option that a word names and that takes a value; null where there is none.
const CLI::Option* asks_value(const CLI::App& command, const std::string& word);

/// What the library calls "contact" is --contact to whoever gave that option.
std::string option_name(const CLI::App& command, const std::string& argument);

/// A list of numbers.
Json json(const VectorRef& values);

/// "1 joint", "2 joints".
std::string counted(std::size_t count, std::string_view noun);

/// How wide a column of texts must be, with two spaces after the longest; at least `least`.
std::size_t column_width(const std::vector<std::string>& texts, std::size_t least);

/// Writes the one JSON object of --json to standard output.
void print(const Json& object);

}  // namespace thud::cli
