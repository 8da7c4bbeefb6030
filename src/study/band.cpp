#include "study/band.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>

namespace thud::studying {
namespace {

constexpr Eigen::Index times = 121;
constexpr double margin = 0.1;         // of the length, before and after it
constexpr double nearly_all = 0.95;    // of the contacts are as long or shorter
constexpr std::size_t reached_by = 2;  // one in so many records must reach a time

// Of sorted values, with straight lines between them.
double quantile(const std::vector<double>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double value = sorted[below];
  return below + 1 < sorted.size() ? value + (place - static_cast<double>(below)) * (sorted[below + 1] - value) : value;
}

// Force of a record at a time from its first touch; none where it does not reach.
std::optional<double> force_at(const Identification& found, double since_touch) {
  const std::vector<double>&time = found.contact.time, &force = found.contact.force;
  const double t = found.window.start + since_touch;
  const auto after = std::ranges::lower_bound(time, t);
  if (after == time.end() || (after == time.begin() && *after > t)) return std::nullopt;
  const auto i = static_cast<std::size_t>(after - time.begin());
  if (i == 0) return force[0];
  return force[i - 1] + (force[i] - force[i - 1]) * (t - time[i - 1]) / (time[i] - time[i - 1]);
}

}  // namespace

ForceBand force_band(const std::vector<TrialStudy>& trials, const CellStudy& cell) {
  std::vector<double> lengths;
  for (const std::size_t i : cell.trials) {
    const ContactWindow& window = trials[i].found.window;
    lengths.push_back(window.end - window.start);
  }
  if (lengths.empty()) return {};
  std::ranges::sort(lengths);
  const double length = quantile(lengths, nearly_all);
  constexpr auto levels = static_cast<Eigen::Index>(std::size(band_levels));
  ForceBand band{VectorX(times), MatrixX(times, levels)};
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < times; ++k) {
    const double t = length * (-margin + (1 + 2 * margin) * static_cast<double>(k) / static_cast<double>(times - 1));
    std::vector<double> forces;
    for (const std::size_t i : cell.trials)
      if (const auto force = force_at(trials[i].found, t)) forces.push_back(*force);
    if (forces.empty() || reached_by * forces.size() < cell.trials.size()) continue;
    std::ranges::sort(forces);
    band.time[kept] = t;
    for (Eigen::Index level = 0; level < levels; ++level)
      band.force(kept, level) = quantile(forces, band_levels[level]);
    ++kept;
  }
  band.time.conservativeResize(kept);
  band.force.conservativeResize(kept, levels);
  return band;
}

}  // namespace thud::studying
