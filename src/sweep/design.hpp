#pragma once

/// Private: points of the unit cube, and what they mean.

#include <thud/conventions.hpp>
#include <thud/sweep.hpp>

namespace thud::sweeping {

/// Points of a plan's design in the unit cube, a row each, a column per range. The plan must be valid.
MatrixX unit_design(const SweepPlan& plan);

/// The value of a range at a coordinate from 0 to 1, ends exact; of `values`, which one. And the way back; of `values`
/// to the middle of its part of the axis.
double value_at(const SweepRange& range, double coordinate);
double coordinate_of(const SweepRange& range, double value);

/// The seed of a campaign: 53 bits, which a column of numbers holds.
std::uint64_t campaign_seed(const SweepPlan& plan, std::size_t point, int repeat);

/// How many points a grid has, and the largest number of rows of any plan.
std::size_t grid_size(const SweepPlan& plan);
inline constexpr std::size_t max_rows = 1'000'000;

}  // namespace thud::sweeping
