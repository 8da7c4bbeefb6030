#pragma once

/// Private: the file of a dataset, before and after the trials of its store are joined into it. Needs a hdf5::Session.

#include <thud/dataset.hpp>

#include <string>

#include "dataset/file.hpp"

namespace thud::dataset::file {

/// The file at `path` without its trials, with a link to each one in the store.
std::string unfinished_file(const std::string& path, const DatasetHeader& header, const Robot& robot);

/// The file with all trials of the plan, in its order, followed by their truth where it is known. Throws FileError for
/// a trial that is neither in the file nor in the store.
std::string joined_file(const Stored& stored);

}  // namespace thud::dataset::file
