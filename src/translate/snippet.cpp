#include "translate/snippet.hpp"

#include <thud/error.hpp>

#include "foundation/require.hpp"
#include "translate/matched.hpp"

namespace thud::translating {
namespace {

// What bodies have that is to give way no more than a wall: Drake's stiffness, far above any contact's [N/m].
constexpr double rigid = 1e15;

// ODE lets no contact push bodies apart faster; Gazebo's default, 0.01 m/s, would cap the force [m/s].
constexpr double fastest_push = 100;

std::string text(double value) {
  return to_text(value, 9);
}

std::string joined(const std::vector<double>& values) {
  std::string all;
  for (const double value : values) {
    if (!all.empty()) all += ' ';
    all += text(value);
  }
  return all;
}

/// MuJoCo's five numbers: impedance at the surface and from `width` on, that depth, and a power in between.
std::vector<double> solimp(const ContactModel& model) {
  if (model.width > 0) return {model.first * full_impedance, full_impedance, model.width, midpoint, model.power};
  return {full_impedance, full_impedance, 0.001, 0.5, 2};
}

const SimulatorParameter& parameter(const Translation& translation, std::string_view name, std::size_t count) {
  for (const SimulatorParameter& each : translation.parameters)
    if (each.name == name && each.values.size() == count) return each;
  throw InputError("translation", std::string(name), "is missing among its parameters");
}

}  // namespace

std::vector<SimulatorParameter> parameters_of(const ContactModel& model, const std::optional<double>& step) {
  const double k = model.stiffness, c = model.damping;
  switch (model.simulator) {
    case Simulator::mujoco:
      return {{"solref", {-k, -c}, "1/s^2, 1/s"}, {"solimp", solimp(model), "1, 1, m, 1, 1"}};
    case Simulator::drake:
      return {{"point_contact_stiffness", {k}, "N/m"}, {"hunt_crossley_dissipation", {c}, "s/m"}};
    case Simulator::bullet:
      return {{"contactStiffness", {k}, "N/m"}, {"contactDamping", {c}, "N s/m"}};
    case Simulator::gazebo:
      break;
  }
  std::vector<SimulatorParameter> all{{"kp", {k}, "N/m"}, {"kd", {c}, "N s/m"}, {"max_vel", {fastest_push}, "m/s"}};
  if (step) {
    all.push_back({"soft_erp", {*step * k / (*step * k + c)}, "1"});
    all.push_back({"soft_cfm", {1 / (*step * k + c)}, "m/(N s)"});
  }
  return all;
}

ContactModel model_of(const Translation& translation) {
  const auto one = [&](std::string_view name) { return parameter(translation, name, 1).values[0]; };
  ContactModel model{.simulator = translation.simulator};
  switch (translation.simulator) {
    case Simulator::mujoco: {
      const auto& reference = parameter(translation, "solref", 2).values;
      const auto& impedance = parameter(translation, "solimp", 5).values;
      model.stiffness = -reference[0];
      model.damping = -reference[1];
      model.first = impedance[0] / impedance[1];
      model.width = model.first < 1 ? impedance[2] : 0;
      model.power = impedance[4];
      break;
    }
    case Simulator::drake:
      model.stiffness = one("point_contact_stiffness");
      model.damping = one("hunt_crossley_dissipation");
      break;
    case Simulator::bullet:
      model.stiffness = one("contactStiffness");
      model.damping = one("contactDamping");
      break;
    case Simulator::gazebo:
      model.stiffness = one("kp");
      model.damping = one("kd");
      break;
  }
  foundation::require_positive("translation", model.stiffness);
  if (!(model.damping >= 0)) throw InputError("translation", model.damping, "must have a damping of at least 0");
  return model;
}

std::string snippet_of(const ContactModel& model, const std::optional<double>& step) {
  const std::string k = text(model.stiffness), c = text(model.damping);
  switch (model.simulator) {
    case Simulator::mujoco:
      return "<!-- on one of the two geoms; for bodies of several joints also <option><flag "
             "diagexact=\"enable\"/></option> -->\n"
             "<geom priority=\"1\" solref=\"" +
             joined({-model.stiffness, -model.damping}) + "\" solimp=\"" + joined(solimp(model)) + "\"/>\n";
    case Simulator::drake:
      return "# geometry of the one body; that of the other with point_stiffness=" + text(rigid) +
             ", dissipation=0; plant with " + (step ? "time_step=" + text(*step) : "time_step=0") +
             "\nproperties = ProximityProperties()\nAddContactMaterial(point_stiffness=" + k + ", dissipation=" + c +
             ", friction=CoulombFriction(0, 0), properties=properties)\n";
    case Simulator::bullet:
      return "# the other body: contactStiffness=1e18, contactDamping=0, restitution=0" +
             (step ? "; setTimeStep(" + text(*step) + ")" : std::string()) +
             "\npybullet.changeDynamics(body, link, contactStiffness=" + k + ", contactDamping=" + c +
             ", restitution=0, linearDamping=0)\n";
    case Simulator::gazebo:
      break;
  }
  return "<!-- collision of the one body; that of the other with kp 1e15, kd 0, max_vel 100" +
         (step ? "; max_step_size " + text(*step) : std::string()) + " -->\n<surface><contact><ode><kp>" + k +
         "</kp><kd>" + c + "</kd><max_vel>" + text(fastest_push) +
         "</max_vel><min_depth>0</min_depth></ode></contact></surface>\n";
}

}  // namespace thud::translating
