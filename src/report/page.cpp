#include <thud/report.hpp>

#include <cstddef>

// web/report.html as built by Vite, embedded by page_template.S.
extern "C" const char thud_page_begin[];
extern "C" const char thud_page_end[];

namespace THUD_EXPORT thud {
namespace {

// Placeholder of the results; the web build fails unless the page contains it exactly once.
constexpr std::string_view placeholder = "@THUD_RESULTS@";

std::string escaped(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string report_page(std::string_view results) {
  const std::string_view page(thud_page_begin, static_cast<std::size_t>(thud_page_end - thud_page_begin));
  const std::size_t at = page.find(placeholder);
  std::string filled(page.substr(0, at));
  filled += escaped(results);
  filled += page.substr(at + placeholder.size());
  return filled;
}

}  // namespace thud
