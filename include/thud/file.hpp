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
/// once where the file tells its size, else as soon as they have been read. `option` is what raises the limit, for the
/// message.
std::string read_file(const std::string& path, std::size_t limit = max_file_size, std::string_view option = {});

/// The bytes of standard input, likewise; `-` in messages.
std::string read_standard_input(std::size_t limit = max_file_size, std::string_view option = {});

/// Writes a whole file or nothing: the text goes to a new file beside it, is flushed to the disk and then takes the
/// name, so that a reader of `path` sees either the old text or the new one. A link is followed. A terminal,
/// pipe or device is written to directly. Throws FileError, and then `path` is what it was.
void write_file(const std::string& path, std::string_view text);

/// What the output of a command begins with, in a comment: "thud fit 0.2.0".
std::string output_mark(std::string_view command);

/// Whether a file is an output of a command, of any version. It begins with the mark, `# thud fit 0.2.0` or
/// `<!-- thud fit 0.2.0`; or, where it is JSON, with its format, `{"format": "thud fit"`. What cannot be read is not.
bool is_output_of(const std::string& path, std::string_view command);

/// What an output may take the place of, beside an earlier output of the same command.
struct Overwrite {
  std::vector<std::string> inputs;  // files that were read, `-` for standard input: never replaced, whatever their
                                    // mark; of a folder, every file in it but earlier outputs of the same command
  bool force = false;               // replace other files
};

/// Checks that the output of a command may be written: there is nothing yet, but a folder for it; or a device; or an
/// earlier output of the same command (is_output_of), or any other file by force; but nothing that was read, through
/// links either. Throws FileError naming `argument` and the path.
void require_replaceable(const std::string& argument, const std::string& path, std::string_view command,
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
