#include "map.hpp"

#include <thud/error.hpp>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace thud::cli {
namespace {

std::atomic<bool> map_interrupted = false;

struct MapOutput {
  std::string out;
  int jobs = 0;
  bool force = false, progress = false, json = false;
};

MapQuantity quantity_of(const std::string& name) {
  for (const MapQuantity each : all_map_quantities)
    if (to_string(each) == name) return each;
  throw InputError("--quantity", name, "must be effective_mass, speed, peak_force or impulse");
}

std::uint64_t samples_of(const std::string& text) {
  const double samples = number("--samples", text);
  if (!(samples >= 2 && samples <= std::numeric_limits<std::uint32_t>::max()) || samples != std::floor(samples))
    throw InputError("--samples", text, "must be a whole number from 2 to 4294967295");
  return static_cast<std::uint64_t>(samples);
}

WorkspaceBox box_of(const std::string& text) {
  if (text.empty()) return {};
  const VectorX corners = numbers("--within", text);
  if (corners.size() != 6) throw InputError("--within", text, "must be six numbers: X,Y,Z of two corners");
  return {corners.head<3>(), corners.tail<3>()};
}

// Where the arm is hit. Without a normal the point has one that counts for nothing.
ContactPoint point_of(const MapArguments& arguments) {
  const int sides = !arguments.normal.empty() + !arguments.direction.empty() + arguments.all_directions;
  if (sides != 1)
    throw InputError("--normal", sides == 0 ? "missing" : "given beside another",
                     "one of --normal, --direction and --all-directions says from which side");
  ContactPoint point{.frame = arguments.frame, .offset = vector3("--offset", arguments.offset)};
  if (!arguments.normal.empty()) point.normal_W = vector3("--normal", arguments.normal);
  return point;
}

// Options of another quantity would count for nothing.
void require_used(const MapArguments& arguments, MapQuantity quantity) {
  const auto only = [&](bool given, const char* option, const std::string& value, bool used, const char* rule) {
    if (given && !used) throw InputError(option, value, rule);
  };
  const bool speed = quantity == MapQuantity::speed, force = quantity == MapQuantity::peak_force,
             impulse = quantity == MapQuantity::impulse;
  only(!arguments.speed.empty(), "--speed", arguments.speed, force || impulse, "is of peak_force and impulse");
  for (const auto& [option, value] : {std::pair{"--body", arguments.hit.body},
                                      {"--max-force", arguments.hit.max_force},
                                      {"--limits", arguments.hit.limits}})
    only(!value.empty(), option, value, speed, "is of the quantity speed");
  only(arguments.contact_alone, "--contact-alone", "given", speed, "is of the quantity speed");
  const std::string& restitution = arguments.hit.law.parameters.at("restitution");
  only(!restitution.empty(), "--restitution", restitution, speed || force || impulse,
       "is of speed, peak_force and impulse");
  only(!arguments.hit.law.law.empty(), "--law", arguments.hit.law.law, speed || force, "is of peak_force and speed");
}

MapOptions options_of(const MapArguments& arguments, const Robot& robot, const Sources& sources) {
  MapOptions options;
  options.quantity = quantity_of(arguments.quantity);
  require_used(arguments, options.quantity);
  options.all_directions = arguments.all_directions;
  if (!arguments.direction.empty()) options.direction_F = vector3("--direction", arguments.direction);
  options.cell = number("--cell", arguments.cell);
  options.samples = samples_of(arguments.samples);
  options.seed = whole_number("--seed", arguments.seed);
  options.within = box_of(arguments.within);
  HitArguments hit = arguments.hit;
  if (hit.model.empty())
    hit.model = options.quantity == MapQuantity::speed && !options.all_directions
                    ? "cautious"
                    : to_string(InertiaModel::composite_rigid_body);
  const LimitsFile file = limits_file_of(hit, robot, sources);
  const SpeedLimitOptions by = speed_options_of(hit, file);
  options.model = by.model;
  options.law = by.law;
  options.restitution = by.restitution;
  options.body = by.body;
  if (options.quantity == MapQuantity::speed) {
    options.limits = limits_of(hit, file, robot);
    if (arguments.contact_alone) options.limits.speed.resize(0);
  } else if (options.quantity != MapQuantity::effective_mass) {
    if (arguments.speed.empty())
      throw InputError("--speed", "missing", "is needed for " + std::string(to_string(options.quantity)));
    options.approach_speed = number("--speed", arguments.speed);
    if (!(options.approach_speed > 0)) throw InputError("--speed", arguments.speed, "must be > 0");
  }
  return options;
}

// The cell with the least or the greatest number of a map, -1 without any.
Eigen::Index extreme_cell(const CapabilityMap& map, bool least) {
  const VectorX& values = least ? map.least : map.greatest;
  Eigen::Index found = -1;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && (found < 0 || (least ? values[i] < values[found] : values[i] > values[found])))
      found = i;
  return found;
}

Json extreme_json(const CapabilityMap& map, bool least) {
  const Eigen::Index i = extreme_cell(map, least);
  if (i < 0) return nullptr;
  return {{"value", json((least ? map.least : map.greatest)[i])},
          {"cell", json(VectorX(map.centre.col(i)))},
          {"q", json(VectorX((least ? map.q_least : map.q_greatest).col(i)))},
          {"normal", json(VectorX((least ? map.normal_least : map.normal_greatest).col(i)))}};
}

std::string map_text(const CapabilityMap& map, const Robot& robot, const MapFiles& files) {
  const MapConvergence& by = map.convergence;
  std::string out = fmt::format("{} of {}: {} in {}, {:.4g} m^3\n", to_string(map.quantity), printable(robot.name()),
                                counted(map.samples, "posture"),
                                counted(static_cast<std::size_t>(map.centre.cols()), "cell"), by.volume);
  for (const bool least : {true, false}) {
    const Eigen::Index i = extreme_cell(map, least);
    if (i < 0) continue;
    const VectorX q = (least ? map.q_least : map.q_greatest).col(i);
    out += fmt::format("{:<9}{:>10.4g} {:<4} at {:.4g}, {:.4g}, {:.4g} m, q {:.4g}\n", least ? "least" : "greatest",
                       (least ? map.least : map.greatest)[i], unit_of(map.quantity), map.centre(0, i), map.centre(1, i),
                       map.centre(2, i), fmt::join(q.begin(), q.end(), ","));
  }
  out += fmt::format("\n{:<26}{:>14}{:>14}\n", "samples doubled: changes of", "median", "95 % below");
  const auto row = [&](const char* name, double median, double most) {
    out += fmt::format("{:<26}{:>12.3g} %{:>12.3g} %\n", name, 100 * median, 100 * most);
  };
  row("least", by.least_median, by.least_95);
  row("median", by.median_median, by.median_95);
  row("greatest", by.greatest_median, by.greatest_95);
  out += fmt::format("volume reached from {:.4g} to {:.4g} m^3; medians of bins {:.2g} % wide\n", by.volume_half,
                     by.volume, 100 * map.resolution);
  for (const auto& warning : map.warnings) out += "warning: " + printable(warning.text) + "\n";
  return out + fmt::format("page: {}\ntable: {}\n", printable(files.page), printable(files.table));
}

void run_map(const MapArguments& arguments, const MapOutput& output) {
  const auto [robot, point, options] = map_task(arguments);
  Overwrite overwrite{.inputs = {arguments.robot}, .force = output.force};
  if (!arguments.hit.limits.empty()) overwrite.inputs.push_back(arguments.hit.limits);
  // refused before the work, not after it
  as_option("--out", "folder", [&] { return map_files(output.out, overwrite); });

  // an interrupt ends the sampling, and never the writing
  Progress bar("samples", options.samples, output.progress);
  std::signal(SIGINT, [](int) { map_interrupted = true; });
  std::signal(SIGTERM, [](int) { map_interrupted = true; });
  const RunOptions run{
      .jobs = output.jobs, .progress = [&](std::size_t done, std::size_t) { bar.at(done); }, .stop = &map_interrupted};
  try {
    const CapabilityMap map = capability_map(robot, point, options, run);
    bar.done();
    const MapFiles files = as_option("--out", "folder", [&, &robot = robot, &point = point] {
      return write_map(map, robot, point, output.out, overwrite);
    });
    if (output.json) return print(map_summary(map, &files));
    std::fputs(map_text(map, robot, files).c_str(), stdout);
  } catch (const Interrupted&) {
    bar.done();
    throw NoAnswer(fmt::format("map: {}: interrupted, nothing is written", output.out));
  }
}

}  // namespace

MapTask map_task(const MapArguments& arguments, const Sources& sources) {
  Robot robot = sources.robot(arguments.robot);
  ContactPoint point = point_of(arguments);
  MapOptions options = options_of(arguments, robot, sources);
  return {std::move(robot), std::move(point), std::move(options)};
}

Json map_summary(const CapabilityMap& map, const MapFiles* files) {
  const MapConvergence& by = map.convergence;
  const auto change = [](double median, double most) { return Json{{"median", json(median)}, {"p95", json(most)}}; };
  return {{"quantity", to_string(map.quantity)},
          {"unit", unit_of(map.quantity)},
          {"model", map.model ? Json(to_string(*map.model)) : Json("cautious")},
          {"samples", map.samples},
          {"seed", map.seed},
          {"cells", map.centre.cols()},
          {"volume", json(by.volume)},
          {"least", extreme_json(map, true)},
          {"greatest", extreme_json(map, false)},
          {"median_resolution", json(map.resolution)},
          {"convergence",
           {{"volume_half", json(by.volume_half)},
            {"least", change(by.least_median, by.least_95)},
            {"median", change(by.median_median, by.median_95)},
            {"greatest", change(by.greatest_median, by.greatest_95)}}},
          {"page", files ? Json(files->page) : Json(nullptr)},
          {"table", files ? Json(files->table) : Json(nullptr)},
          {"warnings", texts(map.warnings)}};
}

void add_map_options(CLI::App& command, MapArguments& arguments) {
  command.add_option("ROBOT", arguments.robot, "A shipped name (thud info lists them) or a URDF or MJCF file")
      ->required();
  command.add_option("--frame", arguments.frame, "Link that is hit")->required();
  command.add_option("--offset", arguments.offset, "Contact point X,Y,Z in that link's frame [m]");
  command.add_option("--normal", arguments.normal, "X,Y,Z out of the environment, fixed in the world; any length");
  command.add_option("--direction", arguments.direction, "The same, fixed in the axes of the link: it turns with it");
  command.add_flag("--all-directions", arguments.all_directions,
                   "Least and greatest over all normals; the median is that of the mean over them");
  command.add_option("--quantity", arguments.quantity, "effective_mass, speed, peak_force or impulse");
  command.add_option("--speed", arguments.speed, "Of the approach, for peak_force and impulse [m/s]");
  add_hit_options(command, arguments.hit);
  command.get_option("--model")->description(
      "An option of thud predict, or cautious; without it cautious for speed, composite_rigid_body for the others");
  command.add_flag("--contact-alone", arguments.contact_alone,
                   "Leave the joints' own speeds out of the quantity speed");
  command.add_option("--cell", arguments.cell, "Edge of a cell [m]");
  command.add_option("--samples", arguments.samples, "Postures that are drawn");
  command.add_option("--seed", arguments.seed, "Of the postures");
  command.add_option("--within", arguments.within, "Box X,Y,Z,X,Y,Z, lower corner first, of what is mapped [m]");
}

void add_map(CLI::App& program) {
  auto* command =
      program.add_subcommand("map", "What the arm can do where: least, median, greatest over its workspace");
  auto arguments = std::make_shared<MapArguments>();
  auto output = std::make_shared<MapOutput>();
  add_map_options(*command, *arguments);
  command->add_option("--out", output->out, "Folder for map.html and map.csv; made if need be")->required();
  add_jobs(*command, output->jobs, "Threads; 0 is one per core");
  command->add_flag("--force", output->force, "Replace files that are not an earlier map's");
  command->add_flag("--progress", output->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", output->json, "Print one JSON object");
  command->footer(
      "Example:\n  thud map panda --frame panda_foot --offset 0,0,0.0223 --normal -1,0,0 --samples 1e6 --out map\n  "
      "thud "
      "map panda --frame panda_foot --offset 0,0,0.0223 --direction 0,0,-1 --quantity speed --body chest --samples 1e5 "
      "--out speeds");
  command->callback([arguments, output] { run_map(*arguments, *output); });
}

}  // namespace thud::cli
