#pragma once

/// Private: the folder that a report is written into.

#include <thud/error.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace thud::report {

/// Whether it is there. Throws FileError if a file is in its place.
inline bool is_folder(const std::string& folder) {
  std::error_code error;
  const auto status = std::filesystem::status(folder, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    throw FileError("folder", folder, "cannot be made: there is a file in its place");
  return std::filesystem::is_directory(status);
}

/// Makes it, if need be.
inline void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError("folder", folder, "cannot be made: " + error.message());
}

}  // namespace thud::report
