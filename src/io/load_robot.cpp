// Robots by name or path.

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/urdf.hpp>

#include <filesystem>
#include <system_error>

#include "io/shipped.hpp"
#include "io/shipped_robots.hpp"

namespace THUD_EXPORT thud {

Robot load_robot(const std::string& name_or_path, const UrdfLimits& limits) {
  return parse_urdf(urdf_text(name_or_path, limits.bytes), name_or_path, limits);
}

std::string urdf_text(const std::string& name_or_path, std::size_t limit) {
  const auto& shipped = io::shipped_urdf();
  if (const auto found = shipped.find(name_or_path); found != shipped.end()) return std::string(found->second);
  try {
    return read_file(name_or_path, limit, "UrdfLimits::bytes, --max-size");
  } catch (const FileError& error) {
    std::error_code none;
    if (std::filesystem::exists(name_or_path, none))
      throw FileError("robot", name_or_path, error.value() + " (" + error.rule() + ")");
    throw io::not_found("robot", name_or_path, shipped, error);
  }
}

std::vector<std::string> shipped_robots() {
  return io::names_of(io::shipped_urdf());
}

}  // namespace thud
