#pragma once

/// Logs of robots: bags, MCAP, MATLAB files and others, which thud's Python package reads.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace thud::cli {

/// Whether a path is a log: by the end of its name, a folder by the metadata.yaml of a rosbag 2, and a CSV file by the
/// title line of libfranka.
bool is_log(const std::string& path);

/// The options and arguments that were given to a command, as words that give the same again.
std::vector<std::string> words_of(const CLI::App& command);

/// This process becomes a Python that runs `python -m thud.logs WORDS`: what that prints and its exit code are the
/// program's, and so is Ctrl-C. The Python is that of the environment variable THUD_PYTHON, or the one beside the
/// program, or for a program in its build tree that of the project, or the first on the PATH. Throws FileError if
/// there is none.
[[noreturn]] void run_logs(const std::vector<std::string>& words);

}  // namespace thud::cli
