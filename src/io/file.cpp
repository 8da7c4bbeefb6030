#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <initializer_list>
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
std::string read_all(int fd, const std::string& name, std::size_t limit, std::string_view option) {
  constexpr std::size_t shortest = 0xFFFF;  // [bytes] to begin with
  const auto too_long = [&] {
    std::string rule = "the limit for reading";
    if (!option.empty()) rule.append(" (").append(option).append(")");
    throw FileError(name, "has more than " + std::to_string(limit) + " bytes", rule);
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

std::string read_or_refuse(int fd, const std::string& name, std::size_t limit, std::string_view option) {
  try {
    return read_all(fd, name, std::min(limit, std::string().max_size() - 1), option);
  } catch (const std::bad_alloc&) {
    throw FileError(name, "does not fit into memory", "a shorter file is needed");
  }
}

// The first bytes of a file; none of what cannot be read.
std::string head_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string head(256, '\0');
  const auto count = file.fd < 0 ? 0 : ::read(file.fd, head.data(), head.size());
  head.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return head;
}

// Whether a text begins with a version of two numbers at least.
bool begins_with_version(std::string_view text) {
  const auto digits = [&] {
    const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count > 0;
  };
  if (!digits() || !text.starts_with('.')) return false;
  text.remove_prefix(1);
  return digits();
}

// Whether a text begins with words, between which there may be blanks.
bool begins_with_words(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const auto word : words) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
  }
  return true;
}

// What a name stands for, through links, whether it exists or not.
std::filesystem::path link_target(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path target(path);
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(target, error); ++links)  // the limit of Linux
    target = target.parent_path() / fs::read_symlink(target, error);
  return target;
}

// Whether two names are of one file; `-` is standard input.
bool is_same_file(const std::string& file, const std::string& input) {
  struct stat here {
  }, there{};
  const bool found = input == "-" ? ::fstat(STDIN_FILENO, &there) == 0 : ::stat(input.c_str(), &there) == 0;
  return found && ::stat(file.c_str(), &here) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

// Whether a file is an input, or stands in a folder that is one without being an earlier output of the command.
bool is_input(const std::string& file, const std::string& input, std::string_view command) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(input, error)) return is_same_file(file, input);
  if (is_output_of(file, command)) return false;
  for (auto entry = fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (entry->is_regular_file(none) && is_same_file(file, entry->path().string())) return true;
  }
  return false;
}

}  // namespace

std::string output_mark(std::string_view command) {
  return std::string("thud ").append(command).append(" ").append(THUD_VERSION);
}

bool is_output_of(const std::string& path, std::string_view command) {
  const std::string head = head_of(path);
  for (const std::string_view comment : {"# ", "<!-- "}) {
    const std::string mark = std::string(comment).append("thud ").append(command).append(" ");
    if (head.starts_with(mark) && begins_with_version(std::string_view(head).substr(mark.size()))) return true;
  }
  const std::string format = std::string("\"thud ").append(command).append("\"");
  return begins_with_words(head, {"{", "\"format\"", ":", format});
}

void require_replaceable(const std::string& argument, const std::string& path, std::string_view command,
                         const Overwrite& overwrite) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) throw FileError(argument, path, "is a folder; a file is needed");
  if (!fs::exists(status)) {
    const fs::path target = link_target(path);
    if (!fs::is_directory(target.has_parent_path() ? target.parent_path() : fs::path("."), error))
      throw FileError(argument, path, "cannot be written: there is no such folder");
  }
  if (!fs::is_regular_file(status)) return;
  for (const auto& input : overwrite.inputs)
    if (is_input(path, input, command)) throw FileError(argument, path, "is read by this command and would be lost");
  if (!overwrite.force && !is_output_of(path, command))
    throw FileError(argument, path, "exists and is not an earlier result of this command; --force replaces it");
}

std::string read_file(const std::string& path, std::size_t limit, std::string_view option) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) fail(path, "cannot be opened");
  return read_or_refuse(file.fd, path, limit, option);
}

std::string read_standard_input(std::size_t limit, std::string_view option) {
  return read_or_refuse(STDIN_FILENO, "-", limit, option);
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
  const fs::path target = link_target(path);
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
