#pragma once

/// Private: a lock that one process at a time has, and that the system takes back from one that dies.

#include <optional>
#include <string>

namespace thud {

class FileLock {
 public:
  /// Locks a file, which is made if need be, and so is its folder. Nothing: another has it. Throws std::system_error
  /// if there can be no such file.
  static std::optional<FileLock> take(const std::string& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_;  ///< -1: moved from
};

}  // namespace thud
