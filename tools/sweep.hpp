#pragma once

/// Sweeps, for info.

#include <string>

#include <CLI/CLI.hpp>

namespace thud::cli {

void add_sweep(CLI::App& program);  // and merge

/// Whether something is a finished sweep or a plan, and what it is.
bool is_sweep(const std::string& subject);
void print_sweep(const std::string& subject, bool as_json);

}  // namespace thud::cli
