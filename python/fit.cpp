#include <thud/arm_fit.hpp>
#include <thud/elastic_fit.hpp>
#include <thud/fit.hpp>
#include <thud/fit_band.hpp>
#include <thud/identify.hpp>
#include <thud/residuals.hpp>

#include "bind.hpp"
#include "long_work.hpp"

namespace thud::python {

namespace {

using Known = std::optional<double>;

FitOptions fit_options(Known mass, Known start, Known baseline, bool drift, int max_iterations) {
  return {.mass = mass, .start = start, .baseline = baseline, .drift = drift, .max_iterations = max_iterations};
}

/// Documentation of the fit options, appended to that of the functions that take them.
std::string with_options(const char* function) {
  std::string text = doc(function);
  text += "\n\n";
  for (const char* option : {"mass", "start", "baseline", "drift"})
    text.append(option).append("  ").append(doc(std::string("FitOptions.") + option)).append("\n");
  return text;
}

std::string with_arm_options(const char* function) {
  std::string text = doc(function);
  text += "\n\n";
  for (const char* option : {"free", "start", "baseline", "command", "model_error", "intervals"})
    text.append(option).append("  ").append(doc(std::string("ElasticFitOptions.") + option)).append("\n");
  return text;
}

void bind_elastic_fit(nb::module_& m) {
  enumeration<DriveParameter>(
      m, "DriveParameter",
      {DriveParameter::stiffness, DriveParameter::damping, DriveParameter::rotor_inertia, DriveParameter::servo});
  m.def("factor_name", &factor_name, nb::arg("parameter"), doc("elastic_fit:factor_name"));
  m.def(
      "with_factors",
      [](const Drives& drives, const std::vector<DriveParameter>& free, const Vector<"factors">& factors) {
        return with_factors(drives, free, factors);
      },
      nb::arg("drives"), nb::arg("free"), nb::arg("factors"), doc("elastic_fit:with_factors"));
  result<ElasticFit>(m, "ElasticFit", THUD_FIELD(ElasticFit, result), THUD_FIELD(ElasticFit, arm),
                     THUD_FIELD(ElasticFit, command), THUD_FIELD(ElasticFit, free), THUD_FIELD(ElasticFit, correlation),
                     THUD_FIELD(ElasticFit, deepest_turn), THUD_FIELD(ElasticFit, measured_impulse_deepest),
                     THUD_FIELD(ElasticFit, not_identifiable), THUD_FIELD(ElasticFit, warnings));
  result<ElasticIdentification>(m, "ElasticIdentification", THUD_FIELD(ElasticIdentification, window),
                                THUD_FIELD(ElasticIdentification, contact), THUD_FIELD(ElasticIdentification, laws),
                                THUD_FIELD(ElasticIdentification, best), THUD_FIELD(ElasticIdentification, warnings));
  const int iterations = ElasticFitOptions{}.max_iterations;
  const double model_error = ElasticFitOptions{}.model_error;
  const ContactOptions where;
  m.def(
      "elastic_fit",
      [](const Vector<"times">& times, const Vector<"forces">& forces, const ElasticArm& arm, LawKind kind,
         double velocity, const std::vector<DriveParameter>& free, Known start, Known baseline,
         const std::vector<CommandChange>& command, double model_error, bool intervals, int max_iterations) {
        const VectorRef t = times, f = forces;
        const nb::gil_scoped_release released;
        return elastic_fit(t, f, arm, kind, velocity,
                           {free, start, baseline, command, {}, model_error, intervals, max_iterations});
      },
      nb::arg("times"), nb::arg("forces"), nb::arg("arm"), nb::arg("kind"), nb::kw_only(), nb::arg("velocity"),
      nb::arg("free") = std::vector<DriveParameter>{}, nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(),
      nb::arg("command") = std::vector<CommandChange>{}, nb::arg("model_error") = model_error,
      nb::arg("intervals") = true, nb::arg("max_iterations") = iterations,
      with_arm_options("elastic_fit:elastic_fit").c_str());
  m.def("fitted_profile", nb::overload_cast<const ElasticFit&, double>(&fitted_profile), nb::arg("fit"),
        nb::arg("horizon") = ElasticOptions{}.horizon, doc("elastic_fit:fitted_profile"));
  m.def("residuals", nb::overload_cast<const Record&, const ElasticFit&>(&residuals), nb::arg("contact"),
        nb::arg("fit"), doc("elastic_fit:residuals"));
  m.def(
      "identify",
      [](const Record& record, const ElasticArm& arm, std::optional<LawKind> kind, double velocity,
         const std::vector<DriveParameter>& free, Known start, Known baseline,
         const std::vector<CommandChange>& command, double model_error, bool intervals, int max_iterations,
         std::size_t contact, double from, double to) {
        const nb::gil_scoped_release released;
        return identify(record, arm, velocity,
                        {free, start, baseline, command, {}, model_error, intervals, max_iterations}, kind,
                        {.contact = contact, .from = from, .to = to});
      },
      nb::arg("record"), nb::arg("arm"), nb::arg("kind") = nb::none(), nb::kw_only(), nb::arg("velocity"),
      nb::arg("free") = std::vector<DriveParameter>{}, nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(),
      nb::arg("command") = std::vector<CommandChange>{}, nb::arg("model_error") = model_error,
      nb::arg("intervals") = true, nb::arg("max_iterations") = iterations, nb::arg("contact") = where.contact,
      nb::arg("from_") = where.from, nb::arg("to") = where.to,
      (with_arm_options("elastic_fit:identify") +
       "contact  which one, from 1\nfrom_, to  samples before and after these times are ignored [s]\n")
          .c_str());
  value<ArmHit>(m, "ArmHit", THUD_FIELD(ArmHit, arm), THUD_FIELD(ArmHit, contact), THUD_FIELD(ArmHit, alone),
                THUD_FIELD(ArmHit, group));
  result<ArmFit>(m, "ArmFit", THUD_FIELD(ArmFit, status), THUD_FIELD(ArmFit, message), THUD_FIELD(ArmFit, factors),
                 THUD_FIELD(ArmFit, correlation), THUD_FIELD(ArmFit, groups), THUD_FIELD(ArmFit, without),
                 THUD_FIELD(ArmFit, drives), THUD_FIELD(ArmFit, hits));
  m.def(
      "fit_arm",
      [](const std::vector<ArmHit>& hits, const std::vector<DriveParameter>& free, double model_error, bool intervals,
         int jobs) {
        LongWork work({});
        return work.run([&] {
          return fit_arm(hits, {.free = free, .model_error = model_error, .intervals = intervals},
                         {.jobs = jobs, .stop = &work.stop()});
        });
      },
      nb::arg("hits"), nb::kw_only(), nb::arg("free"), nb::arg("model_error") = model_error,
      nb::arg("intervals") = true, nb::arg("jobs") = 0, doc("arm_fit:fit_arm"));
}

}  // namespace

void bind_fit(nb::module_& m) {
  enumeration<FitStatus>(
      m, "FitStatus",
      {FitStatus::not_run, FitStatus::converged, FitStatus::too_few_samples, FitStatus::no_contact,
       FitStatus::no_convergence, FitStatus::undetermined, FitStatus::at_limit, FitStatus::negative_damping});
  enumeration<Identifiability>(m, "Identifiability",
                               {Identifiability::unknown, Identifiability::known, Identifiability::identified,
                                Identifiability::flat, Identifiability::correlated, Identifiability::window_too_short});
  result<FitParameter>(m, "FitParameter", THUD_FIELD(FitParameter, name), THUD_FIELD(FitParameter, value),
                       THUD_FIELD(FitParameter, low), THUD_FIELD(FitParameter, high),
                       THUD_FIELD(FitParameter, identifiability));
  result<FitResult>(m, "FitResult", THUD_FIELD(FitResult, kind), THUD_FIELD(FitResult, status),
                    THUD_FIELD(FitResult, message), THUD_FIELD(FitResult, samples), THUD_FIELD(FitResult, iterations),
                    THUD_FIELD(FitResult, law), THUD_FIELD(FitResult, velocity), THUD_FIELD(FitResult, parameters),
                    THUD_FIELD(FitResult, mass), THUD_FIELD(FitResult, start), THUD_FIELD(FitResult, baseline),
                    THUD_FIELD(FitResult, drift), THUD_FIELD(FitResult, rmse), THUD_FIELD(FitResult, r_squared),
                    THUD_FIELD(FitResult, aic), THUD_FIELD(FitResult, bic), THUD_FIELD(FitResult, noise),
                    THUD_FIELD(FitResult, misfit), THUD_FIELD(FitResult, restitution),
                    THUD_FIELD(FitResult, restitution_low), THUD_FIELD(FitResult, restitution_high),
                    THUD_FIELD(FitResult, restitution_identifiability), THUD_FIELD(FitResult, time_of_peak),
                    THUD_FIELD(FitResult, time_of_compression), THUD_FIELD(FitResult, impulse_compression),
                    THUD_FIELD(FitResult, measured_impulse_compression))
      .def_prop_ro("ok", &FitResult::ok, "Whether the numbers are valid: converged, or with a negative damping.");
  result<FittedLaws>(m, "FittedLaws", THUD_FIELD(FittedLaws, laws), THUD_FIELD(FittedLaws, best))
      .def("__getitem__", &FittedLaws::operator[], nb::arg("kind"), nb::rv_policy::reference_internal);
  result<Identification>(m, "Identification", THUD_FIELD(Identification, window), THUD_FIELD(Identification, contact),
                         THUD_FIELD(Identification, laws), THUD_FIELD(Identification, best),
                         THUD_FIELD(Identification, warnings));

  const int iterations = FitOptions{}.max_iterations;
  const ContactOptions where;
  m.def(
      "fit",
      [](const Vector<"times">& times, const Vector<"forces">& forces, LawKind kind, double velocity, Known mass,
         Known start, Known baseline, bool drift, int max_iterations) {
        const VectorRef t = times, f = forces;
        const nb::gil_scoped_release free;
        return fit(t, f, kind, velocity, fit_options(mass, start, baseline, drift, max_iterations));
      },
      nb::arg("times"), nb::arg("forces"), nb::arg("kind"), nb::kw_only(), nb::arg("velocity"),
      nb::arg("mass") = nb::none(), nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(),
      nb::arg("drift") = false, nb::arg("max_iterations") = iterations, with_options("fit:fit").c_str());
  m.def(
      "fit_all",
      [](const Vector<"times">& times, const Vector<"forces">& forces, double velocity, Known mass, Known start,
         Known baseline, bool drift, int max_iterations) {
        const VectorRef t = times, f = forces;
        const nb::gil_scoped_release free;
        return fit_all(t, f, velocity, fit_options(mass, start, baseline, drift, max_iterations));
      },
      nb::arg("times"), nb::arg("forces"), nb::kw_only(), nb::arg("velocity"), nb::arg("mass") = nb::none(),
      nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(), nb::arg("drift") = false,
      nb::arg("max_iterations") = iterations, with_options("fit:fit_all").c_str());
  result<ResidualSummary>(m, "ResidualSummary", THUD_FIELD(ResidualSummary, rmse), THUD_FIELD(ResidualSummary, noise),
                          THUD_FIELD(ResidualSummary, runs), THUD_FIELD(ResidualSummary, expected_runs),
                          THUD_FIELD(ResidualSummary, runs_p), THUD_FIELD(ResidualSummary, frequency),
                          THUD_FIELD(ResidualSummary, frequency_share), THUD_FIELD(ResidualSummary, resolution),
                          THUD_FIELD(ResidualSummary, spectrum));
  m.def(
      "summarize_residuals",
      [](const Vector<"times">& times, const Vector<"residuals">& residuals) {
        const VectorRef t = times, r = residuals;
        const nb::gil_scoped_release free;
        return summarize_residuals(t, r);
      },
      nb::arg("times"), nb::arg("residuals"), doc("residuals:summarize_residuals"));
  m.def("residuals", nb::overload_cast<const Record&, const FitResult&>(&residuals), nb::arg("contact"), nb::arg("law"),
        doc("residuals:residuals"));
  m.def("fitted_profile", nb::overload_cast<const FitResult&>(&fitted_profile), nb::arg("result"),
        doc("fit:fitted_profile"));
  m.def("fitted_band", &fitted_band, nb::arg("contact"), nb::arg("law"), doc("fit_band:fitted_band"));
  m.def(
      "identify",
      [](const Record& record, std::optional<LawKind> kind, double velocity, const std::optional<ContactWindow>& window,
         Known mass, Known start, Known baseline, bool drift, int max_iterations, std::size_t contact, double from,
         double to) {
        const nb::gil_scoped_release free;
        const FitOptions options = fit_options(mass, start, baseline, drift, max_iterations);
        return window ? identify(record, *window, velocity, options, kind)
                      : identify(record, velocity, options, kind, {.contact = contact, .from = from, .to = to});
      },
      nb::arg("record"), nb::arg("kind") = nb::none(), nb::kw_only(), nb::arg("velocity"),
      nb::arg("window") = nb::none(), nb::arg("mass") = nb::none(), nb::arg("start") = nb::none(),
      nb::arg("baseline") = nb::none(), nb::arg("drift") = false, nb::arg("max_iterations") = iterations,
      nb::arg("contact") = where.contact, nb::arg("from_") = where.from, nb::arg("to") = where.to,
      (with_options("identify:identify") +
       "window  that find_contact has found in this record; searched for if absent, and then:\n"
       "contact  which one, from 1\nfrom_, to  samples before and after these times are ignored [s]\n")
          .c_str());
  bind_elastic_fit(m);
}

}  // namespace thud::python
