// The commands that need datasets and the virtual lab.

#include <thud/drives_file.hpp>

#include "arm_arguments.hpp"
#include "command.hpp"
#include "sweep.hpp"

namespace thud::cli {

void add_lab(CLI::App& program) {
  add_simulate(program);
  add_dataset(program);
  add_study(program);
  add_limit(program);
  add_sweep(program);
}

Drives named_drives(const std::string& name_or_path, int joints) {
  return load_drives(name_or_path, joints);
}

}  // namespace thud::cli
