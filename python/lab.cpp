#include <thud/campaign.hpp>
#include <thud/lab.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

}  // namespace

namespace {

void bind_campaign(nb::module_& m) {
  value<MotorFriction>(m, "MotorFriction", THUD_FIELD(MotorFriction, level), THUD_FIELD(MotorFriction, slope),
                       THUD_FIELD(MotorFriction, offset));
  value<Control>(m, "Control", THUD_FIELD(Control, period), THUD_FIELD(Control, ramp), THUD_FIELD(Control, cruise),
                 THUD_FIELD(Control, retreat_speed), THUD_FIELD(Control, after),
                 THUD_FIELD(Control, retreat_acceleration), THUD_FIELD(Control, detection_delay),
                 THUD_FIELD(Control, command_delay), THUD_FIELD(Control, impact_contact_time),
                 THUD_FIELD(Control, impact_restitution), THUD_FIELD(Control, position_gain),
                 THUD_FIELD(Control, linear_weight), THUD_FIELD(Control, angular_weight),
                 THUD_FIELD(Control, posture_weight), THUD_FIELD(Control, acceleration));
  value<Sensor>(m, "Sensor", THUD_FIELD(Sensor, rate), THUD_FIELD(Sensor, bandwidth), THUD_FIELD(Sensor, noise),
                THUD_FIELD(Sensor, resolution), THUD_FIELD(Sensor, range), THUD_FIELD(Sensor, torque_noise),
                THUD_FIELD(Sensor, torque_resolution), THUD_FIELD(Sensor, encoder_resolution),
                THUD_FIELD(Sensor, velocity_noise));
  value<Variation>(m, "Variation", THUD_FIELD(Variation, wall), THUD_FIELD(Variation, posture),
                   THUD_FIELD(Variation, law), THUD_FIELD(Variation, baseline), THUD_FIELD(Variation, clock_offset));
  nb::enum_<CampaignKind>(m, "CampaignKind", doc("CampaignKind"))
      .value("wall", CampaignKind::wall, doc("CampaignKind.wall"))
      .value("box", CampaignKind::box, doc("CampaignKind.box"));
  m.def("to_string", nb::overload_cast<CampaignKind>(&to_string), nb::arg("kind"), doc("campaign:to_string"));
  value<Box>(m, "Box", THUD_FIELD(Box, masses), THUD_FIELD(Box, offsets), THUD_FIELD(Box, size),
             THUD_FIELD(Box, floor_friction), THUD_FIELD(Box, rate), THUD_FIELD(Box, position_noise),
             THUD_FIELD(Box, orientation_noise));
  value<Campaign>(m, "Campaign", THUD_FIELD(Campaign, robot), THUD_FIELD(Campaign, urdf), THUD_FIELD(Campaign, seed),
                  THUD_FIELD(Campaign, repeats), THUD_FIELD(Campaign, speeds), THUD_FIELD(Campaign, configurations),
                  THUD_FIELD(Campaign, point), THUD_FIELD(Campaign, law), THUD_FIELD(Campaign, drives),
                  THUD_FIELD(Campaign, friction), THUD_FIELD(Campaign, control), THUD_FIELD(Campaign, sensor),
                  THUD_FIELD(Campaign, variation), THUD_FIELD(Campaign, detection_joints), THUD_FIELD(Campaign, step),
                  THUD_FIELD(Campaign, kind), THUD_FIELD(Campaign, contact_friction), THUD_FIELD(Campaign, box));
  m.def("default_campaign", &default_campaign, doc("campaign:default_campaign"));
  m.def("parse_campaign", &parse_campaign, nb::arg("text"), nb::arg("name") = "campaign", nb::arg("folder") = "",
        doc("campaign:parse_campaign"));
  m.def(
      "read_campaign", [](const Path& path) { return read_campaign(path.string()); }, nb::arg("path"),
      doc("campaign:parse_campaign"));
  m.def("format_campaign", &format_campaign, nb::arg("campaign"), doc("campaign:format_campaign"));
  m.def("validate", nb::overload_cast<const Campaign&>(&validate), nb::arg("campaign"), doc("campaign:validate"));
}

void bind_plant_and_trials(nb::module_& m) {
  nb::enum_<PlantJoints>(m, "PlantJoints", doc("PlantJoints"))
      .value("flexible", PlantJoints::flexible, doc("PlantJoints.flexible"))
      .value("rigid", PlantJoints::rigid, doc("PlantJoints.rigid"))
      .value("locked", PlantJoints::locked, doc("PlantJoints.locked"));
  m.def("to_string", nb::overload_cast<PlantJoints>(&to_string), nb::arg("joints"), doc("lab:to_string"));
  result<EnergyAudit>(m, "EnergyAudit", THUD_FIELD(EnergyAudit, motor), THUD_FIELD(EnergyAudit, kinetic),
                      THUD_FIELD(EnergyAudit, elastic), THUD_FIELD(EnergyAudit, gravity),
                      THUD_FIELD(EnergyAudit, transmission), THUD_FIELD(EnergyAudit, friction),
                      THUD_FIELD(EnergyAudit, wall), THUD_FIELD(EnergyAudit, object), THUD_FIELD(EnergyAudit, floor))
      .def_prop_ro("remainder", &EnergyAudit::remainder, doc("EnergyAudit.remainder"));
  result<PlantRun>(m, "PlantRun", THUD_FIELD(PlantRun, truth), THUD_FIELD(PlantRun, energy), THUD_FIELD(PlantRun, time),
                   THUD_FIELD(PlantRun, force), THUD_FIELD(PlantRun, depth));
  const FreeImpactOptions usual;
  m.def(
      "free_impact",
      [](const Robot& robot, const State& state, const ContactPoint& point, const ContactLaw& law, PlantJoints joints,
         const std::optional<Drives>& drives, const std::optional<Three<"gravity_W">>& gravity_W, double step,
         double duration) {
        const FreeImpactOptions options{.joints = joints,
                                        .drives = drives.value_or(Drives{}),
                                        .gravity_W = gravity_W ? Vector3(*gravity_W) : Vector3(Vector3::Zero()),
                                        .step = step,
                                        .duration = duration};
        const nb::gil_scoped_release free;
        return free_impact(robot, state, point, law, options);
      },
      nb::arg("robot"), nb::arg("state"), nb::arg("point"), nb::arg("law"), nb::arg("joints") = usual.joints,
      nb::arg("drives") = nb::none(), nb::arg("gravity_W") = nb::none(), nb::arg("step") = usual.step,
      nb::arg("duration") = usual.duration, doc("lab:free_impact"));
  m.def("header", &header, nb::arg("campaign"), doc("lab:header"));
  result<LabTrial>(m, "LabTrial", THUD_FIELD(LabTrial, trial), THUD_FIELD(LabTrial, run));
  m.def("simulate_trial", &simulate_trial, nb::arg("campaign"), nb::arg("index"),
        nb::call_guard<nb::gil_scoped_release>(), doc("lab:simulate_trial"));
  m.def("simulate_free_motion", &simulate_free_motion, nb::arg("campaign"), nb::arg("index"),
        nb::call_guard<nb::gil_scoped_release>(), doc("lab:simulate_free_motion"));
  nb::enum_<SimulateStatus>(m, "SimulateStatus", doc("SimulateStatus"))
      .value("complete", SimulateStatus::complete, doc("SimulateStatus.complete"))
      .value("was_complete", SimulateStatus::was_complete, doc("SimulateStatus.was_complete"))
      .value("interrupted", SimulateStatus::interrupted, doc("SimulateStatus.interrupted"));
  m.def("to_string", nb::overload_cast<SimulateStatus>(&to_string), nb::arg("status"), doc("lab:to_string#2"));
  nb::class_<CampaignWriter>(m, "CampaignWriter", doc("CampaignWriter"))
      .def(
          "__init__",
          [](CampaignWriter* self, const Path& path, const Campaign& campaign) {
            new (self) CampaignWriter(path.string(), campaign);
          },
          nb::arg("path"), nb::arg("campaign"))
      .def_prop_ro("complete", &CampaignWriter::complete, doc("CampaignWriter.complete"))
      .def_prop_ro("size", &CampaignWriter::size, doc("CampaignWriter.size"))
      .def("missing", &CampaignWriter::missing, doc("CampaignWriter.missing"))
      .def("store", &CampaignWriter::store, nb::arg("trial"), nb::arg("truth"), doc("CampaignWriter.store"))
      .def("finish", &CampaignWriter::finish, nb::call_guard<nb::gil_scoped_release>(), doc("CampaignWriter.finish"));
  m.def(
      "simulate",
      [](const Campaign& campaign, const Path& path, int jobs, const Progress& progress, const nb::object& client) {
        if (!client.is_none()) {
          const auto cluster = nb::module_::import_("thud.cluster");
          return nb::cast<SimulateStatus>(cluster.attr("simulate")(campaign, path, client, jobs, progress));
        }
        LongWork work(progress);
        const RunOptions options{.jobs = jobs, .progress = work.progress(), .stop = &work.stop()};
        return work.run([&] { return simulate(campaign, path.string(), options); });
      },
      nb::arg("campaign"), nb::arg("path"), nb::arg("jobs") = 0, nb::arg("progress") = nb::none(),
      nb::arg("client") = nb::none(), with_client("lab:simulate").c_str());
  result<DetectionSummary>(m, "DetectionSummary", THUD_FIELD(DetectionSummary, delay),
                           THUD_FIELD(DetectionSummary, false_alarms), THUD_FIELD(DetectionSummary, missed));
  result<SimulatedCell>(m, "SimulatedCell", THUD_FIELD(SimulatedCell, configuration), THUD_FIELD(SimulatedCell, object),
                        THUD_FIELD(SimulatedCell, speed), THUD_FIELD(SimulatedCell, trials),
                        THUD_FIELD(SimulatedCell, touched), THUD_FIELD(SimulatedCell, velocity),
                        THUD_FIELD(SimulatedCell, contact_time), THUD_FIELD(SimulatedCell, peak_force),
                        THUD_FIELD(SimulatedCell, impulse_compression), THUD_FIELD(SimulatedCell, object_speed),
                        THUD_FIELD(SimulatedCell, threshold), THUD_FIELD(SimulatedCell, observer));
  m.def(
      "summarize_cells",
      [](const Path& path) {
        const nb::gil_scoped_release free;
        return summarize_cells(path.string());
      },
      nb::arg("path"), doc("lab:summarize_cells"));
}

}  // namespace

void bind_lab(nb::module_& m) {
  bind_campaign(m);
  bind_plant_and_trials(m);
}

}  // namespace thud::python
