#pragma once

/// The files that a command writes.

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace thud::cli {

/// Does the work. What the library says of its argument, such as "folder", is said of the option that gave it.
template <class Work>
auto as_option(const std::string& option, std::string_view argument, Work work) {
  try {
    return work();
  } catch (const FileError& error) {
    if (error.argument() != argument) throw;
    throw FileError(option, error.value(), error.rule());
  }
}

/// The outputs of one command by their options: each marked as this command's, never in the place of an input or of
/// another output, and in the place of a file without the mark only by force. They are checked when they are named, so
/// that nothing is computed in vain.
class Outputs {
 public:
  Outputs(std::string command, Overwrite overwrite) : command_(std::move(command)), overwrite_(std::move(overwrite)) {}

  /// An empty path: not asked for. Throws FileError, or InputError for a path that another option has.
  void add(const std::string& option, const std::string& path);
  bool wanted(const std::string& option) const { return paths_.contains(option); }

  /// Writes the whole text, after a comment with the mark. Throws FileError.
  void write(const std::string& option, const std::string& text) const;

 private:
  std::string command_;
  Overwrite overwrite_;
  std::map<std::string, std::string> paths_;
};

}  // namespace thud::cli
