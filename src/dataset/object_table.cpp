#include "dataset/object_table.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>

#include "dataset/signal_table.hpp"
#include "text/column_titles.hpp"

namespace thud::dataset {
namespace {

constexpr std::array<std::string_view, 3> position_titles{"x", "y", "z"};
constexpr std::array<std::string_view, 4> orientation_titles{"qw", "qx", "qy", "qz"};

/// The columns of these titles, all of them, or none.
template <std::size_t n>
MatrixX columns(const SignalTable& table, const std::array<std::size_t, n>& at,
                const std::vector<std::vector<double>>& values) {
  if (at.front() == table.titles().size()) return {};
  MatrixX rows(static_cast<Eigen::Index>(values.front().size()), static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < n; ++k)
    rows.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::VectorXd>(values[at[k]].data(), rows.rows());
  return rows;
}

/// Where each title is; the number of columns for one that is not there.
template <std::size_t n>
std::array<std::size_t, n> places(const SignalTable& table, const std::array<std::string_view, n>& titles,
                                  bool required) {
  std::array<std::size_t, n> found{};
  found.fill(table.titles().size());
  for (std::size_t i = 0; i < table.titles().size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(titles, table.titles()[i]) - titles.begin());
    if (at == n) continue;
    if (found[at] != table.titles().size()) table.refuse(titles[at], "names a column twice");
    found[at] = i;
  }
  const auto missing = std::ranges::find(found, table.titles().size());
  if (missing != found.end() &&
      (required || std::ranges::any_of(found, [&](auto i) { return i != table.titles().size(); })))
    table.refuse(
        titles[static_cast<std::size_t>(missing - found.begin())],
        required ? "missing; a position has three columns" : "missing; an orientation has four columns, or none");
  return found;
}

}  // namespace

void parse_motion(std::string_view text, const std::string& name, ObjectLog& object) {
  SignalTable table(text, name, "motions of an object");
  for (std::size_t i = 0; i < table.titles().size(); ++i) {
    const auto title = table.titles()[i];
    if (i != table.time_column() && std::ranges::find(position_titles, title) == position_titles.end() &&
        std::ranges::find(orientation_titles, title) == orientation_titles.end())
      table.refuse(title, "not a column of an object's motion: time, x, y, z, qw, qx, qy, qz");
  }
  const auto position = places(table, position_titles, true);
  const auto orientation = places(table, orientation_titles, false);
  const auto values = table.read_rows();
  const auto& time = values[table.time_column()];
  object.time = Eigen::Map<const Eigen::VectorXd>(time.data(), static_cast<Eigen::Index>(time.size()));
  object.position = columns(table, position, values);
  object.orientation = columns(table, orientation, values);
}

std::string format_motion(const ObjectLog& object) {
  std::string text = "time,x,y,z";
  if (object.orientation.size() > 0) text += ",qw,qx,qy,qz";
  text += '\n';
  for (Eigen::Index i = 0; i < object.time.size(); ++i) {
    text += to_text(object.time[i]);
    for (const auto* values : {&object.position, &object.orientation})
      for (Eigen::Index j = 0; j < values->cols(); ++j) text.append(",").append(to_text((*values)(i, j)));
    text += '\n';
  }
  return text;
}

}  // namespace thud::dataset
