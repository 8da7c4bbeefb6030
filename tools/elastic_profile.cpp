// The arm with elastic joints, as `thud profile ROBOT` shows it.

#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "profile.hpp"

namespace thud::cli {
namespace {

Json json_or_null(const std::optional<double>& value) {
  return value ? json(*value) : Json(nullptr);
}

std::vector<Warning> warnings_of(const ElasticHit& hit) {
  std::vector<Warning> all = hit.robot.warnings();
  all.insert(all.end(), hit.arm.warnings.begin(), hit.arm.warnings.end());
  if (!hit.profile.end_of_contact)
    all.push_back({WarningCode::endless_contact, "",
                   fmt::format("the contact lasts beyond the horizon of {:g} s", hit.profile.end)});
  return all;
}

// The force up to an instant.
double impulse_at(const ElasticProfile& profile, double time) {
  return states(profile, Eigen::VectorXd::Constant(1, time)).impulse[0];
}

ElasticStates sampled(const ElasticProfile& profile) {
  return states(profile, Eigen::VectorXd::LinSpaced(instants, 0, profile.end));
}

std::vector<double> list(const VectorX& values, double scale) {
  std::vector<double> out;
  for (const double value : values) out.push_back(scale * value);
  return out;
}

}  // namespace

ElasticHit elastic_hit(const ArmArguments& arguments, const ContactLaw& law, double speed, double horizon,
                       std::optional<double> object_mass, const Sources& sources) {
  DescribedArm described = described_arm(arguments, sources);
  const ElasticOptions options{.horizon = horizon, .object_inverse_mass = object_mass ? 1 / *object_mass : 0};
  ElasticProfile profile = elastic_profile(described.arm, law, -speed, options);
  return {std::move(described.robot), std::move(described.arm), law, std::move(profile), object_mass};
}

Json profile_json(const ElasticHit& hit) {
  const ElasticProfile& profile = hit.profile;
  Json object;
  object["robot"] = hit.robot.name();
  object["model"] = "elastic_arm";
  object["law"] = to_string(kind_of(hit.law));
  object["mass"] = nullptr;
  if (hit.object_mass) object["object_mass"] = json(*hit.object_mass);
  object["speed"] = json(-profile.velocity);
  object["parameters"] = parameters_json(hit.law);
  object["restitution"] =
      profile.end_of_contact ? json(profile.end_of_contact->velocity / -profile.velocity) : Json(nullptr);
  const auto peak_json = [](const Peak& peak) { return Json{{"time", json(peak.time)}, {"force", json(peak.force)}}; };
  Json& events = object["events"];
  const Peak peak = profile.peak();
  events["peak"] = peak_json(peak);
  events["end_of_compression"] = nullptr;
  if (!profile.turns.empty()) {
    const Turn& first = profile.turns.front();
    events["end_of_compression"] = {
        {"time", json(first.time)}, {"depth", json(first.depth)}, {"force", json(first.force)}};
  }
  events["end_of_contact"] = nullptr;
  if (const auto& event = profile.end_of_contact)
    events["end_of_contact"] = {{"time", json(event->time)}, {"velocity", json(event->velocity)}};
  events["end_of_force"] = nullptr;
  if (const auto event = end_of_force(profile))
    events["end_of_force"] = {{"time", json(event->time)}, {"fraction", json(event->fraction)}};
  object["peaks"] = Json::array();
  for (const Peak& each : profile.peaks) object["peaks"].push_back(peak_json(each));
  object["turns"] = Json::array();
  for (const Turn& turn : profile.turns)
    object["turns"].push_back({{"time", json(turn.time)},
                               {"depth", json(turn.depth)},
                               {"force", json(turn.force)},
                               {"impulse", json(turn.impulse)}});
  object["impulse"] = {{"peak", json(impulse_at(profile, peak.time))},
                       {"compression", profile.turns.empty() ? Json(nullptr) : json(profile.turns.front().impulse)},
                       {"total", json(profile.impulse)}};
  object["effective_mass"] = {{"links", json(hit.arm.mass_links)},
                              {"rotors", json(hit.arm.mass_rotors)},
                              {"compression", json_or_null(profile.mass_compression())}};
  const ElasticEnergies energy = energies(profile);
  object["energy"] = {{"initial", json(energy.supplied)},
                      {"stored_max", json(energy.wall_max)},
                      {"dissipated", json(energy.dissipated)},
                      {"final", json(energy.kinetic + energy.transmission + energy.servo + energy.wall)},
                      {"kinetic", json(energy.kinetic)},
                      {"transmission", json(energy.transmission)},
                      {"servo", json(energy.servo)},
                      {"wall", json(energy.wall)}};
  const ElasticStates last = states(profile, Eigen::VectorXd::Constant(1, profile.end));
  object["joints"] = {{"rate", json(last.joint_rate.row(0).transpose())},
                      {"transmission_torque", json(last.transmission_torque.row(0).transpose())}};
  object["warnings"] = texts(warnings_of(hit));
  return object;
}

Json course_json(const ElasticHit& hit) {
  const ElasticStates at = sampled(hit.profile);
  return {{"time", json(at.time)}, {"force", json(at.force)}, {"impulse", json(at.impulse)}};
}

std::string profile_table(const ElasticHit& hit) {
  const ElasticProfile& profile = hit.profile;
  std::string out = fmt::format("{} with elastic joints against {} at {:.6g} m/s", printable(hit.robot.name()),
                                to_string(kind_of(hit.law)), -profile.velocity);
  if (hit.object_mass) out += fmt::format(" on {:.6g} kg that is free to move", *hit.object_mass);
  const Json parameters = parameters_json(hit.law);
  for (const auto& [name, value] : parameters.items()) out += fmt::format(", {} {:.6g}", name, value.get<double>());
  out += fmt::format("\nmass of the links {:.5g} kg, with rotors {:.5g} kg", hit.arm.mass_links, hit.arm.mass_rotors);
  if (const auto mass = profile.mass_compression()) out += fmt::format(", of the compression {:.5g} kg", *mass);
  out += fmt::format("\n\n{:<22}{:>12}{:>14}{:>14}\n", "event", "time [ms]", "force [N]", "impulse [N s]");
  const auto row = [&](const std::string& name, double time, double force, double impulse) {
    out += fmt::format("{:<22}{:>12.5g}{:>14.6g}{:>14.5g}\n", name, 1e3 * time, force, impulse);
  };
  for (const Peak& peak : profile.peaks) row("peak", peak.time, peak.force, impulse_at(profile, peak.time));
  for (const Turn& turn : profile.turns)
    row(&turn == &profile.turns.front() ? "end of compression" : "turn", turn.time, turn.force, turn.impulse);
  if (profile.end_of_contact)
    row("end of contact", profile.end, 0, profile.impulse);
  else
    out += fmt::format("{:<22}{:>12}\n", "end of contact", "later");
  if (const auto turn = profile.deepest_turn()) out += fmt::format("\ndeepest {:.5g} mm", 1e3 * turn->depth);
  if (const auto& event = profile.end_of_contact) out += fmt::format(", leaves at {:.5g} m/s", event->velocity);
  const ElasticEnergies energy = energies(profile);
  out += fmt::format(
      "\nenergy of the deviation: {:.5g} J supplied, {:.5g} J dissipated, {:.5g} J kinetic, {:.5g} J in transmissions, "
      "{:.5g} J in the servo, {:.5g} J in the wall\n",
      energy.supplied, energy.dissipated, energy.kinetic, energy.transmission, energy.servo, energy.wall);
  for (const auto& warning : warnings_of(hit)) out += "warning: " + warning.text + "\n";
  return out;
}

std::string profile_csv(const ElasticHit& hit) {
  std::string text = fmt::format("# {} on {} by thud profile, speed {} m/s\n", printable(hit.robot.name()),
                                 to_string(kind_of(hit.law)), -hit.profile.velocity);
  text += "time [s],force [N],compression [m],velocity [m/s],impulse [N s],apparent_mass [kg]";
  for (const char* quantity : {"rate", "motor_rate", "transmission_torque"})
    for (const Joint& joint : hit.robot.joints()) text += fmt::format(",{} {}", quantity, printable(joint.name));
  text += '\n';
  const ElasticStates at = sampled(hit.profile);
  for (Eigen::Index i = 0; i < at.time.size(); ++i) {
    text += fmt::format("{},{},{},{},{},{}", at.time[i], at.force[i], at.compression[i], at.velocity[i], at.impulse[i],
                        at.apparent_mass[i]);
    for (const MatrixX* columns : {&at.joint_rate, &at.motor_rate, &at.transmission_torque})
      for (Eigen::Index k = 0; k < columns->cols(); ++k) text += fmt::format(",{}", (*columns)(i, k));
    text += '\n';
  }
  return text;
}

plot::Chart profile_chart(const ElasticHit& hit) {
  const ElasticProfile& profile = hit.profile;
  const ElasticStates at = sampled(profile);
  const std::vector<double> time = list(at.time, 1e3);
  std::vector<plot::Mark> marks;
  for (const Peak& peak : profile.peaks) marks.push_back({1e3 * peak.time, "peak"});
  if (!profile.turns.empty()) marks.push_back({1e3 * profile.turns.front().time, "end of compression"});
  plot::Chart chart;
  chart.title = fmt::format("{} with elastic joints: {} contact at {:.4g} m/s", hit.robot.name(),
                            to_string(kind_of(hit.law)), -profile.velocity);
  chart.subtitle = fmt::format("peak {:.4g} N; links alone {:.4g} kg, with rotors {:.4g} kg", profile.peak().force,
                               hit.arm.mass_links, hit.arm.mass_rotors);
  chart.x_label = "time [ms]";
  std::vector<plot::Series> torques;
  for (Eigen::Index i = 0; i < at.transmission_torque.cols(); ++i)
    if (at.transmission_torque.col(i).allFinite())
      torques.push_back(
          {hit.robot.joints()[static_cast<std::size_t>(i)].name, time, list(at.transmission_torque.col(i), 1)});
  // impulse over the change of v is no mass any more where v comes back to v0, and begins at touch with the links'
  plot::Series mass{"", {}, {}};
  for (Eigen::Index i = 1; i < at.time.size(); ++i)
    if (at.apparent_mass[i] > 0 && at.apparent_mass[i] < 5 * hit.arm.mass_rotors) {
      mass.x.push_back(time[static_cast<std::size_t>(i)]);
      mass.y.push_back(at.apparent_mass[i]);
    }
  chart.panels = {{"force [N]", {{"", time, list(at.force, 1)}}, marks, 1.4},
                  {"compression [mm]", {{"", time, list(at.compression, 1e3)}}, {}, 1},
                  {"apparent mass [kg]", {mass}, {}, 1}};
  if (!torques.empty()) chart.panels.push_back({"transmission torque [N m]", torques, {}, 1.2});
  chart.height = 900;
  return chart;
}

}  // namespace thud::cli
