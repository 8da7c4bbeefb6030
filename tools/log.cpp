#include "log.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace thud::cli {
namespace {

namespace fs = std::filesystem;

bool begins_like_libfranka(const fs::path& path) {
  std::ifstream file(path);
  std::array<char, 40> head{};
  file.read(head.data(), head.size());
  std::string text(head.data(), static_cast<std::size_t>(file.gcount()));
  std::erase(text, ' ');
  return text.starts_with("time,success_rate,");
}

}  // namespace

bool is_log(const std::string& path) {
  constexpr std::string_view endings[] = {".bag", ".db3", ".mcap", ".mat", ".lvm", ".flat"};
  std::error_code error;
  if (fs::is_directory(path, error))
    return fs::exists(fs::path(path) / "metadata.yaml", error) && !fs::exists(fs::path(path) / "manifest.toml", error);
  const std::string ending = fs::path(path).extension().string();
  return std::ranges::find(endings, ending) != std::end(endings) || (ending == ".csv" && begins_like_libfranka(path));
}

}  // namespace thud::cli
