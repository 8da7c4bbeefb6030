#pragma once

#include <CLI/CLI.hpp>

namespace thud::cli {

/// `thud studio`: the page in the browser, and the program that answers it.
void add_studio(CLI::App& program);

}  // namespace thud::cli
