/// make_seeds FOLDER: writes small files of HDF5 for the fuzzers of their readers to begin with: datasets into
/// FOLDER/dataset, tables of sweeps into FOLDER/table.

#include <thud/sweep.hpp>
#include <thud/table.hpp>

#include <functional>

#include "sweep/plan.hpp"
#include "sweep/rows.hpp"
#include "trials.hpp"

namespace {

namespace fs = std::filesystem;

void make_datasets(const fs::path& folder) {
  for (const int trials : {1, 2}) {
    auto dataset = thud::test::sample_dataset(trials);
    for (auto& trial : dataset.trials) {
      trial.force.time.resize(8);
      trial.force.force.resize(8);
    }
    const std::string name = std::to_string(trials) + ".h5";
    thud::write_dataset(folder / ("plain" + name), dataset, {}, true);
    thud::write_dataset(folder / ("truth" + name), dataset, thud::test::sample_truths(trials), true);
  }
}

/// A sweep as its writer leaves it, with made-up rows.
void make_tables(const fs::path& folder) {
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
  thud::write_table(folder / "bare.h5", table);
  table.texts = {{"plan", thud::format_sweep(plan)}, {"versions", "thud 0.2.0\n"}, {"refinements", "c1.spring 4\n"}};
  thud::write_table(folder / "sweep.h5", table);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const fs::path folder = argv[1];
  const std::pair<const char*, void (*)(const fs::path&)> makers[] = {{"dataset", make_datasets},
                                                                      {"table", make_tables}};
  for (const auto& [name, make] : makers) {
    fs::create_directories(folder / name);
    make(folder / name);
  }
}
