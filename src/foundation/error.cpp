#include <thud/error.hpp>
#include <thud/run.hpp>

#include <algorithm>
#include <charconv>

namespace THUD_EXPORT thud {
namespace {

/// The first character of a text in UTF-8, if it has two or three bytes; otherwise the first byte.
struct Character {
  unsigned code;
  std::size_t length;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  if ((byte(0) & 0xe0) == 0xc0 && continues(1)) return {(byte(0) & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if ((byte(0) & 0xf0) == 0xe0 && continues(1) && continues(2))
    return {(byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {byte(0), 1};
}

/// Control characters of seven and eight bits, ends of lines and paragraphs, and what turns the direction of writing.
bool controls(Character character) {
  const auto [code, length] = character;
  const auto in = [code = code](unsigned first, unsigned last) { return first <= code && code <= last; };
  return code < 0x20 || code == 0x7f || (length > 1 && in(0x80, 0x9f)) || code == 0x61c || in(0x200e, 0x200f) ||
         in(0x2028, 0x202e) || in(0x2066, 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr auto digits = "0123456789abcdef";
  constexpr auto plain = [](char c) { return ' ' <= c && c <= '~'; };
  std::string out;
  out.reserve(text.size());
  while (true) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), plain);
    out.append(text.begin(), end);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    if (text.empty()) return out;
    const Character first = first_character(text);
    if (controls(first)) {
      out += first.code < 0x100 ? "\\x" : "\\u";
      for (int shift = first.code < 0x100 ? 4 : 12; shift >= 0; shift -= 4) out += digits[first.code >> shift & 0xf];
    } else {
      out += text.substr(0, first.length);
    }
    text.remove_prefix(first.length);
  }
}

Error::Error(const std::string& argument, const std::string& value, const std::string& rule)
    : std::runtime_error(printable(argument + ": " + value + ": " + rule)),
      argument_(printable(argument)),
      value_(printable(value)),
      rule_(printable(rule)) {}

Error::Error(const std::string& argument, double value, const std::string& rule)
    : Error(argument, to_text(value), rule) {}

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
