#pragma once

/// Private: a dataset as a folder of CSV files with a manifest.toml.

#include <thud/dataset.hpp>
#include <thud/error.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thud::dataset::manifest {

/// A trial as the manifest describes it; its signals are in files.
struct Entry {
  Trial trial;
  std::string force{}, joints{}, object{};          ///< files in the folder; empty: none
  std::optional<std::size_t> dropped{};             ///< of the record, if the manifest gives it;
  std::optional<std::vector<std::string>> notes{};  ///< else what the record's reader finds
  std::optional<Truth> truth{};
  std::optional<FileError> truth_error{};  ///< why it cannot be read; thrown when it is requested

  /// The first of its files.
  const std::string& file() const { return !force.empty() ? force : !joints.empty() ? joints : object; }
};

struct Manifest {
  std::string folder, file;  ///< the manifest.toml in the folder
  DatasetHeader header;
  Robot robot;
  std::vector<Entry> entries;                ///< in the order of the plan
  std::vector<std::string> files;            ///< all that it reads, itself first
  std::map<std::string, std::size_t> lines;  ///< line of each part, by its name in the rules
};

/// Reads the manifest without the signals. Throws FileError: file, line and key; value; rule.
Manifest read(const std::string& folder);

/// The trial with its signals.
Trial read_trial(const Manifest& manifest, const Entry& entry);

/// Writes the whole folder, which must not exist or be empty, or nothing.
void write(const std::string& folder, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth);

}  // namespace thud::dataset::manifest
