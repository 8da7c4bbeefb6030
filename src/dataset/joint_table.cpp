#include "dataset/joint_table.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "text/column_titles.hpp"

namespace thud::dataset {
namespace {

constexpr std::array<std::pair<std::string_view, MatrixX JointLog::*>, 4> signals{{
    {"q.", &JointLog::position},
    {"dq.", &JointLog::velocity},
    {"tau.", &JointLog::torque},
    {"tau_ref.", &JointLog::torque_reference},
}};

/// Where a column goes: time, or joint `joint` of a signal.
struct Column {
  bool is_time = false;
  std::size_t signal = 0;
  int joint = 0;
};

/// Reads one table, line by line.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const Robot& robot) : rest_(text), name_(name), robot_(robot) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }
  JointLog read();

 private:
  [[noreturn]] void refuse(std::string_view value, const std::string& rule) const {
    throw FileError(name_ + ":" + std::to_string(number_), text::printable(value), rule);
  }
  bool next_line();
  void read_header();
  Column read_title(std::string_view cell) const;
  void read_unit(std::string_view cell);
  void check_columns() const;
  void read_row();
  double read_number(std::string_view cell) const;
  JointLog log() const;

  std::string_view rest_, line_;
  const std::string& name_;
  const Robot& robot_;
  std::size_t number_ = 0;
  char separator_ = ',';
  double per_second_ = 1;
  std::vector<Column> columns_;
  std::vector<std::vector<double>> values_;  ///< a list per column
};

/// The next line that is neither blank nor a comment.
bool Reader::next_line() {
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

Column Reader::read_title(std::string_view cell) const {
  if (text::read_title(cell).kind == text::Title::Kind::time) return {.is_time = true};
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (!cell.starts_with(signals[i].first)) continue;
    try {
      return {.signal = i, .joint = robot_.joint_index(cell.substr(signals[i].first.size()))};
    } catch (const RobotError& error) {
      refuse(cell, error.value() + " is " + error.rule());
    }
  }
  refuse(cell, "not a column of joint signals: time, q.JOINT, dq.JOINT, tau.JOINT, tau_ref.JOINT");
}

void Reader::read_unit(std::string_view cell) {
  const auto title = text::read_title(cell);
  if (!title.unit_known || (!title.unit.empty() && title.unit_kind != text::Title::Kind::time))
    refuse(title.unit, "not a unit of time: s, ms, us, ns");
  per_second_ = title.per_unit;
}

void Reader::read_header() {
  if (!next_line()) throw FileError(name_, "no rows", "joint signals need a line of column names and rows of numbers");
  for (const char candidate : {';', '\t', ',', ' '}) {
    separator_ = candidate;
    if (line_.find(candidate) != std::string_view::npos) break;
  }
  for (const auto cell : text::split(line_, separator_)) {
    columns_.push_back(read_title(cell));
    if (columns_.back().is_time) read_unit(cell);
  }
  check_columns();
  values_.resize(columns_.size());
}

/// One column of time; of each signal all joints or none.
void Reader::check_columns() const {
  if (std::ranges::count_if(columns_, &Column::is_time) != 1) refuse(line_, "needs one column time");
  for (std::size_t i = 0; i < signals.size(); ++i) {
    std::vector<int> times(static_cast<std::size_t>(robot_.size()));
    for (const auto& column : columns_)
      if (!column.is_time && column.signal == i) ++times[static_cast<std::size_t>(column.joint)];
    const bool any = std::ranges::any_of(times, [](int n) { return n > 0; });
    for (std::size_t joint = 0; joint < times.size(); ++joint) {
      const auto title = std::string(signals[i].first) + robot_.joints()[joint].name;
      if (times[joint] > 1) refuse(title, "names a column twice");
      if (any && times[joint] == 0) refuse(title, "missing; a signal has a column for every joint, or none at all");
    }
  }
}

double Reader::read_number(std::string_view cell) const {
  cell = text::trim(cell);
  auto digits = cell;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse(cell, "not a number");
  if (!std::isfinite(value)) refuse(cell, "must be finite");
  return value;
}

void Reader::read_row() {
  const auto cells = text::split(line_, separator_);
  if (cells.size() != columns_.size())
    refuse(line_, "this row has " + std::to_string(cells.size()) + " cells, the header has " +
                      std::to_string(columns_.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& column = values_[i];
    double value = read_number(cells[i]);
    if (columns_[i].is_time) {
      value /= per_second_;
      if (!column.empty() && !(value > column.back())) refuse(cells[i], "time must increase from row to row");
    }
    column.push_back(value);
  }
}

JointLog Reader::log() const {
  JointLog joints;
  const auto rows = static_cast<Eigen::Index>(values_.front().size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto values = Eigen::Map<const Eigen::VectorXd>(values_[i].data(), rows);
    if (columns_[i].is_time) {
      joints.time = values;
      continue;
    }
    auto& signal = joints.*signals[columns_[i].signal].second;
    if (signal.size() == 0) signal.resize(rows, robot_.size());
    signal.col(columns_[i].joint) = values;
  }
  return joints;
}

JointLog Reader::read() {
  read_header();
  while (next_line()) read_row();
  if (values_.front().empty()) throw FileError(name_, "no rows", "joint signals need at least one row of numbers");
  return log();
}

}  // namespace

JointLog parse_joints(std::string_view text, const std::string& name, const Robot& robot) {
  return Reader(text, name, robot).read();
}

std::string format_joints(const JointLog& joints, const Robot& robot) {
  std::string text = "time";
  std::vector<const MatrixX*> parts;
  for (const auto& [prefix, field] : signals) {
    const MatrixX& values = joints.*field;
    if (values.size() == 0) continue;
    parts.push_back(&values);
    for (const auto& joint : robot.joints()) {
      if (joint.name.find_first_of(",;\t\r\n\"#") != std::string::npos ||
          text::trim_blanks(joint.name).size() != joint.name.size())
        throw InputError("joint", text::printable(joint.name), "cannot be the name of a column in a CSV file");
      text.append(",").append(prefix).append(joint.name);
    }
  }
  text += '\n';
  for (Eigen::Index i = 0; i < joints.time.size(); ++i) {
    text += to_text(joints.time[i]);
    for (const auto* values : parts)
      for (Eigen::Index j = 0; j < values->cols(); ++j) text.append(",").append(to_text((*values)(i, j)));
    text += '\n';
  }
  return text;
}

}  // namespace thud::dataset
