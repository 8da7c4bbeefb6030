#pragma once

/// Private: where more points are worth their time.

#include <thud/sweep.hpp>

#include <string>
#include <vector>

namespace thud::sweeping {

/// How many points a refinement adds at most.
std::size_t refined_points(const SweepPlan& plan, const Refinement& refinement);

/// Values of at most `count` new points midway between a point and the nearest one with another verdict, in the unit
/// cube, the closest pairs first; of `values`, where the two differ, that of the first. An empty verdict is none.
std::vector<std::vector<double>> midpoints(const SweepPlan& plan, const std::vector<SweepPoint>& points,
                                           const std::vector<std::string>& verdicts, std::size_t count);

}  // namespace thud::sweeping
