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

/// The two forms that a dataset has on the disk.
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

/// A file. Every object of the HDF5 library is used, and closed, in a session; that also guards what changes.
class DatasetReader::Hdf5 : public Form {
 public:
  explicit Hdf5(const std::string& path) : path_(path) {
    const hdf5::Session session;
    first_.emplace(path);
  }
  ~Hdf5() override {
    const hdf5::Session session;
    second_.reset();
    first_.reset();
  }
  const DatasetHeader& header() const noexcept override { return first_->header(); }
  const Robot& robot() const noexcept override { return first_->robot(); }
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
  /// Reads from the file. While it is unfinished its writer may finish it and remove the parts: then it is opened
  /// again.
  template <class Read>
  std::invoke_result_t<Read, const file::Stored&> read(Read read_from) const {
    const hdf5::Session session;
    const file::Stored& now = second_ ? *second_ : *first_;
    now.renew_budget();
    if (now.complete()) return read_from(now);
    try {
      auto result = read_from(now);
      if (!finished_meanwhile()) return result;
    } catch (const FileError&) {
      if (!finished_meanwhile()) throw;
    }
    return read_from(*second_);
  }

  /// Opens the file again if it has been finished since. A file becomes complete before its parts go, so that all parts
  /// of one which is still unfinished were there to be read.
  bool finished_meanwhile() const {
    if (!file::is_complete(path_)) return false;
    file::Stored again(path_);
    if (difference(first_->header(), again.header())) return false;  // another dataset has taken the name
    second_.emplace(std::move(again));
    return true;
  }

  std::string path_;
  std::optional<file::Stored> first_;           ///< whose header and robot are lent out
  mutable std::optional<file::Stored> second_;  ///< the finished file, once an unfinished one has become it
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

DatasetReader::DatasetReader(const std::string& path) {
  if (is_folder(path)) {
    form_ = std::make_unique<Folder>(path);
  } else {
    form_ = std::make_unique<Hdf5>(path);
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

Dataset read_dataset(const std::string& path) {
  return DatasetReader(path).dataset();
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
