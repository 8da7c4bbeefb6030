#pragma once

/// A map as files: a table for programs and spreadsheets, a page for people. Nothing is computed here.

#include <thud/export.hpp>
#include <thud/file.hpp>
#include <thud/map.hpp>
#include <thud/robot.hpp>

#include <string>
#include <string_view>

namespace THUD_EXPORT thud {

/// A row per cell as CSV, a header with units first: centre, postures, least, median, greatest, and posture and normal
/// of both extremes. An empty cell is a number that does not exist. Two comments above it say what was mapped.
std::string map_csv(const CapabilityMap& map, const Robot& robot);

/// What map_page draws: one JSON object with the cells, the joints and the contact point of the map.
std::string map_json(const CapabilityMap& map, const Robot& robot, const ContactPoint& point);

/// One HTML page that opens from disk without a network: slices, sections, and the arm in the postures of the extremes.
/// json  as map_json makes it. Some 1.5 MB, and 64 bytes for each cell of an arm with seven joints.
std::string map_page(std::string_view json);

/// Where write_map put things.
struct MapFiles {
  std::string page;   ///< map.html
  std::string table;  ///< map.csv
};

/// The files of a map in a folder. Throws FileError unless all of them may be written: see require_replaceable.
MapFiles map_files(const std::string& folder, const Overwrite& overwrite = {});

/// Makes the folder if need be and writes both files into it, each with a mark that says that thud map wrote it. Each
/// is replaced whole or not at all, and neither before the texts of both are complete. Throws FileError, also for what
/// map_files refuses.
MapFiles write_map(const CapabilityMap& map, const Robot& robot, const ContactPoint& point, const std::string& folder,
                   const Overwrite& overwrite = {});

}  // namespace thud
