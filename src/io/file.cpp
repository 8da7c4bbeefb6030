#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace THUD_EXPORT thud {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(path, what, std::generic_category().message(errno));
}

/// RAII wrapper of a POSIX file descriptor.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int value) : fd(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  bool close() { return ::close(std::exchange(fd, -1)) == 0; }
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Everything up to `limit` bytes from an open file; `name` is for messages.
std::string read_all(int fd, const std::string& name, std::size_t limit) {
  constexpr std::size_t shortest = 0xFFFF;  // [bytes] to begin with
  const auto too_long = [&] {
    throw FileError(name, "has more than " + std::to_string(limit) + " bytes", "the limit for reading");
  };
  struct stat info {};
  if (::fstat(fd, &info) != 0) fail(name, "cannot be read");
  if (S_ISDIR(info.st_mode)) throw FileError(name, "is a folder", "a file is needed");

  // The size is a hint: a pipe has none, and a file may grow while it is read.
  const auto size = static_cast<std::size_t>(info.st_size);
  if (S_ISREG(info.st_mode) && size > limit) too_long();
  std::string text;
  text.resize(std::min(std::max(size, shortest), limit) + 1);
  std::size_t length = 0;
  while (true) {
    const auto count = ::read(fd, text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name, "cannot be read");
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    if (length > limit) too_long();
    if (length == text.size()) text.resize(std::min(2 * length, limit) + 1);
  }
  text.resize(length);
  return text;
}

std::string read_or_refuse(int fd, const std::string& name, std::size_t limit) {
  try {
    return read_all(fd, name, std::min(limit, std::string().max_size() - 1));
  } catch (const std::bad_alloc&) {
    throw FileError(name, "does not fit into memory", "a shorter file is needed");
  }
}

// Whether a file's beginning holds a mark. What cannot be read does not.
bool carries(const std::filesystem::path& path, std::string_view mark) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string head(4096, '\0');
  const auto count = file.fd < 0 ? 0 : ::read(file.fd, head.data(), head.size());
  return std::string_view(head.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))).find(mark) !=
         std::string_view::npos;
}

// Whether a file is an input, or stands in a folder that is one without the mark of an output.
bool is_input(const std::filesystem::path& file, const std::string& input, std::string_view mark) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(input, error)) return fs::equivalent(file, input, error);
  for (auto entry = fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (entry->is_regular_file(none) && fs::equivalent(file, *entry, none) && !carries(file, mark)) return true;
  }
  return false;
}

}  // namespace

void require_replaceable(const std::string& argument, const std::string& path, std::string_view mark,
                         const Overwrite& overwrite) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  for (const auto& input : overwrite.inputs)
    if (is_input(path, input, mark)) throw FileError(argument, path, "is read by this command and would be lost");
  if (!overwrite.force && !carries(path, mark))
    throw FileError(argument, path, "exists and is not an earlier result of this command; --force replaces it");
}

std::string read_file(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) fail(path, "cannot be opened");
  return read_or_refuse(file.fd, path, limit);
}

std::string read_standard_input(std::size_t limit) {
  return read_or_refuse(STDIN_FILENO, "-", limit);
}

void write_file(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) throw FileError(path, "is a folder", "a file is needed");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.fd < 0 || !write_all(device.fd, text)) fail(path, "cannot be written");
    return;
  }

  // A new file in the same folder, with the permissions of the user's umask.
  const auto target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  static std::atomic<unsigned> count = 0;
  const auto part = target.string() + ".part" + std::to_string(::getpid()) + "_" + std::to_string(count++);
  Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.fd < 0) fail(path, "cannot be written");

  // An existing file keeps its permissions.
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) static_cast<void>(::fchmod(file.fd, old.st_mode & 07777));

  // First the data on disk, then the name, then the folder that holds the name.
  if (!write_all(file.fd, text) || ::fsync(file.fd) != 0 || !file.close() ||
      ::rename(part.c_str(), target.c_str()) != 0) {
    const auto reason = errno;
    ::unlink(part.c_str());
    errno = reason;
    fail(path, "cannot be written");
  }
  const auto folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd >= 0) static_cast<void>(::fsync(directory.fd));
}

}  // namespace thud
