#include <thud/translate.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

/// A simulator, or its name.
using To = std::variant<Simulator, std::string>;

Simulator simulator_of(const To& to) {
  if (const auto* member = std::get_if<Simulator>(&to)) return *member;
  const std::string& name = std::get<std::string>(to);
  if (const auto found = simulator_from_name(name)) return *found;
  throw InputError("to", name, "must be " + simulator_names());
}

/// Documentation of the options, appended to that of the function.
std::string with_options(const char* function) {
  std::string text = doc(function);
  text += "\n\n";
  for (const char* option : {"step", "constant_impedance"})
    text.append(option).append("  ").append(doc(std::string("TranslateOptions.") + option)).append("\n");
  return text;
}

}  // namespace

void bind_translate(nb::module_& m) {
  enumeration(m, "Simulator", {Simulator::mujoco, Simulator::drake, Simulator::gazebo, Simulator::bullet});
  m.attr("all_simulators") =
      nb::tuple(nb::cast(std::vector<Simulator>(std::begin(all_simulators), std::end(all_simulators))));
  m.def("simulator_from_name", &simulator_from_name, nb::arg("name"), doc("translate:simulator_from_name"));
  m.def("simulator_names", &simulator_names, doc("translate:simulator_names"));
  result<HitOutcome>(m, "HitOutcome", THUD_FIELD(HitOutcome, peak), THUD_FIELD(HitOutcome, duration),
                     THUD_FIELD(HitOutcome, restitution));
  result<SimulatorParameter>(m, "SimulatorParameter", THUD_FIELD(SimulatorParameter, name),
                             THUD_FIELD(SimulatorParameter, values), THUD_FIELD(SimulatorParameter, unit));
  result<Translation>(
      m, "Translation", THUD_FIELD(Translation, law), THUD_FIELD(Translation, mass), THUD_FIELD(Translation, speed),
      THUD_FIELD(Translation, simulator), THUD_FIELD(Translation, step), THUD_FIELD(Translation, parameters),
      THUD_FIELD(Translation, exact), THUD_FIELD(Translation, matched), THUD_FIELD(Translation, of_law),
      THUD_FIELD(Translation, of_simulator), THUD_FIELD(Translation, lowest), THUD_FIELD(Translation, highest),
      THUD_FIELD(Translation, snippet), THUD_FIELD(Translation, warnings));
  m.def(
      "translate",
      [](const ContactLaw& law, double mass, double speed, const To& to, const std::optional<double>& step,
         bool constant_impedance) {
        return translate(law, mass, speed, simulator_of(to), {step, constant_impedance});
      },
      nb::arg("law"), nb::arg("mass"), nb::arg("speed"), nb::arg("to"), nb::arg("step") = nb::none(),
      nb::arg("constant_impedance") = false, with_options("translate:translate").c_str());
  m.def("law_outcome", &law_outcome, nb::arg("law"), nb::arg("mass"), nb::arg("speed"), doc("translate:law_outcome"));
  m.def("simulated_outcome", &simulated_outcome, nb::arg("translation"), nb::arg("mass"), nb::arg("speed"),
        doc("translate:simulated_outcome"));
}

}  // namespace thud::python
