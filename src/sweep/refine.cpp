#include "sweep/refine.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "sweep/design.hpp"

namespace thud::sweeping {
namespace {

// Squared distance in the unit cube; different values of a list are one side of it apart.
double distance(const SweepPlan& plan, const SweepPoint& a, const SweepPoint& b) {
  double sum = 0;
  for (std::size_t i = 0; i < plan.ranges.size(); ++i) {
    const SweepRange& range = plan.ranges[i];
    const double apart = range.kind == RangeKind::values
                             ? static_cast<double>(a.values[i] != b.values[i])
                             : coordinate_of(range, a.values[i]) - coordinate_of(range, b.values[i]);
    sum += apart * apart;
  }
  return sum;
}

std::vector<double> midpoint(const SweepPlan& plan, const SweepPoint& a, const SweepPoint& b) {
  std::vector<double> values;
  for (std::size_t i = 0; i < plan.ranges.size(); ++i) {
    const SweepRange& range = plan.ranges[i];
    values.push_back(
        range.kind == RangeKind::values
            ? a.values[i]
            : value_at(range, (coordinate_of(range, a.values[i]) + coordinate_of(range, b.values[i])) / 2));
  }
  return values;
}

}  // namespace

std::size_t refined_points(const SweepPlan& plan, const Refinement& refinement) {
  if (refinement.points > 0) return refinement.points;
  const std::size_t points = plan.design == SweepDesign::grid ? grid_size(plan) : plan.points;
  return (points + 3) / 4;
}

std::vector<std::vector<double>> midpoints(const SweepPlan& plan, const std::vector<SweepPoint>& points,
                                           const std::vector<std::string>& verdicts, std::size_t count) {
  std::set<std::tuple<double, std::size_t, std::size_t>> pairs;  // each once, the closest first
  for (std::size_t i = 0; i < points.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t other = i;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (verdicts[i].empty() || verdicts[j].empty() || verdicts[i] == verdicts[j]) continue;
      const double apart = distance(plan, points[i], points[j]);
      if (apart > 0 && apart < nearest) {
        nearest = apart;
        other = j;
      }
    }
    if (other != i) pairs.emplace(nearest, std::min(i, other), std::max(i, other));
  }
  std::vector<std::vector<double>> found;
  std::set<std::vector<double>> known;
  for (const SweepPoint& point : points) known.insert(point.values);
  for (const auto& [apart, i, j] : pairs) {
    if (found.size() == count) break;
    std::vector<double> values = midpoint(plan, points[i], points[j]);
    if (known.insert(values).second) found.push_back(std::move(values));
  }
  return found;
}

}  // namespace thud::sweeping
