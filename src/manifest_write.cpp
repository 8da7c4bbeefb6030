#include <thud/error.hpp>
#include <thud/file.hpp>

#include <cmath>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include "dataset_file.hpp"
#include "dataset_rules.hpp"
#include "joint_table.hpp"
#include "manifest.hpp"

namespace thud::manifest {
namespace {

namespace fs = std::filesystem;

/// A text of one line between quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// A number that TOML takes for a float, and that reads back as the same one.
std::string number(double value) {
  auto text = to_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string list(const VectorRef& values) {
  std::string text;
  for (const double value : values) text.append(text.empty() ? "[" : ", ").append(number(value));
  return text.empty() ? "[]" : text + "]";
}

std::string list(const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values) text.append(text.empty() ? "[" : ", ").append(quoted(value));
  return text.empty() ? "[]" : text + "]";
}

/// A manifest as it grows.
struct Lines {
  std::string text{};
  void add(const std::string& key, const std::string& value) {
    text.append(key).append(" = ").append(value).append("\n");
  }
  void add_known(const std::string& key, double value) {
    if (!std::isnan(value)) add(key, number(value));
  }
  void table(const std::string& name) { text.append("\n").append(name).append("\n"); }
};

void add_header(Lines& lines, const Dataset& dataset, const Robot& robot) {
  const auto& header = dataset.header;
  lines.add("format", quoted(file::dataset_format));
  lines.add("format_version", std::to_string(file::format_version));
  lines.add("source", quoted(header.source));
  lines.add("robot", quoted("robot.urdf"));
  lines.add("robot_name", quoted(header.robot));
  std::vector<std::string> joints;
  for (const int joint : header.detection_joints)
    joints.push_back(robot.joints()[static_cast<std::size_t>(joint)].name);
  if (!joints.empty()) lines.add("detection_joints", list(joints));
  if (!header.campaign.empty()) lines.add("campaign", quoted("campaign.toml"));
  const bool large = header.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  lines.add("seed", large ? quoted(std::to_string(header.seed)) : std::to_string(header.seed));
  if (dataset.trials.size() < header.plan.size()) lines.add("plan", list(header.plan));
  if (!header.versions.empty()) lines.table("[versions]");
  for (const auto& [name, version] : header.versions) lines.add(quoted(name), quoted(version));
  lines.table("[contact]");
  lines.add("frame", quoted(header.point.frame));
  lines.add("offset", list(header.point.offset));
  lines.add("normal", list(header.point.normal_W));
  for (const auto& configuration : header.configurations) {
    lines.table("[[configuration]]");
    lines.add("name", quoted(configuration.name));
    lines.add("q", list(configuration.q));
    lines.add_known("threshold", configuration.threshold);
  }
}

void add_trial(Lines& lines, const Trial& trial) {
  lines.table("[[trial]]");
  lines.add("name", quoted(trial.name));
  lines.add("configuration", quoted(trial.configuration));
  lines.add("speed", number(trial.speed));
  lines.add("repeat", std::to_string(trial.repeat));
  lines.add("force", quoted("force/" + trial.name + ".csv"));
  if (trial.joints.time.size() > 0) lines.add("joints", quoted("joints/" + trial.name + ".csv"));
  lines.add("clock_offset", number(trial.clock_offset));
  lines.add_known("alarm_time", trial.alarm_time);
  lines.add("dropped", std::to_string(trial.force.dropped));
  lines.add("notes", list(texts(trial.force.notes)));
}

void add_truth(Lines& lines, const Truth& truth) {
  lines.table("[trial.truth]");
  lines.add("law", quoted(std::string(to_string(kind_of(truth.law)))));
  for (const auto& [name, value] : law_parameters(truth.law)) lines.add(std::string(name), number(value));
  for (const auto& [name, field] : rules::truth_numbers) lines.add_known(name, truth.*field);
  lines.add("q", list(truth.q));
  lines.add("dq", list(truth.dq));
}

void write_files(const fs::path& folder, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth) {
  fs::create_directory(folder);
  fs::create_directory(folder / "force");
  Lines lines;
  add_header(lines, dataset, robot);
  for (std::size_t i = 0; i < dataset.trials.size(); ++i) {
    const auto& trial = dataset.trials[i];
    add_trial(lines, trial);
    if (!truth.empty()) add_truth(lines, truth[i]);
    write_record((folder / "force" / (trial.name + ".csv")).string(), trial.force);
    if (trial.joints.time.size() == 0) continue;
    fs::create_directory(folder / "joints");
    write_file((folder / "joints" / (trial.name + ".csv")).string(), format_joints(trial.joints, robot));
  }
  write_file((folder / "robot.urdf").string(), dataset.header.urdf);
  if (!dataset.header.campaign.empty()) write_file((folder / "campaign.toml").string(), dataset.header.campaign);
  write_file((folder / "manifest.toml").string(), lines.text);
}

}  // namespace

void write(const std::string& folder, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth) {
  std::error_code error;
  if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder, error)))
    throw FileError(folder, "is there", "a folder for a dataset must be empty or not exist");
  // All files in a folder beside it, which then takes the name.
  fs::path target = fs::path(folder);
  if (!target.has_filename()) target = target.parent_path();
  const fs::path part = target.string() + ".part" + std::to_string(::getpid());
  fs::remove_all(part, error);
  try {
    write_files(part, dataset, robot, truth);
    fs::rename(part, target);
  } catch (const fs::filesystem_error& failure) {
    fs::remove_all(part, error);
    throw FileError(folder, "cannot be written", failure.code().message());
  } catch (...) {
    fs::remove_all(part, error);
    throw;
  }
}

}  // namespace thud::manifest
