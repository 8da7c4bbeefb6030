#include <thud/dataset.hpp>
#include <thud/study.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {

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
      .value("not_approachable", TrialStatus::not_approachable, doc("TrialStatus.not_approachable"))
      .value("no_force", TrialStatus::no_force, doc("TrialStatus.no_force"));
  m.def("to_string", nb::overload_cast<TrialStatus>(&to_string), nb::arg("status"), doc("study:to_string#2"));
  result<TrialStudy>(m, "TrialStudy", THUD_FIELD(TrialStudy, name), THUD_FIELD(TrialStudy, configuration),
                     THUD_FIELD(TrialStudy, speed), THUD_FIELD(TrialStudy, repeat), THUD_FIELD(TrialStudy, status),
                     THUD_FIELD(TrialStudy, message), THUD_FIELD(TrialStudy, period), THUD_FIELD(TrialStudy, touch),
                     THUD_FIELD(TrialStudy, found), THUD_FIELD(TrialStudy, residuals),
                     THUD_FIELD(TrialStudy, peak_force), THUD_FIELD(TrialStudy, peak_time),
                     THUD_FIELD(TrialStudy, contact_time), THUD_FIELD(TrialStudy, impulse_compression),
                     THUD_FIELD(TrialStudy, impulse_total), THUD_FIELD(TrialStudy, detection_delay),
                     THUD_FIELD(TrialStudy, observer_delay), THUD_FIELD(TrialStudy, alone), THUD_FIELD(TrialStudy, arm),
                     THUD_FIELD(TrialStudy, arm_residuals), THUD_FIELD(TrialStudy, best_model),
                     THUD_FIELD(TrialStudy, impulse_compression_best), THUD_FIELD(TrialStudy, impulse_elastic),
                     THUD_FIELD(TrialStudy, warnings), THUD_FIELD(TrialStudy, truth))
      .def_prop_ro("ok", &TrialStudy::ok)
      .def("law", &TrialStudy::law, nb::arg("kind"), nb::rv_policy::reference_internal,
           nb::sig("def law(self, kind: LawKind) -> FitResult | None"), doc("TrialStudy.law"));
  m.attr("band_levels") = std::to_array(band_levels);
  result<ForceBand>(m, "ForceBand", THUD_FIELD(ForceBand, time), THUD_FIELD(ForceBand, force));
  result<CellStudy>(
      m, "CellStudy", THUD_FIELD(CellStudy, configuration), THUD_FIELD(CellStudy, speed), THUD_FIELD(CellStudy, trials),
      THUD_FIELD(CellStudy, velocity_exact), THUD_FIELD(CellStudy, velocity_approximate), THUD_FIELD(CellStudy, ratio),
      THUD_FIELD(CellStudy, impulse_compression), THUD_FIELD(CellStudy, impulse_compression_best),
      THUD_FIELD(CellStudy, impulse_total), THUD_FIELD(CellStudy, peak_force), THUD_FIELD(CellStudy, contact_time),
      THUD_FIELD(CellStudy, detection_delay), THUD_FIELD(CellStudy, observer_delay),
      THUD_FIELD(CellStudy, restitution_spring), THUD_FIELD(CellStudy, restitution_maxwell),
      THUD_FIELD(CellStudy, restitution_viscoelastic), THUD_FIELD(CellStudy, restitution_asymptotic),
      THUD_FIELD(CellStudy, band), THUD_FIELD(CellStudy, q), THUD_FIELD(CellStudy, dq),
      THUD_FIELD(CellStudy, predictions), THUD_FIELD(CellStudy, mass_rotors), THUD_FIELD(CellStudy, impulse_rotors),
      THUD_FIELD(CellStudy, impulse_elastic));
  nb::enum_<Judgement>(m, "Judgement", "What the data say to a claim.")
      .value("supported", Judgement::supported)
      .value("not_supported", Judgement::not_supported)
      .value("not_testable", Judgement::not_testable);
  m.def("to_string", nb::overload_cast<Judgement>(&to_string), nb::arg("judgement"), doc("study:to_string#3"));
  result<Verdict>(m, "Verdict", THUD_FIELD(Verdict, claim), THUD_FIELD(Verdict, statement),
                  THUD_FIELD(Verdict, judgement), THUD_FIELD(Verdict, statistic), THUD_FIELD(Verdict, threshold),
                  THUD_FIELD(Verdict, unit), THUD_FIELD(Verdict, why), THUD_FIELD(Verdict, section));
  result<PaperVerdict>(m, "PaperVerdict", THUD_FIELD(PaperVerdict, exact), THUD_FIELD(PaperVerdict, asymptotic));
  result<TruthQuantity>(m, "TruthQuantity", THUD_FIELD(TruthQuantity, quantity), THUD_FIELD(TruthQuantity, unit),
                        THUD_FIELD(TruthQuantity, trials), THUD_FIELD(TruthQuantity, identified),
                        THUD_FIELD(TruthQuantity, simulated), THUD_FIELD(TruthQuantity, median_error),
                        THUD_FIELD(TruthQuantity, largest_error));
  result<ArmStudy>(m, "ArmStudy", THUD_FIELD(ArmStudy, given), THUD_FIELD(ArmStudy, origin), THUD_FIELD(ArmStudy, law),
                   THUD_FIELD(ArmStudy, trials), THUD_FIELD(ArmStudy, status), THUD_FIELD(ArmStudy, message),
                   THUD_FIELD(ArmStudy, factors), THUD_FIELD(ArmStudy, found));
  result<ObjectPrediction>(m, "ObjectPrediction", THUD_FIELD(ObjectPrediction, model),
                           THUD_FIELD(ObjectPrediction, speed), THUD_FIELD(ObjectPrediction, spin),
                           THUD_FIELD(ObjectPrediction, angle));
  result<ObjectStudy>(m, "ObjectStudy", THUD_FIELD(ObjectStudy, trial), THUD_FIELD(ObjectStudy, message),
                      THUD_FIELD(ObjectStudy, mass), THUD_FIELD(ObjectStudy, touch_time),
                      THUD_FIELD(ObjectStudy, approach), THUD_FIELD(ObjectStudy, restitution),
                      THUD_FIELD(ObjectStudy, friction), THUD_FIELD(ObjectStudy, speed), THUD_FIELD(ObjectStudy, spin),
                      THUD_FIELD(ObjectStudy, angle), THUD_FIELD(ObjectStudy, predictions));
  result<ObjectModelStudy>(m, "ObjectModelStudy", THUD_FIELD(ObjectModelStudy, model),
                           THUD_FIELD(ObjectModelStudy, trials), THUD_FIELD(ObjectModelStudy, median_ratio),
                           THUD_FIELD(ObjectModelStudy, median_error), THUD_FIELD(ObjectModelStudy, largest_error),
                           THUD_FIELD(ObjectModelStudy, median_spin_error),
                           THUD_FIELD(ObjectModelStudy, median_angle_error));
  result<ObjectsStudy>(m, "ObjectsStudy", THUD_FIELD(ObjectsStudy, contact_origin), THUD_FIELD(ObjectsStudy, trials),
                       THUD_FIELD(ObjectsStudy, models));
  result<Study>(m, "Study", THUD_FIELD(Study, source), THUD_FIELD(Study, robot), THUD_FIELD(Study, seed),
                THUD_FIELD(Study, planned), THUD_FIELD(Study, material_restitution), THUD_FIELD(Study, configurations),
                THUD_FIELD(Study, speeds), THUD_FIELD(Study, robots), THUD_FIELD(Study, trials),
                THUD_FIELD(Study, sample), THUD_FIELD(Study, cells), THUD_FIELD(Study, verdicts),
                THUD_FIELD(Study, verdicts_as_in_paper), THUD_FIELD(Study, arm), THUD_FIELD(Study, beyond),
                THUD_FIELD(Study, objects), THUD_FIELD(Study, truth), THUD_FIELD(Study, warnings));
  using Truths = std::vector<std::optional<Truth>>;
  m.def(
      "study",
      [](const Dataset& dataset, const Truths& truth, const std::optional<Robot>& robot,
         const std::optional<Drives>& drives, double material_restitution, const std::optional<double>& friction,
         const std::optional<double>& object_restitution, std::size_t sample, int jobs, const Progress& progress) {
        LongWork work(progress);
        const StudyOptions options{.robot = robot,
                                   .drives = drives,
                                   .drives_origin = drives ? "the caller" : "",
                                   .material_restitution = material_restitution,
                                   .friction = friction,
                                   .object_restitution = object_restitution,
                                   .sample = sample};
        const RunOptions run{.jobs = jobs, .progress = work.progress(), .stop = &work.stop()};
        return work.run([&] { return study(dataset, truth, options, run); });
      },
      nb::arg("dataset"), nb::arg("truth") = Truths{}, nb::arg("robot") = nb::none(), nb::arg("drives") = nb::none(),
      nb::arg("material_restitution") = StudyOptions{}.material_restitution, nb::arg("friction") = nb::none(),
      nb::arg("object_restitution") = nb::none(), nb::arg("sample") = StudyOptions{}.sample, nb::arg("jobs") = 0,
      nb::arg("progress") = nb::none(), doc("study:study"));
}

}  // namespace thud::python
