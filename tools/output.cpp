#include "output.hpp"

#include <thud/error.hpp>

#include <filesystem>

namespace thud::cli {

void Outputs::add(const std::string& option, const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  for (const auto& [other, taken] : paths_) {
    std::error_code error;
    const auto here = fs::weakly_canonical(fs::absolute(path, error), error);
    const auto there = fs::weakly_canonical(fs::absolute(taken, error), error);
    if (here == there && !fs::is_other(path, error)) throw InputError(option, path, "is the file of " + other);
  }
  require_replaceable(option, path, command_, overwrite_);
  paths_[option] = path;
}

void Outputs::write(const std::string& option, const std::string& text) const {
  if (!wanted(option)) return;
  const std::string& path = paths_.at(option);
  require_replaceable(option, path, command_, overwrite_);
  const bool markup = path.ends_with(".svg") || path.ends_with(".html");
  write_file(path, (markup ? "<!-- " : "# ") + output_mark(command_) + (markup ? " -->\n" : "\n") + text);
}

}  // namespace thud::cli
