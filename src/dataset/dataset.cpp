#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "dataset/dataset_file.hpp"
#include "dataset/dataset_rules.hpp"
#include "dataset/manifest.hpp"
#include "text/columns.hpp"

namespace THUD_EXPORT thud {
using namespace dataset;
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Reads something from a dataset in HDF5. Its writer may finish meanwhile and remove the parts: then it is read again.
template <class Read>
auto read_stored(const std::string& path, Read read) {
  const hdf5::Session session;
  const file::Stored stored(path);
  try {
    return read(stored);
  } catch (const FileError&) {
    if (stored.complete()) throw;
    const file::Stored again(path);
    if (!again.complete()) throw;
    return read(again);
  }
}

const manifest::Entry& entry_of(const manifest::Manifest& manifest, const std::string& name) {
  for (const auto& entry : manifest.entries)
    if (entry.trial.name == name) return entry;
  throw FileError(manifest.file, text::printable(name), "is not among the trials");
}

void write_hdf5(const std::string& path, const Dataset& dataset, const Robot& robot, const std::vector<Truth>& truth) {
  if (is_folder(file::part_folder(path)))
    throw FileError(path, "is unfinished", "its trials are in " + file::part_folder(path) + "; choose another name");
  std::string bytes;
  {
    const hdf5::Session session;
    file::Builder builder(robot);
    builder.add(dataset.header, dataset.trials.size() == dataset.header.plan.size());
    for (const auto& trial : dataset.trials) builder.add(trial);
    for (std::size_t i = 0; i < truth.size(); ++i) builder.add(dataset.trials[i].name, truth[i]);
    bytes = builder.bytes(file::dataset_format);
  }
  write_file(path, bytes);
}

}  // namespace

Dataset read_dataset(const std::string& path) {
  Dataset dataset;
  if (is_folder(path)) {
    const auto folder = manifest::read(path);
    dataset.header = folder.header;
    for (const auto& entry : folder.entries) dataset.trials.push_back(manifest::read_trial(folder, entry));
    return dataset;
  }
  return read_stored(path, [](const file::Stored& stored) {
    Dataset all{.header = stored.header(), .trials = {}};
    for (const auto& name : stored.header().plan)
      if (stored.has(name)) all.trials.push_back(stored.trial(name));
    return all;
  });
}

DatasetHeader read_header(const std::string& path) {
  if (is_folder(path)) return manifest::read(path).header;
  return read_stored(path, [](const file::Stored& stored) { return stored.header(); });
}

Trial read_trial(const std::string& path, const std::string& name) {
  if (is_folder(path)) {
    const auto folder = manifest::read(path);
    return manifest::read_trial(folder, entry_of(folder, name));
  }
  return read_stored(path, [&](const file::Stored& stored) { return stored.trial(name); });
}

std::vector<std::string> finished_trials(const std::string& path) {
  std::vector<std::string> names;
  if (is_folder(path)) {
    for (const auto& entry : manifest::read(path).entries) names.push_back(entry.trial.name);
    return names;
  }
  return read_stored(path, [](const file::Stored& stored) {
    std::vector<std::string> finished;
    for (const auto& name : stored.header().plan)
      if (stored.has(name)) finished.push_back(name);
    return finished;
  });
}

std::optional<Truth> read_truth(const std::string& path, const std::string& name) {
  if (is_folder(path)) return entry_of(manifest::read(path, manifest::With::truth), name).truth;
  return read_stored(path, [&](const file::Stored& stored) { return stored.truth(name); });
}

void write_dataset(const std::string& path, const Dataset& dataset, const std::vector<Truth>& truth) {
  validate(dataset);
  const Robot robot = rules::validated_robot(dataset.header);
  if (!truth.empty() && truth.size() != dataset.trials.size())
    throw InputError("truth", std::to_string(truth.size()) + " entries",
                     "must be one for each of the " + std::to_string(dataset.trials.size()) + " trials, or none");
  for (std::size_t i = 0; i < truth.size(); ++i) rules::validate(truth[i], robot, dataset.trials[i].name);
  const auto extension = fs::path(path).extension();
  if (extension == ".h5" || extension == ".hdf5") {
    write_hdf5(path, dataset, robot, truth);
  } else {
    manifest::write(path, dataset, robot, truth);
  }
}

}  // namespace thud
