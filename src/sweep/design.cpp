#include "sweep/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/random/sobol.hpp>

#include "sweep/random.hpp"

namespace thud::sweeping {
namespace {

// Of streams that a seed starts: one per axis, then one per campaign.
constexpr std::uint64_t axis_streams = 0, campaign_streams = std::uint64_t{1} << 32;

// Sobol's sequence with Joe and Kuo's direction numbers as Boost has them, which leaves out the first point, the
// origin. The shift of each axis moves it from there and keeps what makes the sequence even: of the first 2^k points
// each of 2^k equal parts of an axis has one.
MatrixX sobol(const SweepPlan& plan) {
  const auto axes = static_cast<Eigen::Index>(plan.ranges.size());
  MatrixX points(static_cast<Eigen::Index>(plan.points), axes);
  if (axes == 0) return points;
  boost::random::sobol sequence(plan.ranges.size());
  std::vector<std::uint64_t> shifts;
  for (std::uint64_t axis = 0; axis < plan.ranges.size(); ++axis) {
    std::uint64_t state = stream(plan.seed, axis_streams + axis);
    shifts.push_back(next_random(state));
  }
  for (Eigen::Index i = 0; i < points.rows(); ++i)
    for (Eigen::Index axis = 0; axis < axes; ++axis) {
      const std::uint64_t bits = i == 0 ? 0 : sequence();
      points(i, axis) = unit(bits ^ shifts[static_cast<std::size_t>(axis)]);
    }
  return points;
}

MatrixX latin_hypercube(const SweepPlan& plan) {
  MatrixX points(static_cast<Eigen::Index>(plan.points), static_cast<Eigen::Index>(plan.ranges.size()));
  for (Eigen::Index axis = 0; axis < points.cols(); ++axis) {
    std::uint64_t state = stream(plan.seed, axis_streams + static_cast<std::uint64_t>(axis));
    std::vector<std::size_t> strata(plan.points);
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    shuffle(strata, state);
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      points(i, axis) = (static_cast<double>(strata[static_cast<std::size_t>(i)]) + unit(next_random(state))) /
                        static_cast<double>(plan.points);
  }
  return points;
}

std::size_t axis_size(const SweepPlan& plan, const SweepRange& range) {
  return range.kind == RangeKind::values ? range.values.size() : plan.points;
}

// The last range changes fastest.
MatrixX grid(const SweepPlan& plan) {
  MatrixX points(static_cast<Eigen::Index>(grid_size(plan)), static_cast<Eigen::Index>(plan.ranges.size()));
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    auto rest = static_cast<std::size_t>(i);
    for (Eigen::Index axis = points.cols() - 1; axis >= 0; --axis) {
      const SweepRange& range = plan.ranges[static_cast<std::size_t>(axis)];
      const std::size_t size = axis_size(plan, range);
      const auto step = static_cast<double>(rest % size);
      rest /= size;
      const auto count = static_cast<double>(size);
      points(i, axis) = range.kind == RangeKind::values ? (step + 0.5) / count : size == 1 ? 0.5 : step / (count - 1);
    }
  }
  return points;
}

}  // namespace

std::size_t grid_size(const SweepPlan& plan) {
  std::size_t size = 1;
  for (const SweepRange& range : plan.ranges) {
    size *= axis_size(plan, range);
    if (size > max_rows) return max_rows + 1;
  }
  return size;
}

MatrixX unit_design(const SweepPlan& plan) {
  switch (plan.design) {
    case SweepDesign::sobol:
      return sobol(plan);
    case SweepDesign::latin_hypercube:
      return latin_hypercube(plan);
    case SweepDesign::grid:
      break;
  }
  return grid(plan);
}

double value_at(const SweepRange& range, double coordinate) {
  if (range.kind == RangeKind::values) {
    const auto count = static_cast<double>(range.values.size());
    return std::min(std::floor(coordinate * count), count - 1);
  }
  if (coordinate <= 0) return range.low;
  if (coordinate >= 1) return range.high;
  return range.kind == RangeKind::linear ? range.low + (range.high - range.low) * coordinate
                                         : range.low * std::pow(range.high / range.low, coordinate);
}

double coordinate_of(const SweepRange& range, double value) {
  switch (range.kind) {
    case RangeKind::values:
      return (value + 0.5) / static_cast<double>(range.values.size());
    case RangeKind::linear:
      return (value - range.low) / (range.high - range.low);
    case RangeKind::log:
    case RangeKind::scale:
      break;
  }
  return std::log(value / range.low) / std::log(range.high / range.low);
}

std::uint64_t campaign_seed(const SweepPlan& plan, std::size_t point, int repeat) {
  std::uint64_t state = stream(stream(plan.seed, campaign_streams + point), static_cast<std::uint64_t>(repeat));
  return next_random(state) >> 11;
}

}  // namespace thud::sweeping
