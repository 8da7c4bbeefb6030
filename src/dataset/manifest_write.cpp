#include <thud/error.hpp>
#include <thud/file.hpp>

#include <cmath>
#include <filesystem>
#include <utility>

#include "dataset/file.hpp"
#include "dataset/joint_table.hpp"
#include "dataset/manifest.hpp"
#include "dataset/object_table.hpp"
#include "dataset/rules.hpp"
#include "toml/writer.hpp"

namespace thud::dataset::manifest {
namespace {

namespace fs = std::filesystem;

void add_header(toml::Writer& out, const Dataset& dataset, const Robot& robot) {
  const auto& header = dataset.header;
  out.text("format", file::dataset_format);
  out.integer("format_version", file::format_version);
  out.text("source", to_string(header.source));
  out.text("robot", "robot.urdf");
  out.text("robot_name", header.robot);
  std::vector<std::string> joints;
  for (const int joint : header.detection_joints)
    joints.push_back(robot.joints()[static_cast<std::size_t>(joint)].name);
  if (!joints.empty()) out.texts("detection_joints", joints);
  if (!header.campaign.empty()) out.text("campaign", "campaign.toml");
  // TOML integers end at 2^63 - 1; larger numbers are written as strings.
  if (std::in_range<std::int64_t>(header.seed)) {
    out.integer("seed", header.seed);
  } else {
    out.text("seed", std::to_string(header.seed));
  }
  if (dataset.trials.size() < header.plan.size()) out.texts("plan", header.plan);
  if (!header.versions.empty()) out.table("versions");
  for (const auto& [name, version] : header.versions) out.text(toml::quoted_text(name), version);
  out.table("contact");
  out.text("frame", header.point.frame);
  out.numbers("offset", header.point.offset);
  out.numbers("normal", header.point.normal_W);
  for (const auto& configuration : header.configurations) {
    out.next("configuration");
    out.text("name", configuration.name);
    out.numbers("q", configuration.q);
    out.known_number("threshold", configuration.threshold);
  }
}

void add_trial(toml::Writer& out, const Trial& trial) {
  out.next("trial");
  out.text("name", trial.name);
  out.text("configuration", trial.configuration);
  out.number("speed", trial.speed);
  out.integer("repeat", static_cast<std::uint64_t>(trial.repeat));
  if (!trial.force.time.empty()) out.text("force", "force/" + trial.name + ".csv");
  if (trial.joints.time.size() > 0) out.text("joints", "joints/" + trial.name + ".csv");
  if (trial.object.time.size() > 0) {
    out.text("object", "object/" + trial.name + ".csv");
    out.number("object_mass", trial.object.mass);
    if (!trial.object.inertia.isZero(0)) out.numbers("object_inertia", rules::inertia_entries(trial.object.inertia));
  }
  out.number("clock_offset", trial.clock_offset);
  out.known_number("alarm_time", trial.alarm_time);
  if (trial.force.time.empty()) return;
  out.integer("dropped", trial.force.dropped);
  out.texts("notes", texts(trial.force.notes));
}

void add_truth(toml::Writer& out, const Truth& truth) {
  out.table("trial.truth");
  out.text("law", to_string(kind_of(truth.law)));
  for (const auto& [name, value] : law_parameters(truth.law)) out.number(name, value);
  for (const auto& [name, field] : rules::truth_numbers) out.known_number(name, truth.*field);
  out.numbers("q", truth.q);
  out.numbers("dq", truth.dq);
}

/// Creates the first folder in a series of names that does not exist yet.
fs::path new_folder(const std::string& name) {
  for (std::size_t count = 0;; ++count)
    if (fs::path folder = name + std::to_string(count); fs::create_directory(folder)) return folder;
}

void write_files(const fs::path& folder, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth) {
  const auto file = [&](const char* kind, const Trial& trial) {
    fs::create_directory(folder / kind);
    return (folder / kind / (trial.name + ".csv")).string();
  };
  toml::Writer out;
  add_header(out, dataset, robot);
  for (std::size_t i = 0; i < dataset.trials.size(); ++i) {
    const auto& trial = dataset.trials[i];
    add_trial(out, trial);
    if (!truth.empty()) add_truth(out, truth[i]);
    if (!trial.force.time.empty()) write_record(file("force", trial), trial.force);
    if (trial.joints.time.size() > 0) write_file(file("joints", trial), format_joints(trial.joints, robot));
    if (trial.object.time.size() > 0) write_file(file("object", trial), format_motion(trial.object));
  }
  write_file((folder / "robot.urdf").string(), dataset.header.urdf);
  if (!dataset.header.campaign.empty()) write_file((folder / "campaign.toml").string(), dataset.header.campaign);
  write_file((folder / "manifest.toml").string(), out.document());
}

}  // namespace

void write(const std::string& folder, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth) {
  std::error_code error;
  // All files go to a temporary folder beside it, which is then renamed.
  fs::path target = fs::path(folder);
  if (!target.has_filename()) target = target.parent_path();
  fs::path part;
  try {
    part = new_folder(target.string() + ".part");
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

}  // namespace thud::dataset::manifest
