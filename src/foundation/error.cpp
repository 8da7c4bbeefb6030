#include <thud/error.hpp>
#include <thud/run.hpp>

#include <charconv>

namespace THUD_EXPORT thud {

std::string printable(std::string_view text) {
  constexpr auto digits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool wide = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F, controls of eight bits
    if (!wide && byte >= ' ' && byte != 0x7f) {
      out += text[i];
      continue;
    }
    if (wide) byte = next, ++i;
    out.append("\\x").append({digits[byte / 16], digits[byte % 16]});
  }
  return out;
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
