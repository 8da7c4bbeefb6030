#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <filesystem>
#include <type_traits>
#include <utility>

#include "dataset/file.hpp"
#include "dataset/manifest.hpp"
#include "dataset/rules.hpp"
#include "dataset/trial_store.hpp"
#include "text/column_titles.hpp"

namespace THUD_EXPORT thud {
using namespace dataset;
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
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

/// Interface of the two forms of a dataset on disk.
class DatasetReader::Form {
 public:
  Form() = default;
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;
  virtual ~Form() = default;
  virtual const DatasetHeader& header() const noexcept = 0;
  virtual const Robot& robot() const noexcept = 0;
  virtual std::vector<std::string> finished() const = 0;
  virtual Trial trial(const std::string& name) const = 0;
  virtual std::optional<Truth> truth(const std::string& name) const = 0;
  virtual Dataset dataset() const = 0;
};

/// An HDF5 file. Every HDF5 object is used and closed within a session, which also guards the mutable state.
class DatasetReader::Hdf5 : public Form {
 public:
  Hdf5(const std::string& path, std::uint64_t memory) : path_(path), memory_(memory) {
    const hdf5::Session session;
    opened_.emplace(path);
  }
  ~Hdf5() override {
    const hdf5::Session session;
    reopened_.reset();
    opened_.reset();
  }
  const DatasetHeader& header() const noexcept override { return opened_->header(); }
  const Robot& robot() const noexcept override { return opened_->robot(); }
  std::vector<std::string> finished() const override {
    return read([](const file::Stored& stored) {
      std::vector<std::string> names;
      for (const auto& name : stored.header().plan)
        if (stored.has(name)) names.push_back(name);
      return names;
    });
  }
  Trial trial(const std::string& name) const override {
    return read([&](const file::Stored& stored) { return stored.trial(name); });
  }
  std::optional<Truth> truth(const std::string& name) const override {
    return read([&](const file::Stored& stored) { return stored.truth(name); });
  }
  Dataset dataset() const override {
    return read([](const file::Stored& stored) {
      Dataset all{.header = stored.header(), .trials = {}};
      for (const auto& name : stored.header().plan)
        if (stored.has(name)) all.trials.push_back(stored.trial(name));
      return all;
    });
  }

 private:
  /// Reads from the file. Its writer may finish an unfinished file and remove the parts meanwhile: then it is reopened.
  template <class Read>
  std::invoke_result_t<Read, const file::Stored&> read(Read read_from) const {
    const hdf5::Session session;
    const file::Stored& current = reopened_ ? *reopened_ : *opened_;
    current.renew_budget(memory_);
    if (current.complete()) return read_from(current);
    try {
      auto result = read_from(current);
      if (!finished_meanwhile()) return result;
    } catch (const FileError&) {
      if (!finished_meanwhile()) throw;
    }
    reopened_->renew_budget(memory_);
    return read_from(*reopened_);
  }

  /// Reopens the file if it has been finished since. A file becomes complete before its parts are removed, so all parts
  /// of one that is still unfinished could be read.
  bool finished_meanwhile() const {
    if (!file::is_complete(path_)) return false;
    file::Stored again(path_);
    if (difference(opened_->header(), again.header())) return false;  // replaced by another dataset
    reopened_.emplace(std::move(again));
    return true;
  }

  std::string path_;
  std::uint64_t memory_;                          // [byte]
  std::optional<file::Stored> opened_;            ///< owns the header and robot that references point to
  mutable std::optional<file::Stored> reopened_;  ///< the finished file, if the first one was unfinished
};

/// A folder with a manifest.
class DatasetReader::Folder : public Form {
 public:
  explicit Folder(const std::string& path) : manifest_(manifest::read(path)) {}
  const DatasetHeader& header() const noexcept override { return manifest_.header; }
  const Robot& robot() const noexcept override { return manifest_.robot; }
  std::vector<std::string> finished() const override {
    std::vector<std::string> names;
    for (const auto& entry : manifest_.entries) names.push_back(entry.trial.name);
    return names;
  }
  Trial trial(const std::string& name) const override {
    return manifest::read_trial(manifest_, entry_of(manifest_, name));
  }
  std::optional<Truth> truth(const std::string& name) const override {
    const auto& entry = entry_of(manifest_, name);
    if (entry.truth_error) throw FileError(*entry.truth_error);
    return entry.truth;
  }
  Dataset dataset() const override {
    Dataset all{.header = manifest_.header, .trials = {}};
    for (const auto& entry : manifest_.entries) all.trials.push_back(manifest::read_trial(manifest_, entry));
    return all;
  }

 private:
  manifest::Manifest manifest_;
};

DatasetReader::DatasetReader(const std::string& path, std::uint64_t memory) {
  if (is_folder(path)) {
    form_ = std::make_unique<Folder>(path);
  } else {
    form_ = std::make_unique<Hdf5>(path, memory);
  }
}

DatasetReader::~DatasetReader() = default;
DatasetReader::DatasetReader(DatasetReader&&) noexcept = default;
DatasetReader& DatasetReader::operator=(DatasetReader&&) noexcept = default;

const DatasetHeader& DatasetReader::header() const noexcept {
  return form_->header();
}

const Robot& DatasetReader::robot() const noexcept {
  return form_->robot();
}

std::vector<std::string> DatasetReader::finished() const {
  return form_->finished();
}

Trial DatasetReader::trial(const std::string& name) const {
  return form_->trial(name);
}

std::optional<Truth> DatasetReader::truth(const std::string& name) const {
  return form_->truth(name);
}

Dataset DatasetReader::dataset() const {
  return form_->dataset();
}

Dataset read_dataset(const std::string& path, std::uint64_t memory) {
  return DatasetReader(path, memory).dataset();
}

void write_dataset(const std::string& path, const Dataset& dataset, const std::vector<Truth>& truth) {
  const Robot robot = rules::validated_robot(dataset.header);
  rules::validate(dataset, robot);
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
