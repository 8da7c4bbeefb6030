#pragma once

/// What thud's Python package does for the program: logs, clusters.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace thud::cli {

/// The options and arguments that were given to a command, as words that give the same again.
std::vector<std::string> words_of(const CLI::App& command);

/// This process becomes a Python that runs `python -m thud.PACKAGE WORDS`: what that prints and its exit code are the
/// program's, and so is Ctrl-C. The Python is that of the environment variable THUD_PYTHON, or the one beside the
/// program, or for a program in its build tree that of the project, or the first on the PATH. `subject` is what it is
/// needed for, in messages; the extra of the package to be installed is called like it. Throws FileError if there is no
/// Python.
[[noreturn]] void become_python(const std::string& package, const std::string& subject,
                                const std::vector<std::string>& words);

}  // namespace thud::cli
