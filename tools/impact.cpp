#include "impact.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thud::cli {
namespace {

RestitutionKind kind_named(const std::string& name) {
  std::string known;
  for (const RestitutionKind kind : all_restitution_kinds) {
    if (to_string(kind) == name) return kind;
    known.append(known.empty() ? "" : ", ").append(to_string(kind));
  }
  throw InputError("--restitution-kind", name, "must be one of " + known);
}

Object object_of(const ImpactArguments& arguments) {
  Object object{.mass = number("--object-mass", arguments.object_mass)};
  if (arguments.object_inertia.empty() != arguments.object_com.empty())
    throw InputError(arguments.object_com.empty() ? "--object-com" : "--object-inertia", "missing",
                     "--object-inertia and --object-com are given together, or neither for a point mass");
  if (!arguments.object_inertia.empty()) {
    const VectorX I = numbers("--object-inertia", arguments.object_inertia);
    if (I.size() != 6)
      throw InputError("--object-inertia", arguments.object_inertia, "must be IXX,IYY,IZZ,IXY,IXZ,IYZ");
    object.inertia_W << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    if (object.inertia_W.isZero(0))
      throw InputError("--object-inertia", arguments.object_inertia, "must not be zero; a point mass has none");
    object.com_W = vector3("--object-com", arguments.object_com);
  }
  if (!arguments.object_velocity.empty()) object.velocity = vector3("--object-velocity", arguments.object_velocity);
  return object;
}

std::string triple(const Vector3& value) {
  if (!value.allFinite()) return "none";
  const auto clean = [](double each) { return std::abs(each) < 5e-7 ? 0 : each; };  // no -0
  return fmt::format("({:.5g}, {:.5g}, {:.5g})", clean(value[0]), clean(value[1]), clean(value[2]));
}

std::string phases_of(const Impact& impact) {
  std::string text;
  for (const ImpactPhase& phase : impact.phases)
    text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", to_string(phase.mode), phase.normal_impulse);
  return text.empty() ? "none" : text;
}

}  // namespace

bool ImpactArguments::given() const {
  const std::string* const texts[] = {&friction,       &restitution_kind, &object_mass,
                                      &object_inertia, &object_com,       &object_velocity};
  return std::ranges::any_of(texts, [](const std::string* text) { return !text->empty(); });
}

ImpactPredictionOptions ImpactArguments::options(double restitution, bool pseudo_inverse) const {
  ImpactPredictionOptions options{.restitution = restitution, .pseudo_inverse = pseudo_inverse};
  if (!friction.empty()) {
    options.friction = number("--friction", friction);
    if (options.friction < 0) throw InputError("--friction", friction, "must be >= 0");
  }
  if (!restitution_kind.empty()) options.kind = kind_named(restitution_kind);
  if (!object_mass.empty()) {
    options.object = object_of(*this);
    return options;
  }
  for (const auto& [option, text] : {std::pair{"--object-inertia", &object_inertia},
                                     {"--object-com", &object_com},
                                     {"--object-velocity", &object_velocity}})
    if (!text->empty()) throw InputError(option, *text, "is of an object: it needs --object-mass");
  return options;
}

void add_impact_options(CLI::App& command, ImpactArguments& arguments) {
  command.add_option("--friction", arguments.friction, "Coefficient of friction at the contact, >= 0");
  command.add_option(
      "--restitution-kind", arguments.restitution_kind,
      "What --restitution is a ratio of: energetic (work; the default), newton (velocity), poisson (impulse)");
  command.add_option(
      "--object-mass", arguments.object_mass,
      "Mass of what is hit [kg]; without it, a wall that stands still. A point mass unless the next two are "
      "given");
  command.add_option("--object-inertia", arguments.object_inertia,
                     "Its inertia IXX,IYY,IZZ,IXY,IXZ,IYZ about its centre of mass, world axes [kg m^2]");
  command.add_option("--object-com", arguments.object_com, "Its centre of mass X,Y,Z in the world [m]");
  command.add_option("--object-velocity", arguments.object_velocity, "Velocity X,Y,Z of its centre of mass [m/s]");
}

Json impact_json(const ModelImpact& result, bool with_object) {
  const Impact& impact = result.impact;
  if (!impact.exists()) return nullptr;
  Json object;
  object["impulse"] = json(impact.impulse);
  object["velocity_after"] = json(result.velocity_after);
  object["phases"] = Json::array();
  for (const ImpactPhase& phase : impact.phases)
    object["phases"].push_back({{"mode", to_string(phase.mode)}, {"normal_impulse", json(phase.normal_impulse)}});
  object["energy_lost"] = json(impact.energy_lost);
  object["object"] = nullptr;
  if (with_object)
    object["object"] = {{"velocity", json(result.object.velocity)},
                        {"angular_velocity", json(result.object.angular_velocity)}};
  return object;
}

std::string impact_table(const ImpactPrediction& prediction, const ImpactPredictionOptions& options) {
  std::string out = fmt::format("\nimpact with friction {:.5g}, restitution {:.5g} ({})", options.friction,
                                options.restitution, to_string(options.kind));
  if (const auto& object = options.object)
    out += fmt::format(", on {} of {:.5g} kg that moves at {} m/s",
                       object->inertia_W.isZero(0) ? "a point mass" : "a body", object->mass, triple(object->velocity));
  out += fmt::format("\nrelative velocity {} m/s: {:.5g} m/s along the normal, {:.5g} m/s across it\n",
                     triple(prediction.velocity), prediction.v_normal, prediction.v_tangential);
  out += fmt::format("{:<22}{:<36}{:<36}{:>11}  {}\n", "option", "impulse [N s]", "velocity after [m/s]", "lost [J]",
                     "phases, with their normal impulse [N s]");
  for (const InertiaModel model : all_inertia_models) {
    const ModelImpact& result = prediction[model];
    out += fmt::format("{:<22}", to_string(model));
    if (!result.impact.exists()) {
      out += "none\n";
      continue;
    }
    out += fmt::format("{:<36}{:<36}{:>11.4g}  {}\n", triple(result.impact.impulse), triple(result.velocity_after),
                       result.impact.energy_lost, phases_of(result.impact));
    if (options.object)
      out += fmt::format("{:<22}leaves at {} m/s, turning at {} rad/s\n", "  object", triple(result.object.velocity),
                         triple(result.object.angular_velocity));
  }
  return out;
}

plot::Chart impact_chart(const ImpactPrediction& prediction, const Vector3& normal_W,
                         const ImpactPredictionOptions& options, const std::string& title) {
  plot::Panel impulse{"tangential impulse [N s]", {}, {}, 1.4}, normal{"normal velocity [m/s]", {}, {}, 1},
      slip{"slip [m/s]", {}, {}, 1};
  double largest = 0;
  for (const InertiaModel model : all_inertia_models) {
    const ModelImpact& result = prediction[model];
    if (result.impact.status != ImpactStatus::ok) continue;
    const auto path =
        impact_path(result.W, prediction.velocity, normal_W, {options.friction, options.restitution, options.kind});
    // across the normal against the first slip, or from rest along the impulse: a path that turns is seen from the side
    Vector3 across = prediction.v_normal * normal_W - prediction.velocity;
    if (result.impact.phases[0].mode == ContactMode::stick || !(across.norm() > 1e-9 * -prediction.v_normal))
      across = result.impact.impulse - normal_W.dot(result.impact.impulse) * normal_W;
    if (across.norm() > 0) across.normalize();
    const std::string label(to_string(model));
    plot::Series p{label, {}, {}}, v{label, {}, {}}, w{label, {}, {}};
    for (const ImpactState& at : path) {
      const double normal_impulse = normal_W.dot(at.impulse), v_n = normal_W.dot(at.velocity);
      for (plot::Series* series : {&p, &v, &w}) series->x.push_back(normal_impulse);
      p.y.push_back(across.dot(at.impulse));
      v.y.push_back(v_n);
      w.y.push_back((at.velocity - v_n * normal_W).norm());
    }
    largest = std::max(largest, p.x.back());
    impulse.series.push_back(std::move(p));
    normal.series.push_back(std::move(v));
    slip.series.push_back(std::move(w));
  }
  const double edge = options.friction * largest;
  impulse.series.push_back({"friction cone", {largest, 0, largest}, {edge, 0, -edge}});
  plot::Chart chart;
  chart.title = title;
  chart.subtitle = fmt::format("friction {:.4g}, restitution {:.4g} ({}); velocities relative to what is hit",
                               options.friction, options.restitution, to_string(options.kind));
  chart.x_label = "normal impulse [N s]";
  chart.panels = {std::move(normal), std::move(slip)};
  if (options.friction > 0) chart.panels.insert(chart.panels.begin(), std::move(impulse));  // else there is none
  chart.height = 760;
  return chart;
}

plot::Scene side_view(const Robot& robot, const ContactPoint& point, const VectorRef& q,
                      const ContactDynamics& dynamics, const Vector3& velocity, const ImpactPrediction& prediction) {
  const Vector3 &n = dynamics.normal_W, &p = dynamics.p_WC, up = Vector3::UnitZ();
  // the upright plane of the normal; of an upright normal, that of the arm
  Vector3 across = n - n.dot(up) * up;
  if (across.norm() < 1e-3) across = p - p.dot(up) * up;
  if (across.norm() < 1e-9) across = Vector3::UnitX();
  across.normalize();
  if (across.dot(p) < 0) across = -across;
  plot::Scene scene;
  scene.x_label = fmt::format("along ({:.2g}, {:.2g}, 0) [m]", across[0] + 0.0, across[1] + 0.0);
  scene.y_label = "height [m]";
  plot::Series arm{.label = robot.name() + ", and what it hits"},
      joints{.label = "joints", .style = plot::Series::Style::points};
  const auto add = [&](plot::Series& series, const Vector3& at) {
    series.x.push_back(across.dot(at));
    series.y.push_back(at.dot(up));
  };
  std::vector<Vector3> origins{p};  // from the contact back to the base
  for (int i = robot.frame(point.frame).joint; i >= 0; i = robot.joints()[static_cast<std::size_t>(i)].parent)
    origins.push_back(contact_dynamics(robot, {.frame = robot.joints()[static_cast<std::size_t>(i)].link}, q).p_WC);
  for (auto at = origins.rbegin(); at != origins.rend(); ++at) add(arm, *at);
  for (std::size_t i = 1; i < origins.size(); ++i) add(joints, origins[i]);

  // the surface, and arrows a third as long as the arm is high or wide
  double size = 0;
  for (const Vector3& origin : origins) size = std::max(size, (origin - p).norm());
  const double edge_x = -n.dot(up), edge_y = n.dot(across),
               edge = 0.12 * size / std::max(std::hypot(edge_x, edge_y), 1e-9);
  arm.x.push_back(std::numeric_limits<double>::quiet_NaN());
  arm.y.push_back(std::numeric_limits<double>::quiet_NaN());
  for (const double sign : {-1.0, 1.0}) {
    arm.x.push_back(across.dot(p) + sign * edge * edge_x);
    arm.y.push_back(p.dot(up) + sign * edge * edge_y);
  }
  double fastest = velocity.norm();
  for (const ModelImpact& model : prediction.models)
    if (model.impact.exists()) fastest = std::max(fastest, model.velocity_after.norm());
  const double length = fastest > 0 ? 0.35 * size / fastest : 0;
  const auto arrow = [&](const std::string& label, const Vector3& v) {
    scene.arrows.push_back({label, across.dot(p), p.dot(up), length * across.dot(v), length * v.dot(up)});
  };
  arrow(fmt::format("velocity before, {:.3g} m/s", velocity.norm()), velocity);
  for (const InertiaModel model : all_inertia_models)
    if (prediction[model].impact.status == ImpactStatus::ok)
      arrow(std::string(to_string(model)), prediction[model].velocity_after);
  scene.series = {std::move(arm), std::move(joints)};
  return scene;
}

}  // namespace thud::cli
