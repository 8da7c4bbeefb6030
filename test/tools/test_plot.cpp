#include <thud/error.hpp>
#include <thud/file.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "plot.hpp"

namespace {

using plot::Chart;
using plot::Panel;
using plot::Series;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Chart sine(std::size_t samples = 100) {
  Series series{.label = "sine"};
  for (std::size_t i = 0; i < samples; ++i) {
    series.x.push_back(static_cast<double>(i) / static_cast<double>(samples));
    series.y.push_back(std::sin(6 * series.x.back()));
  }
  return {.title = "A sine", .x_label = "time [s]", .panels = {Panel{.y_label = "force [N]", .series = {series}}}};
}

/// Python's parser reads the texts as XML, and every number in them is one.
void expect_good(const std::vector<Chart>& charts) {
  const auto folder = std::filesystem::temp_directory_path() / ("thud_plot_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const auto path = (folder / (std::to_string(i) + ".svg")).string();
    thud::write_file(path, plot::drawing(path, charts[i]));
    const auto svg = thud::read_file(path);
    EXPECT_FALSE(std::regex_search(svg, std::regex("[\" MLVHhv,(-](nan|inf)"))) << svg;
  }
  const auto command = "python3 -c \"import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]\" ";
  EXPECT_EQ(std::system((command + folder.string() + "/*.svg").c_str()), 0);
  std::filesystem::remove_all(folder);
}

TEST(Plot, TicksAreRoundNumbersInsideTheRange) {
  EXPECT_EQ(plot::ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(plot::ticks(-0.3, 1.1, 4), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(plot::ticks(17, 23, 3), (std::vector<double>{18, 20, 22}));
  EXPECT_EQ(plot::ticks(4.1, 4.4, 1), (std::vector<double>{4.2, 4.4})) << "at least two";
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-9, 9), offset(-3, 3);
  for (int i = 0; i < 10000; ++i) {
    const double width = std::pow(10, exponent(random)), low = offset(random) * width;
    const auto ticks = plot::ticks(low, low + width, 6);
    ASSERT_GE(ticks.size(), 2u);
    ASSERT_LE(ticks.size(), 7u);
    ASSERT_GE(ticks.front(), low - 1e-6 * width);
    ASSERT_LE(ticks.back(), low + width * (1 + 1e-6));
    const double step = ticks[1] - ticks[0], lead = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    ASSERT_LT(std::min({std::abs(lead - 1), std::abs(lead - 2), std::abs(lead - 5)}), 1e-6) << step;
  }
}

TEST(Plot, IsXmlWhateverTheTextsHold) {
  auto chart = sine();
  chart.title =
      "<b>\"a\" & 'b'</b> ]]> \x01 \xff \xC3\xA4 \xE2\x88\x92 \xED\xA0\x80 \xEF\xBF\xBF \xF4\x90\x80\x80 \xE2";
  chart.subtitle = chart.x_label = chart.panels[0].y_label = chart.panels[0].series[0].label = chart.title;
  chart.panels[0].marks = {{0.5, chart.title}, {0.51, "<x>"}};
  expect_good({chart});
  EXPECT_NE(plot::to_svg(chart).find("&lt;b&gt;&quot;a&quot; &amp; 'b'&lt;/b&gt; ]]&gt; ? ? \xC3\xA4"),
            std::string::npos);
}

TEST(Plot, NeverPrintsWhatIsNotANumber) {
  constexpr double nan = NAN, inf = INFINITY;
  std::vector<Chart> charts{{}};
  for (const auto& y : {std::vector<double>{1, nan, 3, inf},
                        {nan, nan, nan, nan},
                        {5, 5, 5, 5},
                        {0, 0, 0, 0},
                        {-1e308, 1e308, 0, 1},
                        {1e-320, 2e-320, 0, 0},
                        {1e15, 1e15 + 1, 1e15, 1e15},
                        {-1e299, 1e299, 0, 1}})
    for (const auto& x : {std::vector<double>{0, 1, 2, 3}, {nan, 1, inf, 2}, {1, 1, 1, 1}})
      for (const auto style : {Series::Style::line, Series::Style::points})
        charts.push_back(
            {.panels = {Panel{.series = {{.label = "a", .x = x, .y = y, .style = style}}, .marks = {{nan, "n"}}}}});
  charts.push_back({.panels = {Panel{}, Panel{}}});
  expect_good(charts);
}

TEST(Plot, ANumberThatIsMissingBreaksTheLine) {
  auto chart = sine();
  chart.panels[0].series[0].y[50] = NAN;
  const std::regex line("<path class=\"s0\"[^>]* d=\"([^\"]*L[^\"]*)\"");
  const auto svg = plot::to_svg(chart);
  std::smatch match;
  ASSERT_TRUE(std::regex_search(svg, match, line));
  EXPECT_EQ(count(match[1], "M"), 2u);
  EXPECT_EQ(count(match[1], "L"), 97u);
}

TEST(Plot, AMillionSamplesStaySmallAndKeepTheirExtremes) {
  auto chart = sine(1000000);
  const auto without = plot::to_svg(chart);
  EXPECT_LT(without.size(), 200000u);
  chart.panels[0].series[0].y[300001] = 50;  // one sample far out must stay visible: it becomes the top of the axis
  chart.height = 520;
  const auto with = plot::to_svg(chart);
  EXPECT_NE(with.find(">50</text>"), std::string::npos);
  const auto highest = [](const std::string& svg) {
    const std::regex point("L[0-9.]+ ([0-9.]+)");
    double y = 1e9;
    for (std::sregex_iterator i(svg.begin(), svg.end(), point), end; i != end; ++i) y = std::min(y, std::stod((*i)[1]));
    return y;
  };
  EXPECT_NEAR(highest(with), highest(without), 1);
}

TEST(Plot, NamesOfCloseMarksDoNotOverlap) {
  auto chart = sine();
  chart.panels[0].marks = {{0.50, "end of compression"}, {0.52, "end of contact"}, {0.9, "end of force"}};
  const auto svg = plot::to_svg(chart);
  const auto height_of = [&](const std::string& name) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(svg, match, std::regex("y=\"([0-9.]+)\"[^>]*>" + name))) << name;
    return match.empty() ? 0 : std::stod(match[1]);
  };
  EXPECT_NEAR(height_of("end of compression") - height_of("end of contact"), 16, 1e-6);
  EXPECT_EQ(height_of("end of compression"), height_of("end of force"));
}

TEST(Plot, OneLabelIsOneColourAndOneLegendEntry) {
  auto chart = sine();
  chart.panels.push_back(chart.panels[0]);
  const auto svg = plot::to_svg(chart);
  EXPECT_EQ(count(svg, ">sine</text>"), 1u);
  EXPECT_EQ(count(svg, "class=\"s0\""), 3u);  // two lines and the legend
  EXPECT_EQ(count(svg, ">time [s]</text>"), 1u);
}

TEST(Plot, LongNumbersGetACommonPower) {
  auto chart = sine();
  for (double& y : chart.panels[0].series[0].y) y *= 3e6;
  EXPECT_NE(plot::to_svg(chart).find("force [N] \u00d7 10<tspan dy=\"-5\" font-size=\"10\">6</tspan>"),
            std::string::npos);
}

TEST(Plot, ThePageNeedsNoNetworkAndKnowsTheDark) {
  const auto page = plot::to_html(sine());
  EXPECT_EQ(count(page, "http"), 2u) << "the name space of SVG and the policy";
  EXPECT_EQ(count(page, "<script"), 0u);
  EXPECT_EQ(count(page, "src="), 0u);
  EXPECT_EQ(count(page, "default-src 'none'"), 1u);
  EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1u);
  EXPECT_EQ(count(page, plot::to_svg(sine())), 1u);
}

TEST(Plot, ASceneIsToScaleAndKeepsEveryPoint) {
  Chart chart = sine();
  chart.width = 1200;
  Series square{.label = "square", .x = {0, 1, 1, 0, 0}, .y = {0, 0, 1, 1, 0}}, corners = square;
  corners.label = "corners";
  corners.style = Series::Style::points;
  chart.scene = {"across [m]", "height [m]", {square, corners}, {{"sine", 0.5, 0.5, 0, 0.25}, {"none", 0, 0, 0, 0}}};
  expect_good({chart});
  const auto svg = plot::to_svg(chart);
  EXPECT_EQ(count(svg, "<circle cx"), 5u);
  EXPECT_EQ(count(svg, "arrow\""), 1u) << "an arrow without length is not drawn";
  EXPECT_EQ(count(svg, ">height [m]<"), 1u);
  // the sides of the square, in pixels
  std::smatch found;
  const std::regex shape("d=\"M([\\d.]+) ([\\d.]+)L([\\d.]+) [\\d.]+L[\\d.]+ ([\\d.]+)L");
  std::string::const_iterator from = svg.begin() + static_cast<std::ptrdiff_t>(svg.find("height [m]"));
  ASSERT_TRUE(std::regex_search(from, svg.end(), found, shape));
  EXPECT_NEAR(std::stod(found[3]) - std::stod(found[1]), std::stod(found[2]) - std::stod(found[4]), 0.02);
  EXPECT_GT(std::stod(found[3]) - std::stod(found[1]), 300);
}

TEST(Plot, RefusesWithTheReason) {
  EXPECT_THROW(plot::drawing("a.png", sine()), thud::InputError);
  auto chart = sine();
  chart.panels[0].series[0].y.pop_back();
  try {
    plot::to_svg(chart);
    FAIL();
  } catch (const thud::InputError& error) {
    EXPECT_STREQ(error.what(), "series sine: 100 x, 99 y: each x needs one y");
  }
}

}  // namespace
