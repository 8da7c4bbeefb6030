#pragma once

/// Private: the schema of a dataset in HDF5, docs/dataset.md. All of it needs a hdf5::Session.

#include <thud/dataset.hpp>

#include <optional>
#include <string>

#include "dataset/hdf5.hpp"

namespace thud::dataset::file {

/// What the attribute `format` of a file says: a dataset, or one trial of a dataset that is not finished.
inline constexpr auto dataset_format = "thud dataset";
inline constexpr auto part_format = "thud trial";
inline constexpr std::int64_t format_version = 1;

/// A dataset or a part that is being built.
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

/// A dataset on the disk, finished or not. Everything is checked by the rules of dataset.hpp; throws FileError.
class Stored {
 public:
  explicit Stored(const std::string& path);
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

  std::string path_;
  hdf5::Input root_;
  std::optional<Robot> robot_;  ///< before the header, whose reading fills it
  DatasetHeader header_;
  bool complete_ = false;
};

/// Whether there is a finished dataset of that name.
bool is_complete(const std::string& path);

}  // namespace thud::dataset::file
