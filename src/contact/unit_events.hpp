#pragma once

/// Events of the viscoelastic and Hunt-Crossley impact, in the units of half_cycle.hpp. Private to the library.
///
/// For exponent 1 and a fixed fraction they are functions of d = c|v0|/k alone, analytic for d > -1 and smooth in
/// ln(1 + d), so they are tabulated from c = 0 on, as polynomials in d over cells of equal relative width of 1 + d.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "contact/half_cycle.hpp"
#include "contact/polynomials.hpp"

namespace thud::contact {

/// Each is finite and not 0 at d = 0, so that the table keeps their relative accuracy.
struct UnitEvents {
  double peak;          // time of the peak force
  double peak_depth;    // D there; df/dt = 0 is n s = d D^(n+1)
  double compression;   // time of the maximum depth
  double depth;         // there
  double end;           // time at which the contact separates
  double end_of_force;  // time at which the force is a fraction of the peak
  double restitution;   // e = -s at separation
  double loss;          // energy dissipated until then, over d
};

/// By quadrature.
UnitEvents unit_events(const HalfCycle& cycle, double fraction);

/// The fraction for which the events are tabulated: the default of force_profile.
inline constexpr double tabulated_fraction = 0.01;

/// From a table, for exponent 1, d >= 0 and the tabulated fraction: the quadrature's value to 1e-13 relative, 5e-13
/// beyond d = 1e6, where the quadrature itself is no better. Beyond d = 2e9 by quadrature. The first call in a cell of
/// the table fills it, which takes tens of microseconds. Thread-safe.
UnitEvents tabulated_events(double d);

/// A cell of the table, for d in a small range: the coefficients of (d - centre)^k, a row for each k, in the order of
/// UnitEvents.
struct alignas(64) EventCell {
  std::array<double, 8> coefficients[7]{};
  double centre = 0;
  std::atomic<bool> ready{false};

  /// The polynomials take d itself: 1 + d has lost digits.
  UnitEvents at(double d) const { return std::bit_cast<UnitEvents>(evaluate(coefficients, d - centre)); }
};

namespace event_table {

// Cells of 1 + d: octaves, each in equal parts. A cell is at most 1/64 of 1 + d wide. There each further term divides
// the error by 100 or more, until with seven it is below the rounding of the quadrature.
inline constexpr unsigned octaves = 31, cells_per_octave = 64, size = octaves * cells_per_octave;

extern EventCell cells[size];

// Exponent and leading bits of 1 + d give the index of the cell; `size` or more beyond the table.
inline unsigned cell_index(double d) {
  constexpr int bits = std::countr_zero(cells_per_octave);
  return static_cast<unsigned>(std::bit_cast<std::uint64_t>(1 + d) >> (52 - bits)) - (1023u << bits);
}

}  // namespace event_table

/// The cell for d >= 0, if it is filled. Inline, because a profile from a filled cell costs little more than this call.
inline const EventCell* ready_event_cell(double d) {
  const unsigned i = event_table::cell_index(d);
  return i < event_table::size && event_table::cells[i].ready.load(std::memory_order_acquire) ? &event_table::cells[i]
                                                                                              : nullptr;
}

}  // namespace thud::contact
