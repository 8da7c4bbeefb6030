#include "plot.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace plot {
namespace {

// Okabe and Ito's colours without the yellow, in an order that also differs in lightness; lines differ in dash as well.
// The last is for points: a record stays neutral under the laws that are drawn over it.
constexpr std::array colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4a4a4a"};
constexpr std::array dark_colors{"#5bb8f5", "#ff8c42", "#3fd6a6", "#e79fc8", "#9ad7ff", "#ffc04d", "#c4c8cc"};
constexpr std::array dashes{"none", "9 4", "3 3", "12 4 3 4", "1.5 3.5", "16 5", "6 2"};

/// About how wide a text is at 13 px [px].
double width_of(const std::string& text) {
  double width = 0;
  for (const char c : text) {
    const auto is = [&](std::string_view set) { return set.find(c) != set.npos; };
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // the rest of a letter
    width += is("fijlrtI .,;:!|'()[]/") ? 4 : is("mwMW%@") ? 10.5 : c >= 'A' && c <= 'Z' ? 8.7 : 7;
  }
  return width;
}

/// Text for XML: markup escaped, what XML 1.0 or UTF-8 does not allow replaced by a question mark.
std::string escape(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
    const auto lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool valid = length > 0 && lead != 0x7F && (lead >= 0x20 || lead == '\t');
    for (std::size_t k = 1; k < length; ++k) valid = valid && (byte(k) & 0xC0) == 0x80;
    // Overlong forms, surrogates, U+FFFE and U+FFFF, and beyond U+10FFFF.
    valid = valid && !(lead == 0xE0 && byte(1) < 0xA0) && !(lead == 0xED && byte(1) >= 0xA0) &&
            !(lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) && !(lead == 0xF0 && byte(1) < 0x90) &&
            !(lead == 0xF4 && byte(1) >= 0x90);
    const auto piece = valid ? text.substr(i, length) : std::string("?");
    result += piece == "&" ? "&amp;" : piece == "<" ? "&lt;" : piece == ">" ? "&gt;" : piece == "\"" ? "&quot;" : piece;
    i += valid ? length : 1;
  }
  return result;
}

/// Whether a number has a place in a chart: finite, and not so large that a width overflows.
bool drawable(double value) {
  return std::abs(value) <= 1e300;
}

/// A closed interval that grows to contain given values.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double value) {
    if (!drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty, and wider by a fraction on both sides.
  Range padded(double fraction) const {
    if (!(low <= high)) return {0, 1};
    const double width =
        high - low > std::max(1e-12 * std::max(std::abs(low), std::abs(high)), 1e-290) ? high - low : 0;
    const double pad = width > 0 ? fraction * width : std::max(0.1 * std::abs(low), 1e-9);
    return {low - pad, high + pad};
  }
};

/// A straight map from numbers to pixels.
struct Axis {
  Range range;
  double begin = 0, end = 1;  // [px]
  double operator()(double value) const {
    return begin + (value / (range.high - range.low) - range.low / (range.high - range.low)) * (end - begin);
  }
};

/// Numbers of an axis, with a common power of ten taken out where they would be long.
struct Scale {
  std::vector<double> at;
  std::vector<std::string> text;
  int power = 0;
};

Scale scale_of(const Range& range, int count) {
  Scale scale{.at = ticks(range.low, range.high, count), .text = {}};
  double largest = 0;
  for (const double tick : scale.at) largest = std::max(largest, std::abs(tick));
  const int magnitude = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  if (magnitude >= 5 || magnitude <= -3) scale.power = static_cast<int>(std::floor(magnitude / 3.0)) * 3;
  const double unit = std::pow(10.0, scale.power);
  const double step = scale.at.size() > 1 ? (scale.at[1] - scale.at[0]) / unit : 1;
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
  for (const double tick : scale.at) {
    auto text = fmt::format("{:.{}f}", tick / unit, decimals);
    if (tick < 0) text.replace(0, 1, "\u2212");  // a minus as wide as a plus
    scale.text.push_back(std::move(text));
  }
  return scale;
}

std::string with_power(const std::string& label, int power) {
  if (power == 0) return escape(label);
  return fmt::format("{} \u00d7 10<tspan dy=\"-5\" font-size=\"10\">{}{}</tspan>", escape(label),
                     power < 0 ? "\u2212" : "", std::abs(power));
}

/// The share of the width that a scene has, and its distance from the panels [px].
constexpr double scene_share = 0.4, scene_gap = 74;

/// The points to draw: of those that share a pixel column only the first, lowest, highest and last, so that a record of
/// millions looks the same and stays small. A pair that is not finite stays as a break.
std::vector<std::pair<double, double>> thin_out(const Series& series, const Axis& x) {
  std::vector<std::pair<double, double>> points;
  const auto n = series.x.size();
  const auto column = [&](std::size_t i) { return std::floor(2 * x(series.x[i])); };
  const auto finite = [&](std::size_t i) { return drawable(series.x[i]) && drawable(series.y[i]); };
  for (std::size_t i = 0; i < n;) {
    auto end = i + 1;
    std::array<std::size_t, 4> kept{i, i, i, i};
    if (finite(i))
      for (; end < n && finite(end) && column(end) == column(i); ++end) {
        if (series.y[end] < series.y[kept[1]]) kept[1] = end;
        if (series.y[end] > series.y[kept[2]]) kept[2] = end;
        kept[3] = end;
      }
    std::sort(kept.begin(), kept.end());
    for (auto k = kept.begin(); k != std::unique(kept.begin(), kept.end()); ++k)
      points.emplace_back(series.x[*k], series.y[*k]);
    i = end;
  }
  return points;
}

/// Draws one chart; the text grows from the top of the page to its end.
class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    Range range;
    for (const auto& panel : chart.panels)
      for (const auto& series : panel.series) {
        check(series);
        for (std::size_t i = 0; i < series.x.size(); ++i)
          if (drawable(series.y[i])) range.include(series.x[i]);
        assign_color(series);
      }
    if (chart.scene) {
      for (const Arrow& arrow : chart.scene->arrows) assign_color({.label = arrow.label});
      for (const Series& series : chart.scene->series) {
        check(series);
        assign_color(series);
      }
    }
    const double end = chart.width - 22;
    x_ = {range.padded(0.01), 74, chart.scene ? end - scene_share * chart.width - scene_gap : end};
    x_scale_ = scale_of(x_.range, 8);
  }

  std::string draw() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
        "role=\"img\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#1a1a1a\">\n",
        chart_.width, chart_.height);
    add("<title>{}</title>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escape(chart_.title));
    double top = heading();
    top = legend(top);
    const double bottom = chart_.height - 52;
    if (chart_.scene) draw_scene(*chart_.scene, top, bottom);
    double total = 0;
    for (const auto& panel : chart_.panels) total += panel.height;
    const double gap = 14, room = bottom - top - gap * (static_cast<double>(chart_.panels.size()) - 1);
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const double below = top + room * chart_.panels[i].height / total;
      draw_panel(chart_.panels[i], i, top, below);
      top = below + gap;
    }
    text((x_.begin + x_.end) / 2, chart_.height - 14, "text-anchor=\"middle\"",
         with_power(chart_.x_label, x_scale_.power));
    return svg_ + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Arguments>(arguments)...);
  }
  void text(double x, double y, const std::string& attributes, const std::string& escaped) {
    add("<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped);
  }
  static void check(const Series& series) {
    if (series.x.size() != series.y.size())
      throw thud::InputError("series " + series.label, fmt::format("{} x, {} y", series.x.size(), series.y.size()),
                             "each x needs one y");
  }
  /// Lines take colours from the front, points from the back.
  void assign_color(const Series& series) {
    const bool points = series.style == Series::Style::points;
    if (colors_.contains(series.label)) return;
    const auto next = (points ? points_++ : lines_++) % colors.size();
    colors_[series.label] = points ? colors.size() - 1 - next : next;
  }
  double heading();
  double legend(double top);
  struct Name {
    double x, middle, row;  // [px], [px], [1]
    std::string label;
  };
  struct Names {
    std::vector<Name> placed{};
    double height = 0;  // [px]
  };
  Names place_names(const Panel& panel) const;
  void draw_marks(const Names& names, const Axis& y);
  void draw_axes(const Panel& panel, bool last, const Axis& y);
  void draw_panel(const Panel& panel, std::size_t index, double top, double bottom);
  using Points = std::vector<std::pair<double, double>>;
  void draw_series(const Series& series, const Points& points, const Axis& x, const Axis& y);
  void draw_scene(const Scene& scene, double top, double bottom);
  void draw_arrow(const Arrow& arrow, const Axis& x, const Axis& y);

  const Chart& chart_;
  std::map<std::string, std::size_t> colors_;
  std::size_t lines_ = 0, points_ = 0;
  Axis x_;
  Scale x_scale_;
  std::string svg_;
};

double Drawing::heading() {
  double y = 14;
  if (!chart_.title.empty()) text(x_.begin, y += 14, "font-size=\"16\" font-weight=\"600\"", escape(chart_.title));
  if (!chart_.subtitle.empty()) {
    add("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#5a5a5a\">{}</text>\n", x_.begin, y += 19,
        escape(chart_.subtitle));
  }
  return y + 10;
}

/// One row of names, or more where they do not fit.
double Drawing::legend(double top) {
  std::map<std::string, bool> done{{"", true}};
  double x = x_.begin, y = top + 12;
  std::vector<std::vector<Series>> all;
  for (const auto& panel : chart_.panels) all.push_back(panel.series);
  if (chart_.scene) {
    all.push_back(chart_.scene->series);
    for (const Arrow& arrow : chart_.scene->arrows) all.back().push_back({.label = arrow.label});
  }
  for (const auto& part : all)
    for (const auto& series : part) {
      if (std::exchange(done[series.label], true)) continue;
      const double width = 50 + width_of(series.label);
      if (x > x_.begin && x + width > chart_.width - 22) x = x_.begin, y += 20;
      const auto color = colors_.at(series.label);
      if (series.style == Series::Style::points) {
        for (const double dx : {4.0, 13.0, 22.0})
          add("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"{}\"/>\n", color, x + dx, y - 4,
              colors[color]);
      } else {
        add("<path class=\"s{}\" d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
            color, x, y - 4, colors[color], dashes[color]);
      }
      text(x + 32, y, "", escape(series.label));
      x += width;
    }
  return done.size() > 1 ? y + 14 : top;
}

/// Marks in the order of x, each with the lowest row above the panel where its name is clear of its neighbours.
Drawing::Names Drawing::place_names(const Panel& panel) const {
  auto marks = panel.marks;
  std::erase_if(marks, [&](const Mark& mark) { return !(mark.x >= x_.range.low && mark.x <= x_.range.high); });
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.x < b.x; });
  Names names;
  std::vector<double> row_ends;
  for (const auto& mark : marks) {
    const double x = x_(mark.x), width = width_of(mark.label);
    const double left = std::clamp(x - width / 2, x_.begin, std::max(x_.begin, x_.end - width));
    std::size_t row = 0;
    if (!mark.label.empty()) {
      while (row < row_ends.size() && left < row_ends[row] + 8) ++row;
      if (row == row_ends.size()) row_ends.push_back(0);
      row_ends[row] = left + width;
    }
    names.placed.push_back({x, left + width / 2, static_cast<double>(row), mark.label});
  }
  names.height = row_ends.empty() ? 0 : 16 * static_cast<double>(row_ends.size()) + 4;
  return names;
}

void Drawing::draw_marks(const Names& names, const Axis& y) {
  for (const auto& name : names.placed) {
    const double at = y.end - 6 - 16 * name.row;
    add("<path class=\"mark\" d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#707070\" stroke-dasharray=\"4 3\" "
        "fill=\"none\"/>\n",
        name.x, name.label.empty() ? y.end : at + 3, y.begin);
  }
  // A halo keeps the line of another row from crossing a name.
  for (const auto& name : names.placed)
    if (!name.label.empty())
      text(name.middle, y.end - 6 - 16 * name.row,
           "text-anchor=\"middle\" font-size=\"12\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"",
           escape(name.label));
}

void Drawing::draw_axes(const Panel& panel, bool last, const Axis& y) {
  const auto scale = scale_of(y.range, std::max(2, static_cast<int>((y.begin - y.end) / 45)));
  for (std::size_t i = 0; i < scale.at.size(); ++i) {
    const double at = y(scale.at[i]);
    add("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\"/>\n", scale.at[i] == 0 ? "zero" : "grid",
        x_.begin, at, x_.end, scale.at[i] == 0 ? "#a8a8a8" : "#e4e4e4");
    text(x_.begin - 8, at + 4.5, "text-anchor=\"end\"", scale.text[i]);
  }
  for (std::size_t i = 0; i < x_scale_.at.size(); ++i) {
    const double at = x_(x_scale_.at[i]);
    add("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#e4e4e4\"/>\n", at, y.end, y.begin);
    add("<path class=\"axis\" d=\"M{:.1f} {:.1f}v5\" stroke=\"#1a1a1a\"/>\n", at, y.begin);
    if (last) text(at, y.begin + 19, "text-anchor=\"middle\"", x_scale_.text[i]);
  }
  add("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"#1a1a1a\" fill=\"none\"/>\n", x_.begin, y.end,
      y.begin, x_.end);
  const double middle = (y.begin + y.end) / 2;
  text(18, middle, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1f})\"", middle),
       with_power(panel.y_label, scale.power));
}

void Drawing::draw_panel(const Panel& panel, std::size_t index, double top, double bottom) {
  Range range;
  for (const auto& series : panel.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (drawable(series.x[i])) range.include(series.y[i]);
  const auto names = place_names(panel);
  const Axis y{range.padded(0.06), bottom, top + names.height};
  draw_axes(panel, index + 1 == chart_.panels.size(), y);
  draw_marks(names, y);
  // Points under lines: a fit is read on top of the record.
  for (const auto style : {Series::Style::points, Series::Style::line})
    for (const auto& series : panel.series)
      if (series.style == style) draw_series(series, thin_out(series, x_), x_, y);
}

/// Both axes at one scale, the whole in the middle of its room.
void Drawing::draw_scene(const Scene& scene, double top, double bottom) {
  Range xs, ys;
  const auto include = [&](double x, double y) {
    if (!drawable(x) || !drawable(y)) return;
    xs.include(x);
    ys.include(y);
  };
  for (const Series& series : scene.series)
    for (std::size_t i = 0; i < series.x.size(); ++i) include(series.x[i], series.y[i]);
  for (const Arrow& arrow : scene.arrows) {
    include(arrow.x, arrow.y);
    include(arrow.x + arrow.dx, arrow.y + arrow.dy);
  }
  const double right = chart_.width - 22, left = right - scene_share * chart_.width;
  Axis x{xs.padded(0.06), left, right}, y{ys.padded(0.06), bottom, top};
  const double unit =
      std::max((x.range.high - x.range.low) / (right - left), (y.range.high - y.range.low) / (bottom - top));
  for (Axis* axis : {&x, &y}) {
    const double middle = (axis->range.low + axis->range.high) / 2, half = unit * std::abs(axis->end - axis->begin) / 2;
    axis->range = {middle - half, middle + half};
  }
  const Scale at_x = scale_of(x.range, 5), at_y = scale_of(y.range, 8);
  for (std::size_t i = 0; i < at_x.at.size(); ++i) {
    add("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#e4e4e4\"/>\n", x(at_x.at[i]), top, bottom);
    text(x(at_x.at[i]), bottom + 19, "text-anchor=\"middle\"", at_x.text[i]);
  }
  for (std::size_t i = 0; i < at_y.at.size(); ++i) {
    add("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#e4e4e4\"/>\n", left, y(at_y.at[i]), right);
    text(left - 8, y(at_y.at[i]) + 4.5, "text-anchor=\"end\"", at_y.text[i]);
  }
  add("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"#1a1a1a\" fill=\"none\"/>\n", left, top, bottom,
      right);
  text((left + right) / 2, chart_.height - 14, "text-anchor=\"middle\"", with_power(scene.x_label, at_x.power));
  text(left - 52, (top + bottom) / 2,
       fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"", left - 52, (top + bottom) / 2),
       with_power(scene.y_label, at_y.power));
  for (const Series& series : scene.series) {
    Points points;
    for (std::size_t i = 0; i < series.x.size(); ++i) points.emplace_back(series.x[i], series.y[i]);
    draw_series(series, points, x, y);
  }
  for (const Arrow& arrow : scene.arrows) draw_arrow(arrow, x, y);
}

/// A shaft with a head of 10 px; one that is shorter is all head.
void Drawing::draw_arrow(const Arrow& arrow, const Axis& x, const Axis& y) {
  const double from_x = x(arrow.x), from_y = y(arrow.y);
  const double to_x = x(arrow.x + arrow.dx), to_y = y(arrow.y + arrow.dy);
  const double length = std::hypot(to_x - from_x, to_y - from_y);
  if (!drawable(length) || !(length > 0.5)) return;
  const double along_x = (to_x - from_x) / length, along_y = (to_y - from_y) / length, head = std::min(10.0, length);
  const double neck_x = to_x - head * along_x, neck_y = to_y - head * along_y, half = 0.4 * head;
  const auto color = colors_.at(arrow.label);
  add("<path class=\"s{} arrow\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" stroke-width=\"2.4\" "
      "fill=\"none\"/>\n",
      color, from_x, from_y, neck_x, neck_y, colors[color]);
  add("<path class=\"f{}\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\" fill=\"{}\"/>\n", color, to_x, to_y,
      neck_x - half * along_y, neck_y + half * along_x, neck_x + half * along_y, neck_y - half * along_x,
      colors[color]);
}

void Drawing::draw_series(const Series& series, const Points& points, const Axis& x, const Axis& y) {
  const auto color = colors_.at(series.label);
  if (series.style == Series::Style::points)
    add("<g class=\"f{}\" fill=\"{}\" fill-opacity=\"0.6\">\n", color, colors[color]);
  else
    add("<path class=\"s{}\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray=\"{}\" "
        "fill=\"none\" d=\"",
        color, colors[color], dashes[color]);
  bool begun = false;
  for (const auto& [px, py] : points) {
    const bool finite = drawable(px) && drawable(py);
    if (finite && series.style == Series::Style::points)
      add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"1.8\"/>\n", x(px), y(py));
    else if (finite)
      add("{}{:.2f} {:.2f}", begun ? "L" : "M", x(px), y(py));
    begun = finite;
  }
  add("{}", series.style == Series::Style::points ? "</g>\n" : "\"/>\n");
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  if (!(low < high) || !std::isfinite(high - low)) return {low};
  const double rough = (high - low) / std::max(1, count), power = std::pow(10.0, std::floor(std::log10(rough)));
  // The finest of the round steps that gives no more than requested, unless that leaves fewer than two.
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
  const auto fits = [&](double s) { return std::floor(high / s + 1e-9) - std::ceil(low / s - 1e-9) >= 1; };
  for (const double factor : {5.0, 2.0, 1.0, 0.5, 0.2, 0.1})
    if (!fits(step) && factor * power < step) step = factor * power;
  std::vector<double> result;
  for (double k = std::ceil(low / step - 1e-9); k <= std::floor(high / step + 1e-9); ++k)
    result.push_back(k * step + 0.0);
  return result;
}

std::string to_svg(const Chart& chart) {
  return Drawing(chart).draw();
}

std::string to_html(const Chart& chart) {
  std::string dark;
  for (std::size_t i = 0; i < colors.size(); ++i)
    dark += fmt::format("    .s{0} {{ stroke: {1}; }} .f{0} {{ fill: {1}; }}\n", i, dark_colors[i]);
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ margin: 2rem auto; max-width: {:g}px; padding: 0 1rem; background: #ffffff; }}
  svg {{ display: block; max-width: 100%; height: auto; }}
  @media screen and (prefers-color-scheme: dark) {{
    body {{ background: #15171a; }}
    .paper {{ fill: #15171a; }}
    .ink {{ fill: #e6e6e6; }} text[stroke] {{ stroke: #15171a; }} .soft {{ fill: #a8adb3; }}
    .axis {{ stroke: #d0d0d0; }} .grid {{ stroke: #2b2f35; }} .zero {{ stroke: #5c626a; }} .mark {{ stroke: #9aa0a6; }}
{}  }}
</style>
</head>
<body>
{}</body>
</html>
)",
                     escape(chart.title.empty() ? "chart" : chart.title), chart.width, dark, to_svg(chart));
}

std::string drawing(const std::string& path, const Chart& chart) {
  if (path.ends_with(".svg")) return to_svg(chart);
  if (path.ends_with(".html")) return to_html(chart);
  throw thud::InputError("plot", path, "the name must end in .svg or .html");
}

}  // namespace plot
