#pragma once

/// What `thud info --json` prints.

#include <thud/robot.hpp>
#include <thud/window.hpp>

#include <cstdint>
#include <string>

#include "arguments.hpp"

namespace thud::cli {

Json robot_json(const Robot& robot);
Json record_json(const std::string& file, const RecordSummary& summary);
Json dataset_json(const std::string& subject, std::uint64_t memory);  // memory [byte]

}  // namespace thud::cli
