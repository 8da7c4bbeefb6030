#pragma once

/// `thud map`: what it is asked, what it finds, how that is written.

#include <thud/map.hpp>
#include <thud/map_report.hpp>
#include <thud/run.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "limit_arguments.hpp"
#include "sources.hpp"

namespace thud::cli {

struct MapArguments {
  HitArguments hit;  // its model empty: not told
  std::string robot, frame, offset = "0,0,0", normal, direction, quantity = "effective_mass", speed, cell = "0.05",
                            samples = "1e7", seed = "1", within;
  bool all_directions = false, contact_alone = false;

  MapArguments() { hit.model.clear(); }
};

/// Everything that describes the map; not where it goes.
void add_map_options(CLI::App& command, MapArguments& arguments);

/// What is to be mapped.
struct MapTask {
  Robot robot;
  ContactPoint point;
  MapOptions options;
};

/// Throws InputError naming the option.
MapTask map_task(const MapArguments& arguments, const Sources& sources = {});

/// What --json prints; without files, null in their places.
Json map_summary(const CapabilityMap& map, const MapFiles* files);

}  // namespace thud::cli
