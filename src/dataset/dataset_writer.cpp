#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dataset/dataset_file.hpp"
#include "dataset/dataset_rules.hpp"
#include "text/columns.hpp"

namespace THUD_EXPORT thud {
using namespace dataset;
namespace {

namespace fs = std::filesystem;

/// The lock of a dataset's parts folder, which is made if need be. -1: another process has it.
int take_lock(const std::string& path) {
  const auto folder = file::part_folder(path);
  const auto name = folder + "/lock";
  while (true) {
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
      throw FileError(path, "cannot be written", std::generic_category().message(errno));
    const int lock = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0 && errno == ENOENT) continue;  // who finished has just removed the folder
    if (lock < 0) throw FileError(path, "cannot be locked", std::generic_category().message(errno));
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
      ::close(lock);
      return -1;
    }
    // A lock on a file that has lost its name keeps nobody out.
    struct stat held {
    }, named{};
    if (::fstat(lock, &held) == 0 && ::stat(name.c_str(), &named) == 0 && held.st_ino == named.st_ino) return lock;
    ::close(lock);
  }
}

/// Whether a file name is `name` with what write_file appends while it writes: .part, a process and a count.
bool is_leftover(const std::string& file, const std::string& name) {
  return file.starts_with(name + ".part") &&
         file.find_first_not_of("0123456789_", name.size() + 5) == std::string::npos && file.size() > name.size() + 5;
}

/// Removes what a killed writer left behind.
void remove_leftovers(const std::string& path) {
  std::error_code error;
  const auto file = fs::path(path).filename().string();
  const auto parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(parent, error))
    if (is_leftover(entry.path().filename().string(), file)) leftovers.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(file::part_folder(path), error)) {
    const auto name = entry.path().filename().string();
    if (const auto end = name.find(".h5.part"); end != std::string::npos && is_leftover(name, name.substr(0, end + 3)))
      leftovers.push_back(entry.path());
  }
  for (const auto& each : leftovers) fs::remove(each, error);
}

/// Removes the parts and nothing else, then the folder if that leaves it empty.
void remove_parts(const std::string& path, bool and_folder) {
  std::error_code error;
  const auto folder = file::part_folder(path);
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".h5") parts.push_back(entry.path());
  for (const auto& part : parts) fs::remove(part, error);
  if (!and_folder) return;
  fs::remove(folder + "/lock", error);
  fs::remove(folder, error);
}

/// The first line in which two texts differ.
std::string first_difference(const std::string& name, const std::string& old, const std::string& now) {
  std::size_t line = 1, start = 0;
  const auto length = std::min(old.size(), now.size());
  for (std::size_t i = 0; i < length && old[i] == now[i]; ++i)
    if (old[i] == '\n') {
      ++line;
      start = i + 1;
    }
  const auto cut = [&](const std::string& text) {
    return start < text.size() ? text::printable(text.substr(start, text.find('\n', start) - start)) : "";
  };
  return name + " line " + std::to_string(line) + " is '" + cut(old) + "', not '" + cut(now) + "'";
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const Configuration& a, const Configuration& b) {
  return a.name == b.name && a.q.size() == b.q.size() && a.q == b.q && same(a.threshold, b.threshold);
}

/// Names of the trials whose files can be read to the end.
std::set<std::string> readable_trials(const file::Stored& stored) {
  std::set<std::string> names;
  for (const auto& name : stored.header().plan) {
    if (!stored.has(name)) continue;
    try {
      static_cast<void>(stored.trial(name));
      static_cast<void>(stored.truth(name));
      names.insert(name);
    } catch (const FileError&) {
      continue;  // damaged: it is made again
    }
  }
  return names;
}

/// The file without its trials, with a link to where each will be.
std::string unfinished_file(const std::string& path, const DatasetHeader& header, const Robot& robot) {
  file::Builder builder(robot);
  builder.add(header, false);
  const auto folder = fs::path(file::part_folder(path)).filename().string();
  for (const auto& name : header.plan) builder.link(name, folder + "/" + name + ".h5");
  return builder.bytes(file::dataset_format);
}

}  // namespace

std::optional<std::string> difference(const DatasetHeader& old, const DatasetHeader& now) {
  const auto is = [](const std::string& what, const std::string& a, const std::string& b) {
    return what + " is " + a + ", not " + b;
  };
  if (old.source != now.source) return is("source", old.source, now.source);
  if (old.robot != now.robot) return is("robot", old.robot, now.robot);
  if (old.seed != now.seed) return is("seed", std::to_string(old.seed), std::to_string(now.seed));
  if (old.campaign != now.campaign) return first_difference("campaign", old.campaign, now.campaign);
  if (old.urdf != now.urdf) return first_difference("urdf", old.urdf, now.urdf);
  if (old.point.frame != now.point.frame) return is("contact frame", old.point.frame, now.point.frame);
  if (old.point.offset != now.point.offset || old.point.normal_W != now.point.normal_W)
    return "contact point is another";
  if (old.detection_joints != now.detection_joints) return "detection joints are others";
  if (!std::ranges::equal(old.configurations, now.configurations,
                          [](const auto& a, const auto& b) { return same(a, b); }))
    return "configurations are others";
  if (old.plan != now.plan) return "plan is another";
  if (old.versions != now.versions) return "versions of the programs are others";
  return std::nullopt;
}

DatasetWriter::DatasetWriter(std::string path, const DatasetHeader& header) : path_(std::move(path)), header_(header) {
  validate(header_);
  const auto robot = rules::validated_robot(header_);
  const hdf5::Session session;
  std::error_code error;
  if (fs::exists(path_, error))
    static_cast<void>(file::Stored(path_));  // throws if it is foreign, before a folder is made
  lock_ = take_lock(path_);
  if (lock_ < 0) throw FileError(path_, "is being written by another process", "a dataset has one writer at a time");
  try {
    remove_leftovers(path_);
    if (!fs::exists(path_, error)) {
      remove_parts(path_, false);
      write_file(path_, unfinished_file(path_, header_, robot));
      return;
    }
    const file::Stored stored(path_);
    if (stored.complete()) {
      remove_parts(path_, true);
      throw FileError(path_, std::to_string(stored.header().plan.size()) + " trials", "the dataset is complete");
    }
    if (const auto found = difference(stored.header(), header_))
      throw FileError(path_, *found, "the file is an unfinished dataset of another kind; choose another name");
    stored_ = readable_trials(stored);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

DatasetWriter::~DatasetWriter() {
  if (lock_ >= 0) ::close(lock_);
}

std::vector<std::string> DatasetWriter::missing() const {
  std::vector<std::string> names;
  for (const auto& name : header_.plan)
    if (!stored_.contains(name)) names.push_back(name);
  return names;
}

void DatasetWriter::store(const Trial& trial, const std::optional<Truth>& truth) {
  if (lock_ < 0) throw FileError(path_, trial.name, "the dataset is complete");
  const auto robot = rules::validated_robot(header_);
  rules::validate(header_, robot, trial);
  if (truth) rules::validate(*truth, robot, trial.name);
  std::string bytes;
  {
    const hdf5::Session session;
    file::Builder builder(robot);
    builder.add(trial);
    if (truth) builder.add(trial.name, *truth);
    bytes = builder.bytes(file::part_format);
  }
  write_file(file::part_path(path_, trial.name), bytes);
  stored_.insert(trial.name);
}

void DatasetWriter::finish() {
  if (lock_ < 0) return;
  if (const auto absent = missing(); !absent.empty())
    throw InputError("trials", absent.front(),
                     "is missing, and so are " + std::to_string(absent.size() - 1) + " more of the " +
                         std::to_string(header_.plan.size()) + " planned");
  std::string bytes;
  {
    const hdf5::Session session;
    const file::Stored stored(path_);
    file::Builder builder(stored.robot());
    builder.add(header_, true);
    for (const auto& name : header_.plan) builder.add(stored.trial(name));
    for (const auto& name : header_.plan)
      if (const auto truth = stored.truth(name)) builder.add(name, *truth);
    bytes = builder.bytes(file::dataset_format);
  }
  write_file(path_, bytes);
  remove_parts(path_, true);
  ::close(std::exchange(lock_, -1));
}

}  // namespace thud
