#include "dataset/joint_table.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "dataset/signal_table.hpp"
#include "text/column_titles.hpp"

namespace thud::dataset {
namespace {

constexpr std::array<std::pair<std::string_view, MatrixX JointLog::*>, 4> signals{{
    {"q.", &JointLog::position},
    {"dq.", &JointLog::velocity},
    {"tau.", &JointLog::torque},
    {"tau_ref.", &JointLog::torque_reference},
}};

/// Where a column goes: joint `joint` of a signal.
struct JointColumn {
  std::size_t signal = 0;
  int joint = 0;
};

JointColumn read_title(const SignalTable& table, std::string_view cell, const Robot& robot) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (!cell.starts_with(signals[i].first)) continue;
    try {
      return {.signal = i, .joint = robot.joint_index(cell.substr(signals[i].first.size()))};
    } catch (const RobotError& error) {
      table.refuse(cell, error.value() + " is " + error.rule());
    }
  }
  table.refuse(cell, "not a column of joint signals: time, q.JOINT, dq.JOINT, tau.JOINT, tau_ref.JOINT");
}

/// Of each signal all joints or none. The column of time has no place.
std::vector<std::optional<JointColumn>> read_titles(const SignalTable& table, const Robot& robot) {
  std::vector<std::optional<JointColumn>> columns(table.titles().size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (i != table.time_column()) columns[i] = read_title(table, table.titles()[i], robot);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    std::vector<int> times(static_cast<std::size_t>(robot.size()));
    for (const auto& column : columns)
      if (column && column->signal == i) ++times[static_cast<std::size_t>(column->joint)];
    const bool any = std::ranges::any_of(times, [](int n) { return n > 0; });
    for (std::size_t joint = 0; joint < times.size(); ++joint) {
      const auto title = std::string(signals[i].first) + robot.joints()[joint].name;
      if (times[joint] > 1) table.refuse(title, "names a column twice");
      if (any && times[joint] == 0)
        table.refuse(title, "missing; a signal has a column for every joint, or none at all");
    }
  }
  return columns;
}

}  // namespace

JointLog parse_joints(std::string_view text, const std::string& name, const Robot& robot) {
  SignalTable table(text, name, "joint signals");
  const auto columns = read_titles(table, robot);
  const auto values = table.read_rows();
  JointLog joints;
  const auto rows = static_cast<Eigen::Index>(values.front().size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = Eigen::Map<const Eigen::VectorXd>(values[i].data(), rows);
    if (!columns[i]) {
      joints.time = column;
      continue;
    }
    auto& signal = joints.*signals[columns[i]->signal].second;
    if (signal.size() == 0) signal.resize(rows, robot.size());
    signal.col(columns[i]->joint) = column;
  }
  return joints;
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
