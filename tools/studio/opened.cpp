#include "opened.hpp"

#include <thud/dataset.hpp>
#include <thud/drives_file.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/limits_file.hpp>
#include <thud/mjcf.hpp>
#include <thud/record.hpp>
#include <thud/urdf.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "../arm_arguments.hpp"
#include "../command.hpp"
#include "../info.hpp"

namespace thud::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 64, most_bytes = std::size_t{512} << 20U;
constexpr std::size_t largest_mesh = std::size_t{256} << 20U;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// FNV-1a of 64 bits over the name, a zero and the content.
std::string id_of(const std::string& name, std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::string_view bytes) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  };
  add(name);
  add(std::string_view("\0", 1));
  add(content);
  std::string id = "f";
  for (int shift = 60; shift >= 0; shift -= 4) id += "0123456789abcdef"[hash >> static_cast<unsigned>(shift) & 15U];
  return id;
}

// Of a dataset on the disk, which may be long: its size and the time of its last change stand for the content.
std::string id_of_dataset(const OpenedFile& file) {
  std::error_code error;
  const auto changed = fs::last_write_time(file.path, error).time_since_epoch().count();
  return id_of(file.name, std::to_string(file.bytes) + ' ' + std::to_string(changed));
}

// What a file is by the ending of its name; empty for what the studio does not take.
std::string kind_of_file(const std::string& name) {
  const std::string ending = lower_case(fs::path(name).extension().string());
  if (is_one_of(ending, {".csv", ".tsv", ".txt", ".dat"})) return "record";
  if (is_one_of(ending, {".urdf", ".xml", ".mjcf"})) return "robot";
  if (is_one_of(ending, {".h5", ".hdf5"})) return "dataset";
  if (ending == ".toml") return "settings";
  return "";
}

// Drives or limits by what the text has.
std::string kind_of_settings(const std::string& text, const std::string& name) {
  try {
    parse_limits(text, name, -1);
    return "limits";
  } catch (const FileError&) {
    parse_drives(text, name, -1);
    return "drives";
  }
}

// A file of a package: in a folder above the description that is the package or holds it. folder: an absolute path.
fs::path in_package(const fs::path& folder, const std::string& rest) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos) return {};
  const std::string package = rest.substr(0, slash), inside = rest.substr(slash + 1);
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    for (const fs::path& candidate : {at.filename() == package ? at / inside : fs::path(), at / package / inside})
      if (!candidate.empty() && fs::is_regular_file(candidate, error)) return candidate;
    if (at == at.parent_path()) return {};
  }
}

// The meshes that a description names, those that exist, each once; nothing but meshes that the page reads, by their
// names.
std::vector<Mesh> meshes_of(const std::string& urdf, const std::string& path) {
  std::vector<Mesh> meshes;
  const fs::path folder = fs::absolute(path).parent_path();
  for (std::size_t at = urdf.find("<mesh"); at != std::string::npos; at = urdf.find("<mesh", at + 1)) {
    const std::size_t end = std::min(urdf.find('>', at), urdf.size());
    const std::size_t key = urdf.find("filename", at);
    if (key >= end) continue;
    const std::size_t first = urdf.find_first_of("\"'", key);
    const std::size_t last = first >= end ? end : urdf.find(urdf[first], first + 1);
    if (last >= end) continue;
    const std::string name = urdf.substr(first + 1, last - first - 1);
    if (std::any_of(meshes.begin(), meshes.end(), [&](const Mesh& each) { return each.name == name; })) continue;
    fs::path file;
    if (name.starts_with("package://"))
      file = in_package(folder, name.substr(10));
    else if (name.starts_with("file://"))
      file = name.substr(7);
    else if (name.find("://") == std::string::npos)
      file = folder / name;
    std::error_code error;
    if (!is_one_of(lower_case(file.extension().string()), {".stl", ".dae", ".obj"}) ||
        !fs::is_regular_file(file, error))
      continue;
    const auto bytes = fs::file_size(file, error);
    if (!error && bytes <= largest_mesh) meshes.push_back({name, file.string(), static_cast<std::size_t>(bytes)});
  }
  return meshes;
}

void read_record_info(OpenedFile& file) {
  file.info = record_json(file.name, summarize(parse_record(file.text, file.name)));
}

void read_dataset_info(OpenedFile& file) {
  file.info = dataset_json(file.dataset(), file.name);
}

}  // namespace

Json OpenedFile::json() const {
  return {{"id", id},       {"name", name}, {"path", dropped ? Json(nullptr) : Json(path)},
          {"bytes", bytes}, {"kind", kind}, {"info", info}};
}

FileError OpenedFile::renamed(const FileError& error) const {
  const auto own = [&](std::string text) {
    for (std::size_t at = text.find(path); !path.empty() && at != std::string::npos; at = text.find(path, at))
      text.replace(at, path.size(), name);
    return text;
  };
  return {own(error.argument()), own(error.value()), own(error.rule())};
}

DatasetReader OpenedFile::dataset() const {
  return dropped ? DatasetReader::in_memory(text, name) : DatasetReader(path);
}

void Opened::require_room(const OpenedFile& file) const {
  std::size_t all = file.bytes;
  for (const auto& [id, each] : files_) all += each->dropped ? each->bytes : 0;
  if (file.dropped && (files_.size() >= most_files || all > most_bytes))
    throw InputError("file", file.name, "too much is open already: 64 files, 512 MiB");
}

std::shared_ptr<const OpenedFile> Opened::known(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(id);
  return found == files_.end() ? nullptr : found->second;
}

std::shared_ptr<const OpenedFile> Opened::keep(OpenedFile file) {
  const std::lock_guard lock(mutex_);
  if (const auto found = files_.find(file.id); found != files_.end()) return found->second;
  require_room(file);
  auto kept = std::make_shared<const OpenedFile>(std::move(file));
  files_[kept->id] = kept;
  return kept;
}

std::string Opened::open(const std::string& subject) {
  if (holds(shipped_robots(), subject)) return subject;
  OpenedFile file;
  file.path = subject;
  file.name = fs::path(subject).filename().string();
  file.kind = is_dataset(subject) ? "dataset" : kind_of_file(subject);
  if (file.kind.empty()) file.kind = "robot";  // a word that is no file is a robot's name, as for thud info
  std::error_code error;
  const auto bytes = fs::file_size(subject, error);
  file.bytes = error ? 0 : static_cast<std::size_t>(bytes);
  if (file.kind == "dataset") {
    file.id = id_of_dataset(file);
    read_dataset_info(file);
  } else if (file.kind == "record") {
    file.text = read_file(subject);
    file.id = id_of(file.name, file.text);
    read_record_info(file);
  } else if (file.kind == "settings") {
    throw InputError("SUBJECT", subject, "must be a robot, a dataset or a record");
  } else {
    Robot robot = named_robot(subject);
    std::string text = urdf_text(subject);
    file.id = id_of(file.name, text);
    if (is_mjcf(text)) text.clear();
    auto meshes = meshes_of(text, subject);
    file.info = robot_json(robot);
    file.robot = std::make_shared<const KeptRobot>(KeptRobot{std::move(robot), std::move(text), std::move(meshes)});
  }
  return keep(std::move(file))->id;
}

std::shared_ptr<const OpenedFile> Opened::drop(const std::string& name, std::string content) {
  OpenedFile file;
  file.name = fs::path(name).filename().string();
  file.kind = kind_of_file(name);
  file.id = id_of(file.name, content);
  file.bytes = content.size();
  file.dropped = true;
  if (file.kind.empty())
    throw InputError("file", file.name, "must end in .csv, .tsv, .txt, .dat, .urdf, .toml, .h5 or .hdf5");
  if (auto open = known(file.id)) return open;
  if (file.kind == "dataset") {
    file.text = std::move(content);
    read_dataset_info(file);
  } else if (file.kind == "robot") {
    // MJCF may name other files, which were not opened
    if (is_mjcf(content)) throw InputError("file", file.name, "is MJCF: open it as thud studio " + file.name);
    Robot robot = parse_urdf(content, file.name);
    file.info = robot_json(robot);
    file.robot = std::make_shared<const KeptRobot>(KeptRobot{std::move(robot), std::move(content), {}});
  } else {
    file.text = std::move(content);
    if (file.kind == "record")
      read_record_info(file);
    else
      file.kind = kind_of_settings(file.text, file.name);
  }
  return keep(std::move(file));
}

void Opened::close(const std::string& id) {
  if (!file(id)->dropped) throw InputError("file", id, "is of the command line, and stays");
  const std::lock_guard lock(mutex_);
  files_.erase(id);
}

std::shared_ptr<const OpenedFile> Opened::file(const std::string& id, const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(id);
  if (found == files_.end() || (!kind.empty() && found->second->kind != kind))
    throw InputError(kind.empty() ? "file" : kind, id, "is not open");
  return found->second;
}

std::vector<std::shared_ptr<const OpenedFile>> Opened::files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const OpenedFile>> all;
  for (const auto& [id, each] : files_) all.push_back(each);
  return all;
}

std::shared_ptr<const KeptRobot> Opened::kept_robot(const std::string& name) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = shipped_.find(name); found != shipped_.end()) return found->second;
    if (const auto found = files_.find(name); found != files_.end() && found->second->robot)
      return found->second->robot;
  }
  if (!holds(shipped_robots(), name)) throw RobotError("robot", name, "is neither shipped nor open");
  auto kept = std::make_shared<const KeptRobot>(KeptRobot{load_robot(name), urdf_text(name), {}});
  const std::lock_guard lock(mutex_);
  return shipped_.emplace(name, std::move(kept)).first->second;
}

Robot Opened::robot(const std::string& name, const UrdfLimits&) const {
  return kept_robot(name)->robot;
}

Drives Opened::drives(const std::string& name, const Robot& robot) const {
  if (holds(shipped_drives(), name)) return load_drives(name, robot.size());
  const auto opened = file(name, "drives");
  return parse_drives(opened->text, opened->name, robot.size());
}

std::string Opened::limits_text(const std::string& name) const {
  return holds(shipped_limits(), name) ? thud::limits_text(name) : file(name, "limits")->text;
}

}  // namespace thud::cli
