#pragma once

/// Private: where a dataset that is not finished keeps its trials, until they are joined into one file.

#include <thud/dataset.hpp>
#include <thud/file.hpp>

#include <optional>
#include <string>

namespace thud::dataset::file {

/// The folder of the store of the dataset at `path`, and the file in it that holds one trial.
std::string part_folder(const std::string& path);
std::string part_path(const std::string& path, const std::string& trial);

/// The store as its one writer sees it: a folder beside the dataset with one file per trial, and a lock that keeps
/// other writers out. Readers need neither: a file is in the folder whole or not at all.
class TrialStore {
 public:
  /// Makes the folder if need be, takes the lock, and removes what an interrupted writer has left half written, of the
  /// dataset's own file too. Throws FileError, also if another writer has the lock.
  explicit TrialStore(std::string path);

  /// Puts one valid trial on the disk. Throws FileError.
  void put(const Robot& robot, const Trial& trial, const std::optional<Truth>& truth) const;

  /// Removes all trials.
  void clear() const;

  /// Removes all trials, and the folder with the lock unless it holds something else.
  void remove() const;

 private:
  std::string path_;  ///< of the dataset
  FileLock lock_;
};

}  // namespace thud::dataset::file
