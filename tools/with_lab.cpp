// The commands that need datasets and the virtual lab.

#include <thud/drives_file.hpp>
#include <thud/limits_file.hpp>
#include <thud/mjcf.hpp>

#include <limits>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "command.hpp"
#include "sources.hpp"
#include "studio/studio.hpp"
#include "sweep.hpp"

namespace thud::cli {

void add_lab(CLI::App& program) {
  add_simulate(program);
  add_dataset(program);
  add_study(program);
  add_limit(program);
  add_map(program);
  add_aim(program);
  add_sweep(program);
  add_studio(program);
}

Robot named_robot(const std::string& name_or_path, const UrdfLimits& limits) {
  return load_any_robot(name_or_path, limits);
}

Drives named_drives(const std::string& name_or_path, const Robot& robot) {
  const std::string text = drives_text(name_or_path);
  if (!is_mjcf(text)) return parse_drives(text, name_or_path, robot.size());
  const Robot described = parse_mjcf(text, name_or_path);
  const Drives all = drives_of(described);
  Drives own;
  own.rotor_inertia = own.effort = VectorX::Constant(robot.size(), std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i < robot.size(); ++i) {
    const int from = described.joint_index(robot.joints()[static_cast<std::size_t>(i)].name);
    own.rotor_inertia[i] = all.rotor_inertia[from];
    own.effort[i] = all.effort[from];
  }
  return own;
}

Robot Sources::robot(const std::string& name, const UrdfLimits& limits) const {
  return named_robot(name, limits);
}

Drives Sources::drives(const std::string& name, const Robot& robot) const {
  return named_drives(name, robot);
}

std::string Sources::limits_text(const std::string& name) const {
  return thud::limits_text(name);
}

}  // namespace thud::cli
