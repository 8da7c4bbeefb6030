#include "toml/text.hpp"

#include <thud/error.hpp>

#include <algorithm>

namespace thud::toml {
namespace {

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// End of the string whose opening quotes precede `at`: the end of the line if it is never closed, or the character
/// after a backslash if that is not ASCII.
std::size_t end_of_string(std::string_view text, std::size_t at, char quote, bool many_lines) {
  for (; at < text.size(); ++at) {
    if (text[at] == '\n' && !many_lines) return at;
    if (text[at] == '\\' && quote == '"') {
      const auto next = text.find_first_not_of(" \t\r\n", at + 1);  // at the end of a line, it joins the next one
      if (next != std::string_view::npos && !is_ascii(text[next])) return next;
      ++at;
    } else if (text[at] == quote) {
      if (!many_lines) return at + 1;
      const auto run = std::min(text.find_first_not_of(quote, at), text.size()) - at;
      if (run >= 3) return at + std::min<std::size_t>(run, 5);  // two quotes may precede the closing three
      at += run - 1;
    }
  }
  return text.size();
}

}  // namespace

void require_plain_toml(std::string_view text, const std::string& file) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const auto refuse = [&](const char* value, const char* rule) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    throw FileError(file + ":" + std::to_string(line), value, rule);
  };
  char before = '\n';  // the last character that is not blank
  while (at < text.size()) {
    const char c = text[at];
    if (!is_ascii(c))
      refuse("a character outside ASCII", "must be between quotes, not after a backslash, or in a comment");
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      if (std::string_view("\n=[{,.").find(before) == std::string_view::npos)
        refuse("a quote", "must begin a text at the start of a line or after =, [, {, a comma or a dot");
      const bool many_lines = text.substr(at, 3) == std::string(3, c);
      at = end_of_string(text, at + (many_lines ? 3 : 1), c, many_lines);
      before = c;
    } else {
      if (c != ' ' && c != '\t') before = c;
      ++at;
    }
  }
}

}  // namespace thud::toml
