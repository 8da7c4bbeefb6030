// The commands that need datasets and the virtual lab.

#include "command.hpp"

namespace thud::cli {

void add_lab(CLI::App& program) {
  add_simulate(program);
  add_dataset(program);
  add_study(program);
}

}  // namespace thud::cli
