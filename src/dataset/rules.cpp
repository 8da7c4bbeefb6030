#include "dataset/rules.hpp"

#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <Eigen/Eigenvalues>

#include "text/column_titles.hpp"

namespace thud::dataset::rules {
namespace {

/// Checks that the samples of a log are in order.
void check_times(const VectorX& time, const std::string& log) {
  for (Eigen::Index i = 0; i < time.size(); ++i) {
    const auto element = log + ".time[" + std::to_string(i) + "]";
    if (!std::isfinite(time[i])) throw InputError(element, time[i], "must be finite");
    if (i > 0 && !(time[i] > time[i - 1]))
      throw InputError(element, time[i], "time must increase from sample to sample");
  }
}

/// Checks that all signals of a joint log have consistent shapes.
void check(const JointLog& joints, const Robot& robot, const std::string& trial) {
  const auto rows = joints.time.size();
  check_times(joints.time, trial + ".joints");
  for (const auto& [name, values] :
       {std::pair("position", &joints.position), std::pair("velocity", &joints.velocity),
        std::pair("torque", &joints.torque), std::pair("torque_reference", &joints.torque_reference)}) {
    if (values->size() == 0) continue;
    const auto signal = trial + ".joints." + name;
    if (values->rows() != rows || values->cols() != robot.size())
      throw InputError(signal, std::to_string(values->rows()) + " x " + std::to_string(values->cols()),
                       "must be " + std::to_string(rows) + " x " + std::to_string(robot.size()) +
                           ", a row per sample and a column per joint, or empty");
    for (Eigen::Index j = 0; j < values->cols(); ++j)
      for (Eigen::Index i = 0; i < rows; ++i)
        if (!std::isfinite((*values)(i, j)))
          throw InputError(signal + "(" + std::to_string(i) + ", " + std::to_string(j) + ")", (*values)(i, j),
                           "must be finite");
  }
}

/// Checks that the inertia is one that a rigid body can have, or zero.
void check_inertia(const Matrix3& inertia, const std::string& argument) {
  if (inertia.isZero(0)) return;
  if (!inertia.allFinite()) throw InputError(argument, "not finite", "must be finite");
  if (inertia != inertia.transpose()) throw InputError(argument, "not symmetric", "must be symmetric");
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  constexpr double rounding = 1e-9;
  if (!(moments[0] > 0)) throw InputError(argument, moments[0], "principal moments must be > 0, or all of it zero");
  if (moments[2] > (moments[0] + moments[1]) * (1 + rounding))
    throw InputError(argument, moments[2], "no principal moment exceeds the sum of the others in a rigid body");
}

/// Checks an object's motion, if there is any.
void check(const ObjectLog& object, const std::string& trial) {
  const auto argument = trial + ".object";
  const auto rows = object.time.size();
  if (rows == 0) {
    if (!std::isnan(object.mass) || !object.inertia.isZero(0) || object.position.size() + object.orientation.size() > 0)
      throw InputError(argument, "no samples", "an object needs times and positions");
    return;
  }
  if (!(std::isfinite(object.mass) && object.mass > 0))
    throw InputError(argument + ".mass", object.mass, "must be finite and > 0");
  check_inertia(object.inertia, argument + ".inertia");
  check_times(object.time, argument);
  const auto check_shape = [&](const char* name, const MatrixX& values, Eigen::Index columns, const char* rule) {
    if (values.rows() != rows || values.cols() != columns)
      throw InputError(argument + "." + name, std::to_string(values.rows()) + " x " + std::to_string(values.cols()),
                       "must be " + std::to_string(rows) + " x " + std::to_string(columns) + ", " + rule);
    for (Eigen::Index i = 0; i < rows; ++i)
      if (!values.row(i).allFinite())
        throw InputError(argument + "." + name + "[" + std::to_string(i) + "]", "not finite", "must be finite");
  };
  check_shape("position", object.position, 3, "a row per sample");
  if (object.orientation.size() == 0) return;
  check_shape("orientation", object.orientation, 4, "a row per sample, or empty");
  constexpr double rounding = 1e-3;  // of quaternions in files with few digits
  for (Eigen::Index i = 0; i < rows; ++i)
    if (const double norm = object.orientation.row(i).norm(); !(std::abs(norm - 1) <= rounding))
      throw InputError(argument + ".orientation[" + std::to_string(i) + "]", norm, "a quaternion must have length 1");
}

/// Checks that names are valid and unique.
void check_names(const std::string& argument, const std::vector<std::string>& names) {
  if (names.empty()) throw InputError(argument, "empty", "needs at least one name");
  std::set<std::string_view> seen;
  for (const auto& name : names) {
    validate_name(argument, name);
    if (!seen.insert(name).second) throw InputError(argument, name, "must not repeat");
  }
}

void check(const Configuration& configuration, const Robot& robot) {
  const auto argument = "configuration " + configuration.name;
  if (configuration.q.size() != robot.size())
    throw InputError(argument + ".q", std::to_string(configuration.q.size()) + " values",
                     "needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
  for (const double q : configuration.q)
    if (!std::isfinite(q)) throw InputError(argument + ".q", q, "must be finite");
  const double threshold = configuration.threshold;
  if (!std::isnan(threshold) && !(std::isfinite(threshold) && threshold > 0))
    throw InputError(argument + ".threshold", threshold, "must be > 0, or NaN for one that is not known");
}

void check(const ContactPoint& point, const Robot& robot) {
  try {
    validate(robot, point, "point.");
  } catch (const RobotError& error) {
    throw InputError(error.argument(), error.value(), error.rule());
  }
}

void check_detection_joints(const std::vector<int>& joints, const Robot& robot) {
  std::set<int> seen;
  for (const int joint : joints) {
    if (joint < 0 || joint >= robot.size())
      throw InputError("detection_joints", std::to_string(joint),
                       "must be from 0 to " + std::to_string(robot.size() - 1));
    if (!seen.insert(joint).second) throw InputError("detection_joints", std::to_string(joint), "must not repeat");
  }
}

/// Length of the UTF-8 character at the front of a text, 0 if it is invalid. Overlong forms and surrogates are invalid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7F';
}

}  // namespace

std::string memory_rule(std::uint64_t limit) {
  constexpr double gibibyte = 1 << 30;
  return "is beyond the " + to_text(static_cast<double>(limit) / gibibyte, 4) +
         " GiB of memory that the dataset may take (argument memory, --memory)";
}

std::optional<DataSource> source_named(std::string_view name) {
  for (const auto source : {DataSource::measured, DataSource::simulated})
    if (name == to_string(source)) return source;
  return std::nullopt;
}

void require_line(const std::string& argument, const std::string& text) {
  const auto refuse = [&](const char* rule) { throw InputError(argument, "'" + text::printable(text) + "'", rule); };
  if (text.empty()) refuse("must not be empty");
  if (std::ranges::any_of(text, is_control)) refuse("must be one line without control characters");
  for (std::string_view rest = text; !rest.empty();) {
    const auto length = utf8_length(rest);
    if (length == 0) refuse("must be UTF-8");
    rest.remove_prefix(length);
  }
}

Matrix3 inertia_of(const VectorX& entries) {
  Matrix3 inertia;
  inertia << entries[0], entries[3], entries[4], entries[3], entries[1], entries[5], entries[4], entries[5], entries[2];
  return inertia;
}

VectorX inertia_entries(const Matrix3& inertia) {
  VectorX entries(6);
  entries << inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2);
  return entries;
}

void require_text(const std::string& argument, const std::string& text) {
  if (text.find('\0') != std::string::npos) throw InputError(argument, "holds a zero byte", "must be text");
}

void require_comments(const std::string& argument, const std::vector<std::string>& comments) {
  constexpr std::size_t most = 100;  // as many as read_record keeps
  if (comments.size() > most)
    throw InputError(argument, std::to_string(comments.size()) + " comments", "must be at most 100");
  for (const auto& comment : comments)
    if (comment.empty() || comment.find_first_of(std::string_view("\n\0", 2)) != std::string::npos ||
        text::trim_blanks(comment).size() != comment.size())
      throw InputError(argument, "'" + text::printable(comment) + "'",
                       "a comment is one line, not empty, without blanks around it");
}

Robot validated_robot(const DatasetHeader& header) {
  require_line("robot", header.robot);
  try {
    return parse_urdf(header.urdf, header.robot);
  } catch (const RobotError& error) {
    throw InputError("urdf", error.value(), error.rule());
  }
}

void validate(const DatasetHeader& header, const Robot& robot) {
  check(header.point, robot);
  check_detection_joints(header.detection_joints, robot);
  std::vector<std::string> names;
  for (const auto& configuration : header.configurations) names.push_back(configuration.name);
  check_names("configurations", names);
  for (const auto& configuration : header.configurations) check(configuration, robot);
  check_names("plan", header.plan);
  require_text("campaign", header.campaign);
  for (const auto& [name, version] : header.versions) {
    require_line("versions", name);
    require_line("versions." + name, version);
  }
}

void validate(const DatasetHeader& header, const Robot& robot, const Trial& trial) {
  validate_name("trial", trial.name);
  const auto argument = "trial " + trial.name;
  if (std::ranges::find(header.plan, trial.name) == header.plan.end())
    throw InputError("trial", trial.name, "is not in the plan");
  if (std::ranges::find(header.configurations, trial.configuration, &Configuration::name) ==
      header.configurations.end())
    throw InputError(argument + ".configuration", text::printable(trial.configuration),
                     "is not one of the configurations");
  if (!(trial.speed > 0 && std::isfinite(trial.speed)))
    throw InputError(argument + ".speed", trial.speed, "must be finite and > 0");
  if (trial.repeat < 1) throw InputError(argument + ".repeat", std::to_string(trial.repeat), "counts from 1");
  if (trial.force.time.empty() && trial.joints.time.size() == 0 && trial.object.time.size() == 0)
    throw InputError(argument, "no signals", signal_rule);
  try {
    if (!trial.force.time.empty() || !trial.force.force.empty()) thud::validate(trial.force);
  } catch (const InputError& error) {
    throw InputError(argument + ".force: " + error.argument(), error.value(), error.rule());
  }
  require_comments(argument + ".force.comments", trial.force.comments);
  for (const auto& note : trial.force.notes) require_line(argument + ".force.notes", note.text);
  check(trial.joints, robot, argument);
  check(trial.object, argument);
  if (!std::isfinite(trial.clock_offset))
    throw InputError(argument + ".clock_offset", trial.clock_offset, "must be finite");
  if (std::isinf(trial.alarm_time))
    throw InputError(argument + ".alarm_time", trial.alarm_time, "must be finite, or NaN for none");
}

void validate(const Dataset& dataset, const Robot& robot) {
  validate(dataset.header, robot);
  auto planned = dataset.header.plan.begin();
  for (const auto& trial : dataset.trials) {
    validate(dataset.header, robot, trial);
    planned = std::find(planned, dataset.header.plan.end(), trial.name);
    if (planned == dataset.header.plan.end())
      throw InputError("trials", trial.name, "appears twice, or not in the order of the plan");
    ++planned;
  }
}

void validate(const Truth& truth, const Robot& robot, const std::string& trial) {
  const auto argument = "truth of " + trial;
  try {
    thud::validate(truth.law);
  } catch (const InputError& error) {
    throw InputError(argument + ".law." + error.argument(), error.value(), error.rule());
  }
  for (const auto& [name, values] : {std::pair(".q", &truth.q), std::pair(".dq", &truth.dq)}) {
    const bool touched = !std::isnan(truth.touch_time);
    if (!touched && values->size() == 0) continue;  // no posture at a touch that never came
    if (values->size() != robot.size())
      throw InputError(argument + name, std::to_string(values->size()) + " values",
                       "needs " + std::to_string(robot.size()) + ", one per joint of " + robot.name());
    if (!values->allFinite()) throw InputError(argument + name, "not finite", "must be finite");
  }
  for (const auto& [name, field] : truth_numbers)
    if (std::isinf(truth.*field))
      throw InputError(argument + "." + name, truth.*field, "must be finite, or NaN for what did not happen");
}

}  // namespace thud::dataset::rules

namespace THUD_EXPORT thud {
using namespace dataset;

std::string_view to_string(DataSource source) noexcept {
  return source == DataSource::simulated ? "simulated" : "measured";
}

void validate_name(const std::string& argument, const std::string& name) {
  constexpr std::size_t longest = 100;  // leaves room for suffixes in file names
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool good = !name.empty() && name.size() <= longest && letter(name.front()) &&
                    std::ranges::all_of(name, [&](char c) { return letter(c) || c == '-' || c == '.'; });
  if (!good)
    throw InputError(argument, "'" + text::printable(name) + "'",
                     "a name has up to 100 letters, digits, _, - and ., and begins with none of the last two");
}

void validate(const DatasetHeader& header) {
  rules::validate(header, rules::validated_robot(header));
}

void validate(const DatasetHeader& header, const Trial& trial) {
  const Robot robot = rules::validated_robot(header);
  rules::validate(header, robot);
  rules::validate(header, robot, trial);
}

void validate(const Dataset& dataset) {
  rules::validate(dataset, rules::validated_robot(dataset.header));
}

}  // namespace thud
