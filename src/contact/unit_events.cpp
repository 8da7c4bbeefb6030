#include "contact/unit_events.hpp"

#include <cmath>
#include <iterator>
#include <mutex>
#include <numbers>

namespace thud::contact {
namespace {

using std::numbers::pi;
using Values = std::array<double, 8>;
static_assert(sizeof(Values) == sizeof(UnitEvents));
using event_table::cells_per_octave;
constexpr int terms = std::size(EventCell{}.coefficients);

constinit std::once_flag filled[event_table::size];

// Chebyshev interpolation, converted to powers.
void fill_cell(double centre, double half, EventCell& cell) {
  Values at[terms];
  for (int i = 0; i < terms; ++i)
    at[i] = std::bit_cast<Values>(
        unit_events(half_cycle(centre + half * std::cos(pi * (i + 0.5) / terms), 1), tabulated_fraction));

  cell.centre = centre;
  double before[terms]{}, now[terms]{1};  // T_(k-1), T_k by powers
  for (int k = 0; k < terms; ++k) {
    for (std::size_t e = 0; e < at[0].size(); ++e) {
      double sum = 0;
      for (int i = 0; i < terms; ++i) sum += at[i][e] * std::cos(pi * k * (i + 0.5) / terms);
      for (int j = 0; j <= k; ++j) cell.coefficients[j][e] += sum * (k == 0 ? 1 : 2) / terms * now[j];
    }
    for (int j = terms - 1; j >= 0; --j) {
      const double next = (k == 0 ? 1 : 2) * (j > 0 ? now[j - 1] : 0) - before[j];
      before[j] = now[j];
      now[j] = next;
    }
  }
  double scale = 1;
  for (int j = 1; j < terms; ++j) {
    scale /= half;
    for (double& coefficient : cell.coefficients[j]) coefficient *= scale;
  }
}

}  // namespace

constinit EventCell event_table::cells[size];

UnitEvents tabulated_events(double d) {
  const unsigned i = event_table::cell_index(d);
  if (i >= event_table::size) return unit_events(half_cycle(d, 1), tabulated_fraction);
  EventCell& cell = event_table::cells[i];
  std::call_once(filled[i], [&] {
    const int octave = static_cast<int>(i / cells_per_octave);
    const double half = std::ldexp(0.5 / cells_per_octave, octave);
    fill_cell(std::ldexp(1, octave) - 1 + (2 * (i % cells_per_octave) + 1) * half, half, cell);
    cell.ready.store(true, std::memory_order_release);
  });
  return cell.at(d);
}

UnitEvents unit_events(const HalfCycle& cycle, double fraction) {
  const double theta_p = peak_angle(cycle), theta_f = force_angle(cycle, theta_p, fraction);
  const double t_p = duration(cycle, 0, theta_p), t_c = t_p + duration(cycle, theta_p, pi / 2);
  const double t_e = t_c + duration(cycle, pi / 2, pi);
  const double t_f = theta_f < pi / 2       ? t_p + duration(cycle, theta_p, theta_f)
                     : theta_f < 3 * pi / 4 ? t_c + duration(cycle, pi / 2, theta_f)
                                            : t_e - duration(cycle, theta_f, pi);
  const UnitState end = unit_state(cycle, pi);
  return {t_p,       unit_state(cycle, theta_p).depth,          t_c, unit_state(cycle, pi / 2).depth, t_e, t_f,
          -end.rate, cycle.d > 0 ? end.dissipated / cycle.d : 0};
}

}  // namespace thud::contact
