#include <thud/detect.hpp>
#include <thud/fit.hpp>
#include <thud/identify.hpp>
#include <thud/record.hpp>
#include <thud/window.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

void bind_record(nb::module_& m) {
  value<Record>(m, "Record", THUD_FIELD(Record, time), THUD_FIELD(Record, force), THUD_FIELD(Record, dropped),
                THUD_FIELD(Record, comments), THUD_FIELD(Record, notes));
  result<Sampling>(m, "Sampling", THUD_FIELD(Sampling, samples), THUD_FIELD(Sampling, duration),
                   THUD_FIELD(Sampling, period), THUD_FIELD(Sampling, rate), THUD_FIELD(Sampling, jitter),
                   THUD_FIELD(Sampling, gap), THUD_FIELD(Sampling, gaps), THUD_FIELD(Sampling, largest_gap),
                   THUD_FIELD(Sampling, largest_gap_at));
  m.attr("min_record_samples") = min_record_samples;
  m.attr("max_missing_share") = max_missing_share;
  m.attr("max_record_number") = max_record_number;
  m.attr("min_record_step") = min_record_step;
  m.def(
      "read_record",
      [](const std::filesystem::path& path, const std::string& time_column, const std::string& force_column) {
        const nb::gil_scoped_release free;
        return read_record(path.string(), {.time_column = time_column, .force_column = force_column});
      },
      nb::arg("path"), nb::arg("time_column") = "", nb::arg("force_column") = "", doc("record:read_record"));
  m.def(
      "parse_record",
      [](const std::string& text, const std::string& name, const std::string& time_column,
         const std::string& force_column) {
        const nb::gil_scoped_release free;
        return parse_record(text, name, {.time_column = time_column, .force_column = force_column});
      },
      nb::arg("text"), nb::arg("name") = "record", nb::arg("time_column") = "", nb::arg("force_column") = "",
      doc("record:parse_record"));
  m.def("format_record", &format_record, nb::arg("record"), nb::call_guard<nb::gil_scoped_release>(),
        doc("record:format_record"));
  m.def(
      "write_record",
      [](const std::filesystem::path& path, const Record& record) {
        const nb::gil_scoped_release free;
        write_record(path.string(), record);
      },
      nb::arg("path"), nb::arg("record"), doc("record:write_record"));
  m.def("validate", nb::overload_cast<const Record&>(&validate), nb::arg("record"), doc("record:validate"));
  m.def("sampling", &sampling, nb::arg("record"), doc("record:sampling"));
}

ContactOptions contact_options(double min_peak, double max_rise, double end_fraction) {
  return {.min_peak = min_peak, .max_rise = max_rise, .end_fraction = end_fraction};
}

void bind_window(nb::module_& m) {
  nb::enum_<ContactStatus>(m, "ContactStatus", doc("ContactStatus"))
      .value("found", ContactStatus::found, doc("ContactStatus.found"))
      .value("pressing", ContactStatus::pressing, doc("ContactStatus.pressing"))
      .value("cut_at_end", ContactStatus::cut_at_end, doc("ContactStatus.cut_at_end"))
      .value("cut_at_start", ContactStatus::cut_at_start, doc("ContactStatus.cut_at_start"))
      .value("no_contact", ContactStatus::no_contact, doc("ContactStatus.no_contact"))
      .value("ambiguous_sign", ContactStatus::ambiguous_sign, doc("ContactStatus.ambiguous_sign"))
      .value("gap", ContactStatus::gap, doc("ContactStatus.gap"))
      .value("not_run", ContactStatus::not_run);
  result<ContactWindow>(
      m, "ContactWindow", THUD_FIELD(ContactWindow, status), THUD_FIELD(ContactWindow, message),
      THUD_FIELD(ContactWindow, sign), THUD_FIELD(ContactWindow, baseline), THUD_FIELD(ContactWindow, drift),
      THUD_FIELD(ContactWindow, noise), THUD_FIELD(ContactWindow, quiet), THUD_FIELD(ContactWindow, start),
      THUD_FIELD(ContactWindow, end), THUD_FIELD(ContactWindow, first), THUD_FIELD(ContactWindow, last),
      THUD_FIELD(ContactWindow, peak), THUD_FIELD(ContactWindow, peak_time), THUD_FIELD(ContactWindow, notes));
  m.def("usable", &usable, nb::arg("window"), doc("window:usable"));
  const ContactOptions usual;
  m.def(
      "find_contact",
      [](const Record& record, double min_peak, double max_rise, double end_fraction) {
        const nb::gil_scoped_release free;
        return find_contact(record, contact_options(min_peak, max_rise, end_fraction));
      },
      nb::arg("record"), nb::arg("min_peak") = usual.min_peak, nb::arg("max_rise") = usual.max_rise,
      nb::arg("end_fraction") = usual.end_fraction, doc("window:find_contact"));
  m.def("contact_samples", &contact_samples, nb::arg("record"), nb::arg("window"), nb::arg("before") = 0,
        nb::arg("after") = 0, doc("window:contact_samples"));
  result<RecordSummary>(m, "RecordSummary", THUD_FIELD(RecordSummary, sampling), THUD_FIELD(RecordSummary, contact),
                        THUD_FIELD(RecordSummary, warnings));
  m.def(
      "summarize",
      [](const Record& record, double min_peak, double max_rise, double end_fraction) {
        const nb::gil_scoped_release free;
        return summarize(record, contact_options(min_peak, max_rise, end_fraction));
      },
      nb::arg("record"), nb::arg("min_peak") = usual.min_peak, nb::arg("max_rise") = usual.max_rise,
      nb::arg("end_fraction") = usual.end_fraction, doc("window:summarize"));
}

using Known = std::optional<double>;

FitOptions fit_options(double velocity, Known mass, Known start, Known baseline, bool drift, int max_iterations) {
  return {.velocity = velocity,
          .mass = mass,
          .start = start,
          .baseline = baseline,
          .drift = drift,
          .max_iterations = max_iterations};
}

/// What the options of a fit say, below the text of the function that takes them.
std::string with_options(const char* function) {
  std::string text = doc(function);
  text += "\n\n";
  for (const char* option : {"velocity", "mass", "start", "baseline", "drift"})
    text.append(option).append("  ").append(doc(std::string("FitOptions.") + option)).append("\n");
  return text;
}

void bind_fit(nb::module_& m) {
  nb::enum_<FitStatus>(m, "FitStatus", doc("FitStatus"))
      .value("not_run", FitStatus::not_run)
      .value("converged", FitStatus::converged, doc("FitStatus.converged"))
      .value("too_few_samples", FitStatus::too_few_samples, doc("FitStatus.too_few_samples"))
      .value("no_contact", FitStatus::no_contact, doc("FitStatus.no_contact"))
      .value("no_convergence", FitStatus::no_convergence, doc("FitStatus.no_convergence"))
      .value("undetermined", FitStatus::undetermined, doc("FitStatus.undetermined"))
      .value("at_limit", FitStatus::at_limit, doc("FitStatus.at_limit"))
      .value("negative_damping", FitStatus::negative_damping, doc("FitStatus.negative_damping"));
  result<FitParameter>(m, "FitParameter", THUD_FIELD(FitParameter, name), THUD_FIELD(FitParameter, value),
                       THUD_FIELD(FitParameter, low), THUD_FIELD(FitParameter, high));
  result<FitResult>(m, "FitResult", THUD_FIELD(FitResult, kind), THUD_FIELD(FitResult, status),
                    THUD_FIELD(FitResult, message), THUD_FIELD(FitResult, samples), THUD_FIELD(FitResult, iterations),
                    THUD_FIELD(FitResult, law), THUD_FIELD(FitResult, parameters), THUD_FIELD(FitResult, mass),
                    THUD_FIELD(FitResult, start), THUD_FIELD(FitResult, baseline), THUD_FIELD(FitResult, drift),
                    THUD_FIELD(FitResult, rmse), THUD_FIELD(FitResult, r_squared), THUD_FIELD(FitResult, aic),
                    THUD_FIELD(FitResult, bic), THUD_FIELD(FitResult, restitution), THUD_FIELD(FitResult, time_of_peak),
                    THUD_FIELD(FitResult, time_of_compression), THUD_FIELD(FitResult, impulse_compression),
                    THUD_FIELD(FitResult, measured_impulse_compression))
      .def_prop_ro("ok", &FitResult::ok, "Whether the numbers stand: converged, or with a negative damping.");
  result<Identification>(m, "Identification", THUD_FIELD(Identification, laws), THUD_FIELD(Identification, best))
      .def("__getitem__", &Identification::operator[], nb::arg("kind"), nb::rv_policy::reference_internal);
  result<Finding>(m, "Finding", THUD_FIELD(Finding, window), THUD_FIELD(Finding, contact), THUD_FIELD(Finding, laws),
                  THUD_FIELD(Finding, best), THUD_FIELD(Finding, warnings));

  const int iterations = FitOptions{}.max_iterations;
  m.def(
      "fit",
      [](const Vector<"times">& times, const Vector<"forces">& forces, LawKind kind, double velocity, Known mass,
         Known start, Known baseline, bool drift, int max_iterations) {
        const VectorRef t = times, f = forces;
        const nb::gil_scoped_release free;
        return fit(t, f, kind, fit_options(velocity, mass, start, baseline, drift, max_iterations));
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
        return fit_all(t, f, fit_options(velocity, mass, start, baseline, drift, max_iterations));
      },
      nb::arg("times"), nb::arg("forces"), nb::kw_only(), nb::arg("velocity"), nb::arg("mass") = nb::none(),
      nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(), nb::arg("drift") = false,
      nb::arg("max_iterations") = iterations, with_options("fit:fit_all").c_str());
  m.def("status_name", &status_name, nb::arg("status"), doc("fit:status_name"));
  m.def(
      "identify",
      [](const Record& record, std::optional<LawKind> kind, double velocity, Known mass, Known start, Known baseline,
         bool drift, int max_iterations) {
        const nb::gil_scoped_release free;
        return identify(record, fit_options(velocity, mass, start, baseline, drift, max_iterations), kind);
      },
      nb::arg("record"), nb::arg("kind") = nb::none(), nb::kw_only(), nb::arg("velocity"), nb::arg("mass") = nb::none(),
      nb::arg("start") = nb::none(), nb::arg("baseline") = nb::none(), nb::arg("drift") = false,
      nb::arg("max_iterations") = iterations, with_options("identify:identify").c_str());
}

using Gravity = std::optional<Three<"gravity_W">>;
Vector3 gravity_or_earth(const Gravity& gravity_W) {
  return gravity_W ? Vector3(*gravity_W) : earth_gravity_W;
}

/// The functions of one cycle take an entry for every joint that is watched.
void require_watched(std::span<const int> joints, const VectorRef& values, const char* name) {
  for (const int joint : joints)
    if (joint < 0 || joint >= values.size())
      throw InputError(name, std::to_string(values.size()) + " values",
                       "joint " + std::to_string(joint) + " is watched");
}

void bind_detectors(nb::module_& m) {
  m.attr("usual_gain") = usual_gain;
  nb::class_<ThresholdDetector>(m, "ThresholdDetector", doc("ThresholdDetector"))
      .def(nb::init<std::vector<int>, double, int>(), nb::arg("joints"), nb::arg("threshold"),
           nb::arg("consecutive") = 1, doc("ThresholdDetector.__init__"))
      .def("update", nb::overload_cast<double>(&ThresholdDetector::update), nb::arg("residual"),
           doc("ThresholdDetector.update"))
      .def(
          "update",
          [](ThresholdDetector& self, const Vector<"torque">& torque, const Vector<"torque_reference">& reference) {
            require_watched(self.joints(), torque, "torque");
            require_watched(self.joints(), reference, "torque_reference");
            return self.update(torque, reference);
          },
          nb::arg("torque"), nb::arg("torque_reference"), doc("ThresholdDetector.update"))
      .def(
          "update",
          [](ThresholdDetector& self, const Vector<"external_torque">& external_torque) {
            require_watched(self.joints(), external_torque, "external_torque");
            return self.update(external_torque);
          },
          nb::arg("external_torque"), doc("ThresholdDetector.update"))
      .def("reset", &ThresholdDetector::reset, doc("ThresholdDetector.reset"))
      .def_prop_ro("alarm", &ThresholdDetector::alarm)
      .def_prop_ro("residual", &ThresholdDetector::residual, doc("ThresholdDetector.residual"))
      .def_prop_ro("threshold", &ThresholdDetector::threshold, doc("ThresholdDetector.threshold"))
      .def_prop_ro("consecutive", &ThresholdDetector::consecutive)
      .def_prop_ro("joints", [](const ThresholdDetector& self) {
        return std::vector<int>(self.joints().begin(), self.joints().end());
      });
  nb::class_<MomentumObserver>(m, "MomentumObserver", doc("MomentumObserver"))
      .def(
          "__init__",
          [](MomentumObserver* self, const Robot& robot, double gain, const Gravity& gravity_W) {
            new (self) MomentumObserver(robot, gain, gravity_or_earth(gravity_W));
          },
          nb::arg("robot"), nb::arg("gain") = usual_gain, nb::arg("gravity_W") = nb::none(),
          doc("MomentumObserver.__init__"))
      .def(
          "update",
          [](MomentumObserver& self, const Vector<"q">& q, const Vector<"dq">& dq, const Vector<"torque">& torque,
             double dt) -> VectorX {
            const VectorRef position = q, rate = dq, effort = torque;
            const auto joints = self.external_torque().size();
            for (const auto& [name, size] :
                 {std::pair("q", position.size()), std::pair("dq", rate.size()), std::pair("torque", effort.size())})
              if (size != joints)
                throw InputError(name, std::to_string(size) + " values",
                                 "needs " + std::to_string(joints) + ", one per joint");
            if (!(dt > 0)) throw InputError("dt", dt, "must be greater than 0");
            return self.update(position, rate, effort, dt);
          },
          nb::arg("q"), nb::arg("dq"), nb::arg("torque"), nb::arg("dt"), doc("MomentumObserver.update"))
      .def_prop_ro(
          "external_torque", [](const MomentumObserver& self) -> VectorX { return self.external_torque(); },
          doc("MomentumObserver.external_torque"))
      .def("reset", &MomentumObserver::reset, doc("MomentumObserver.reset"));
}

void bind_logs(nb::module_& m) {
  constexpr double always = -std::numeric_limits<double>::infinity();
  m.def(
      "torque_residual",
      [](const std::vector<int>& joints, const Vector<"torque">& torque, const Vector<"torque_reference">& reference) {
        require_watched(joints, torque, "torque");
        require_watched(joints, reference, "torque_reference");
        return torque_residual(joints, torque, reference);
      },
      nb::arg("joints"), nb::arg("torque"), nb::arg("torque_reference"), doc("detect:torque_residual"));
  m.def(
      "torque_residual",
      [](const std::vector<int>& joints, const Vector<"external_torque">& external_torque) {
        require_watched(joints, external_torque, "external_torque");
        return torque_residual(joints, external_torque);
      },
      nb::arg("joints"), nb::arg("external_torque"), doc("detect:torque_residual#2"));
  result<Alarm>(m, "Alarm", THUD_FIELD(Alarm, sample), THUD_FIELD(Alarm, time), THUD_FIELD(Alarm, residual));
  m.def(
      "find_alarm",
      [](const Vector<"time">& time, const Matrix<"torque">& torque, const Matrix<"torque_reference">& reference,
         const ThresholdDetector& detector, double start) {
        const VectorRef t = time;
        const MatrixRef measured = torque, expected = reference;
        const nb::gil_scoped_release free;
        return find_alarm(t, measured, expected, detector, start);
      },
      nb::arg("time"), nb::arg("torque"), nb::arg("torque_reference"), nb::arg("detector"),
      nb::arg("start").sig("float('-inf')") = always, doc("detect:find_alarm"));
  m.def(
      "find_alarm",
      [](const Vector<"time">& time, const Matrix<"external_torque">& external_torque,
         const ThresholdDetector& detector, double start) {
        const VectorRef t = time;
        const MatrixRef external = external_torque;
        const nb::gil_scoped_release free;
        return find_alarm(t, external, detector, start);
      },
      nb::arg("time"), nb::arg("external_torque"), nb::arg("detector"), nb::arg("start").sig("float('-inf')") = always,
      doc("detect:find_alarm"));
  m.def(
      "quiet_level",
      [](const Vector<"time">& time, const Matrix<"torque">& torque, const Matrix<"torque_reference">& reference,
         const std::vector<int>& joints, double from,
         double to) { return quiet_level(time, torque, reference, joints, from, to); },
      nb::arg("time"), nb::arg("torque"), nb::arg("torque_reference"), nb::arg("joints"), nb::arg("from_"),
      nb::arg("to"), doc("detect:quiet_level"));
  m.def(
      "quiet_level",
      [](const Vector<"time">& time, const Matrix<"external_torque">& external_torque, const std::vector<int>& joints,
         double from, double to) { return quiet_level(time, external_torque, joints, from, to); },
      nb::arg("time"), nb::arg("external_torque"), nb::arg("joints"), nb::arg("from_"), nb::arg("to"),
      doc("detect:quiet_level"));
  m.def(
      "external_torques",
      [](const Robot& robot, const Vector<"time">& time, const Matrix<"position">& position,
         const Matrix<"velocity">& velocity, const Matrix<"torque">& torque, double gain, const Gravity& gravity_W) {
        const VectorRef t = time;
        const MatrixRef q = position, dq = velocity, tau = torque;
        const Vector3 gravity = gravity_or_earth(gravity_W);
        const nb::gil_scoped_release free;
        return external_torques(robot, t, q, dq, tau, gain, gravity);
      },
      nb::arg("robot"), nb::arg("time"), nb::arg("position"), nb::arg("velocity"), nb::arg("torque"),
      nb::arg("gain") = usual_gain, nb::arg("gravity_W") = nb::none(), doc("detect:external_torques"));
}

}  // namespace

void bind_records(nb::module_& m) {
  bind_record(m);
  bind_window(m);
  bind_fit(m);
  bind_detectors(m);
  bind_logs(m);
}

}  // namespace thud::python
