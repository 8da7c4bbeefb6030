#include "dataset/manifest.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include <toml++/toml.h>

#include "dataset/file.hpp"
#include "dataset/joint_table.hpp"
#include "dataset/object_table.hpp"
#include "dataset/rules.hpp"
#include "text/column_titles.hpp"
#include "toml/table.hpp"

namespace thud::dataset::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Reads one manifest from top to bottom.
class Reader {
 public:
  explicit Reader(const std::string& folder) : folder_(folder), file_((fs::path(folder) / "manifest.toml").string()) {}
  Manifest read();

 private:
  ::toml::table parse() const;
  void read_format(const toml::Table& top) const;
  void read_robot(const toml::Table& top);
  void read_contact(const toml::Table& top);
  void read_configurations(const toml::Table& top);
  void read_rest(const toml::Table& top);
  void read_seed(const toml::Table& top);
  Entry read_entry(const toml::Table& table) const;
  void read_trials(const toml::Table& top);
  void read_plan(const toml::Table& top);
  Truth parse_truth(const ::toml::table& table) const;
  void read_truth(const toml::Table& table, Entry& entry) const;
  void read_object(const toml::Table& table, Entry& entry) const;
  std::string inside(const toml::Table& table, std::string_view key) const;
  template <class Check>
  void check(Check rule) const;

  const std::string& folder_;
  std::string file_;
  DatasetHeader header_;
  std::optional<Robot> robot_;
  std::vector<Entry> entries_;
  std::vector<std::string> files_;
  std::map<std::string, std::size_t> lines_;
};

/// Adds the line of the offending part to an error.
FileError located(const std::string& file, const std::map<std::string, std::size_t>& lines, const InputError& error) {
  std::size_t line = 0, longest = 0;
  for (const auto& [part, number] : lines)
    if (part.size() > longest && error.argument().starts_with(part)) {
      line = number;
      longest = part.size();
    }
  return {file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + error.argument(), error.value(), error.rule()};
}

template <class Check>
void Reader::check(Check rule) const {
  try {
    rule();
  } catch (const InputError& error) {
    throw located(file_, lines_, error);
  }
}

::toml::table Reader::parse() const {
  return toml::parse_toml(read_file(file_), file_);
}

/// The path of a file named by a key. It must stay inside the folder, even through links.
std::string Reader::inside(const toml::Table& table, std::string_view key) const {
  const fs::path name = table.text(key);
  std::error_code error;
  const auto home = fs::canonical(folder_, error);
  const auto relative = fs::weakly_canonical(home / name, error).lexically_relative(home);
  if (error || name.is_absolute() || relative.empty() || relative == "." || *relative.begin() == "..")
    table.refuse(key, "must be the name of a file in the folder of the manifest");
  return (fs::path(folder_) / name).string();
}

void Reader::read_format(const toml::Table& top) const {
  if (top.has("format") && top.text("format") != file::dataset_format)
    top.refuse("format", std::string("must be ") + file::dataset_format);
  if (top.has("format_version") && top.integer("format_version", 1, most) != file::format_version)
    top.refuse("format_version",
               "this program reads version " + std::to_string(file::format_version) + "; a newer thud is needed");
}

/// A shipped name, a file in the folder, or the description itself.
void Reader::read_robot(const toml::Table& top) {
  const auto robot = top.text("robot");
  const auto shipped = shipped_robots();
  if (robot.find('<') != std::string::npos) {
    header_.urdf = robot;
    header_.robot = "robot";
  } else if (std::ranges::find(shipped, robot) != shipped.end()) {
    header_.urdf = urdf_text(robot);
    header_.robot = robot;
  } else {
    const auto path = inside(top, "robot");
    files_.push_back(path);
    try {
      header_.urdf = read_file(path);
    } catch (const FileError& error) {
      top.refuse("robot", "cannot be read (" + error.rule() + "), and is not a shipped name");
    }
    header_.robot = fs::path(robot).stem().string();
  }
  if (top.has("robot_name")) header_.robot = top.text("robot_name");
  lines_["robot"] = lines_["urdf"] = top.line("robot");
  check([&] { robot_ = rules::validated_robot(header_); });
}

void Reader::read_contact(const toml::Table& top) {
  const toml::Table contact(file_, top.table("contact"), {"frame", "offset", "normal"});
  header_.point.frame = contact.text("frame");
  if (contact.has("offset")) header_.point.offset = contact.vector3("offset");
  header_.point.normal_W = contact.vector3("normal");
  lines_["point.frame"] = contact.line("frame");
  lines_["point.offset"] = contact.line("offset");
  lines_["point.normal"] = contact.line("normal");
}

void Reader::read_configurations(const toml::Table& top) {
  for (const auto* given : top.tables("configuration")) {
    const toml::Table table(file_, *given, {"name", "q", "threshold"});
    auto& configuration = header_.configurations.emplace_back();
    configuration.name = table.has("name") ? table.text("name") : "c" + std::to_string(header_.configurations.size());
    configuration.q = table.numbers("q");
    configuration.threshold = table.number_or_nan("threshold");
    lines_["configurations"] = table.line("name");
    check([&] { validate_name("configurations", configuration.name); });
    lines_["configuration " + configuration.name] = table.line();
    lines_["configuration " + configuration.name + ".q"] = table.line("q");
    lines_["configuration " + configuration.name + ".threshold"] = table.line("threshold");
  }
}

void Reader::read_seed(const toml::Table& top) {
  if (!top.has("seed")) return;
  if (!top.is_text("seed")) {
    header_.seed = static_cast<std::uint64_t>(top.integer("seed", 0, most));
    return;
  }
  // TOML integers end at 2^63 - 1; larger numbers are written as strings.
  const auto text = top.text("seed");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), header_.seed);
  if (error != std::errc() || end != text.data() + text.size())
    top.refuse("seed", "must be a whole number from 0 to 18446744073709551615");
}

void Reader::read_rest(const toml::Table& top) {
  if (top.has("source")) {
    const auto source = rules::source_named(top.text("source"));
    if (!source) top.refuse("source", rules::source_rule);
    header_.source = *source;
  }
  if (top.has("detection_joints"))
    for (const auto& joint : top.texts("detection_joints")) {
      try {
        header_.detection_joints.push_back(robot_->joint_index(joint));
      } catch (const RobotError& error) {
        top.refuse("detection_joints", text::printable(joint) + " is " + error.rule());
      }
    }
  lines_["detection_joints"] = top.line("detection_joints");
  read_seed(top);
  if (top.has("campaign")) {
    files_.push_back(inside(top, "campaign"));
    header_.campaign = read_file(files_.back());
  }
  lines_["campaign"] = top.line("campaign");
  if (!top.has("versions")) return;
  const auto& given = top.table("versions");
  std::vector<std::string_view> names;
  for (const auto& [name, version] : given) names.push_back(name.str());
  const toml::Table versions(file_, given, names);
  for (const auto name : names) header_.versions[std::string(name)] = versions.text(name);
  lines_["versions"] = versions.line();
}

Truth Reader::parse_truth(const ::toml::table& given) const {
  std::vector<std::string_view> keys{"law", "q", "dq"};
  keys.insert(keys.end(), parameter_names().begin(), parameter_names().end());
  for (const auto& [name, field] : rules::truth_numbers) keys.emplace_back(name);
  const toml::Table table(file_, given, keys);
  Truth truth;
  const auto law = law_from_name(table.text("law"));
  if (!law) table.refuse("law", rules::law_rule());
  truth.law = *law;
  for (const auto& [name, value] : law_parameters(truth.law)) *value = table.number(name);
  for (const auto& [name, field] : rules::truth_numbers) truth.*field = table.number_or_nan(name);
  truth.q = table.numbers("q");
  truth.dq = table.numbers("dq");
  return truth;
}

/// The truth is optional, so an error in it is kept until somebody asks for it.
void Reader::read_truth(const toml::Table& table, Entry& entry) const {
  if (!table.has("truth")) return;
  try {
    Truth truth = parse_truth(table.table("truth"));
    check([&] { rules::validate(truth, *robot_, entry.trial.name); });
    entry.truth = std::move(truth);
  } catch (const FileError& error) {
    entry.truth_error = error;
  }
}

/// The key of the first file of a trial, after which it is named unless it has a name.
const char* first_file(const toml::Table& table) {
  for (const auto* key : {"force", "joints", "object"})
    if (table.has(key)) return key;
  table.refuse("force", rules::signal_rule);
}

void Reader::read_object(const toml::Table& table, Entry& entry) const {
  if (!table.has("object")) {
    for (const auto* key : {"object_mass", "object_inertia"})
      if (table.has(key)) table.refuse(key, "is that of an object, which is not given");
    return;
  }
  entry.object = inside(table, "object");
  entry.trial.object.mass = table.number("object_mass");
  if (!table.has("object_inertia")) return;
  const VectorX entries = table.numbers("object_inertia");
  if (entries.size() != 6) table.refuse("object_inertia", "must be [xx, yy, zz, xy, xz, yz]");
  entry.trial.object.inertia = rules::inertia_of(entries);
}

Entry Reader::read_entry(const toml::Table& table) const {
  Entry entry;
  auto& trial = entry.trial;
  const char* first = first_file(table);
  if (table.has("force")) entry.force = inside(table, "force");
  trial.name = table.has("name") ? table.text("name") : fs::path(table.text(first)).stem().string();
  if (table.has("configuration")) {
    trial.configuration = table.text("configuration");
  } else if (header_.configurations.size() == 1) {
    trial.configuration = header_.configurations.front().name;
  } else {
    table.refuse("configuration",
                 "must name one of the " + std::to_string(header_.configurations.size()) + " configurations");
  }
  trial.speed = table.number("speed");
  const auto alike = [&](const Entry& other) {
    return other.trial.configuration == trial.configuration && other.trial.speed == trial.speed;
  };
  trial.repeat = table.has("repeat") ? static_cast<int>(table.integer("repeat", 1, std::numeric_limits<int>::max()))
                                     : static_cast<int>(std::ranges::count_if(entries_, alike)) + 1;
  if (table.has("joints")) entry.joints = inside(table, "joints");
  read_object(table, entry);
  if (table.has("clock_offset")) trial.clock_offset = table.number("clock_offset");
  trial.alarm_time = table.number_or_nan("alarm_time");
  if (table.has("dropped")) entry.dropped = static_cast<std::size_t>(table.integer("dropped", 0, most));
  if (table.has("notes")) entry.notes = table.texts("notes");
  for (const auto* key : {"dropped", "notes"})
    if (table.has(key) && entry.force.empty()) table.refuse(key, "is that of a force record, which is not given");
  return entry;
}

void Reader::read_trials(const toml::Table& top) {
  std::set<std::string> names;
  for (const auto* given : top.tables("trial")) {
    const toml::Table table(file_, *given,
                            {"name", "configuration", "speed", "repeat", "force", "joints", "object", "object_mass",
                             "object_inertia", "clock_offset", "alarm_time", "dropped", "notes", "truth"});
    auto entry = read_entry(table);
    auto& trial = entry.trial;
    const char* named_by = table.has("name") ? "name" : first_file(table);
    lines_["trial"] = table.line(named_by);
    check([&] { validate_name("trial", trial.name); });
    if (!names.insert(trial.name).second) table.refuse(named_by, "another trial is named " + trial.name);
    lines_["trial " + trial.name] = lines_["truth of " + trial.name] = table.line();
    for (const auto* key : {"configuration", "speed", "clock_offset", "alarm_time", "object"})
      lines_["trial " + trial.name + "." + key] = table.line(key);
    for (const auto* part : {"mass", "inertia"})
      lines_["trial " + trial.name + ".object." + part] = table.line(std::string("object_") + part);
    read_truth(table, entry);
    for (const auto& signals : {entry.force, entry.joints, entry.object})
      if (!signals.empty()) files_.push_back(signals);
    entries_.push_back(std::move(entry));
  }
}

/// The plan, if there is one, contains all trials of the manifest, and possibly more.
void Reader::read_plan(const toml::Table& top) {
  lines_["plan"] = top.line("plan");
  if (!top.has("plan")) {
    for (const auto& entry : entries_) header_.plan.push_back(entry.trial.name);
    return;
  }
  header_.plan = top.texts("plan");
  std::map<std::string, std::size_t> places;
  for (const auto& name : header_.plan) places.emplace(name, places.size());
  for (const auto& entry : entries_)
    if (!places.contains(entry.trial.name)) top.refuse("plan", "does not have the trial " + entry.trial.name);
  std::ranges::sort(entries_, {}, [&](const Entry& entry) { return places[entry.trial.name]; });
}

Manifest Reader::read() {
  const auto document = parse();
  files_.push_back(file_);
  const toml::Table top(file_, document,
                        {"format", "format_version", "source", "robot", "robot_name", "campaign", "seed", "contact",
                         "detection_joints", "configuration", "plan", "versions", "trial"});
  read_format(top);
  read_robot(top);
  read_contact(top);
  read_configurations(top);
  read_rest(top);
  read_trials(top);
  read_plan(top);
  check([&] { rules::validate(header_, *robot_); });
  return {folder_,          file_, std::move(header_), std::move(*robot_), std::move(entries_), std::move(files_),
          std::move(lines_)};
}

}  // namespace

Manifest read(const std::string& folder) {
  return Reader(folder).read();
}

Trial read_trial(const Manifest& manifest, const Entry& entry) {
  Trial trial = entry.trial;
  if (!entry.force.empty()) trial.force = read_record(entry.force);
  if (entry.dropped) trial.force.dropped = *entry.dropped;
  if (entry.notes) trial.force.notes = stored_notes(*entry.notes);
  if (!entry.joints.empty()) trial.joints = parse_joints(read_file(entry.joints), entry.joints, manifest.robot);
  if (!entry.object.empty()) parse_motion(read_file(entry.object), entry.object, trial.object);
  try {
    rules::validate(manifest.header, manifest.robot, trial);
  } catch (const InputError& error) {
    throw located(manifest.file, manifest.lines, error);
  }
  return trial;
}

}  // namespace thud::dataset::manifest
