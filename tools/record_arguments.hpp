#pragma once

/// The options by which a command reads a force record and finds the contact in it.

#include <thud/record.hpp>
#include <thud/window.hpp>

#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace thud::cli {

/// As given on the command line; an empty text is an option that was not given.
struct RecordArguments {
  std::string time_column, force_column, unit, skip, max_size, max_samples, contact, from, to;

  /// The name and the text of an option that was given, to refuse it where there is no record; nothing if none was.
  std::optional<std::pair<std::string, std::string>> any() const;

  /// Throw InputError for what is not a number, and as validate does.
  RecordOptions record_options() const;
  ContactOptions contact_options() const;
};

void add_record_options(CLI::App& command, RecordArguments& arguments);

}  // namespace thud::cli
