#include <thud/record.hpp>
#include <thud/window.hpp>

#include <variant>

#include "bind.hpp"

namespace thud::python {

namespace {

/// A column by its name, or by its number from 1.
using Column = std::variant<std::string, std::size_t>;

std::string column_text(const Column& column) {
  if (const auto* name = std::get_if<std::string>(&column)) return *name;
  return std::to_string(std::get<std::size_t>(column));
}

/// Documentation of the options of reading, appended to that of the functions that take them.
std::string with_record_options(const char* function, const std::vector<const char*>& limits) {
  std::string text = doc(function);
  text += "\n\n";
  std::vector<const char*> options{"time_column", "force_column", "units", "skip"};
  options.insert(options.end(), limits.begin(), limits.end());
  for (const char* option : options)
    text.append(option).append("  ").append(doc(std::string("RecordOptions.") + option)).append("\n");
  return text;
}

void bind_records_as_text(nb::module_& m) {
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
  const RecordOptions usual;
  m.def(
      "read_record",
      [](const std::filesystem::path& path, const Column& time_column, const Column& force_column,
         const std::string& units, std::size_t skip, std::size_t max_size, std::size_t max_samples) {
        const nb::gil_scoped_release free;
        return read_record(path.string(),
                           {column_text(time_column), column_text(force_column), units, skip, max_size, max_samples});
      },
      nb::arg("path"), nb::arg("time_column") = Column(), nb::arg("force_column") = Column(), nb::arg("units") = "",
      nb::arg("skip") = usual.skip, nb::arg("max_size") = usual.max_size, nb::arg("max_samples") = usual.max_samples,
      with_record_options("record:read_record", {"max_size", "max_samples"}).c_str());
  m.def(
      "parse_record",
      [](const std::string& text, const std::string& name, const Column& time_column, const Column& force_column,
         const std::string& units, std::size_t skip, std::size_t max_samples) {
        const nb::gil_scoped_release free;
        return parse_record(
            text, name,
            {column_text(time_column), column_text(force_column), units, skip, RecordOptions{}.max_size, max_samples});
      },
      nb::arg("text"), nb::arg("name") = "record", nb::arg("time_column") = Column(),
      nb::arg("force_column") = Column(), nb::arg("units") = "", nb::arg("skip") = usual.skip,
      nb::arg("max_samples") = usual.max_samples, with_record_options("record:parse_record", {"max_samples"}).c_str());
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
      THUD_FIELD(ContactWindow, peak), THUD_FIELD(ContactWindow, peak_time), THUD_FIELD(ContactWindow, quiet_after),
      THUD_FIELD(ContactWindow, notes));
  m.def("usable", &usable, nb::arg("window"), doc("window:usable"));
  const ContactOptions usual;
  // A function of a record and of ContactOptions, whose fields are keywords.
  const auto define = [&](const char* name, auto* function, const char* key) {
    m.def(
        name,
        [function](const Record& record, double min_peak, double max_rise, double end_fraction, std::size_t contact,
                   double from, double to) {
          const nb::gil_scoped_release free;
          return function(record, {min_peak, max_rise, end_fraction, contact, from, to});
        },
        nb::arg("record"), nb::arg("min_peak") = usual.min_peak, nb::arg("max_rise") = usual.max_rise,
        nb::arg("end_fraction") = usual.end_fraction, nb::arg("contact") = usual.contact, nb::arg("from_") = usual.from,
        nb::arg("to") = usual.to, doc(key));
  };
  define("find_contact", &find_contact, "window:find_contact");
  m.def(
      "find_contacts",
      [](const Record& record, double min_peak, double max_rise, double end_fraction, double from, double to) {
        const nb::gil_scoped_release free;
        return find_contacts(record, {min_peak, max_rise, end_fraction, 1, from, to});
      },
      nb::arg("record"), nb::arg("min_peak") = usual.min_peak, nb::arg("max_rise") = usual.max_rise,
      nb::arg("end_fraction") = usual.end_fraction, nb::arg("from_") = usual.from, nb::arg("to") = usual.to,
      doc("window:find_contacts"));
  m.def("contact_samples", &contact_samples, nb::arg("record"), nb::arg("window"), nb::arg("before") = 0,
        nb::arg("after") = 0, doc("window:contact_samples"));
  result<RecordSummary>(m, "RecordSummary", THUD_FIELD(RecordSummary, sampling), THUD_FIELD(RecordSummary, contact),
                        THUD_FIELD(RecordSummary, warnings));
  define("summarize", &summarize, "window:summarize");
}

}  // namespace

void bind_record(nb::module_& m) {
  bind_records_as_text(m);
  bind_window(m);
}

}  // namespace thud::python
