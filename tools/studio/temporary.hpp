#pragma once

/// Files for what a library reads from the disk alone.

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace thud::cli {

/// A file that goes when nobody has it any more.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A folder of this program's own among the system's temporary ones, which nobody else may open. It is made with its
/// first file.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// A new file with that ending. Throws FileError.
  std::shared_ptr<const TemporaryFile> write(std::string_view content, const std::string& ending);

  /// With all that is in it. Nothing is written any more.
  void remove() noexcept;

 private:
  std::mutex mutex_;
  std::string path_;
  std::size_t written_ = 0;
  bool removed_ = false;
};

}  // namespace thud::cli
