#pragma once

/// Logs of robots: bags, MCAP, MATLAB files and others, which thud's Python package reads.

#include <string>

namespace thud::cli {

/// Whether a path is a log: by the end of its name, a folder by the metadata.yaml of a rosbag 2, and a CSV file by the
/// title line of libfranka.
bool is_log(const std::string& path);

}  // namespace thud::cli
