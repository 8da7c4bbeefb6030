/// make_seeds FOLDER: writes small files of HDF5 for the fuzzers of their readers to begin with: datasets into
/// FOLDER/dataset, tables of sweeps into FOLDER/table.

#include <thud/file.hpp>

#include "small_dataset.hpp"
#include "sweep_table.hpp"
#include "trials.hpp"

namespace {

namespace fs = std::filesystem;

void make_datasets(const fs::path& folder) {
  for (const Measured measured : all_measured) {
    const auto& [dataset, truths] = small_dataset(measured);
    const std::string name = std::to_string(static_cast<int>(measured)) + ".h5";
    thud::write_dataset(folder / ("plain" + name), dataset, {}, true);
    thud::write_dataset(folder / ("truth" + name), dataset, truths, true);
  }
}

void make_tables(const fs::path& folder) {
  auto table = sweep_table();
  thud::write_table(folder / "sweep.h5", table);
  table.texts.clear();
  thud::write_table(folder / "bare.h5", table);
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
    thud::write_file(folder / name / "unchanged", "@");
  }
}
