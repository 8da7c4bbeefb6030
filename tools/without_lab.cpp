// Stands for with_lab.cpp and dataset.cpp where the program is built without datasets and lab.

#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "command.hpp"
#include "sources.hpp"
#include "sweep.hpp"

namespace thud::cli {

void add_lab(CLI::App&) {}

bool is_dataset(const std::string&) {
  return false;
}

Robot named_robot(const std::string& name_or_path, const UrdfLimits& limits) {
  return load_robot(name_or_path, limits);
}

Drives named_drives(const std::string& name_or_path, const Robot&) {
  throw InputError("--drives", name_or_path, "this program is built without the files of the virtual lab");
}

Robot Sources::robot(const std::string& name, const UrdfLimits& limits) const {
  return named_robot(name, limits);
}

Drives Sources::drives(const std::string& name, const Robot& robot) const {
  return named_drives(name, robot);
}

std::string Sources::limits_text(const std::string& name) const {
  throw InputError("--limits", name, "this program is built without the files of the virtual lab");
}

bool is_sweep(const std::string&) {
  return false;
}

void print_sweep(const std::string&, bool) {}

void print_dataset(const std::string&, std::uint64_t, bool) {}

void print_trial(const std::string&, const std::string&, std::uint64_t, bool) {}

std::string settings_kind(const std::string&) {
  return "";
}

void print_settings(const std::string&, const std::string&, bool) {}

std::vector<std::pair<std::string, std::vector<std::string>>> shipped_settings() {
  return {};
}

std::vector<std::string> shipped_bodies() {
  return {};
}

}  // namespace thud::cli
