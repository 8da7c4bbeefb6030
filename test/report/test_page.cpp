#include <thud/file.hpp>
#include <thud/report.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using thud::report_page;

constexpr std::string_view opening = R"(<script type="application/json" id="results">)";
constexpr std::string_view place = "@THUD_RESULTS@";

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// What a browser takes for the results: everything up to the first end tag.
std::string results_in(const std::string& page) {
  const auto from = page.find(opening) + opening.size();
  return page.substr(from, page.find("</script", from) - from);
}

// Texts that would end a script element, or keep it open, if they stood in it as they are.
nlohmann::json awkward() {
  return {{"format", "thud results"},
          {"warnings",
           {"</script><script>alert(1)</script>", "<!--<script>", "a < b", "\\u003c", "\"@THUD_RESULTS@\"", "é ≤ 1\n"}},
          {"numbers", {1.5e-9, -0.0, 1e300, nullptr}}};
}

TEST(Page, ResultsComeBackOutOfIt) {
  const auto results = awkward();
  for (const int indent : {-1, 2})
    EXPECT_EQ(nlohmann::json::parse(results_in(report_page(results.dump(indent)))), results);
}

TEST(Page, NoTextOfTheResultsIsMarkup) {
  const auto embedded = results_in(report_page(awkward().dump()));
  EXPECT_EQ(count(embedded, "<"), 0u);
  EXPECT_EQ(count(embedded, "\\u003c/script>"), 2u) << embedded;
}

TEST(Page, OnlyThePlaceOfTheResultsChanges) {
  const std::string built = thud::read_file(THUD_PAGE);
  ASSERT_EQ(count(built, place), 1u);
  ASSERT_EQ(count(built, opening), 1u);
  const auto at = built.find(place);
  EXPECT_EQ(report_page("{}"), built.substr(0, at) + "{}" + built.substr(at + place.size()));
  EXPECT_EQ(report_page(place), built) << "replaced once, not again in what was put in";
}

TEST(Page, HasAllItNeeds) {
  const std::string page = report_page("{}");
  EXPECT_EQ(count(page, "<script"), 2u) << "results and program";
  EXPECT_EQ(count(page, " src=\"http"), 0u);
  EXPECT_EQ(count(page, "<link"), 1u) << "an icon of no bytes";
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos) << "the browser refuses the network to it";
}

}  // namespace
