#include "python.hpp"

#include <thud/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace thud::cli {
namespace {

// Python has the package, or says in one line what is missing. Modules are not looked for in the working folder.
constexpr const char* python_program = R"(import importlib, sys
sys.path = [folder for folder in sys.path if folder]
package, subject, *sys.argv[1:] = sys.argv[1:]
try:
    main = importlib.import_module(f"thud.{package}.__main__").main
except ImportError as error:
    why = " ".join(str(error).split())
    sys.stderr.write(f"thud: {subject!r}: needs Python, and {sys.executable} lacks the package ({why}): "
                     f"pip install 'thud[{package}]', or name another Python in THUD_PYTHON\n")
    sys.exit(2)
sys.exit(main())
)";

// The interpreters to try, in order.
std::vector<std::string> interpreters() {
  namespace fs = std::filesystem;
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

void become_python(const std::string& package, const std::string& subject, const std::vector<std::string>& words) {
  std::fflush(stdout);
  int why = ENOENT;
  const auto tried = interpreters();
  for (const auto& python : tried) {
    std::vector<std::string> all{python, "-c", python_program, package, subject};  // by its own name it knows its home
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    arguments.reserve(all.size() + 1);
    for (auto& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(python.c_str(), arguments.data());
    why = errno;
  }
  throw FileError(
      tried.back(), "cannot be run: " + std::generic_category().message(why),
      "Python with thud's package is needed here: pip install 'thud[" + package + "]', THUD_PYTHON names another");
}

}  // namespace thud::cli
