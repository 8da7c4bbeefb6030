#include "dataset/file.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "dataset/rules.hpp"
#include "dataset/trial_store.hpp"
#include "text/column_titles.hpp"

namespace thud::dataset::file {
namespace {

using hdf5::Input;
using hdf5::Label;
using hdf5::Output;

/// Joint signals: their field in a JointLog and their label in the file.
struct Signal {
  const char* name;
  MatrixX JointLog::*field;
  Label label;
};
constexpr Signal signals[] = {
    {"position", &JointLog::position, {"rad or m", "joint positions by the motors' encoders, a column per joint"}},
    {"velocity", &JointLog::velocity, {"rad/s or m/s", "joint velocities by the motors' encoders, a column per joint"}},
    {"torque", &JointLog::torque, {"N m or N", "of the joints' torque sensors, a column per joint"}},
    {"torque_reference",
     &JointLog::torque_reference,
     {"N m or N", "what the controller's inverse dynamics asked for, a column per joint"}},
};

void write_point(const Output& header, const ContactPoint& point) {
  const auto contact = header.group("contact");
  contact.attribute("frame", point.frame);
  contact.numbers("offset", point.offset.data(), 3, {"m", "contact point in the frame of the link"});
  contact.numbers("normal", point.normal_W.data(), 3, {"1", "out of the environment, in world axes"});
}

void write_configurations(const Output& header, const std::vector<Configuration>& configurations, int joints) {
  const auto group = header.group("configurations");
  hdf5::Texts names;
  MatrixX q(static_cast<Eigen::Index>(configurations.size()), joints);
  std::vector<double> thresholds;
  for (const auto& configuration : configurations) {
    q.row(static_cast<Eigen::Index>(names.size())) = configuration.q;
    names.push_back(configuration.name);
    thresholds.push_back(configuration.threshold);
  }
  group.texts("name", names, {"", "of the postures in which the robot hits"});
  group.numbers("q", q, {"rad or m", "nominal joint positions at the touch, a row per posture"});
  group.numbers("threshold", thresholds.data(), thresholds.size(), {"N m", "of impact detection; NaN: not known"});
}

std::vector<Configuration> read_configurations(const Input& header, const Robot& robot) {
  const auto group = header.group("configurations");
  const auto names = group.texts("name");
  const auto q = group.numbers("q", static_cast<std::size_t>(robot.size()));
  const auto thresholds = group.numbers("threshold", 0, Input::Finite::or_nan);
  const auto count = static_cast<Eigen::Index>(names.size());
  if (q.rows() != count || thresholds.rows() != count)
    throw FileError(group.where("q"), std::to_string(q.rows()) + " rows", "must be one per name and threshold");
  std::vector<Configuration> configurations(names.size());
  for (Eigen::Index i = 0; i < count; ++i)
    configurations[static_cast<std::size_t>(i)] = {names[static_cast<std::size_t>(i)], q.row(i), thresholds(i, 0)};
  return configurations;
}

/// A text of any length, stored as an array of one row, since attributes are limited in size.
std::string read_text(const Input& group, const std::string& name) {
  auto texts = group.texts(name);
  if (texts.size() != 1) throw FileError(group.where(name), std::to_string(texts.size()) + " texts", "must be one");
  return std::move(texts.front());
}

Vector3 read_vector(const Input& group, const std::string& name) {
  const auto values = group.numbers(name);
  if (values.rows() != 3) throw FileError(group.where(name), std::to_string(values.rows()) + " values", "must be 3");
  return values;
}

int to_int(const Input& group, const std::string& name, std::int64_t value) {
  if (std::in_range<int>(value)) return static_cast<int>(value);
  throw FileError(group.where(name), std::to_string(value), "is out of range");
}

JointLog read_joints(const Input& trial, int joints) {
  JointLog log;
  if (!trial.has("joints")) return log;
  const auto group = trial.group("joints");
  log.time = group.numbers("time");
  for (const auto& [name, field, label] : signals)
    if (group.has(name)) log.*field = group.numbers(name, static_cast<std::size_t>(joints));
  return log;
}

/// A trial without a force record has no such group.
Record read_force(const Input& trial) {
  if (!trial.has("force")) return {};
  const auto group = trial.group("force");
  const auto to_list = [](const MatrixX& values) {
    return std::vector<double>(values.data(), values.data() + values.size());
  };
  Record record{.time = to_list(group.numbers("time")), .force = to_list(group.numbers("value"))};
  record.dropped = group.natural("dropped");
  if (group.has("comments")) record.comments = group.texts("comments");
  if (group.has("notes")) record.notes = stored_notes(group.texts("notes"));
  return record;
}

ObjectLog read_object(const Input& trial) {
  ObjectLog object;
  if (!trial.has("object")) return object;
  const auto group = trial.group("object");
  object.mass = group.number("mass");
  if (group.has("inertia")) {
    const VectorX entries = group.numbers("inertia");
    if (entries.size() != 6)
      throw FileError(group.where("inertia"), std::to_string(entries.size()), "must be 6 values");
    object.inertia = rules::inertia_of(entries);
  }
  object.time = group.numbers("time");
  object.position = group.numbers("position", 3);
  if (group.has("orientation")) object.orientation = group.numbers("orientation", 4);
  return object;
}

void write_force(const Output& trial, const Record& record) {
  const auto force = trial.group("force");
  force.attribute("dropped", std::uint64_t{record.dropped});
  force.numbers("time", record.time.data(), record.time.size(), {"s", "of the samples, sensor's clock"});
  force.numbers("value", record.force.data(), record.force.size(),
                {"N", "force along the contact normal, as measured"});
  force.texts("comments", record.comments, {"", "comments of the record"});
  force.texts("notes", texts(record.notes), {"", "what the reader of the record noticed"});
}

void write_joints(const Output& trial, const JointLog& log) {
  const auto joints = trial.group("joints");
  joints.numbers("time", log.time.data(), static_cast<std::size_t>(log.time.size()),
                 {"s", "of the samples, robot's clock"});
  for (const auto& [name, field, label] : signals) joints.numbers(name, log.*field, label);
}

void write_object(const Output& trial, const ObjectLog& log) {
  const auto object = trial.group("object");
  object.attribute("mass", log.mass);
  if (!log.inertia.isZero(0)) {
    const VectorX entries = rules::inertia_entries(log.inertia);
    object.numbers("inertia", entries.data(), 6,
                   {"kg m^2", "xx, yy, zz, xy, xz, yz about the centre of mass, own axes"});
  }
  object.numbers("time", log.time.data(), static_cast<std::size_t>(log.time.size()),
                 {"s", "of the samples, robot's clock"});
  object.numbers("position", log.position, {"m", "of the centre of mass, in world axes"});
  object.numbers("orientation", log.orientation, {"1", "quaternions w, x, y, z of its axes in the world's"});
}

/// Runs a check of a part of the group, and adds its location to the error.
template <class Check>
void check_in(const Input& group, Check check) {
  try {
    check();
  } catch (const InputError& error) {
    throw FileError(group.where(error.argument()), error.value(), error.rule());
  }
}

DataSource read_source(const Input& header) {
  const auto text = header.text("source");
  const auto source = rules::source_named(text);
  if (!source) throw FileError(header.where("source"), text::printable(text), rules::source_rule);
  return *source;
}

/// The header, and the robot that it describes.
DatasetHeader read_header(const Input& root, std::optional<Robot>& robot) {
  const auto group = root.group("header");
  DatasetHeader header;
  header.source = read_source(group);
  header.robot = group.text("robot");
  header.seed = group.natural("seed");
  header.urdf = read_text(group, "urdf");
  check_in(group, [&] { robot = rules::validated_robot(header); });
  const auto contact = group.group("contact");
  header.point = {contact.text("frame"), read_vector(contact, "offset"), read_vector(contact, "normal")};
  if (group.has("detection_joints"))
    for (const auto joint : group.integers("detection_joints"))
      header.detection_joints.push_back(to_int(group, "detection_joints", joint));
  header.configurations = read_configurations(group, *robot);
  header.plan = group.texts("plan");
  if (group.has("campaign")) header.campaign = read_text(group, "campaign");
  if (group.has("versions")) {
    const auto versions = group.texts("versions", 2);
    for (std::size_t i = 0; i + 1 < versions.size(); i += 2) header.versions[versions[i]] = versions[i + 1];
  }
  check_in(group, [&] { rules::validate(header, *robot); });
  return header;
}

Trial read_trial(const Input& trials, const std::string& name, const DatasetHeader& header, const Robot& robot) {
  const auto group = trials.group(name);
  Trial trial;
  trial.name = name;
  trial.configuration = group.text("configuration");
  trial.speed = group.number("speed");
  trial.repeat = to_int(group, "@repeat", group.integer("repeat"));
  trial.clock_offset = group.number("clock_offset");
  trial.alarm_time = group.number_or_nan("alarm_time");
  trial.force = read_force(group);
  trial.joints = read_joints(group, robot.size());
  trial.object = read_object(group);
  check_in(trials, [&] { rules::validate(header, robot, trial); });
  return trial;
}

Truth read_truth(const Input& truths, const std::string& name, const Robot& robot) {
  const auto group = truths.group(name);
  Truth truth;
  const auto law = law_from_name(group.text("law"));
  if (!law) throw FileError(group.where("@law"), text::printable(group.text("law")), rules::law_rule());
  truth.law = *law;
  for (const auto& [parameter, value] : law_parameters(truth.law)) *value = group.number(std::string(parameter));
  for (const auto& [number, field] : rules::truth_numbers) truth.*field = group.number_or_nan(number);
  if (group.has("q")) truth.q = group.numbers("q");
  if (group.has("dq")) truth.dq = group.numbers("dq");
  check_in(truths, [&] { rules::validate(truth, robot, name); });
  return truth;
}

}  // namespace

hdf5::Input open(const hdf5::Source& source, const std::string& format, std::shared_ptr<hdf5::Budget> budget) {
  const std::string& path = source.path;
  Input root(source, std::move(budget));
  const auto foreign = [&](const std::string& value) { throw FileError(path, value, "is HDF5, but not a " + format); };
  if (!root.has_attribute("format")) foreign("no attribute format");
  if (const auto found = root.text("format"); found != format) foreign("format " + text::printable(found));
  const auto version = root.integer("format_version");
  if (version != format_version)
    throw FileError(path, "format version " + std::to_string(version),
                    "this program reads version " + std::to_string(format_version) +
                        (version > format_version ? "; a newer thud is needed" : ""));
  return root;
}

Builder::Builder(const Robot& robot) : robot_(&robot), root_(file_.root()) {}

const Output& Builder::trials() {
  if (!trials_) trials_.emplace(root_->group("trials"));
  return *trials_;
}

const Output& Builder::truths() {
  if (!truths_) truths_.emplace(root_->group("truth"));
  return *truths_;
}

void Builder::add(const DatasetHeader& header, bool complete) {
  root_->attribute("complete", std::int64_t{complete});
  const auto group = root_->group("header");
  group.attribute("source", std::string(to_string(header.source)));
  group.attribute("robot", header.robot);
  group.attribute("seed", header.seed);
  group.texts("urdf", {header.urdf}, {"", "description of the robot, whole"});
  hdf5::Texts joints;
  for (const auto& joint : robot_->joints()) joints.push_back(joint.name);
  group.texts("joints", joints, {"", "joints of the robot in the order of every column"});
  write_point(group, header.point);
  group.integers("detection_joints", {header.detection_joints.begin(), header.detection_joints.end()},
                 {"1", "joints whose torques were watched for impacts, counted from 0"});
  write_configurations(group, header.configurations, robot_->size());
  group.texts("plan", header.plan, {"", "names of all trials, in order"});
  if (!header.campaign.empty())
    group.texts("campaign", {header.campaign}, {"", "configuration of the simulated campaign, TOML"});
  hdf5::Texts versions;
  for (const auto& [name, version] : header.versions) versions.insert(versions.end(), {name, version});
  group.texts("versions", versions, {"", "name and version of the programs that made the dataset"}, 2);
}

void Builder::add(const Trial& trial) {
  const auto group = trials().group(trial.name);
  group.attribute("configuration", trial.configuration);
  group.attribute("speed", trial.speed);
  group.attribute("repeat", std::int64_t{trial.repeat});
  group.attribute("clock_offset", trial.clock_offset);
  if (!std::isnan(trial.alarm_time)) group.attribute("alarm_time", trial.alarm_time);
  if (!trial.force.time.empty()) write_force(group, trial.force);
  if (trial.joints.time.size() > 0) write_joints(group, trial.joints);
  if (trial.object.time.size() > 0) write_object(group, trial.object);
}

void Builder::add(const std::string& trial, const Truth& truth) {
  const auto group = truths().group(trial);
  group.attribute("law", std::string(to_string(kind_of(truth.law))));
  for (const auto& [name, value] : law_parameters(truth.law)) group.attribute(std::string(name), value);
  for (const auto& [name, field] : rules::truth_numbers)
    if (!std::isnan(truth.*field)) group.attribute(name, truth.*field);
  const auto count = static_cast<std::size_t>(truth.q.size());
  group.numbers("q", truth.q.data(), count, {"rad or m", "joint positions on the link side, at the touch"});
  group.numbers("dq", truth.dq.data(), count, {"rad/s or m/s", "joint velocities on the link side, at the touch"});
}

void Builder::link(const std::string& trial, const std::string& file) {
  trials().link(trial, file, "/trials/" + trial);
}

std::string Builder::bytes(const std::string& format) {
  root_->attribute("format", format);
  root_->attribute("format_version", format_version);
  truths_.reset();
  trials_.reset();
  root_.reset();
  return file_.bytes();
}

Stored::Stored(const hdf5::Source& source, std::uint64_t memory)
    : source_(source),
      root_(open(source, dataset_format, std::make_shared<hdf5::Budget>(memory))),
      header_(read_header(root_, robot_)) {
  complete_ = root_.integer("complete") != 0;
  if (!complete_) return;
  for (const auto& name : header_.plan)
    if (!in_file(name)) throw FileError(root_.where("trials/" + name), "missing", "the file says that it is complete");
}

bool Stored::in_file(const std::string& trial) const {
  return root_.has("trials") && root_.group("trials").has(trial);
}

bool Stored::in_store(const std::string& trial) const {
  std::error_code error;
  return !complete_ && !source_.bytes && std::filesystem::is_regular_file(part_path(source_.path, trial), error);
}

bool Stored::has(const std::string& trial) const {
  return in_file(trial) || in_store(trial);
}

Input Stored::root_of(const std::string& trial) const {
  if (std::ranges::find(header_.plan, trial) == header_.plan.end())
    throw FileError(source_.path, text::printable(trial), "is not a trial of this dataset");
  if (in_store(trial)) return open(part_path(source_.path, trial), part_format, root_.budget());
  if (in_file(trial)) return root_;
  throw FileError(root_.where("trials/" + text::printable(trial)), "missing", "is not among the finished trials");
}

Trial Stored::trial(const std::string& name) const {
  return read_trial(root_of(name).group("trials"), name, header_, *robot_);
}

std::optional<Truth> Stored::truth(const std::string& trial) const {
  const auto root = root_of(trial);
  if (!root.has("truth")) return std::nullopt;
  const auto truths = root.group("truth");
  if (!truths.has(trial)) return std::nullopt;
  return read_truth(truths, trial, *robot_);
}

bool is_complete(const std::string& path) {
  try {
    return open(path, dataset_format, std::make_shared<hdf5::Budget>(0)).integer("complete") != 0;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace thud::dataset::file
