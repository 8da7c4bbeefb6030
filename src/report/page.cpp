#include <thud/report.hpp>

#include <cstddef>

// web/report.html as Vite built it, from page_template.S.
extern "C" const char thud_page_begin[];
extern "C" const char thud_page_end[];

namespace THUD_EXPORT thud {
namespace {

// Where the results go; the web build fails unless the page has it exactly once.
constexpr std::string_view place = "@THUD_RESULTS@";

std::string escaped(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char sign : json) {
    if (sign == '<')
      text += "\\u003c";
    else
      text += sign;
  }
  return text;
}

}  // namespace

std::string report_page(std::string_view results) {
  const std::string_view page(thud_page_begin, static_cast<std::size_t>(thud_page_end - thud_page_begin));
  const std::size_t at = page.find(place);
  std::string filled(page.substr(0, at));
  filled += escaped(results);
  filled += page.substr(at + place.size());
  return filled;
}

}  // namespace thud
