#pragma once

#include <thud/export.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// How much is read of a file, a pipe or a device unless told otherwise: 1 GiB [bytes].
inline constexpr std::size_t max_file_size = std::size_t{1} << 30;

/// The bytes of a file. Throws FileError when it cannot be opened or read, for a folder, and beyond `limit` bytes: at
/// once where the file tells its size, else as soon as they have been read.
std::string read_file(const std::string& path, std::size_t limit = max_file_size);

/// The bytes of standard input, likewise; `-` in messages.
std::string read_standard_input(std::size_t limit = max_file_size);

/// Writes a whole file or nothing: the text goes to a new file beside it, is flushed to the disk and then takes the
/// name, so that a reader of `path` sees either the old text or the new one. A link is followed. A terminal,
/// pipe or device is written to directly. Throws FileError, and then `path` is what it was.
void write_file(const std::string& path, std::string_view text);

/// What an output may take the place of, beside a file that carries its own mark.
struct Overwrite {
  std::vector<std::string> inputs;  // files that were read, and folders: never replaced
  bool force = false;               // replace a file without the mark
};

/// Checks that an output may be written: there is nothing yet, or a device, or a file of its own kind, which holds
/// `mark` within its first 4096 bytes, or any other file by force; but nothing that was read, through links either. In
/// a folder that was read, what carries the mark is no input. Throws FileError naming `argument` and the path.
void require_replaceable(const std::string& argument, const std::string& path, std::string_view mark,
                         const Overwrite& overwrite);

/// A lock that one process at a time has, and that the system takes back from one that dies.
class FileLock {
 public:
  /// Locks a file, which is made if need be, and so is its folder. Nothing: another process has it. Throws
  /// std::system_error if there can be no such file.
  static std::optional<FileLock> take(const std::string& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_;  // -1: moved from
};

}  // namespace thud
