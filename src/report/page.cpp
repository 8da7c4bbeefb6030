#include <thud/map_report.hpp>
#include <thud/report.hpp>
#include <thud/sweep_report.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Pages of web/ as built by Vite, embedded by page_template.S.
extern "C" const char thud_page_begin[];
extern "C" const char thud_page_end[];
extern "C" const char thud_map_page_begin[];
extern "C" const char thud_map_page_end[];
extern "C" const char thud_sweep_page_begin[];
extern "C" const char thud_sweep_page_end[];

namespace THUD_EXPORT thud {
namespace {

// Placeholder of the data; the web build fails unless a page contains it exactly once.
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

std::string filled(const char* begin, const char* end, std::string_view json) {
  const std::string_view page(begin, static_cast<std::size_t>(end - begin));
  const std::size_t at = page.find(placeholder);
  std::string text(page.substr(0, at));
  text += escaped(json);
  text += page.substr(at + placeholder.size());
  return text;
}

}  // namespace

std::string report_page(std::string_view results) {
  return filled(thud_page_begin, thud_page_end, results);
}

std::string map_page(std::string_view json) {
  return filled(thud_map_page_begin, thud_map_page_end, json);
}

std::string sweep_page(std::string_view json) {
  return filled(thud_sweep_page_begin, thud_sweep_page_end, json);
}

}  // namespace thud
