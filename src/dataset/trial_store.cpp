#include "dataset/trial_store.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "dataset/file.hpp"

namespace thud::dataset::file {
namespace {

namespace fs = std::filesystem;

constexpr auto part_extension = ".h5";

std::string lock_path(const std::string& path) {
  return part_folder(path) + "/lock";
}

FileLock take_lock(const std::string& path) {
  try {
    if (auto lock = FileLock::take(lock_path(path))) return std::move(*lock);
  } catch (const std::system_error& error) {
    throw FileError(path, "cannot be written", error.code().message());
  }
  throw FileError(path, "is being written by another process", "a dataset has one writer at a time");
}

/// Whether a file is a temporary of write_file for `name`: .part, a process id and a count are appended.
bool is_leftover(const std::string& file, const std::string& name) {
  return file.starts_with(name + ".part") &&
         file.find_first_not_of("0123456789_", name.size() + 5) == std::string::npos && file.size() > name.size() + 5;
}

}  // namespace

std::string part_folder(const std::string& path) {
  return path + ".parts";
}

std::string part_path(const std::string& path, const std::string& trial) {
  return part_folder(path) + "/" + trial + part_extension;
}

void remove_leftovers(const std::string& path) {
  std::error_code error;
  const auto file = fs::path(path).filename().string();
  const auto parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(parent, error))
    if (is_leftover(entry.path().filename().string(), file)) leftovers.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(part_folder(path), error)) {
    const auto name = entry.path().filename().string();
    if (const auto end = name.find(".h5.part"); end != std::string::npos && is_leftover(name, name.substr(0, end + 3)))
      leftovers.push_back(entry.path());
  }
  for (const auto& each : leftovers) fs::remove(each, error);
}

TrialStore::TrialStore(std::string path) : path_(std::move(path)), lock_(take_lock(path_)) {
  remove_leftovers(path_);
}

void TrialStore::put(const Robot& robot, const Trial& trial, const std::optional<Truth>& truth) const {
  std::string bytes;
  {
    const hdf5::Session session;
    Builder builder(robot);
    builder.add(trial);
    if (truth) builder.add(trial.name, *truth);
    bytes = builder.bytes(part_format);
  }
  write_file(part_path(path_, trial.name), bytes);
}

void TrialStore::clear() const {
  std::error_code error;
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(part_folder(path_), error))
    if (entry.path().extension() == part_extension) parts.push_back(entry.path());
  for (const auto& part : parts) fs::remove(part, error);
}

void TrialStore::remove() const {
  clear();
  std::error_code error;
  fs::remove(lock_path(path_), error);
  fs::remove(part_folder(path_), error);
}

}  // namespace thud::dataset::file
