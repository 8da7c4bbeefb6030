#include "temporary.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace thud::cli {

namespace fs = std::filesystem;

TemporaryFile::~TemporaryFile() {
  std::error_code error;
  fs::remove(path_, error);
}

TemporaryFolder::~TemporaryFolder() {
  remove();
}

std::shared_ptr<const TemporaryFile> TemporaryFolder::write(std::string_view content, const std::string& ending) {
  const std::lock_guard lock(mutex_);
  if (removed_) throw FileError("file", "dropped", "the studio is ending");
  if (path_.empty()) {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "thud-studio-XXXXXX").string();
    if (error || !mkdtemp(name.data())) throw FileError("temporary folder", name, "cannot be made");
    path_ = name;
  }
  const std::string path = path_ + "/" + std::to_string(++written_) + ending;
  write_file(path, content);
  return std::make_shared<const TemporaryFile>(path);
}

void TemporaryFolder::remove() noexcept {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
  removed_ = true;
}

}  // namespace thud::cli
