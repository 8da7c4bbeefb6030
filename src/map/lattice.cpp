#include "map/lattice.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>

namespace thud::map {
namespace {

constexpr double most_cells = 1e8;
constexpr std::size_t most_reached = 1'000'000;  // some 1.1 kB each

}  // namespace

Lattice::Lattice(double edge, const Vector3& lower, const Vector3& upper) : edge_(edge) {
  double all = 1;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const double first = std::floor(lower[axis] / edge + 0.5), last = std::floor(upper[axis] / edge + 0.5);
    all *= last - first + 1;
    if (!(all <= most_cells))
      throw InputError("cell", edge, "gives more than 1e8 cells; a larger one is needed, or a box");
    first_[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(first);
    count_[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(last - first) + 1;
  }
  size_ = static_cast<std::size_t>(all);
}

std::uint32_t Lattice::cell(const Vector3& p) const noexcept {
  std::int64_t cell = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = std::floor(p[static_cast<Eigen::Index>(axis)] / edge_ + 0.5) - static_cast<double>(first_[axis]);
    if (!(at >= 0 && at < static_cast<double>(count_[axis]))) return outside;
    cell = cell * count_[axis] + static_cast<std::int64_t>(at);
  }
  return static_cast<std::uint32_t>(cell);
}

Vector3 Lattice::centre(std::uint32_t cell) const noexcept {
  Vector3 centre;
  std::int64_t rest = cell;
  for (std::size_t axis = 3; axis-- > 0;) {
    centre[static_cast<Eigen::Index>(axis)] = static_cast<double>(first_[axis] + rest % count_[axis]) * edge_;
    rest /= count_[axis];
  }
  return centre;
}

Bins::Bins(std::vector<double> values) : low_(1), log_step_(0.01) {
  std::erase_if(values, [](double value) { return !(value > 0 && std::isfinite(value)); });
  if (!values.empty()) {
    std::sort(values.begin(), values.end());
    const std::size_t tail = values.size() / 1000;
    low_ = values[tail];
    const double spread = std::log(values[values.size() - 1 - tail] / low_);
    log_step_ = std::max(spread / (count - 2), 1e-6);
  }
  inverse_step_ = 1 / log_step_;
}

std::size_t Bins::bin(double value) const noexcept {
  if (!(value >= low_)) return 0;
  const double at = 1 + std::log(value / low_) * inverse_step_;
  return at < count - 1 ? static_cast<std::size_t>(at) : count - 1;
}

double Bins::lower(std::size_t bin) const noexcept {
  if (bin == 0) return -std::numeric_limits<double>::infinity();
  return low_ * std::exp(static_cast<double>(bin - 1) * log_step_);
}

double Bins::ratio() const noexcept {
  return std::expm1(log_step_);
}

double Cell::median(const Bins& edges) const noexcept {
  std::uint64_t all = 0;
  for (const std::uint32_t each : bins) all += each;
  if (all == 0) return std::numeric_limits<double>::quiet_NaN();
  const double middle = static_cast<double>(all) / 2;
  double before = 0;
  std::size_t bin = 0;
  while (before + bins[bin] < middle) before += bins[bin++];
  const double low = std::max(edges.lower(bin), least);
  const double high = bin + 1 < Bins::count ? std::min(edges.lower(bin + 1), greatest) : greatest;
  return low < high ? low + (high - low) * (middle - before) / bins[bin] : low;
}

void Cells::add(const Entry& entry) {
  std::uint32_t& slot = slots_[entry.cell];
  if (slot == Lattice::outside) {
    if (cells_.size() == most_reached)
      throw InputError("cell", edge_, "is so small that more than 1e6 are reached; a larger one is needed, or a box");
    slot = static_cast<std::uint32_t>(cells_.size());
    cells_.emplace_back();
  }
  Cell& cell = cells_[slot];
  ++cell.postures;
  if (std::isnan(entry.low)) return;
  ++cell.bins[entry.bin];
  if (entry.low < cell.least || (entry.low == cell.least && entry.sample < cell.sample_least)) {
    cell.least = entry.low;
    cell.sample_least = entry.sample;
  }
  if (entry.high > cell.greatest || (entry.high == cell.greatest && entry.sample < cell.sample_greatest)) {
    cell.greatest = entry.high;
    cell.sample_greatest = entry.sample;
  }
}

std::vector<std::uint32_t> Cells::in_order() const {
  std::vector<std::uint32_t> order;
  order.reserve(cells_.size());
  for (std::uint32_t cell = 0; cell < slots_.size(); ++cell)
    if (slots_[cell] != Lattice::outside) order.push_back(cell);
  return order;
}

}  // namespace thud::map
