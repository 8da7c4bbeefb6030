#include "arguments.hpp"

#include <thud/error.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>

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

std::uint64_t whole_number(const std::string& option, const std::string& text) {
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0)
    throw InputError(option, "'" + text + "'", "must be a whole number from 0 to 9223372036854775807");
  return static_cast<std::uint64_t>(value);
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
  std::vector<bool> given(static_cast<std::size_t>(robot.size()));
  for (const auto& pair : words(text)) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw InputError(option, pair, "must be joint=value, as the others are");
    const int joint = robot.joint_index(pair.substr(0, equals));
    if (given[static_cast<std::size_t>(joint)]) throw InputError(option, pair, "names that joint twice");
    given[static_cast<std::size_t>(joint)] = true;
    values[joint] = number(option, pair.substr(equals + 1));
  }
  return values;
}

LawKind law_kind(const std::string& option, const std::string& name) {
  if (const auto law = law_from_name(name)) return kind_of(*law);
  throw InputError(option, name, "must be " + law_names());
}

Json json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json(const VectorRef& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json(value));
  return list;
}

std::string mark(std::string_view command) {
  return "# thud " + std::string(command) + " " THUD_VERSION "\n";
}

void print(const Json& object) {
  // names may come from any URDF: replace invalid UTF-8 rather than fail
  const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace thud::cli
