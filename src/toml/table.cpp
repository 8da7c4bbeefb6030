#include "toml/table.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>

#include "text/column_titles.hpp"

namespace thud::toml {
namespace {

/// A value as a user would write it, for messages; tables have no short form.
std::string display_text(const ::toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& each) {
    using Kind = std::decay_t<decltype(each)>;
    if constexpr (std::is_same_v<Kind, ::toml::table>) {
      text << "a table";
    } else if constexpr (std::is_same_v<Kind, ::toml::array>) {
      for (const auto& item : each) text << (text.tellp() == 0 ? "[" : ", ") << display_text(item);
      text << (text.tellp() == 0 ? "[]" : "]");
    } else if constexpr (std::is_same_v<Kind, ::toml::value<double>>) {
      text << to_text(each.get());
    } else if constexpr (std::is_same_v<Kind, ::toml::value<std::string>>) {
      text << each.get();
    } else {
      text << each;
    }
  });
  return text::printable(text.str());
}

std::optional<double> finite_number(const ::toml::node* node) {
  const auto value = node && node->is_number() ? node->value<double>() : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

[[noreturn]] void refuse_character(const std::string& file, std::size_t line) {
  throw FileError(file + ":" + std::to_string(line), "a character outside ASCII",
                  "must be between quotes, not after a backslash, or in a comment");
}

/// `text` may have other characters for some of the original's, one for each byte.
::toml::table parse(std::string_view text, std::string_view original, const std::string& file) {
  try {
    return ::toml::parse(text, file);
  } catch (const ::toml::parse_error& error) {
    const auto [line, column] = error.source().begin;
    std::size_t at = 0;
    for (std::size_t i = 1; i < line; ++i) at = original.find('\n', at) + 1;
    at += column - 1;
    if (text != original && at < original.size() && !is_ascii(original[at])) refuse_character(file, line);
    std::string what(error.description());
    std::ranges::replace_if(
        what, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    throw FileError(file + ":" + std::to_string(line), "not TOML", what);
  }
}

/// Refuses a character outside ASCII that is the first one after a line that ends in a backslash.
void require_ascii_after_joins(std::string_view text, const std::string& file) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", end);
    if (next == std::string_view::npos || is_ascii(text[next])) continue;
    const std::size_t last = text.substr(0, end).find_last_not_of(" \t\r");
    const std::size_t before = text.substr(0, last + 1).find_last_not_of('\\');  // npos: -1
    if ((last - before) % 2 == 1)
      refuse_character(file, 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, next), '\n')));
  }
}

}  // namespace

::toml::table parse_toml(const std::string& text, const std::string& file) {
  const std::string_view whole = std::string_view(text).substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (std::ranges::all_of(whole, is_ascii)) return parse(whole, whole, file);
  // Where toml++ 3.3 looks for blanks, it has undefined behaviour for some characters outside ASCII. In a text that it
  // has read with a '!' for each of them, which is valid in strings and comments alone, it looks for none there, except
  // at the beginning of a line that is joined to the one before.
  std::string ascii(whole);
  std::ranges::replace_if(
      ascii, [](char c) { return !is_ascii(c); }, '!');
  parse(ascii, whole, file);
  require_ascii_after_joins(whole, file);
  return parse(whole, whole, file);
}

Table::Table(const std::string& file, const ::toml::table& table, const std::vector<std::string_view>& keys)
    : file_(file), table_(table) {
  for (const auto& [key, node] : table) {
    if (std::ranges::find(keys, key.str()) != keys.end()) continue;
    std::string known;
    for (const auto name : keys) known.append(known.empty() ? "" : ", ").append(name);
    throw FileError(at(key.source().begin.line), text::printable(key.str()), "not a key here; known are " + known);
  }
}

std::size_t Table::line() const {
  return table_.source().begin.line;
}

std::size_t Table::line(std::string_view key) const {
  const auto* node = table_.get(key);
  return node ? node->source().begin.line : line();
}

bool Table::is_number(std::string_view key) const {
  const auto* node = table_.get(key);
  return node && node->is_number();
}

void Table::refuse(std::string_view key, const std::string& rule) const {
  const auto* node = table_.get(key);
  throw FileError(at(line(key)) + ": " + std::string(key), node ? display_text(*node) : "missing", rule);
}

std::string Table::text(std::string_view key) const {
  const auto* value = table_.get_as<std::string>(key);
  if (!value) refuse(key, "must be a text between quotes");
  return value->get();
}

double Table::number(std::string_view key) const {
  const auto value = finite_number(table_.get(key));
  if (!value) refuse(key, "must be a finite number");
  return *value;
}

double Table::number_or_nan(std::string_view key) const {
  return has(key) ? number(key) : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t Table::integer(std::string_view key, std::int64_t low, std::int64_t high) const {
  const auto* value = table_.get_as<std::int64_t>(key);
  if (!value || value->get() < low || value->get() > high)
    refuse(key, "must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return value->get();
}

VectorX Table::numbers(std::string_view key) const {
  const auto* list = table_.get_as<::toml::array>(key);
  if (!list) refuse(key, "must be a list of numbers");
  VectorX values(static_cast<Eigen::Index>(list->size()));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto value = finite_number(list->get(i));
    if (!value) refuse(key, "must be a list of finite numbers");
    values[static_cast<Eigen::Index>(i)] = *value;
  }
  return values;
}

Vector3 Table::vector3(std::string_view key) const {
  const auto values = numbers(key);
  if (values.size() != 3) refuse(key, "must be three numbers");
  return values;
}

std::vector<std::string> Table::texts(std::string_view key) const {
  const auto* list = table_.get_as<::toml::array>(key);
  if (!list) refuse(key, "must be a list of texts");
  std::vector<std::string> values;
  for (const auto& node : *list) {
    if (!node.is_string()) refuse(key, "must be a list of texts between quotes");
    values.push_back(node.as_string()->get());
  }
  return values;
}

const ::toml::table& Table::table(std::string_view key) const {
  const auto* found = table_.get_as<::toml::table>(key);
  if (!found) refuse(key, "must be a table");
  return *found;
}

std::vector<const ::toml::table*> Table::tables(std::string_view key) const {
  const auto* list = table_.get_as<::toml::array>(key);
  if (!list || list->empty()) refuse(key, "must be given at least once, as [[" + std::string(key) + "]]");
  std::vector<const ::toml::table*> found;
  for (const auto& node : *list) {
    if (!node.is_table()) refuse(key, "must be given as [[" + std::string(key) + "]]");
    found.push_back(node.as_table());
  }
  return found;
}

}  // namespace thud::toml
