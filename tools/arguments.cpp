#include "arguments.hpp"

#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace thud::cli {

double number(const std::string& option, const std::string& text) {
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value))
    throw InputError(option, "'" + text + "'", "must be a finite number");
  return value;
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::int64_t most) {
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0)
    throw InputError(option, "'" + text + "'", fmt::format("must be a whole number from 0 to {}", most));
  if (value > most) throw InputError(option, text, fmt::format("must be from 0 to {}", most));
  return static_cast<std::uint64_t>(value);
}

void add_jobs(CLI::App& command, int& jobs, const std::string& help) {
  const auto read = [&jobs](const std::string& text) {
    if (text.starts_with('-')) throw InputError("--jobs", text, "must not be negative");
    jobs = static_cast<int>(whole_number("--jobs", text, std::numeric_limits<int>::max()));
  };
  command.add_option_function<std::string>("--jobs", read, help)->type_name("INT");
}

std::uint64_t memory_limit(const std::string& text) {
  if (text.empty()) return default_dataset_memory;
  const double value = number("--memory", text);
  if (value <= 0 || value > 1e6) throw InputError("--memory", text, "must be > 0 and at most 1e6 GiB");
  return static_cast<std::uint64_t>(value * 1024 * 1024 * 1024);
}

std::string memory_help() {
  return fmt::format("Memory that a dataset's numbers may take [GiB]; {} without it", default_dataset_memory >> 30U);
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result{""};
  for (const char c : text) {
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

VectorX numbers(const std::string& option, const std::string& text) {
  const auto parts = words(text);
  VectorX values(static_cast<Eigen::Index>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) values[static_cast<Eigen::Index>(i)] = number(option, parts[i]);
  return values;
}

Vector3 vector3(const std::string& option, const std::string& text) {
  const VectorX values = numbers(option, text);
  if (values.size() != 3) throw InputError(option, text, "must be three numbers X,Y,Z");
  return values;
}

VectorX joint_values(const std::string& option, const std::string& text, const Robot& robot) {
  if (text.find('=') == std::string::npos) {
    VectorX values = numbers(option, text);
    if (values.size() != robot.size())
      throw InputError(option, std::to_string(values.size()) + " values",
                       robot.name() + " needs " + std::to_string(robot.size()) + ", one per joint");
    return values;
  }
  VectorX values = VectorX::Zero(robot.size());
  for (const auto& [joint, value] : named_values(option, text, "joint")) values[robot.joint_index(joint)] = value;
  return values;
}

std::map<std::string, double> named_values(const std::string& option, const std::string& text, const char* noun) {
  std::map<std::string, double> values;
  for (const auto& pair : words(text)) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw InputError(option, pair, fmt::format("must be {}=value", noun));
    if (!values.emplace(pair.substr(0, equals), number(option, pair.substr(equals + 1))).second)
      throw InputError(option, pair, fmt::format("names that {} twice", noun));
  }
  return values;
}

UrdfLimits urdf_limits(const std::string& max_joints, const std::string& max_size) {
  UrdfLimits limits;
  if (!max_joints.empty()) limits.joints = whole_number("--max-joints", max_joints);
  if (!max_size.empty()) limits.bytes = whole_number("--max-size", max_size);
  return limits;
}

std::string max_joints_help() {
  return fmt::format("Most moving joints of a URDF; {} without it", UrdfLimits{}.joints);
}

std::string max_size_help() {
  return fmt::format("Longest file that is read [bytes]; without it {} GiB of a record, {} MiB of a URDF",
                     max_file_size >> 30U, UrdfLimits{}.bytes >> 20U);
}

LawKind law_kind(const std::string& option, const std::string& name) {
  if (const auto law = law_from_name(name)) return kind_of(*law);
  throw InputError(option, name, "must be " + law_names());
}

const CLI::Option* asks_value(const CLI::App& command, const std::string& word) {
  const auto* option = word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
  return option && option->get_items_expected_max() > 0 ? option : nullptr;
}

std::string option_name(const CLI::App& command, const std::string& argument) {
  std::string option = "--" + argument;
  std::replace(option.begin(), option.end(), '_', '-');
  return command.get_option_no_throw(option) ? option : argument;
}

Json json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double six_digits(double value) {
  return std::isfinite(value) ? number("", to_text(value, 6)) : value;
}

Json json(const VectorRef& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json(value));
  return list;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::size_t column_width(const std::vector<std::string>& texts, std::size_t least) {
  const auto length = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
  };
  for (const std::string& text : texts) least = std::max(least, static_cast<std::size_t>(length(text)) + 2);
  return least;
}

void print(const Json& object) {
  // names may come from any URDF: replace invalid UTF-8 rather than fail
  const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace thud::cli
