#pragma once

/// Charts as one SVG file, or one HTML page around it, for `--plot`. No script, no network, no font file: what is drawn
/// is in the text. Light on paper; the page follows the reader's light or dark setting and prints light.

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace plot {

/// Numbers over numbers. A pair that is not finite is left out and interrupts a line.
struct Series {
  enum class Style { line, points };
  std::string label{};  ///< in the legend; empty: not in it
  std::vector<double> x{}, y{};
  Style style = Style::line;
};

/// An event: a vertical line through a panel with its name above.
struct Mark {
  double x = std::numeric_limits<double>::quiet_NaN();
  std::string label{};
};

/// One pair of axes. Panels share the x axis; the last one has its label and numbers.
struct Panel {
  std::string y_label{};  ///< quantity and unit: "force [N]"
  std::vector<Series> series{};
  std::vector<Mark> marks{};
  double height = 1;  ///< relative to the other panels
};

/// An arrow from a point of a scene.
struct Arrow {
  std::string label{};  ///< as that of a series
  double x = 0, y = 0;
  double dx = 0, dy = 0;
};

/// A plane to scale, beside the panels.
struct Scene {
  std::string x_label{}, y_label{};
  std::vector<Series> series{};  ///< shapes, and points
  std::vector<Arrow> arrows{};
};

/// A drawing of one or more panels, one above the other. Series of the same label have the same colour in all of it.
struct Chart {
  std::string title{};
  std::string subtitle{};  ///< source of the data, say
  std::string x_label{};   ///< quantity and unit: "time [ms]"
  std::vector<Panel> panels{};
  std::optional<Scene> scene{};      ///< at their right
  double width = 840, height = 520;  ///< [px]
};

/// Text of the drawing. Throws thud::InputError for a series whose x and y differ in length.
std::string to_svg(const Chart& chart);
std::string to_html(const Chart& chart);

/// The drawing as the name of its file asks for. Throws thud::InputError unless that ends in .svg or .html.
std::string drawing(const std::string& path, const Chart& chart);

/// Round numbers in [low, high], about `count` of them: steps of 1, 2 or 5 times a power of ten. At least two, if low <
/// high.
std::vector<double> ticks(double low, double high, int count);

}  // namespace plot
