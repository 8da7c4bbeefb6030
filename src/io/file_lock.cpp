#include <thud/file.hpp>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace THUD_EXPORT thud {

std::optional<FileLock> FileLock::take(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  while (true) {
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) throw std::system_error(errno, std::generic_category());
    FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.descriptor_ < 0 && errno == ENOENT) continue;  // another process has just removed the folder
    if (lock.descriptor_ < 0) throw std::system_error(errno, std::generic_category());
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
    // A lock on an unlinked file excludes nobody.
    struct stat held {
    }, named{};
    if (::fstat(lock.descriptor_, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino)
      return lock;
  }
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace thud
