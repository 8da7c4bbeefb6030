#include "log.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace thud::cli {
namespace {

namespace fs = std::filesystem;

// Python has the package, or says in one line what is missing. Modules are not looked for in the working folder.
constexpr const char* python_program = R"(import sys
sys.path = [folder for folder in sys.path if folder]
try:
    from thud.logs.__main__ import main
except ImportError as error:
    why = " ".join(str(error).split())
    sys.stderr.write(f"thud: {sys.argv[2]!r}: is read by Python, and {sys.executable} lacks the package ({why}): "
                     "pip install 'thud[logs]', or name another Python in THUD_PYTHON\n")
    sys.exit(2)
sys.exit(main())
)";

bool begins_like_libfranka(const fs::path& path) {
  std::ifstream file(path);
  std::array<char, 40> head{};
  file.read(head.data(), head.size());
  std::string text(head.data(), static_cast<std::size_t>(file.gcount()));
  std::erase(text, ' ');
  return text.starts_with("time,success_rate,");
}

// The interpreters to try, in order.
std::vector<std::string> interpreters() {
  if (const char* chosen = std::getenv("THUD_PYTHON"); chosen && *chosen) return {chosen};
  std::vector<std::string> found;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    found.push_back(folder / "python3");
    if (fs::exists(folder / "CMakeCache.txt", error)) found.push_back(folder / "../../.venv/bin/python3");
  }
  found.emplace_back("python3");
  return found;
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

std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words, options;
  for (const auto* option : command.get_options()) {
    if (option->count() == 0) continue;
    for (const auto& value : option->results())
      if (option->get_positional())
        words.push_back(value);
      else
        options.push_back("--" + option->get_lnames().front() + (option->get_items_expected() > 0 ? "=" + value : ""));
  }
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

void run_logs(const std::vector<std::string>& words) {
  std::fflush(stdout);
  int why = ENOENT;
  const auto tried = interpreters();
  for (const auto& python : tried) {
    std::vector<std::string> all{python, "-c", python_program};  // by its own name a Python knows its environment
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    arguments.reserve(all.size() + 1);
    for (auto& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(python.c_str(), arguments.data());
    why = errno;
  }
  throw FileError(tried.back(), "cannot be run: " + std::generic_category().message(why),
                  "a log is read by Python with thud's package: pip install 'thud[logs]', THUD_PYTHON names another");
}

}  // namespace thud::cli
