#pragma once

/// Private: the quantities of a cell by name and unit, for every output format.

#include <thud/study.hpp>

namespace thud::report {

struct CellColumn {
  const char *name, *unit;
  Spread CellStudy::*field;
};

inline constexpr CellColumn cell_columns[] = {
    {"velocity_exact", "m/s", &CellStudy::velocity_exact},
    {"velocity_approximate", "m/s", &CellStudy::velocity_approximate},
    {"ratio", "1", &CellStudy::ratio},
    {"impulse_compression", "N s", &CellStudy::impulse_compression},
    {"impulse_compression_best", "N s", &CellStudy::impulse_compression_best},
    {"impulse_total", "N s", &CellStudy::impulse_total},
    {"peak_force", "N", &CellStudy::peak_force},
    {"contact_time", "s", &CellStudy::contact_time},
    {"detection_delay", "s", &CellStudy::detection_delay},
    {"observer_delay", "s", &CellStudy::observer_delay},
    {"restitution_spring", "1", &CellStudy::restitution_spring},
    {"restitution_maxwell", "1", &CellStudy::restitution_maxwell},
    {"restitution_viscoelastic", "1", &CellStudy::restitution_viscoelastic},
    {"restitution_asymptotic", "1", &CellStudy::restitution_asymptotic},
};

}  // namespace thud::report
