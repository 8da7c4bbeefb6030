// Stands for with_lab.cpp and dataset.cpp where the program is built without datasets and lab.

#include <thud/error.hpp>

#include "arm_arguments.hpp"
#include "command.hpp"
#include "sweep.hpp"

namespace thud::cli {

void add_lab(CLI::App&) {}

bool is_dataset(const std::string&) {
  return false;
}

Drives named_drives(const std::string& name_or_path, int) {
  throw InputError("--drives", name_or_path, "this program is built without the files of the virtual lab");
}

bool is_sweep(const std::string&) {
  return false;
}

void print_sweep(const std::string&, bool) {}

void print_dataset(const std::string&, std::uint64_t, bool) {}

}  // namespace thud::cli
