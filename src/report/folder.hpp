#pragma once

/// Private: the folder that a report is written into.

#include <thud/error.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace thud::report {

/// Whether it is there. Throws FileError if a file is in its place, or in that of a folder on the way to it.
inline bool is_folder(const std::string& folder) {
  std::error_code error;
  auto place = std::filesystem::absolute(folder, error);
  if (!place.has_filename()) place = place.parent_path();  // of a name that ends with a slash
  for (auto part = place;; part = part.parent_path()) {
    const auto status = std::filesystem::status(part, error);
    if (std::filesystem::is_directory(status)) return part == place;
    if (std::filesystem::exists(status))
      throw FileError(
          "folder", folder,
          "cannot be made: " + (part == place ? "there is a file in its place" : part.string() + " is a file"));
    if (part == part.parent_path()) return false;
  }
}

/// Makes it, if need be.
inline void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError("folder", folder, "cannot be made: " + error.message());
}

}  // namespace thud::report
