#pragma once

/// What `thud info --json` prints.

#include <thud/dataset.hpp>
#include <thud/robot.hpp>
#include <thud/window.hpp>

#include <string>

#include "arguments.hpp"

namespace thud::cli {

Json robot_json(const Robot& robot);
Json record_json(const std::string& file, const RecordSummary& summary);
Json dataset_json(const DatasetReader& reader, const std::string& name);

}  // namespace thud::cli
