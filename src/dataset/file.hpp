#pragma once

/// Private: the HDF5 schema of a dataset, docs/dataset.md. Everything here needs a hdf5::Session.

#include <thud/dataset.hpp>

#include <memory>
#include <optional>
#include <string>

#include "dataset/hdf5.hpp"

namespace thud::dataset::file {

/// Values of a file's attribute `format`: a dataset, or one trial of an unfinished dataset.
inline constexpr auto dataset_format = "thud dataset";
inline constexpr auto part_format = "thud trial";
inline constexpr std::int64_t format_version = 1;

/// The root of a thud file, with its format and version checked.
hdf5::Input open(const hdf5::Source& source, const std::string& format, std::shared_ptr<hdf5::Budget> budget);

/// Builds the file of a dataset or of one trial.
class Builder {
 public:
  explicit Builder(const Robot& robot);
  void add(const DatasetHeader& header, bool complete);
  void add(const Trial& trial);
  void add(const std::string& trial, const Truth& truth);
  void link(const std::string& trial, const std::string& file);
  std::string bytes(const std::string& format);

 private:
  const hdf5::Output& trials();
  const hdf5::Output& truths();

  const Robot* robot_;
  hdf5::NewFile file_;
  std::optional<hdf5::Output> root_, trials_, truths_;
};

/// A dataset on disk or in memory, finished or not. Everything is checked by the rules of dataset.hpp; throws
/// FileError.
class Stored {
 public:
  /// `memory` is what its numbers may take between two calls of renew_budget [byte].
  explicit Stored(const hdf5::Source& source, std::uint64_t memory = default_dataset_memory);
  const DatasetHeader& header() const { return header_; }
  const Robot& robot() const { return *robot_; }
  bool complete() const { return complete_; }
  void renew_budget() const { root_.renew_budget(); }
  bool has(const std::string& trial) const;
  Trial trial(const std::string& name) const;
  std::optional<Truth> truth(const std::string& trial) const;

 private:
  bool in_file(const std::string& trial) const;
  bool in_store(const std::string& trial) const;
  hdf5::Input root_of(const std::string& trial) const;

  hdf5::Source source_;
  hdf5::Input root_;
  std::optional<Robot> robot_;  ///< declared before the header, whose reader fills it
  DatasetHeader header_;
  bool complete_ = false;
};

/// Whether a finished dataset exists at this path.
bool is_complete(const std::string& path);

}  // namespace thud::dataset::file
