// Stands for with_lab.cpp and dataset.cpp where the program is built without datasets and lab.

#include "command.hpp"

namespace thud::cli {

void add_lab(CLI::App&) {}

bool is_dataset(const std::string&) {
  return false;
}

void print_dataset(const std::string&, std::uint64_t, bool) {}

}  // namespace thud::cli
