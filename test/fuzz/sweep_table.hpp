#pragma once

#include <thud/sweep.hpp>
#include <thud/table.hpp>

#include "sweep/plan.hpp"
#include "sweep/rows.hpp"

/// A sweep as its writer leaves it, with made-up rows.
inline thud::Table sweep_table() {
  const auto plan = thud::parse_sweep(R"(points = 3
seed = 1
[range]
"contact.law" = { values = ["viscoelastic", "spring"] }
"joints.stiffness" = { log = [2e3, 3e4] }
)",
                                      "plan.toml");
  const auto points = thud::sweep_points(plan);
  auto table = thud::sweeping::table_of(plan, {0, 1, 2}, [&](std::size_t row) -> std::vector<thud::SweepCell> {
    std::vector<thud::SweepCell> cells{{"refined", "1", 0.0}, {"seed", "1", static_cast<double>(points[row].seed)}};
    for (std::size_t k = 0; k < plan.ranges.size(); ++k)
      cells.push_back({plan.ranges[k].key, "", thud::sweeping::shown_value(plan.ranges[k], points[row].values[k])});
    cells.push_back({"failure", "", std::string(row == 1 ? "PlantError: unstable" : "")});
    if (row == 1) return cells;
    cells.push_back({"c1.spring", "", std::string(row == 0 ? "supported" : "not supported")});
    cells.push_back({"c1.spring.statistic", "1", 0.3});
    return cells;
  });
  table.texts = {{"plan", thud::format_sweep(plan)}, {"versions", "thud 0.2.0\n"}, {"refinements", "c1.spring 4\n"}};
  return table;
}
