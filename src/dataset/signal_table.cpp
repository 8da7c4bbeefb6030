#include "dataset/signal_table.hpp"

#include <thud/error.hpp>

#include <charconv>
#include <cmath>

#include "text/column_titles.hpp"

namespace thud::dataset {

SignalTable::SignalTable(std::string_view text, const std::string& name, const char* what)
    : rest_(text), name_(name), what_(what) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  if (!next_line())
    throw FileError(name_, "no rows", std::string(what_) + " need a line of column names and rows of numbers");
  for (const char candidate : {';', '\t', ',', ' '}) {
    separator_ = candidate;
    if (line_.find(candidate) != std::string_view::npos) break;
  }
  std::size_t times = 0;
  for (const auto cell : text::split(line_, separator_)) {
    if (text::read_title(cell).kind == text::Title::Kind::time) {
      time_ = titles_.size();
      ++times;
      read_unit(cell);
    }
    titles_.push_back(cell);
  }
  if (times != 1) refuse(line_, "needs one column time");
}

void SignalTable::refuse(std::string_view value, const std::string& rule) const {
  throw FileError(name_ + ":" + std::to_string(number_), text::printable(value), rule);
}

/// The next line that is neither blank nor a comment.
bool SignalTable::next_line() {
  while (!rest_.empty()) {
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    line_ = text::trim_blanks(line_.substr(0, line_.find('#')));
    if (!line_.empty()) return true;
  }
  return false;
}

void SignalTable::read_unit(std::string_view cell) {
  const auto title = text::read_title(cell);
  if (!title.unit_known || (!title.unit.empty() && title.unit_kind != text::Title::Kind::time))
    refuse(title.unit, "not a unit of time: s, ms, us, ns");
  per_second_ = title.per_unit;
}

double SignalTable::read_number(std::string_view cell) const {
  cell = text::trim(cell);
  auto digits = cell;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse(cell, "not a number");
  if (!std::isfinite(value)) refuse(cell, "must be finite");
  return value;
}

void SignalTable::read_row(std::vector<std::vector<double>>& values) const {
  const auto cells = text::split(line_, separator_);
  if (cells.size() != titles_.size())
    refuse(line_,
           "this row has " + std::to_string(cells.size()) + " cells, the header has " + std::to_string(titles_.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& column = values[i];
    double value = read_number(cells[i]);
    if (i == time_) {
      value /= per_second_;
      if (!column.empty() && !(value > column.back())) refuse(cells[i], "time must increase from row to row");
    }
    column.push_back(value);
  }
}

std::vector<std::vector<double>> SignalTable::read_rows() {
  std::vector<std::vector<double>> values(titles_.size());
  while (next_line()) read_row(values);
  if (values.front().empty())
    throw FileError(name_, "no rows", std::string(what_) + " need at least one row of numbers");
  return values;
}

}  // namespace thud::dataset
