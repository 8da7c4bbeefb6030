#include <thud/fit.hpp>
#include <thud/identify.hpp>
#include <thud/record.hpp>
#include <thud/window.hpp>

#include "bind.hpp"

namespace thud::python {
namespace {

/// The members under the names that to_string gives them, with the header's comments.
template <class E>
void enumeration(nb::module_& m, const char* name, std::initializer_list<E> members) {
  nb::enum_<E> bound(m, name, doc(name));
  for (const E member : members) {
    const std::string_view text = to_string(member);
    bound.value(text.data(), member, find_doc(std::string(name).append(".").append(text)));
  }
}

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
  enumeration<ContactStatus>(
      m, "ContactStatus",
      {ContactStatus::found, ContactStatus::pressing, ContactStatus::cut_at_end, ContactStatus::cut_at_start,
       ContactStatus::no_contact, ContactStatus::ambiguous_sign, ContactStatus::gap, ContactStatus::not_run});
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

void bind_fit(nb::module_& m) {
  enumeration<FitStatus>(
      m, "FitStatus",
      {FitStatus::not_run, FitStatus::converged, FitStatus::too_few_samples, FitStatus::no_contact,
       FitStatus::no_convergence, FitStatus::undetermined, FitStatus::at_limit, FitStatus::negative_damping});
  result<FitParameter>(m, "FitParameter", THUD_FIELD(FitParameter, name), THUD_FIELD(FitParameter, value),
                       THUD_FIELD(FitParameter, low), THUD_FIELD(FitParameter, high));
  result<FitResult>(m, "FitResult", THUD_FIELD(FitResult, kind), THUD_FIELD(FitResult, status),
                    THUD_FIELD(FitResult, message), THUD_FIELD(FitResult, samples), THUD_FIELD(FitResult, iterations),
                    THUD_FIELD(FitResult, law), THUD_FIELD(FitResult, velocity), THUD_FIELD(FitResult, parameters),
                    THUD_FIELD(FitResult, mass), THUD_FIELD(FitResult, start), THUD_FIELD(FitResult, baseline),
                    THUD_FIELD(FitResult, drift), THUD_FIELD(FitResult, rmse), THUD_FIELD(FitResult, r_squared),
                    THUD_FIELD(FitResult, aic), THUD_FIELD(FitResult, bic), THUD_FIELD(FitResult, restitution),
                    THUD_FIELD(FitResult, time_of_peak), THUD_FIELD(FitResult, time_of_compression),
                    THUD_FIELD(FitResult, impulse_compression), THUD_FIELD(FitResult, measured_impulse_compression))
      .def_prop_ro("ok", &FitResult::ok, "Whether the numbers are valid: converged, or with a negative damping.");
  result<FittedLaws>(m, "FittedLaws", THUD_FIELD(FittedLaws, laws), THUD_FIELD(FittedLaws, best))
      .def("__getitem__", &FittedLaws::operator[], nb::arg("kind"), nb::rv_policy::reference_internal);
  result<Identification>(m, "Identification", THUD_FIELD(Identification, window), THUD_FIELD(Identification, contact),
                         THUD_FIELD(Identification, laws), THUD_FIELD(Identification, best),
                         THUD_FIELD(Identification, warnings));

  const int iterations = FitOptions{}.max_iterations;
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
  m.def("fitted_profile", &fitted_profile, nb::arg("result"), doc("fit:fitted_profile"));
  m.def(
      "identify",
      [](const Record& record, std::optional<LawKind> kind, double velocity, const std::optional<ContactWindow>& window,
         Known mass, Known start, Known baseline, bool drift, int max_iterations) {
        const nb::gil_scoped_release free;
        const FitOptions options = fit_options(mass, start, baseline, drift, max_iterations);
        return window ? identify(record, *window, velocity, options, kind) : identify(record, velocity, options, kind);
      },
      nb::arg("record"), nb::arg("kind") = nb::none(), nb::kw_only(), nb::arg("velocity"),
      nb::arg("window") = nb::none(), nb::arg("mass") = nb::none(), nb::arg("start") = nb::none(),
      nb::arg("baseline") = nb::none(), nb::arg("drift") = false, nb::arg("max_iterations") = iterations,
      (with_options("identify:identify") +
       "window  that find_contact has found in this record; searched for if absent\n")
          .c_str());
}

}  // namespace

void bind_records(nb::module_& m) {
  bind_record(m);
  bind_window(m);
  bind_fit(m);
}

}  // namespace thud::python
