#include <thud/campaign.hpp>
#include <thud/dataset.hpp>
#include <thud/lab.hpp>
#include <thud/report.hpp>
#include <thud/study.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

void bind_dataset(nb::module_& m) {
  value<JointLog>(m, "JointLog", THUD_FIELD(JointLog, time), THUD_FIELD(JointLog, position),
                  THUD_FIELD(JointLog, velocity), THUD_FIELD(JointLog, torque), THUD_FIELD(JointLog, torque_reference));
  value<Trial>(m, "Trial", THUD_FIELD(Trial, name), THUD_FIELD(Trial, configuration), THUD_FIELD(Trial, speed),
               THUD_FIELD(Trial, repeat), THUD_FIELD(Trial, force), THUD_FIELD(Trial, joints),
               THUD_FIELD(Trial, clock_offset), THUD_FIELD(Trial, alarm_time));
  value<Configuration>(m, "Configuration", THUD_FIELD(Configuration, name), THUD_FIELD(Configuration, q),
                       THUD_FIELD(Configuration, threshold));
  nb::enum_<DataSource>(m, "DataSource", doc("DataSource"))
      .value("measured", DataSource::measured, doc("DataSource.measured"))
      .value("simulated", DataSource::simulated, doc("DataSource.simulated"));
  m.def("to_string", nb::overload_cast<DataSource>(&to_string), nb::arg("source"), doc("dataset:to_string"));
  value<DatasetHeader>(m, "DatasetHeader", THUD_FIELD(DatasetHeader, source), THUD_FIELD(DatasetHeader, robot),
                       THUD_FIELD(DatasetHeader, urdf), THUD_FIELD(DatasetHeader, point),
                       THUD_FIELD(DatasetHeader, detection_joints), THUD_FIELD(DatasetHeader, configurations),
                       THUD_FIELD(DatasetHeader, plan), THUD_FIELD(DatasetHeader, campaign),
                       THUD_FIELD(DatasetHeader, seed), THUD_FIELD(DatasetHeader, versions));
  value<Truth>(m, "Truth", THUD_FIELD(Truth, law), THUD_FIELD(Truth, touch_time), THUD_FIELD(Truth, q),
               THUD_FIELD(Truth, dq), THUD_FIELD(Truth, velocity), THUD_FIELD(Truth, velocity_after),
               THUD_FIELD(Truth, peak_force), THUD_FIELD(Truth, peak_time), THUD_FIELD(Truth, compression_time),
               THUD_FIELD(Truth, contact_time), THUD_FIELD(Truth, depth), THUD_FIELD(Truth, impulse_compression),
               THUD_FIELD(Truth, impulse));
  value<Dataset>(m, "Dataset", THUD_FIELD(Dataset, header), THUD_FIELD(Dataset, trials));

  m.def(
      "read_dataset",
      [](const Path& path) {
        const nb::gil_scoped_release free;
        return read_dataset(path.string());
      },
      nb::arg("path"), doc("dataset:read_dataset"));
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<DatasetReader>(m, "DatasetReader", doc("DatasetReader"))
      .def(
          "__init__", [](DatasetReader* self, const Path& path) { new (self) DatasetReader(path.string()); },
          nb::arg("path"))
      .def_prop_ro("header", &DatasetReader::header, nb::rv_policy::reference_internal, doc("DatasetReader.header"))
      .def_prop_ro("robot", &DatasetReader::robot, nb::rv_policy::reference_internal, doc("DatasetReader.robot"))
      .def_prop_ro("finished", &DatasetReader::finished, doc("DatasetReader.finished"))
      .def("trial", &DatasetReader::trial, nb::arg("name"), Release(), doc("DatasetReader.trial"))
      .def("truth", &DatasetReader::truth, nb::arg("name"), Release(), doc("DatasetReader.truth"))
      .def("dataset", &DatasetReader::dataset, Release(), doc("DatasetReader.dataset"));
  m.def(
      "write_dataset",
      [](const Path& path, const Dataset& dataset, const std::vector<Truth>& truth) {
        const nb::gil_scoped_release free;
        write_dataset(path.string(), dataset, truth);
      },
      nb::arg("path"), nb::arg("dataset"), nb::arg("truth") = std::vector<Truth>{}, doc("dataset:write_dataset"));
  m.def("validate_name", &validate_name, nb::arg("argument"), nb::arg("name"), doc("dataset:validate_name"));
  m.def("validate", nb::overload_cast<const DatasetHeader&>(&validate), nb::arg("header"), doc("dataset:validate"));
  m.def("validate", nb::overload_cast<const DatasetHeader&, const Trial&>(&validate), nb::arg("header"),
        nb::arg("trial"), doc("dataset:validate"));
  m.def("validate", nb::overload_cast<const Dataset&>(&validate), nb::arg("dataset"), doc("dataset:validate"));
  m.def("difference", &difference, nb::arg("old"), nb::arg("now"), doc("dataset:difference"));
  nb::class_<DatasetWriter>(m, "DatasetWriter", doc("DatasetWriter"))
      .def(
          "__init__",
          [](DatasetWriter* self, const Path& path, const DatasetHeader& header) {
            new (self) DatasetWriter(path.string(), header);
          },
          nb::arg("path"), nb::arg("header"))
      .def_prop_ro("missing", &DatasetWriter::missing, doc("DatasetWriter.missing"))
      .def("store", &DatasetWriter::store, nb::arg("trial"), nb::arg("truth") = nb::none(), doc("DatasetWriter.store"))
      .def("finish", &DatasetWriter::finish, doc("DatasetWriter.finish"));
}

void bind_campaign(nb::module_& m) {
  value<Drives>(m, "Drives", THUD_FIELD(Drives, rotor_inertia), THUD_FIELD(Drives, stiffness),
                THUD_FIELD(Drives, damping), THUD_FIELD(Drives, effort), THUD_FIELD(Drives, friction_level),
                THUD_FIELD(Drives, friction_slope), THUD_FIELD(Drives, friction_offset));
  value<Control>(m, "Control", THUD_FIELD(Control, period), THUD_FIELD(Control, ramp), THUD_FIELD(Control, cruise),
                 THUD_FIELD(Control, retreat_speed), THUD_FIELD(Control, after),
                 THUD_FIELD(Control, retreat_acceleration), THUD_FIELD(Control, position_gain),
                 THUD_FIELD(Control, linear_weight), THUD_FIELD(Control, angular_weight),
                 THUD_FIELD(Control, posture_weight), THUD_FIELD(Control, acceleration), THUD_FIELD(Control, stiffness),
                 THUD_FIELD(Control, damping_ratio));
  value<Sensor>(m, "Sensor", THUD_FIELD(Sensor, rate), THUD_FIELD(Sensor, bandwidth), THUD_FIELD(Sensor, noise),
                THUD_FIELD(Sensor, resolution), THUD_FIELD(Sensor, range), THUD_FIELD(Sensor, torque_noise),
                THUD_FIELD(Sensor, torque_resolution), THUD_FIELD(Sensor, encoder_resolution),
                THUD_FIELD(Sensor, velocity_noise));
  value<Variation>(m, "Variation", THUD_FIELD(Variation, wall), THUD_FIELD(Variation, posture),
                   THUD_FIELD(Variation, law), THUD_FIELD(Variation, baseline), THUD_FIELD(Variation, clock_offset));
  value<Campaign>(m, "Campaign", THUD_FIELD(Campaign, robot), THUD_FIELD(Campaign, urdf), THUD_FIELD(Campaign, seed),
                  THUD_FIELD(Campaign, repeats), THUD_FIELD(Campaign, speeds), THUD_FIELD(Campaign, configurations),
                  THUD_FIELD(Campaign, point), THUD_FIELD(Campaign, law), THUD_FIELD(Campaign, drives),
                  THUD_FIELD(Campaign, control), THUD_FIELD(Campaign, sensor), THUD_FIELD(Campaign, variation),
                  THUD_FIELD(Campaign, detection_joints), THUD_FIELD(Campaign, step));
  m.def("default_campaign", &default_campaign, doc("campaign:default_campaign"));
  m.def("parse_campaign", &parse_campaign, nb::arg("text"), nb::arg("name") = "campaign", nb::arg("folder") = "",
        doc("campaign:parse_campaign"));
  m.def(
      "read_campaign", [](const Path& path) { return read_campaign(path.string()); }, nb::arg("path"),
      doc("campaign:parse_campaign"));
  m.def("format_campaign", &format_campaign, nb::arg("campaign"), doc("campaign:format_campaign"));
  m.def("validate", nb::overload_cast<const Campaign&>(&validate), nb::arg("campaign"), doc("campaign:validate"));
}

void bind_lab(nb::module_& m) {
  nb::enum_<PlantJoints>(m, "PlantJoints", doc("PlantJoints"))
      .value("flexible", PlantJoints::flexible, doc("PlantJoints.flexible"))
      .value("rigid", PlantJoints::rigid, doc("PlantJoints.rigid"))
      .value("locked", PlantJoints::locked, doc("PlantJoints.locked"));
  m.def("to_string", nb::overload_cast<PlantJoints>(&to_string), nb::arg("joints"), doc("lab:to_string"));
  result<EnergyAudit>(m, "EnergyAudit", THUD_FIELD(EnergyAudit, motor), THUD_FIELD(EnergyAudit, kinetic),
                      THUD_FIELD(EnergyAudit, elastic), THUD_FIELD(EnergyAudit, gravity),
                      THUD_FIELD(EnergyAudit, transmission), THUD_FIELD(EnergyAudit, friction),
                      THUD_FIELD(EnergyAudit, wall))
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
  m.def(
      "simulate",
      [](const Campaign& campaign, const Path& path, int jobs, const Progress& progress) {
        LongWork work(progress);
        const RunOptions options{.jobs = jobs, .progress = work.progress(), .stop = &work.stop()};
        return work.run([&] { return simulate(campaign, path.string(), options); });
      },
      nb::arg("campaign"), nb::arg("path"), nb::arg("jobs") = 0, nb::arg("progress") = nb::none(), doc("lab:simulate"));
  result<DetectionSummary>(m, "DetectionSummary", THUD_FIELD(DetectionSummary, delay),
                           THUD_FIELD(DetectionSummary, false_alarms), THUD_FIELD(DetectionSummary, missed));
  result<SimulatedCell>(m, "SimulatedCell", THUD_FIELD(SimulatedCell, configuration), THUD_FIELD(SimulatedCell, speed),
                        THUD_FIELD(SimulatedCell, trials), THUD_FIELD(SimulatedCell, velocity),
                        THUD_FIELD(SimulatedCell, contact_time), THUD_FIELD(SimulatedCell, peak_force),
                        THUD_FIELD(SimulatedCell, impulse_compression), THUD_FIELD(SimulatedCell, threshold),
                        THUD_FIELD(SimulatedCell, observer));
  m.def(
      "summarize_cells",
      [](const Path& path) {
        const nb::gil_scoped_release free;
        return summarize_cells(path.string());
      },
      nb::arg("path"), doc("lab:summarize_cells"));
}

void bind_study(nb::module_& m) {
  nb::enum_<VelocitySource>(m, "VelocitySource", doc("VelocitySource"))
      .value("joints", VelocitySource::joints, doc("VelocitySource.joints"))
      .value("reference", VelocitySource::reference, doc("VelocitySource.reference"));
  m.def("to_string", nb::overload_cast<VelocitySource>(&to_string), nb::arg("source"), doc("study:to_string"));
  result<Touch>(m, "Touch", THUD_FIELD(Touch, q), THUD_FIELD(Touch, dq), THUD_FIELD(Touch, v_exact),
                THUD_FIELD(Touch, v_approximate), THUD_FIELD(Touch, ratio), THUD_FIELD(Touch, source));
  nb::enum_<TrialStatus>(m, "TrialStatus", doc("TrialStatus"))
      .value("not_run", TrialStatus::not_run, doc("TrialStatus.not_run"))
      .value("ok", TrialStatus::ok, doc("TrialStatus.ok"))
      .value("no_contact", TrialStatus::no_contact, doc("TrialStatus.no_contact"))
      .value("no_approach", TrialStatus::no_approach, doc("TrialStatus.no_approach"))
      .value("not_approachable", TrialStatus::not_approachable, doc("TrialStatus.not_approachable"));
  m.def("to_string", nb::overload_cast<TrialStatus>(&to_string), nb::arg("status"), doc("study:to_string#2"));
  result<TrialStudy>(m, "TrialStudy", THUD_FIELD(TrialStudy, name), THUD_FIELD(TrialStudy, configuration),
                     THUD_FIELD(TrialStudy, speed), THUD_FIELD(TrialStudy, repeat), THUD_FIELD(TrialStudy, status),
                     THUD_FIELD(TrialStudy, message), THUD_FIELD(TrialStudy, period), THUD_FIELD(TrialStudy, touch),
                     THUD_FIELD(TrialStudy, found), THUD_FIELD(TrialStudy, peak_force),
                     THUD_FIELD(TrialStudy, peak_time), THUD_FIELD(TrialStudy, contact_time),
                     THUD_FIELD(TrialStudy, impulse_compression), THUD_FIELD(TrialStudy, impulse_total),
                     THUD_FIELD(TrialStudy, detection_delay), THUD_FIELD(TrialStudy, observer_delay),
                     THUD_FIELD(TrialStudy, warnings), THUD_FIELD(TrialStudy, truth))
      .def_prop_ro("ok", &TrialStudy::ok)
      .def("law", &TrialStudy::law, nb::arg("kind"), nb::rv_policy::reference_internal,
           nb::sig("def law(self, kind: LawKind) -> FitResult | None"), doc("TrialStudy.law"));
  result<CellStudy>(m, "CellStudy", THUD_FIELD(CellStudy, configuration), THUD_FIELD(CellStudy, speed),
                    THUD_FIELD(CellStudy, trials), THUD_FIELD(CellStudy, velocity_exact),
                    THUD_FIELD(CellStudy, velocity_approximate), THUD_FIELD(CellStudy, ratio),
                    THUD_FIELD(CellStudy, impulse_compression), THUD_FIELD(CellStudy, impulse_total),
                    THUD_FIELD(CellStudy, peak_force), THUD_FIELD(CellStudy, contact_time),
                    THUD_FIELD(CellStudy, detection_delay), THUD_FIELD(CellStudy, observer_delay),
                    THUD_FIELD(CellStudy, restitution_spring), THUD_FIELD(CellStudy, restitution_maxwell),
                    THUD_FIELD(CellStudy, restitution_viscoelastic), THUD_FIELD(CellStudy, restitution_asymptotic),
                    THUD_FIELD(CellStudy, q), THUD_FIELD(CellStudy, dq), THUD_FIELD(CellStudy, predictions));
  nb::enum_<Judgement>(m, "Judgement", "The verdict of the data on a claim.")
      .value("supported", Judgement::supported)
      .value("not_supported", Judgement::not_supported)
      .value("not_testable", Judgement::not_testable);
  m.def("to_string", nb::overload_cast<Judgement>(&to_string), nb::arg("judgement"), doc("study:to_string#3"));
  result<Verdict>(m, "Verdict", THUD_FIELD(Verdict, claim), THUD_FIELD(Verdict, statement),
                  THUD_FIELD(Verdict, judgement), THUD_FIELD(Verdict, statistic), THUD_FIELD(Verdict, threshold),
                  THUD_FIELD(Verdict, unit), THUD_FIELD(Verdict, why), THUD_FIELD(Verdict, section));
  result<TruthQuantity>(m, "TruthQuantity", THUD_FIELD(TruthQuantity, quantity), THUD_FIELD(TruthQuantity, unit),
                        THUD_FIELD(TruthQuantity, trials), THUD_FIELD(TruthQuantity, identified),
                        THUD_FIELD(TruthQuantity, simulated), THUD_FIELD(TruthQuantity, median_error),
                        THUD_FIELD(TruthQuantity, largest_error));
  result<Study>(m, "Study", THUD_FIELD(Study, source), THUD_FIELD(Study, robot), THUD_FIELD(Study, seed),
                THUD_FIELD(Study, planned), THUD_FIELD(Study, material_restitution), THUD_FIELD(Study, configurations),
                THUD_FIELD(Study, speeds), THUD_FIELD(Study, robots), THUD_FIELD(Study, trials),
                THUD_FIELD(Study, cells), THUD_FIELD(Study, verdicts), THUD_FIELD(Study, truth),
                THUD_FIELD(Study, warnings));
  using Truths = std::vector<std::optional<Truth>>;
  m.def(
      "study",
      [](const Dataset& dataset, const Truths& truth, const std::optional<Robot>& robot, double material_restitution,
         int jobs, const Progress& progress) {
        LongWork work(progress);
        const StudyOptions options{.robot = robot, .material_restitution = material_restitution};
        const RunOptions run{.jobs = jobs, .progress = work.progress(), .stop = &work.stop()};
        return work.run([&] { return study(dataset, truth, options, run); });
      },
      nb::arg("dataset"), nb::arg("truth") = Truths{}, nb::arg("robot") = nb::none(),
      nb::arg("material_restitution") = StudyOptions{}.material_restitution, nb::arg("jobs") = 0,
      nb::arg("progress") = nb::none(), doc("study:study"));
}

void bind_report(nb::module_& m) {
  m.def("results_json", &results_json, nb::arg("study"), nb::arg("file"), doc("report:results_json"));
  m.def("trials_csv", &trials_csv, nb::arg("study"), doc("report:trials_csv"));
  m.def("cells_csv", &cells_csv, nb::arg("study"), doc("report:cells_csv"));
  m.def("predictions_csv", &predictions_csv, nb::arg("study"), doc("report:predictions_csv"));
  m.def("verdicts_csv", &verdicts_csv, nb::arg("study"), doc("report:verdicts_csv"));
  m.def("report_page", &report_page, nb::arg("results"), doc("report:report_page"));
  result<ReportFiles>(m, "ReportFiles", THUD_FIELD(ReportFiles, page), THUD_FIELD(ReportFiles, results),
                      THUD_FIELD(ReportFiles, tables));
  m.def(
      "write_report",
      [](const Study& study, const std::string& file, const Path& folder) {
        const nb::gil_scoped_release free;
        return write_report(study, file, folder.string());
      },
      nb::arg("study"), nb::arg("file"), nb::arg("folder"), doc("report:write_report"));
}

}  // namespace

void bind_experiments(nb::module_& m) {
  bind_dataset(m);
  bind_campaign(m);
  bind_lab(m);
  bind_study(m);
  bind_report(m);
}

}  // namespace thud::python
