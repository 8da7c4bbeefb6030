#include "toml/writer.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>

namespace thud::toml {
namespace {

constexpr std::size_t remark_column = 40;

/// A number in a form that TOML reads as a float, with the same value.
std::string real(double value) {
  auto text = to_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7F';
}

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string text;
  for (const auto& item : items) text.append(text.empty() ? "[" : ", ").append(write(item));
  return text.empty() ? "[]" : text.append("]");
}

}  // namespace

std::string quoted_text(std::string_view text) {
  constexpr auto digits = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result.append({'\\', c});
    } else if (is_control(c)) {
      result.append("\\u00").append({digits[code / 16], digits[code % 16]});
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string Writer::quoted(std::string_view text) const {
  const bool plain = text.find('\'') == std::string_view::npos && std::ranges::none_of(text, is_control);
  if (quotes_ == Quotes::literal && plain) return std::string("'").append(text).append("'");
  return quoted_text(text);
}

void Writer::line(std::string_view key, std::string_view value, std::string_view remark) {
  std::string row(key);
  row.append(" = ").append(value);
  if (!remark.empty())
    row.append(row.size() < remark_column ? remark_column - row.size() : 1, ' ').append("# ").append(remark);
  document_.append(row).append("\n");
}

void Writer::comment(std::string_view text) {
  document_.append("# ").append(text).append("\n");
}

void Writer::table(std::string_view name) {
  document_.append("\n[").append(name).append("]\n");
}

void Writer::table(std::string_view name, std::string_view remark) {
  document_.append("\n");
  comment(remark);
  document_.append("[").append(name).append("]\n");
}

void Writer::next(std::string_view name) {
  document_.append("\n[[").append(name).append("]]\n");
}

void Writer::text(std::string_view key, std::string_view value, std::string_view remark) {
  line(key, quoted(value), remark);
}

void Writer::number(std::string_view key, double value, std::string_view remark) {
  line(key, real(value), remark);
}

void Writer::known_number(std::string_view key, double value) {
  if (!std::isnan(value)) number(key, value);
}

void Writer::integer(std::string_view key, std::uint64_t value, std::string_view remark) {
  line(key, std::to_string(value), remark);
}

void Writer::numbers(std::string_view key, const VectorRef& values, std::string_view remark) {
  line(key, list(values, real), remark);
}

void Writer::texts(std::string_view key, const std::vector<std::string>& values, std::string_view remark) {
  line(key, list(values, [&](const std::string& value) { return quoted(value); }), remark);
}

}  // namespace thud::toml
