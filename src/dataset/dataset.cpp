#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
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

/// The path of a folder as one without a slash at its end.
fs::path without_slash(const std::string& path) {
  const fs::path whole = fs::path(path).lexically_normal();
  return whole.has_filename() || !whole.has_relative_path() ? whole : whole.parent_path();
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

/// Interface of the two forms of a dataset.
class DatasetReader::Form {
 public:
  using Progress = std::function<void(std::size_t, std::size_t)>;
  Form() = default;
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;
  virtual ~Form() = default;
  virtual const DatasetHeader& header() const noexcept = 0;
  virtual const Robot& robot() const noexcept = 0;
  virtual std::vector<std::string> finished() const = 0;
  virtual Trial trial(const std::string& name) const = 0;
  virtual std::optional<Truth> truth(const std::string& name) const = 0;
  virtual Dataset dataset(const Progress& progress) const = 0;
  virtual std::vector<std::string> files() const = 0;
};

/// An HDF5 file. Every HDF5 object is used and closed within a session, which also guards the mutable state.
class DatasetReader::Hdf5 : public Form {
 public:
  Hdf5(hdf5::Source source, std::uint64_t memory) : source_(std::move(source)), memory_(memory) {
    const hdf5::Session session;
    opened_.emplace(source_, memory);
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
  Dataset dataset(const Progress& progress) const override {
    return read([&](const file::Stored& stored) {
      Dataset all{.header = stored.header(), .trials = {}};
      const auto& plan = stored.header().plan;
      const auto count = std::ranges::count_if(plan, [&](const auto& name) { return stored.has(name); });
      for (const auto& name : plan) {
        if (!stored.has(name)) continue;
        all.trials.push_back(stored.trial(name));
        if (progress) progress(all.trials.size(), static_cast<std::size_t>(count));
      }
      return all;
    });
  }
  std::vector<std::string> files() const override {
    if (source_.bytes) return {};
    std::vector<std::string> all{source_.path};
    std::error_code error;
    for (const auto& name : header().plan)
      if (auto part = file::part_path(source_.path, name); fs::is_regular_file(part, error))
        all.push_back(std::move(part));
    return all;
  }

 private:
  /// Reads from the file. Its writer may finish an unfinished file and remove the parts meanwhile: then it is reopened.
  template <class Read>
  std::invoke_result_t<Read, const file::Stored&> read(Read read_from) const {
    const hdf5::Session session;
    const file::Stored& current = reopened_ ? *reopened_ : *opened_;
    current.renew_budget();
    if (current.complete()) return read_from(current);
    try {
      auto result = read_from(current);
      if (!finished_meanwhile()) return result;
    } catch (const FileError&) {
      if (!finished_meanwhile()) throw;
    }
    reopened_->renew_budget();
    return read_from(*reopened_);
  }

  /// Reopens the file if it has been finished since. A file becomes complete before its parts are removed, so all parts
  /// of one that is still unfinished could be read.
  bool finished_meanwhile() const {
    if (source_.bytes || !file::is_complete(source_.path)) return false;
    file::Stored again(source_, memory_);
    if (difference(opened_->header(), again.header())) return false;  // replaced by another dataset
    reopened_.emplace(std::move(again));
    return true;
  }

  hdf5::Source source_;
  std::uint64_t memory_;                          // [byte]
  std::optional<file::Stored> opened_;            ///< owns the header and robot that references point to
  mutable std::optional<file::Stored> reopened_;  ///< the finished file, if the first one was unfinished
};

/// A folder with a manifest.
class DatasetReader::Folder : public Form {
 public:
  Folder(const std::string& path, std::uint64_t memory) : manifest_(manifest::read(path)), memory_(memory) {}
  const DatasetHeader& header() const noexcept override { return manifest_.header; }
  const Robot& robot() const noexcept override { return manifest_.robot; }
  std::vector<std::string> finished() const override {
    std::vector<std::string> names;
    for (const auto& entry : manifest_.entries) names.push_back(entry.trial.name);
    return names;
  }
  Trial trial(const std::string& name) const override {
    std::uint64_t left = memory_;
    return read_trial(entry_of(manifest_, name), left);
  }
  std::optional<Truth> truth(const std::string& name) const override {
    const auto& entry = entry_of(manifest_, name);
    if (entry.truth_error) throw FileError(*entry.truth_error);
    return entry.truth;
  }
  Dataset dataset(const Progress& progress) const override {
    Dataset all{.header = manifest_.header, .trials = {}};
    std::uint64_t left = memory_;
    for (const auto& entry : manifest_.entries) {
      all.trials.push_back(read_trial(entry, left));
      if (progress) progress(all.trials.size(), manifest_.entries.size());
    }
    return all;
  }
  std::vector<std::string> files() const override { return manifest_.files; }

 private:
  /// A trial, whose numbers take their memory from what is left [byte]. Text has to be read before its numbers can be
  /// counted; its length has a limit of its own.
  Trial read_trial(const manifest::Entry& entry, std::uint64_t& left) const {
    Trial trial = manifest::read_trial(manifest_, entry);
    const auto& joints = trial.joints;
    const auto& object = trial.object;
    const auto numbers =
        2 * trial.force.time.size() +
        static_cast<std::size_t>(joints.time.size() + joints.position.size() + joints.velocity.size() +
                                 joints.torque.size() + joints.torque_reference.size()) +
        static_cast<std::size_t>(object.time.size() + object.position.size() + object.orientation.size());
    const std::uint64_t bytes = numbers * sizeof(double);
    if (bytes > left) throw FileError(entry.file(), std::to_string(bytes) + " bytes", rules::memory_rule(memory_));
    left -= bytes;
    return trial;
  }

  manifest::Manifest manifest_;
  std::uint64_t memory_;  // [byte]
};

DatasetReader::DatasetReader(const std::string& path, std::uint64_t memory) {
  if (is_folder(path)) {
    form_ = std::make_unique<Folder>(path, memory);
  } else {
    form_ = std::make_unique<Hdf5>(path, memory);
  }
}

DatasetReader::DatasetReader(std::unique_ptr<Form> form) : form_(std::move(form)) {}

DatasetReader DatasetReader::in_memory(std::string_view bytes, const std::string& name, std::uint64_t memory) {
  return DatasetReader(std::make_unique<Hdf5>(hdf5::Source(name, bytes), memory));
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

Dataset DatasetReader::dataset(const std::function<void(std::size_t, std::size_t)>& progress) const {
  return form_->dataset(progress);
}

std::vector<std::string> DatasetReader::files() const {
  return form_->files();
}

Dataset read_dataset(const std::string& path, std::uint64_t memory) {
  return DatasetReader(path, memory).dataset();
}

namespace {

/// What is not a dataset is not for us to replace.
DatasetReader existing_dataset(const std::string& argument, const std::string& path) {
  try {
    return DatasetReader(path);
  } catch (const FileError& error) {
    throw FileError(argument, path, "exists and is not a dataset (" + error.value() + ": " + error.rule() + ")");
  }
}

}  // namespace

void require_replaceable_dataset(const std::string& argument, const std::string& path, bool force) {
  std::error_code error;
  const fs::path target = without_slash(path);
  const bool folder = is_folder(path);
  if (!fs::exists(fs::symlink_status(target, error)) || (folder && fs::is_empty(target, error))) return;
  const DatasetReader old = existing_dataset(argument, path);
  if (!force) throw FileError(argument, path, "already exists; --force replaces it");
  if (!folder) return;
  // Everything in the folder is named by the manifest, or is a folder of what is.
  std::set<fs::path> known;
  const auto home = fs::canonical(target, error);
  for (const auto& file : old.files())
    for (auto at = fs::weakly_canonical(file, error); at != home && at != at.root_path(); at = at.parent_path())
      known.insert(at);
  for (const auto& entry : fs::recursive_directory_iterator(home))
    if (!known.contains(fs::weakly_canonical(entry.path(), error)))
      throw FileError(argument, path,
                      "holds " + entry.path().lexically_relative(home).string() +
                          ", which is no part of a dataset; nothing is replaced");
}

void write_dataset(const std::string& path, const Dataset& dataset, const std::vector<Truth>& truth, bool force) {
  const Robot robot = rules::validated_robot(dataset.header);
  rules::validate(dataset, robot);
  if (!truth.empty() && truth.size() != dataset.trials.size())
    throw InputError("truth", std::to_string(truth.size()) + " entries",
                     "must be one for each of the " + std::to_string(dataset.trials.size()) + " trials, or none");
  for (std::size_t i = 0; i < truth.size(); ++i) rules::validate(truth[i], robot, dataset.trials[i].name);
  require_replaceable_dataset("path", path, force);
  const fs::path target = without_slash(path);
  if (target.extension() == ".h5" || target.extension() == ".hdf5") return write_hdf5(path, dataset, robot, truth);
  std::error_code error;
  if (!is_folder(path) || fs::is_empty(target, error)) return manifest::write(path, dataset, robot, truth);
  // The old folder is renamed, and restored if the new one cannot be written.
  fs::path aside;
  for (std::size_t count = 0; count == 0 || fs::exists(fs::symlink_status(aside, error)); ++count)
    aside = target.string() + ".old" + std::to_string(count);
  fs::rename(target, aside, error);
  if (error) throw FileError(path, "cannot be replaced", error.message());
  try {
    manifest::write(path, dataset, robot, truth);
  } catch (...) {
    fs::rename(aside, target, error);
    throw;
  }
  fs::remove_all(aside, error);
}

}  // namespace thud
