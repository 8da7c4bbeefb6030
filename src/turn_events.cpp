#include "turn_events.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numbers>

#include "polynomials.hpp"

namespace thud {
namespace {

using std::numbers::pi;
using Values = std::array<double, 8>;
static_assert(sizeof(Values) == sizeof(TurnEvents));

// A cell is at most 1/16 of 1 + d wide. There each term more makes the error 25 times smaller or better, until with
// nine it is lost in the roundings of the quadrature.
constexpr int octaves = 31, cells = 16, terms = 9;

struct alignas(64) Cell {
  Values power[terms]{};  // coefficients of (d - centre)^k
  double centre = 0;      // of d
};

// What lies between two powers of 2 of 1 + d
struct Octave {
  std::atomic<bool> ready{false};  // costs a look-up less than asking the flag
  std::once_flag once;
  Cell cell[cells];
};

constinit Octave table[octaves];

// Interpolates at Chebyshev's points, by his polynomials, then sorts by powers.
Cell make_cell(double centre, double half) {
  Values at[terms];
  for (int i = 0; i < terms; ++i)
    at[i] = std::bit_cast<Values>(
        turn_events(half_turn(centre + half * std::cos(pi * (i + 0.5) / terms), 1), tabulated_fraction));

  Cell cell{.centre = centre};
  double before[terms]{}, now[terms]{1};  // T_(k-1), T_k by powers
  for (int k = 0; k < terms; ++k) {
    for (std::size_t e = 0; e < at[0].size(); ++e) {
      double sum = 0;
      for (int i = 0; i < terms; ++i) sum += at[i][e] * std::cos(pi * k * (i + 0.5) / terms);
      for (int j = 0; j <= k; ++j) cell.power[j][e] += sum * (k == 0 ? 1 : 2) / terms * now[j];
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
    for (double& coefficient : cell.power[j]) coefficient *= scale;
  }
  return cell;
}

void fill(int i) {
  Octave& octave = table[i];
  std::call_once(octave.once, [&] {
    const double half = std::ldexp(0.5 / cells, i);
    for (int j = 0; j < cells; ++j) octave.cell[j] = make_cell(std::ldexp(1, i) - 1 + (2 * j + 1) * half, half);
    octave.ready.store(true, std::memory_order_release);
  });
}

}  // namespace

TurnEvents turn_events(const HalfTurn& turn, double fraction) {
  const double theta_p = peak_angle(turn), theta_f = force_angle(turn, theta_p, fraction);
  const double t_p = duration(turn, 0, theta_p), t_c = t_p + duration(turn, theta_p, pi / 2);
  const double t_e = t_c + duration(turn, pi / 2, pi);
  const double t_f = theta_f < pi / 2       ? t_p + duration(turn, theta_p, theta_f)
                     : theta_f < 3 * pi / 4 ? t_c + duration(turn, pi / 2, theta_f)
                                            : t_e - duration(turn, theta_f, pi);
  const Phase end = at(turn, pi);
  return {t_p,       at(turn, theta_p).depth,
          t_c,       at(turn, pi / 2).depth,
          t_e,       t_f,
          -end.rate, turn.d > 0 ? end.dissipated / turn.d : 0};
}

TurnEvents tabulated_turn_events(double d) {
  // Exponent and leading bits of 1 + d are the place in the table. The polynomial takes d itself: 1 + d has lost
  // digits.
  constexpr int bits = std::countr_zero(unsigned{cells});
  const auto place = static_cast<unsigned>(std::bit_cast<std::uint64_t>(1 + d) >> (52 - bits)) - (1023u << bits);
  const unsigned i = place / cells;
  if (i >= octaves) return turn_events(half_turn(d, 1), tabulated_fraction);
  if (!table[i].ready.load(std::memory_order_acquire)) fill(static_cast<int>(i));

  const Cell& cell = table[i].cell[place % cells];
  return std::bit_cast<TurnEvents>(evaluate(cell.power, d - cell.centre));
}

}  // namespace thud
