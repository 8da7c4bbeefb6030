#pragma once

/// Space in cubes, and what falls into them. Private to the library.

#include <thud/conventions.hpp>
#include <thud/map.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace thud::map {

/// Cubes whose centres are the multiples of their edge, of a box, by x, then y, then z.
class Lattice {
 public:
  /// Throws InputError for more than 1e8 cells.
  Lattice(double edge, const Vector3& lower, const Vector3& upper);

  std::size_t size() const noexcept { return size_; }
  double edge() const noexcept { return edge_; }  // [m]
  static constexpr std::uint32_t outside = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t cell(const Vector3& p) const noexcept;
  Vector3 centre(std::uint32_t cell) const noexcept;

 private:
  double edge_;
  std::array<std::int64_t, 3> first_, count_;
  std::size_t size_;
};

/// Fixed bins of positive values in equal ratios; the first and the last are what lies below and above.
class Bins {
 public:
  static constexpr std::size_t count = 256;

  /// From values that stand for all: between the quantiles of 0.1 and 99.9 %.
  explicit Bins(std::vector<double> values);

  std::size_t bin(double value) const noexcept;
  double lower(std::size_t bin) const noexcept;  ///< edge of a bin, -infinity of the first
  double ratio() const noexcept;                 ///< of the edges of a bin, less 1

 private:
  double low_, log_step_, inverse_step_;
};

/// What the postures in a cell are like.
struct Cell {
  std::uint64_t postures = 0;
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  std::uint64_t sample_least = 0, sample_greatest = 0;  ///< by number; of equal ones the first
  std::array<std::uint32_t, Bins::count> bins{};

  bool has_value() const noexcept { return least <= greatest; }

  /// Of the values in the bins; NaN without any.
  double median(const Bins& edges) const noexcept;
};

/// One posture in a cell. NaN: it has no value.
struct Entry {
  std::uint32_t cell;
  std::uint32_t bin;
  std::uint64_t sample;
  double low, high;  ///< equal, but for all directions
};

/// The cells that were reached. The order in which entries come changes nothing.
class Cells {
 public:
  explicit Cells(const Lattice& lattice) : edge_(lattice.edge()), slots_(lattice.size(), Lattice::outside) {}

  /// Throws InputError for more than 1e6 cells that are reached.
  void add(const Entry& entry);

  const std::deque<Cell>& reached() const noexcept { return cells_; }  ///< in the order in which they were reached
  std::vector<std::uint32_t> in_order() const;                         ///< their cells in the lattice, by number
  const Cell& at(std::uint32_t cell) const noexcept { return cells_[slots_[cell]]; }

 private:
  double edge_;                       // [m]
  std::vector<std::uint32_t> slots_;  // by cell: its place among those reached
  std::deque<Cell> cells_;
};

}  // namespace thud::map
