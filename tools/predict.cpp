#include "predict.hpp"

#include <thud/error.hpp>
#include <thud/impulse.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "output.hpp"
#include "plot.hpp"

namespace thud::cli {
namespace {

using Case = PredictCase;

struct PredictOutput {
  std::string plot;
  bool force = false, json = false;
};

struct Meaning {
  InertiaModel model;
  const char* text;
};
constexpr Meaning meanings[] = {
    {InertiaModel::algebraic, "linear block of (J M^-1 J^T)^-1: tool free in six directions"},
    {InertiaModel::generalized_momentum, "J_v M^-1 J_v^T: joints give way freely"},
    {InertiaModel::composite_rigid_body, "joints stiff: the arm is one rigid body"},
    {InertiaModel::flexible_joints, "one rigid body, corrected for joint motion"},
};

// MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]]
BodyInertia tool_of(const std::string& text) {
  const VectorX values = numbers("--tool", text);
  if (values.size() != 1 && values.size() != 4 && values.size() != 10)
    throw InputError("--tool", text, "must be MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]]");
  BodyInertia tool;
  tool.mass = values[0];
  if (values.size() >= 4) tool.com = values.segment<3>(1);
  if (values.size() == 10)
    tool.inertia << values[4], values[7], values[8], values[7], values[5], values[9], values[8], values[9], values[6];
  return tool;
}

bool has_joint(const Robot& robot, const std::string& name) {
  return std::ranges::find(robot.joints(), name, &Joint::name) != robot.joints().end();
}

// With --chain, --q may name joints that it locks: they are locked there.
bool names_locked_joints(const PredictArguments& arguments) {
  return arguments.chain && arguments.q.find('=') != std::string::npos;
}

// The robot with its tool, without the joints that --lock and --chain lock.
Robot described_robot(const std::string& name, const PredictArguments& arguments, const Sources& sources) {
  Robot robot = sources.robot(name, urdf_limits(arguments.max_joints, arguments.max_size));
  if (!arguments.tool.empty()) robot = robot.with_tool(arguments.frame, tool_of(arguments.tool));
  std::map<std::string, double> locked;
  if (!arguments.lock.empty()) locked = named_values("--lock", arguments.lock, "joint");
  if (names_locked_joints(arguments)) {
    const Robot chain = robot.chain_to(arguments.frame, locked);
    for (const auto& [joint, position] : named_values("--q", arguments.q, "joint"))
      if (!has_joint(chain, joint) && !locked.emplace(joint, position).second)
        throw InputError("--q", joint, "is locked by --lock");
  }
  if (arguments.chain) return robot.chain_to(arguments.frame, locked);
  return locked.empty() ? robot : robot.reduced(locked);
}

// Of the joints that are left.
VectorX positions(const Robot& robot, const PredictArguments& arguments) {
  if (!names_locked_joints(arguments)) return joint_values("--q", arguments.q, robot);
  VectorX q = VectorX::Zero(robot.size());
  for (const auto& [joint, position] : named_values("--q", arguments.q, "joint"))
    if (has_joint(robot, joint)) q[robot.joint_index(joint)] = position;
  return q;
}

// Impulses and joint jumps of an impact with friction or an object in the place of the others.
void follow(Prediction& prediction, const ImpactPrediction& impact, const Vector3& normal_W) {
  for (const InertiaModel model : all_inertia_models) {
    ModelPrediction& result = prediction.models[model];
    const ModelImpact& from = impact[model];
    result.impulse = {from.impact.compression, normal_W.dot(from.impact.impulse)};
    result.impulse_approximate = from.impulse_approximate;
    result.impulse_W = from.impact.impulse;
    result.joint_velocity_jump = from.joint_velocity_jump;
    result.joint_velocity_jump_least_norm = from.joint_velocity_jump_least_norm;
    result.joint_impulse = from.joint_impulse;
  }
}

Case predict_case(const std::string& robot_name, const PredictArguments& arguments, const State* given,
                  const Sources& sources) {
  Robot robot = described_robot(robot_name, arguments, sources);
  if (!arguments.rotor.empty()) robot = robot.with_rotor_inertia(joint_values("--rotor", arguments.rotor, robot));
  State state = given ? *given : State{positions(robot, arguments), VectorX::Zero(robot.size())};
  if (state.q.size() != robot.size())
    throw InputError("--compare", robot_name,
                     fmt::format("has {} joints where the first robot has {}", robot.size(), state.q.size()));
  const ContactPoint point{arguments.frame, vector3("--offset", arguments.offset),
                           vector3("--normal", arguments.normal), arguments.whole};
  const ContactDynamics dynamics = contact_dynamics(robot, point, state.q);

  std::vector<Warning> notes = robot.warnings();
  if (!given && !arguments.dq.empty()) state.dq = joint_values("--dq", arguments.dq, robot);
  if (!given && !arguments.speed.empty()) {
    const auto motion = nearest_approach(dynamics, number("--speed", arguments.speed));
    if (!motion)
      throw InputError("--speed", arguments.speed,
                       "no motion of the joints moves the contact point along the normal at this posture");
    state.dq = motion->dq;
    if (motion->sideways > 0)
      notes.push_back({WarningCode::nearest_approach, "",
                       fmt::format("the contact point cannot move along the normal alone; the nearest motion is taken, "
                                   "which also moves it {:.3g} m/s sideways",
                                   motion->sideways)});
    if (motion->turns)
      notes.push_back({WarningCode::tool_turns, "", "the arm cannot approach without turning the tool; it turns"});
  }
  const PredictOptions options{number("--restitution", arguments.restitution), arguments.pseudo_inverse};
  Prediction prediction = predict(dynamics, state.dq, options);
  for (auto& warning : limit_warnings(robot, state)) notes.push_back(std::move(warning));
  const ImpactPredictionOptions impact_options = arguments.impact.options(options.restitution, options.pseudo_inverse);
  std::optional<ImpactPrediction> impact;
  if (arguments.impact.given()) {
    impact = predict_impact(dynamics, state.dq, impact_options);
    follow(prediction, *impact, dynamics.normal_W);
  }
  for (auto& warning : warnings(prediction)) {
    // approach is judged by the relative velocity, and what slips is no surprise to who gave the friction
    const bool judged = impact && (warning.code == WarningCode::no_approach ||
                                   (warning.code == WarningCode::sliding && !arguments.impact.friction.empty()));
    if (!judged) notes.push_back(std::move(warning));
  }
  if (impact)
    for (auto& warning : warnings(*impact)) notes.push_back(std::move(warning));
  std::optional<double> duration;
  if (!arguments.duration.empty()) {
    duration = number("--duration", arguments.duration);
    if (*duration <= 0) throw InputError("--duration", arguments.duration, "must be > 0");
  }
  auto shares = link_shares(dynamics, link_inertias(robot, point, state.q));
  auto links = composite_links(robot, point);
  Meeting meeting{impact ? impact->v_normal : prediction.v_exact};
  if (const auto& object = impact_options.object)
    meeting.object_inverse_mass = dynamics.normal_W.dot(contact_response(*object, dynamics.p_WC).W * dynamics.normal_W);
  auto elastic = elastic_answer(arguments.elastic, robot, point, state.q, prediction, meeting, sources);
  if (elastic) notes.insert(notes.end(), elastic->warnings.begin(), elastic->warnings.end());
  return {std::move(robot),  point,    std::move(state), std::move(links),  dynamics,         std::move(prediction),
          std::move(shares), duration, impact_options,   std::move(impact), std::move(notes), std::move(elastic)};
}

// The joints, then the followers.
const Joint& moving_joint(const Robot& robot, std::size_t i) {
  const std::size_t joints = robot.joints().size();
  return i < joints ? robot.joints()[i] : robot.followers()[i - joints].joint;
}

Json model_json(const Case& item, InertiaModel model) {
  const ModelPrediction& result = item.prediction[model];
  Json object;
  object["status"] = to_string(result.inertia.status);
  object["effective_mass"] = json(result.inertia.effective_mass());
  object["impulse_compression"] = json(result.impulse.compression);
  if (model == InertiaModel::composite_rigid_body)
    object["impulse_compression_approximate"] = json(result.impulse_approximate.compression);
  object["impulse"] = json(result.impulse.total);
  const auto list = [&](const VectorX& values) { return values.allFinite() ? json(values) : Json(nullptr); };
  object["joint_velocity_jump"] = list(result.joint_velocity_jump);
  object["joint_velocity_jump_least_norm"] = list(result.joint_velocity_jump_least_norm);
  object["joint_impulse"] = list(result.joint_impulse);
  if (item.duration) object["joint_torque_jump"] = list(result.joint_impulse / *item.duration);
  if (item.impact) object["impact"] = impact_json((*item.impact)[model], item.impact_options.object.has_value());
  return object;
}

Json case_json(const Case& item) {
  const Prediction& prediction = item.prediction;
  Json object;
  object["robot"] = item.robot.name();
  object["joints"] = Json::array();
  for (const auto& joint : item.robot.joints()) object["joints"].push_back(joint.name);
  object["q"] = json(item.state.q);
  object["dq"] = json(item.state.dq);
  object["position"] = json(item.dynamics.p_WC);
  object["normal"] = json(item.dynamics.normal_W);
  object["mass"] = json(item.dynamics.mass);
  object["center_of_mass"] = item.dynamics.mass > 0 ? json(item.dynamics.com_W) : Json(nullptr);
  object["links"] = item.links;
  object["velocity"] = {{"exact", json(prediction.v_exact)},
                        {"approximate", json(prediction.v_approximate)},
                        {"ratio", json(prediction.ratio)}};
  object["small_restitution"] = std::isnan(prediction.ratio) ? Json(nullptr) : Json(prediction.small_restitution);
  for (const InertiaModel model : all_inertia_models) object["options"][to_string(model)] = model_json(item, model);
  object["link_shares"] = Json::object();
  for (std::size_t i = 0; i < item.shares.size(); ++i)
    object["link_shares"][moving_joint(item.robot, i).link] = json(item.shares[i]);
  if (item.elastic) object["elastic_arm"] = elastic_json(*item.elastic);
  object["warnings"] = texts(item.warnings);
  return object;
}

// Smallest and largest effective mass over the robots, where each has one.
std::optional<std::pair<double, double>> spread(const std::vector<Case>& cases, InertiaModel model) {
  double low = INFINITY, high = -INFINITY;
  for (const auto& item : cases) {
    const double mass = item.prediction[model].inertia.effective_mass();
    if (std::isnan(mass)) return std::nullopt;
    low = std::min(low, mass);
    high = std::max(high, mass);
  }
  return std::pair{low, high};
}

std::string cell(double value, const char* unit) {
  if (!std::isfinite(value)) return "none";
  return *unit ? fmt::format("{:.5g} {}", value, unit) : fmt::format("{:.5g}", value);
}

// Four decimals, and no minus sign on what rounds to zero.
double rounded(double value) {
  return std::abs(value) < 0.5e-4 ? 0 : value;
}

std::string predict_table(const Case& item, const PredictArguments& arguments) {
  const auto& [robot, point, state, links, dynamics, prediction, shares, duration, impact_options, impact, notes,
               elastic] = item;
  const Vector3& p = dynamics.p_WC;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < robot.joints().size() + robot.followers().size(); ++i)
    names.push_back(printable(moving_joint(robot, i).name));
  const std::size_t width = column_width(names, 22);
  std::string out = fmt::format("{}: {}, {:.5g} kg moving; {} at ({:.4f}, {:.4f}, {:.4f}) m\n", printable(robot.name()),
                                counted(robot.joints().size(), "joint"), dynamics.mass, printable(arguments.frame),
                                rounded(p[0]), rounded(p[1]), rounded(p[2]));
  std::size_t limbs = 0;
  for (std::size_t i = 0; i < names.size(); ++i) limbs += moving_joint(robot, i).parent < 0;
  if (limbs > 1)
    out += fmt::format("composite body: {} of {} limbs, {} links from {} to {}{}\n", arguments.whole ? limbs : 1, limbs,
                       links.size(), printable(links.front()), printable(links.back()),
                       arguments.whole ? "" : " (--whole counts all limbs)");
  out += fmt::format("contact velocity v_n: exact {}, approximate {}, ratio e_a {}\n", cell(prediction.v_exact, "m/s"),
                     cell(prediction.v_approximate, "m/s"), cell(prediction.ratio, ""));
  out += fmt::format("small restitution (e_a > 0.85 and |v_n| > 0.1 m/s, Sec. VII-C): {}\n\n",
                     prediction.small_restitution ? "yes, e < 0.15 may be assumed" : "no");

  out += fmt::format("{:<22}{:>16}{:>16}{:>16}  {}\n", "option", "effective mass", "to compression",
                     "e = " + arguments.restitution, "what it assumes");
  for (const auto& [model, text] : meanings) {
    const auto& result = prediction[model];
    out += fmt::format(
        "{:<22}{:>16}{:>16}{:>16}  {}{}\n", to_string(model), cell(result.inertia.effective_mass(), "kg"),
        cell(result.impulse.compression, "N s"), cell(result.impulse.total, "N s"), text,
        result.inertia.status == InertiaStatus::ok ? "" : fmt::format(" [{}]", to_string(result.inertia.status)));
  }
  out += fmt::format("{:<22}{:>16}{:>16}{:>16}  {}\n", "  approximate v_n", "",
                     cell(prediction[InertiaModel::composite_rigid_body].impulse_approximate.compression, "N s"),
                     cell(prediction[InertiaModel::composite_rigid_body].impulse_approximate.total, "N s"),
                     "composite, as the authors' code has it");
  if (elastic) out += elastic_table(*elastic);

  if (impact) out += impact_table(*impact, impact_options);
  out += fmt::format(
      "\njoint-velocity jump M^-1 J_v^T iota [rad/s or m/s], and each link's share of the composite body\n");
  out += fmt::format("{:<{}}{:>10}{:>10}", "joint", width, "q", "dq");
  for (const InertiaModel model : all_inertia_models)
    out += fmt::format("{:>13}", std::string(to_string(model)).substr(0, 11));
  out += fmt::format("{:>9}\n", "share");
  for (int i = 0; i < robot.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    out += fmt::format("{:<{}}{:>10.4f} {:>9.4f}", names[at], width, rounded(state.q[i]), rounded(state.dq[i]));
    for (const InertiaModel model : all_inertia_models)
      out += fmt::format(" {:>12}", cell(prediction[model].joint_velocity_jump[i], ""));
    out += shares.empty() ? fmt::format("{:>9}\n", "none") : fmt::format("{:>8.1f}%\n", 100 * shares[at]);
  }
  if (duration) {
    out += fmt::format("\nmean joint-torque jump over {} s [N m or N]\n", *duration);
    for (int i = 0; i < robot.size(); ++i) {
      out += fmt::format("{:<{}}", names[static_cast<std::size_t>(i)], width + 20);
      for (const InertiaModel model : all_inertia_models)
        out += fmt::format(" {:>12}", cell(prediction[model].joint_impulse[i] / *duration, ""));
      out += "\n";
    }
  }
  return out;
}

std::string comparison_table(const std::vector<Case>& cases) {
  std::string out = fmt::format("\neffective mass by inertia set [kg]\n{:<22}", "option");
  std::vector<std::string> names;
  for (const auto& item : cases) names.push_back(printable(item.robot.name()));
  const std::size_t width = column_width(names, 13);
  for (const std::string& name : names) out += fmt::format("{:>{}}", name, width);
  out += fmt::format("{:>10}\n", "spread");
  for (const InertiaModel model : all_inertia_models) {
    out += fmt::format("{:<22}", to_string(model));
    for (const auto& item : cases)
      out += fmt::format("{:>{}}", cell(item.prediction[model].inertia.effective_mass(), ""), width);
    const auto range = spread(cases, model);
    out +=
        range ? fmt::format("{:>9.1f}%\n", 100 * (range->second / range->first - 1)) : fmt::format("{:>10}\n", "none");
  }
  return out;
}

plot::Chart chart(const Case& item) {
  const Vector3& n = item.dynamics.normal_W;
  const ImpactPrediction impact =
      item.impact ? *item.impact : predict_impact(item.dynamics, item.state.dq, item.impact_options);
  if (std::ranges::none_of(impact.models, [](const auto& each) { return each.impact.status == ImpactStatus::ok; }))
    throw NoAnswer(item.robot.name() + ": there is no impact to draw (the warnings without --plot say why)");
  plot::Chart chart =
      impact_chart(impact, n, item.impact_options,
                   fmt::format("{} hits at {:.4g} m/s along the normal", item.robot.name(), -impact.v_normal));
  chart.width = 1280;
  chart.scene = side_view(item.robot, item.point, item.state.q, item.dynamics,
                          contact_response(item.dynamics, item.state.dq, {}).velocity, impact);
  return chart;
}

void run_predict(const PredictArguments& arguments, const PredictOutput& output) {
  Outputs outputs("predict", {.inputs = {arguments.robot}, .force = output.force});
  outputs.add("--plot", output.plot);
  const std::vector<Case> cases = predict_cases(arguments);
  if (outputs.wanted("--plot")) outputs.write("--plot", plot::drawing(output.plot, chart(cases.front())));

  if (output.json) {
    print(predict_json(cases, arguments));
  } else {
    std::string out = predict_table(cases.front(), arguments);
    if (!arguments.compare.empty()) out += comparison_table(cases);
    for (const auto& item : cases)
      for (const auto& warning : item.warnings)
        out += fmt::format("warning: {}: {}\n", printable(item.robot.name()), printable(warning.text));
    std::fputs(out.c_str(), stdout);
  }
  const auto has_model = [](const Case& item) {
    return std::ranges::any_of(item.prediction.models, [](const auto& model) { return model.inertia.exists(); });
  };
  if (!std::ranges::any_of(cases, has_model))
    throw NoAnswer(arguments.robot + ": no option exists at this contact (the warnings say why)");
}

}  // namespace

std::vector<PredictCase> predict_cases(const PredictArguments& arguments, const Sources& sources) {
  if (!arguments.elastic.drives.empty()) {
    if (!arguments.impact.friction.empty())
      throw InputError("--friction", arguments.impact.friction,
                       "an arm with elastic joints hits without friction: not beside --drives");
    if (!arguments.rotor.empty()) throw InputError("--rotor", arguments.rotor, "the rotors are those of --drives");
  }
  if (arguments.dq.empty() == arguments.speed.empty())
    throw InputError("--dq", arguments.dq.empty() ? "missing" : "beside --speed", "give either --dq or --speed");
  std::vector<Case> cases{predict_case(arguments.robot, arguments, nullptr, sources)};
  if (!arguments.compare.empty())
    for (const auto& name : words(arguments.compare))
      if (name != arguments.robot) cases.push_back(predict_case(name, arguments, &cases.front().state, sources));
  return cases;
}

Json predict_json(const std::vector<PredictCase>& cases, const PredictArguments& arguments) {
  Json object = case_json(cases.front());
  if (arguments.compare.empty()) return object;
  object["compare"] = Json::object();
  for (std::size_t i = 1; i < cases.size(); ++i) object["compare"][cases[i].robot.name()] = case_json(cases[i]);
  object["spread"] = Json::object();
  for (const InertiaModel model : all_inertia_models) {
    const auto range = spread(cases, model);
    object["spread"][to_string(model)] = range ? Json{{"low", range->first}, {"high", range->second}} : Json(nullptr);
  }
  return object;
}

void add_predict_options(CLI::App& command, PredictArguments& arguments) {
  command.add_option("ROBOT", arguments.robot, "A shipped name (thud info lists them) or a URDF or MJCF file")
      ->required();
  command.add_option("--q", arguments.q, "Joint positions: numbers in joint order, or joint=value,... (others 0)")
      ->required();
  command.add_option("--dq", arguments.dq, "Joint velocities, in the same forms");
  command.add_option(
      "--speed", arguments.speed,
      "Instead of --dq: approach speed of the point [m/s], without other motion where the arm can; joint "
      "rates of least norm");
  command.add_option("--frame", arguments.frame, "Link that is hit")->required();
  command.add_option("--offset", arguments.offset, "Contact point X,Y,Z in that link's frame [m]");
  command.add_option("--normal", arguments.normal, "X,Y,Z out of the environment, in the world; any length")
      ->required();
  command.add_option("--restitution", arguments.restitution, "Coefficient of restitution, 0 to 1");
  command.add_option("--rotor", arguments.rotor, "Rotor inertia per joint, reflected [kg m^2 or kg]");
  command.add_option(
      "--tool", arguments.tool,
      "Rigid tool on the link that is hit: MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]] [kg, m, kg m^2], centre "
      "of mass in that link's frame, inertia about it");
  command.add_option("--lock", arguments.lock, "Joints to lock: joint=value,...; --q is of the others");
  command.add_flag(
      "--chain", arguments.chain,
      "Lock every joint that does not carry the contact, at 0 or where --q names it; --q is of the others");
  command.add_flag("--whole", arguments.whole,
                   "Count every limb off the base in the composite body, not only the one that is hit");
  add_elastic_options(command, arguments.elastic);
  add_impact_options(command, arguments.impact);
  command.add_option("--duration", arguments.duration, "Contact duration [s], for the mean joint-torque jump");
  command.add_option("--compare", arguments.compare, "Other robots, with the same joints, to show the spread");
  command.add_flag("--pseudo-inverse", arguments.pseudo_inverse,
                   "Let the algebraic option use a pseudo-inverse where it does not exist");
}

void add_predict(CLI::App& program) {
  auto* command = program.add_subcommand("predict", "Impulse, effective mass and joint jumps of an impact, four ways");
  auto arguments = std::make_shared<PredictArguments>();
  auto output = std::make_shared<PredictOutput>();
  add_predict_options(*command, *arguments);
  command->add_option("--max-joints", arguments->max_joints, max_joints_help());
  command->add_option("--max-size", arguments->max_size, max_size_help());
  command->add_option(
      "--plot", output->plot,
      "Draw the impact, as .svg or .html: impulse with the friction cone, velocities, the arm from the side");
  command->add_flag("--force", output->force, "Replace a file that is not an earlier result of this command");
  command->add_flag("--json", output->json, "Print one JSON object");
  command->footer(
      "Joint order is depth first from the root, siblings by joint name; the output names it.\n"
      "Example:\n  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot --offset "
      "0,0,0.0223 --normal -1,0,0 --compare panda_fer,panda_gaz\n"
      "  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --dq 0.1,0.3,0,0.1,0,0,0 --frame panda_foot --offset "
      "0,0,0.0223 --normal -1,0,0 --friction 0.3 --restitution 0.5 --object-mass 2\n"
      "  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot --offset 0,0,0.0223 "
      "--normal -1,0,0 --drives panda --wall viscoelastic,stiffness=1e6,damping=7.28e6");
  command->callback([arguments, output] { run_predict(*arguments, *output); });
}

}  // namespace thud::cli
