#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "dataset/file.hpp"
#include "dataset/join.hpp"
#include "dataset/rules.hpp"
#include "dataset/trial_store.hpp"
#include "text/column_titles.hpp"

namespace THUD_EXPORT thud {
using namespace dataset;
namespace {

namespace fs = std::filesystem;

/// The first line in which two texts differ.
std::string first_difference(const std::string& name, const std::string& old, const std::string& now) {
  std::size_t line = 1, start = 0;
  const auto length = std::min(old.size(), now.size());
  for (std::size_t i = 0; i < length && old[i] == now[i]; ++i)
    if (old[i] == '\n') {
      ++line;
      start = i + 1;
    }
  const auto cut = [&](const std::string& text) {
    return start < text.size() ? text::printable(text.substr(start, text.find('\n', start) - start)) : "";
  };
  return name + " line " + std::to_string(line) + " is '" + cut(old) + "', not '" + cut(now) + "'";
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const Configuration& a, const Configuration& b) {
  return a.name == b.name && a.q.size() == b.q.size() && a.q == b.q && same(a.threshold, b.threshold);
}

/// Names of the trials whose files can be read completely.
std::set<std::string> readable_trials(const file::Stored& stored) {
  std::set<std::string> names;
  for (const auto& name : stored.header().plan) {
    if (!stored.has(name)) continue;
    try {
      static_cast<void>(stored.trial(name));
      static_cast<void>(stored.truth(name));
      names.insert(name);
    } catch (const FileError&) {
      continue;  // damaged: to be made again
    }
  }
  return names;
}

}  // namespace

std::optional<std::string> difference(const DatasetHeader& old, const DatasetHeader& now) {
  const auto is = [](const std::string& what, const std::string& a, const std::string& b) {
    return what + " is " + a + ", not " + b;
  };
  if (old.source != now.source)
    return is("source", std::string(to_string(old.source)), std::string(to_string(now.source)));
  if (old.robot != now.robot) return is("robot", old.robot, now.robot);
  if (old.seed != now.seed) return is("seed", std::to_string(old.seed), std::to_string(now.seed));
  if (old.campaign != now.campaign) return first_difference("campaign", old.campaign, now.campaign);
  if (old.urdf != now.urdf) return first_difference("urdf", old.urdf, now.urdf);
  if (old.point.frame != now.point.frame) return is("contact frame", old.point.frame, now.point.frame);
  if (old.point.offset != now.point.offset || old.point.normal_W != now.point.normal_W)
    return "contact point is another";
  if (old.detection_joints != now.detection_joints) return "detection joints differ";
  if (!std::ranges::equal(old.configurations, now.configurations,
                          [](const auto& a, const auto& b) { return same(a, b); }))
    return "configurations differ";
  if (old.plan != now.plan) return "plan is another";
  if (old.versions != now.versions) return "versions of the programs differ";
  return std::nullopt;
}

struct DatasetWriter::State {
  std::string path;
  DatasetHeader header;
  Robot robot;
  std::optional<file::TrialStore> store;  ///< none once the dataset is finished
  std::set<std::string> stored;           ///< names of the trials in it

  State(const std::string& where, const DatasetHeader& common)
      : path(where), header(common), robot(rules::validated_robot(header)) {
    rules::validate(header, robot);
  }
  void start();
  std::vector<std::string> missing() const;
};

/// Opens the store, and starts the file or continues the unfinished one.
void DatasetWriter::State::start() {
  const hdf5::Session session;
  std::error_code error;
  if (fs::exists(path, error))
    static_cast<void>(file::Stored(path));  // throws for a foreign file, before a folder is created
  store.emplace(path);
  if (!fs::exists(path, error)) {
    store->clear();
    write_file(path, file::unfinished_file(path, header, robot));
    return;
  }
  const file::Stored old(path);
  if (old.complete()) {
    store->remove();
    throw FileError(path, std::to_string(old.header().plan.size()) + " trials", "the dataset is complete");
  }
  if (const auto found = difference(old.header(), header))
    throw FileError(path, *found, "the file is an unfinished dataset of another kind; choose another name");
  stored = readable_trials(old);
}

std::vector<std::string> DatasetWriter::State::missing() const {
  std::vector<std::string> names;
  for (const auto& name : header.plan)
    if (!stored.contains(name)) names.push_back(name);
  return names;
}

DatasetWriter::DatasetWriter(const std::string& path, const DatasetHeader& header)
    : state_(std::make_unique<State>(path, header)) {
  state_->start();
}

DatasetWriter::~DatasetWriter() = default;

std::vector<std::string> DatasetWriter::missing() const {
  return state_->missing();
}

void DatasetWriter::store(const Trial& trial, const std::optional<Truth>& truth) {
  if (!state_->store) throw FileError(state_->path, trial.name, "the dataset is complete");
  rules::validate(state_->header, state_->robot, trial);
  if (truth) rules::validate(*truth, state_->robot, trial.name);
  state_->store->put(state_->robot, trial, truth);
  state_->stored.insert(trial.name);
}

void DatasetWriter::finish() {
  if (!state_->store) return;
  if (const auto absent = missing(); !absent.empty())
    throw InputError("trials", absent.front(),
                     "is missing, and so are " + std::to_string(absent.size() - 1) + " more of the " +
                         std::to_string(state_->header.plan.size()) + " planned");
  std::string bytes;
  {
    const hdf5::Session session;
    bytes = file::joined_file(file::Stored(state_->path, std::numeric_limits<std::uint64_t>::max()));
  }
  write_file(state_->path, bytes);
  state_->store->remove();
  state_->store.reset();
}

}  // namespace thud
