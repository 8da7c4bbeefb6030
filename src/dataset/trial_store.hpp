#pragma once

/// Private: where an unfinished dataset keeps its trials, until they are joined into one file.

#include <thud/dataset.hpp>
#include <thud/file.hpp>

#include <optional>
#include <string>

namespace thud::dataset::file {

/// The folder of the store for the dataset at `path`, and the file in it for one trial.
std::string part_folder(const std::string& path);
std::string part_path(const std::string& path, const std::string& trial);

/// Removes the temporary files that a killed writer left beside the file at `path` and in its store.
void remove_leftovers(const std::string& path);

/// The store for its single writer: a folder beside the dataset with one file per trial, and a lock that keeps
/// other writers out. Readers need no lock: a file appears in the folder complete or not at all.
class TrialStore {
 public:
  /// Creates the folder if necessary, takes the lock, and removes files that an interrupted writer left incomplete,
  /// also of the dataset file. Throws FileError, also if another writer holds the lock.
  explicit TrialStore(std::string path);

  /// Writes one valid trial to disk. Throws FileError.
  void put(const Robot& robot, const Trial& trial, const std::optional<Truth>& truth) const;

  /// Removes all trials.
  void clear() const;

  /// Removes all trials, and the folder with the lock unless it contains something else.
  void remove() const;

 private:
  std::string path_;  ///< of the dataset
  FileLock lock_;
};

}  // namespace thud::dataset::file
