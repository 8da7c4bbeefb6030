#include <thud/aim.hpp>
#include <thud/error.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "command.hpp"
#include "impact.hpp"
#include "limit_arguments.hpp"
#include "output.hpp"
#include "plot.hpp"

namespace thud::cli {
namespace {

struct AimArguments {
  std::string robot, frame, offset = "0,0,0", normal, at, orientation = "free", rpy, maximize, minimize, speed,
                            object_speed, seed, starts, count, drives, servo, plot;
  HitArguments hit;  // its model empty: not told
  ImpactArguments impact;
  bool force = false, json = false;
};

// A robot, what was asked for, and the answer.
struct AimAnswer {
  Robot robot;
  ContactPoint point;
  AimTarget target;
  AimOptions options;
  AimResult result;
  double milliseconds = 0;
};

AimQuantity quantity_of(const std::string& option, const std::string& name) {
  std::string known;
  for (const AimQuantity quantity : all_aim_quantities) {
    if (to_string(quantity) == name) return quantity;
    known.append(known.empty() ? "" : ", ").append(to_string(quantity));
  }
  throw InputError(option, name, "must be one of " + known);
}

std::string_view unit_of(AimQuantity quantity) {
  switch (quantity) {
    case AimQuantity::effective_mass:
      return "kg";
    case AimQuantity::impulse:
      return "N s";
    case AimQuantity::energy_loss:
      return "J";
    case AimQuantity::speed:
    case AimQuantity::object_speed:
      break;
  }
  return "m/s";
}

AimTarget target_of(const AimArguments& arguments) {
  AimTarget target{.p_W = vector3("--at", arguments.at)};
  if (arguments.orientation == "free" || arguments.orientation == "fixed" ||
      arguments.orientation == "tool-along-normal")
    target.orientation = arguments.orientation == "free"    ? ToolOrientation::free
                         : arguments.orientation == "fixed" ? ToolOrientation::fixed
                                                            : ToolOrientation::tool_along_normal;
  else
    throw InputError("--orientation", arguments.orientation, "must be free, tool-along-normal or fixed");
  if (arguments.rpy.empty() != (target.orientation != ToolOrientation::fixed))
    throw InputError("--rpy", arguments.rpy.empty() ? "missing" : arguments.rpy,
                     "is of a tool that does not turn: given with --orientation fixed, and only then");
  if (arguments.rpy.empty()) return target;
  const Vector3 rpy = vector3("--rpy", arguments.rpy);
  target.R_WF = (Eigen::AngleAxisd(rpy[2], Vector3::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3::UnitY()) *
                 Eigen::AngleAxisd(rpy[0], Vector3::UnitX()))
                    .toRotationMatrix();
  return target;
}

double positive(const char* option, const std::string& text) {
  const double value = number(option, text);
  if (value <= 0) throw InputError(option, text, "must be > 0");
  return value;
}

int count_of(const char* option, const std::string& text) {
  const auto value = whole_number(option, text);
  if (value == 0 || value > 1'000'000) throw InputError(option, text, "must be from 1 to 1000000");
  return static_cast<int>(value);
}

// What is best: as told; for the speed of an object, the room that the limits leave it, or the mass without limits.
void read_quantity(const AimArguments& arguments, const Limits& limits, AimOptions& options) {
  if (!arguments.maximize.empty() && !arguments.minimize.empty())
    throw InputError("--minimize", arguments.minimize, "is given beside --maximize: one of them is asked for");
  if (!arguments.maximize.empty()) {
    options.quantity = quantity_of("--maximize", arguments.maximize);
  } else if (!arguments.minimize.empty()) {
    options.quantity = quantity_of("--minimize", arguments.minimize);
    options.maximize = false;
  } else if (!arguments.object_speed.empty()) {
    const bool limited = limits.speed.size() != 0 && limits.speed.array().isFinite().any();
    options.quantity = limited ? AimQuantity::object_speed : AimQuantity::effective_mass;
  } else {
    throw InputError("--maximize", "missing", "give --maximize, --minimize or --object-speed");
  }
}

AimOptions options_of(const AimArguments& arguments, const Robot& robot) {
  HitArguments hit = arguments.hit;
  const bool model_told = !hit.model.empty();
  if (!model_told) hit.model = "cautious";
  const LimitsFile file = limits_file_of(hit, robot);
  const SpeedLimitOptions limit = speed_options_of(hit, file);
  AimOptions options;
  options.limits = limits_of(hit, file, robot);
  read_quantity(arguments, *options.limits, options);
  options.model = limit.model;
  if (model_told && !limit.model && options.quantity != AimQuantity::speed)
    throw InputError("--model", hit.model, "is of the quantity speed alone");
  options.law = limit.law;
  options.restitution = limit.restitution;
  options.body = limit.body;
  if (!arguments.drives.empty()) {
    if (!options.law) throw InputError("--drives", arguments.drives, "needs --law: what the elastic arm hits");
    options.drives = servoed(named_drives(arguments.drives, robot), arguments.servo);
  } else if (!arguments.servo.empty()) {
    throw InputError("--servo", arguments.servo, "is of an arm with elastic joints: it needs --drives");
  }
  const ImpactPredictionOptions impact = arguments.impact.options(options.restitution.value_or(0), false);
  options.friction = impact.friction;
  options.object = impact.object;
  if (!arguments.impact.friction.empty() && !options.object)
    throw InputError("--friction", arguments.impact.friction, "is of an object that is hit: it needs --object-mass");
  if (!arguments.speed.empty()) {
    if (!arguments.object_speed.empty())
      throw InputError("--speed", arguments.speed, "is given beside --object-speed, which says how fast the hit is");
    if (options.quantity == AimQuantity::speed) throw InputError("--speed", arguments.speed, "is what is searched for");
    options.speed = positive("--speed", arguments.speed);
  }
  if (!arguments.object_speed.empty()) {
    options.object_speed = positive("--object-speed", arguments.object_speed);
    if (!options.object)
      throw InputError("--object-speed", arguments.object_speed, "is of an object: it needs --object-mass");
  }
  if (!arguments.seed.empty()) options.seed = whole_number("--seed", arguments.seed);
  if (!arguments.starts.empty()) options.starts = count_of("--starts", arguments.starts);
  if (!arguments.count.empty()) options.count = count_of("--count", arguments.count);
  return options;
}

AimAnswer answer(const AimArguments& arguments) {
  Robot robot = named_robot(arguments.robot);
  const ContactPoint point{arguments.frame, vector3("--offset", arguments.offset),
                           vector3("--normal", arguments.normal)};
  const AimTarget target = target_of(arguments);
  const AimOptions options = options_of(arguments, robot);
  const auto begin = std::chrono::steady_clock::now();
  AimResult result = aim(robot, point, target, options);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  if (result.status == AimStatus::unreachable) {
    std::string far = fmt::format(
        "--at: {}: cannot be reached within the joints' limits: of {} starts the nearest stayed {:.4g} m away",
        arguments.at, options.starts, result.nearest);
    if (target.orientation != ToolOrientation::free)
      far += fmt::format(", turned away by {:.4g} rad", result.nearest_angle);
    throw NoAnswer(far);
  }
  if (result.status == AimStatus::no_value)
    throw NoAnswer(fmt::format(
        "{}: at {}: does not exist, is not permitted or is not limited at any of {} postures that reach the point",
        to_string(options.quantity), arguments.at, result.reached));
  return {std::move(robot), point, target, options, std::move(result), taken.count()};
}

Json finite_json(double value) {
  return std::isfinite(value) ? json(value) : Json(nullptr);
}

Json aim_json(const AimAnswer& answer) {
  const auto& [robot, point, target, options, result, milliseconds] = answer;
  Json object;
  object["robot"] = robot.name();
  object["joints"] = Json::array();
  for (const auto& joint : robot.joints()) object["joints"].push_back(joint.name);
  object["at"] = json(target.p_W);
  object["normal"] = json(point.normal_W.normalized());
  object["orientation"] = to_string(target.orientation);
  object["quantity"] = to_string(options.quantity);
  object["maximize"] = options.maximize;
  object["model"] = options.model                            ? Json(to_string(*options.model))
                    : options.quantity == AimQuantity::speed ? Json("cautious")
                                                             : Json(to_string(InertiaModel::composite_rigid_body));
  object["seed"] = options.seed;
  object["starts"] = options.starts;
  object["reached"] = result.reached;
  object["optima"] = Json::array();
  for (const Aim& each : result.aims) {
    Json item;
    item["q"] = json(each.q);
    item["value"] = finite_json(each.value);
    for (const InertiaModel model : all_inertia_models)
      item["effective_mass"][to_string(model)] = json(each.effective_mass[model]);
    item["joint_limit_distance"] = finite_json(each.limit_distance);
    item["position_error"] = json(each.position_error);
    item["angle_error"] = json(each.angle_error);
    item["speed"] = finite_json(each.speed);
    item["dq"] = each.dq.allFinite() ? json(each.dq) : Json(nullptr);
    item["speed_allowed"] = finite_json(each.allowed);
    item["object"] = nullptr;
    if (options.object && each.object.velocity.allFinite())
      item["object"] = {{"velocity", json(each.object.velocity)},
                        {"angular_velocity", json(each.object.angular_velocity)}};
    item["warnings"] = texts(each.warnings);
    object["optima"].push_back(item);
  }
  std::vector<Warning> notes = robot.warnings();
  notes.insert(notes.end(), result.warnings.begin(), result.warnings.end());
  object["warnings"] = texts(notes);
  return object;
}

std::string row(const char* name, const VectorX& values) {
  std::string out = fmt::format("   {:<18}", name);
  for (const double value : values) out += fmt::format(" {:>8.4f}", std::abs(value) < 0.5e-4 ? 0 : value);
  return out + "\n";
}

std::string aim_table(const AimAnswer& answer) {
  const auto& [robot, point, target, options, result, milliseconds] = answer;
  std::string out = fmt::format("{}: {} {} at ({:.4g}, {:.4g}, {:.4g}) m\n", printable(robot.name()),
                                options.maximize ? "greatest" : "least", to_string(options.quantity), target.p_W[0],
                                target.p_W[1], target.p_W[2]);
  out += fmt::format("{} of {} starts reach it, {} shown, {:.0f} ms\n", result.reached, options.starts,
                     result.aims.size() == 1 ? "one posture" : fmt::format("{} postures", result.aims.size()),
                     milliseconds);
  for (std::size_t i = 0; i < result.aims.size(); ++i) {
    const Aim& each = result.aims[i];
    out += fmt::format("\n{}. {:.5g} {}", i + 1, each.value, unit_of(options.quantity));
    out += std::isfinite(each.limit_distance)
               ? fmt::format("; {:.3g} rad or m from a joint limit\n", each.limit_distance)
               : "\n";
    out += row("q", each.q);
    out += "   effective mass     ";
    for (const InertiaModel model : all_inertia_models)
      out += std::isfinite(each.effective_mass[model])
                 ? fmt::format(" {} {:.4g} kg", to_string(model), each.effective_mass[model])
                 : fmt::format(" {} none", to_string(model));
    out += "\n";
    if (each.dq.allFinite()) {
      out += row(fmt::format("dq at {:.4g} m/s", each.speed).c_str(), each.dq);
      if (std::isfinite(each.allowed))
        out += fmt::format("   limits allow       {:.4g} m/s, {:.3g} times that\n", each.allowed,
                           each.allowed / each.speed);
    }
    if (options.object && each.object.velocity.allFinite())
      out += fmt::format("   the object leaves at {:.4g} m/s\n", each.object.velocity.norm());
    for (const Warning& warning : each.warnings) out += "   warning: " + printable(warning.text) + "\n";
  }
  for (const Warning& warning : robot.warnings()) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

// The arm from the side in each of the postures, and their values.
plot::Chart aim_chart(const AimAnswer& answer) {
  const auto& [robot, point, target, options, result, milliseconds] = answer;
  plot::Chart chart;
  chart.title =
      fmt::format("{}: {} {}", robot.name(), options.maximize ? "greatest" : "least", to_string(options.quantity));
  chart.subtitle = fmt::format("at ({:.4g}, {:.4g}, {:.4g}) m, {} of {} starts reach it", target.p_W[0], target.p_W[1],
                               target.p_W[2], result.reached, options.starts);
  chart.x_label = "posture";
  plot::Panel panel{fmt::format("{} [{}]", to_string(options.quantity), unit_of(options.quantity)), {}, {}, 1};
  plot::Scene scene;
  const Vector3 n = point.normal_W.normalized(), up = Vector3::UnitZ();
  Vector3 across = n - n.dot(up) * up;
  if (across.norm() < 1e-3) across = target.p_W - target.p_W.dot(up) * up;
  if (across.norm() < 1e-9) across = Vector3::UnitX();
  across.normalize();
  if (across.dot(target.p_W) < 0) across = -across;
  scene.x_label = fmt::format("along ({:.2g}, {:.2g}, 0) [m]", across[0] + 0.0, across[1] + 0.0);
  scene.y_label = "height [m]";
  for (std::size_t i = 0; i < result.aims.size(); ++i) {
    const Aim& each = result.aims[i];
    const std::string label = fmt::format("{}: {:.4g} {}", i + 1, each.value, unit_of(options.quantity));
    plot::Series arm{.label = label};
    std::vector<Vector3> places{target.p_W};
    for (int k = robot.frame(point.frame).joint; k >= 0 && k < robot.size();
         k = robot.joints()[static_cast<std::size_t>(k)].parent)
      places.push_back(
          contact_dynamics(robot, {.frame = robot.joints()[static_cast<std::size_t>(k)].link}, each.q).p_WC);
    for (auto at = places.rbegin(); at != places.rend(); ++at) {
      arm.x.push_back(across.dot(*at));
      arm.y.push_back(at->dot(up));
    }
    scene.series.push_back(std::move(arm));
    panel.series.push_back({label, {static_cast<double>(i + 1)}, {each.value}, plot::Series::Style::points});
  }
  scene.arrows.push_back({"approach", across.dot(target.p_W) + 0.15 * across.dot(n),
                          target.p_W.dot(up) + 0.15 * n.dot(up), -0.15 * across.dot(n), -0.15 * n.dot(up)});
  chart.panels = {std::move(panel)};
  chart.scene = std::move(scene);
  return chart;
}

void run_aim(const AimArguments& arguments) {
  Outputs outputs("aim",
                  {.inputs = {arguments.robot, arguments.hit.limits, arguments.drives}, .force = arguments.force});
  outputs.add("--plot", arguments.plot);
  const AimAnswer found = answer(arguments);
  if (outputs.wanted("--plot")) outputs.write("--plot", plot::drawing(arguments.plot, aim_chart(found)));
  if (arguments.json) return print(aim_json(found));
  std::fputs(aim_table(found).c_str(), stdout);
}

}  // namespace

void add_aim(CLI::App& program) {
  auto* command = program.add_subcommand(
      "aim", "The best posture for a hit at a point, and how to make an object leave at a speed");
  auto arguments = std::make_shared<AimArguments>();
  arguments->hit.model.clear();
  command->add_option("ROBOT", arguments->robot, "A shipped name (thud info lists them) or a URDF or MJCF file")
      ->required();
  command->add_option("--frame", arguments->frame, "Link that is hit")->required();
  command->add_option("--offset", arguments->offset, "Contact point X,Y,Z in that link's frame [m]");
  command->add_option("--at", arguments->at, "Where the contact point is to be, X,Y,Z in the world [m]")->required();
  command->add_option("--normal", arguments->normal, "X,Y,Z out of the environment, in the world; any length")
      ->required();
  command->add_option("--orientation", arguments->orientation,
                      "free (default); tool-along-normal: the link's z axis against the normal; fixed: as --rpy says");
  command->add_option("--rpy", arguments->rpy, "Roll, pitch and yaw of the link in the world, as in URDF [rad]");
  command->add_option("--maximize", arguments->maximize,
                      "effective_mass, speed (that the limits allow), impulse, energy_loss or object_speed (within the "
                      "joints' speed limits)");
  command->add_option("--minimize", arguments->minimize, "The same, least");
  command->add_option("--speed", arguments->speed, "Of the approach [m/s]: for impulse and energy_loss; 1 without it");
  command->add_option("--object-mass", arguments->impact.object_mass, "Mass of what is hit, which is at rest [kg]");
  command->add_option(
      "--object-inertia", arguments->impact.object_inertia,
      "Its inertia about its centre of mass IXX,IYY,IZZ,IXY,IXZ,IYZ, world axes [kg m^2]; without it, a point mass");
  command->add_option("--object-com", arguments->impact.object_com, "Its centre of mass X,Y,Z in the world [m]");
  command->add_option(
      "--object-speed", arguments->object_speed,
      "At which it is to leave [m/s]: the approach that does it, from the posture that leaves most room");
  command->add_option("--friction", arguments->impact.friction, "Coefficient of friction with it, >= 0");
  add_hit_options(*command, arguments->hit);
  command->get_option("--model")->description(
      "An option of thud predict (composite_rigid_body without it); for speed also cautious, the default there");
  command->add_option("--drives", arguments->drives, std::string(drives_help) + ". For speed");
  command->add_option("--servo", arguments->servo, "off: the motors are not held, whatever the drives say");
  command->add_option("--starts", arguments->starts, "Random postures that are tried, 64 without it");
  command->add_option("--count", arguments->count, "Postures shown at most, 5 without it");
  command->add_option("--seed", arguments->seed, "Of the random postures, 1 without it");
  command->add_option("--plot", arguments->plot, "Draw the arm in each posture, as .svg or .html");
  command->add_flag("--force", arguments->force, "Replace a file that is not an earlier result of this command");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer(
      "Example:\n  thud aim panda --frame panda_foot --offset 0,0,0.0223 --at 0.6,0,0.6 --normal -1,0,0 --orientation "
      "tool-along-normal --maximize effective_mass\n"
      "  thud aim panda --frame panda_foot --offset 0,0,0.0223 --at 0.6,0,0.6 --normal -1,0,0 --object-mass 1 "
      "--object-speed 0.3 --restitution 0.5");
  command->callback([arguments] { run_aim(*arguments); });
}

}  // namespace thud::cli
