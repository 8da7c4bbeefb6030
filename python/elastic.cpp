#include <thud/drives_file.hpp>
#include <thud/elastic_arm.hpp>
#include <thud/regime.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

void bind_drives(nb::module_& m) {
  value<Drives>(m, "Drives", THUD_FIELD(Drives, rotor_inertia), THUD_FIELD(Drives, stiffness),
                THUD_FIELD(Drives, damping), THUD_FIELD(Drives, effort), THUD_FIELD(Drives, servo_stiffness),
                THUD_FIELD(Drives, servo_damping), THUD_FIELD(Drives, servo_damping_ratio))
      .def("without_servo", &Drives::without_servo, doc("Drives.without_servo"));
  m.def("validate", nb::overload_cast<const Drives&, int>(&validate), nb::arg("drives"), nb::arg("joints"),
        doc("drives:validate"));
  m.def("drives_of", &drives_of, nb::arg("robot"), doc("drives_file:drives_of"));
  m.def("assumptions", &assumptions, nb::arg("drives"), doc("drives:assumptions"));
  m.def(
      "parse_drives",
      [](std::string_view text, int joints, const std::string& name) { return parse_drives(text, name, joints); },
      nb::arg("text"), nb::arg("joints"), nb::arg("name") = "drives", doc("drives_file:parse_drives"));
  m.def(
      "read_drives", [](const Path& path, int joints) { return read_drives(path.string(), joints); }, nb::arg("path"),
      nb::arg("joints"), doc("drives_file:parse_drives"));
  m.def("shipped_drives", &shipped_drives, doc("drives_file:shipped_drives"));
  m.def(
      "load_drives", [](const Path& name_or_path, int joints) { return load_drives(name_or_path.string(), joints); },
      nb::arg("name_or_path"), nb::arg("joints"), doc("drives_file:load_drives"));
  m.def(
      "drives_text", [](const Path& name_or_path) { return drives_text(name_or_path.string()); },
      nb::arg("name_or_path"), doc("drives_file:drives_text"));
}

void bind_arm(nb::module_& m) {
  result<ElasticArm>(m, "ElasticArm", THUD_FIELD(ElasticArm, M), THUD_FIELD(ElasticArm, j),
                     THUD_FIELD(ElasticArm, drives), THUD_FIELD(ElasticArm, holding), THUD_FIELD(ElasticArm, M_inv),
                     THUD_FIELD(ElasticArm, mass_links), THUD_FIELD(ElasticArm, mass_rotors),
                     THUD_FIELD(ElasticArm, warnings));
  m.def(
      "elastic_arm",
      [](const Robot& robot, const ContactPoint& point, const Vector<"q">& q, const Drives& drives) {
        return elastic_arm(robot, point, q, drives);
      },
      nb::arg("robot"), nb::arg("point"), nb::arg("q"), nb::arg("drives"), doc("elastic_arm:elastic_arm"));
  m.def(
      "elastic_arm",
      [](const Matrix<"M">& M, const Vector<"j">& j, const Drives& drives,
         const std::optional<Vector<"holding">>& holding) {
        return holding ? elastic_arm(M, j, drives, *holding) : elastic_arm(M, j, drives);
      },
      nb::arg("M"), nb::arg("j"), nb::arg("drives"), nb::arg("holding") = nb::none(), doc("elastic_arm:elastic_arm#2"));
}

void bind_profile(nb::module_& m) {
  value<CommandChange>(m, "CommandChange", THUD_FIELD(CommandChange, time), THUD_FIELD(CommandChange, position),
                       THUD_FIELD(CommandChange, rate), THUD_FIELD(CommandChange, feedforward));
  result<Turn>(m, "Turn", THUD_FIELD(Turn, time), THUD_FIELD(Turn, depth), THUD_FIELD(Turn, force),
               THUD_FIELD(Turn, impulse));
  result<ElasticEnergies>(m, "ElasticEnergies", THUD_FIELD(ElasticEnergies, supplied),
                          THUD_FIELD(ElasticEnergies, kinetic), THUD_FIELD(ElasticEnergies, transmission),
                          THUD_FIELD(ElasticEnergies, servo), THUD_FIELD(ElasticEnergies, wall),
                          THUD_FIELD(ElasticEnergies, wall_max), THUD_FIELD(ElasticEnergies, dissipated));
  result<ElasticStates>(m, "ElasticStates", THUD_FIELD(ElasticStates, time), THUD_FIELD(ElasticStates, force),
                        THUD_FIELD(ElasticStates, compression), THUD_FIELD(ElasticStates, velocity),
                        THUD_FIELD(ElasticStates, impulse), THUD_FIELD(ElasticStates, apparent_mass),
                        THUD_FIELD(ElasticStates, joint_rate), THUD_FIELD(ElasticStates, motor_rate),
                        THUD_FIELD(ElasticStates, transmission_torque));
  nb::class_<ElasticProfile>(m, "ElasticProfile", doc("ElasticProfile"))
      .def_prop_ro("size", &ElasticProfile::size, doc("ElasticProfile.size"))
      .def_ro("velocity", &ElasticProfile::velocity, doc("ElasticProfile.velocity"))
      .def_ro("object_inverse_mass", &ElasticProfile::object_inverse_mass, doc("ElasticProfile.object_inverse_mass"))
      .def_ro("end", &ElasticProfile::end, doc("ElasticProfile.end"))
      .def_ro("peaks", &ElasticProfile::peaks, doc("ElasticProfile.peaks"))
      .def_ro("turns", &ElasticProfile::turns, doc("ElasticProfile.turns"))
      .def_ro("end_of_contact", &ElasticProfile::end_of_contact, doc("ElasticProfile.end_of_contact"))
      .def_ro("impulse", &ElasticProfile::impulse, doc("ElasticProfile.impulse"))
      .def_prop_ro("peak", &ElasticProfile::peak, doc("ElasticProfile.peak"))
      .def_prop_ro("deepest_turn", &ElasticProfile::deepest_turn, doc("ElasticProfile.deepest_turn"))
      .def_prop_ro("mass_compression", &ElasticProfile::mass_compression, doc("ElasticProfile.mass_compression"));
  const ElasticOptions usual;
  m.def(
      "elastic_profile",
      [](const ElasticArm& arm, const ContactLaw& law, double velocity, double horizon,
         const std::vector<CommandChange>& command, double ringing, double object_inverse_mass) {
        return elastic_profile(arm, law, velocity, {horizon, command, ringing, object_inverse_mass});
      },
      nb::arg("arm"), nb::arg("law"), nb::arg("velocity"), nb::arg("horizon") = usual.horizon,
      nb::arg("command") = std::vector<CommandChange>{}, nb::arg("ringing") = 0.0, nb::arg("object_inverse_mass") = 0.0,
      nb::call_guard<nb::gil_scoped_release>(), doc("elastic_arm:elastic_profile"));
  m.def(
      "forces",
      [](const ElasticProfile& profile, const Vector<"times">& times) {
        const VectorRef view = times;
        Eigen::VectorXd force(view.size());
        forces(profile, view, force);
        return force;
      },
      nb::arg("profile"), nb::arg("times"), doc("elastic_arm:forces"));
  m.def(
      "states", [](const ElasticProfile& profile, const Vector<"times">& times) { return states(profile, times); },
      nb::arg("profile"), nb::arg("times"), doc("elastic_arm:states"));
  m.def(
      "largest_torques",
      [](const ElasticProfile& profile, const Vector<"before">& before) { return largest_torques(profile, before); },
      nb::arg("profile"), nb::arg("before"), doc("elastic_arm:largest_torques"));
  m.def("end_of_force", &end_of_force, nb::arg("profile"), nb::arg("fraction") = 0.01, doc("elastic_arm:end_of_force"));
  m.def("energies", &energies, nb::arg("profile"), doc("elastic_arm:energies"));
  result<Regime>(m, "Regime", THUD_FIELD(Regime, frequency), THUD_FIELD(Regime, time), THUD_FIELD(Regime, x),
                 THUD_FIELD(Regime, by_rule), THUD_FIELD(Regime, effective_mass), THUD_FIELD(Regime, impulse));
  m.attr("regime_bounds") = nb::make_tuple(regime_bounds[0], regime_bounds[1]);
  m.def("regime", &regime, nb::arg("arm"), nb::arg("profile"), doc("regime:regime"));
}

}  // namespace

void bind_elastic(nb::module_& m) {
  bind_drives(m);
  bind_arm(m);
  bind_profile(m);
}

}  // namespace thud::python
