#pragma once

/// Commands whose work the workers of a Dask cluster may do: thud sweep, thud simulate.

#include <string>

#include <CLI/CLI.hpp>

namespace thud::cli {

/// Adds --scheduler and the options of TLS to a command.
void add_cluster_options(CLI::App& command);

/// Whether --scheduler was given. Throws InputError for options of TLS without it, and for --jobs with it.
bool on_cluster(const CLI::App& command);

/// This process becomes thud's Python package, which collects the work from the workers, and then this program again
/// with the same words, which prints what the file says. Throws as become_python does.
[[noreturn]] void run_on_cluster(const CLI::App& command);

/// Whether the file was collected just now, by run_on_cluster.
bool just_collected(const CLI::App& command);

}  // namespace thud::cli
