#include <thud/report.hpp>

#include "bind.hpp"
#include "text.hpp"

namespace thud::python {
namespace {

using Path = std::filesystem::path;

}  // namespace

void bind_report(nb::module_& m) {
  m.def("results_json", &results_json, nb::arg("study"), nb::arg("file"), doc("report:results_json"));
  m.def("trials_csv", &trials_csv, nb::arg("study"), doc("report:trials_csv"));
  m.def("cells_csv", &cells_csv, nb::arg("study"), doc("report:cells_csv"));
  m.def("predictions_csv", &predictions_csv, nb::arg("study"), doc("report:predictions_csv"));
  m.def("verdicts_csv", &verdicts_csv, nb::arg("study"), doc("report:verdicts_csv"));
  m.def("objects_csv", &objects_csv, nb::arg("study"), doc("report:objects_csv"));
  m.def("report_page", &report_page, nb::arg("results"), doc("report:report_page"));
  const auto text = [](std::string ReportFiles::*field) {
    return [field](const ReportFiles& files) { return with_any_bytes(files.*field); };
  };
  result<ReportFiles>(m, "ReportFiles", THUD_FIELD(ReportFiles, page), THUD_FIELD(ReportFiles, results),
                      THUD_FIELD(ReportFiles, tables))
      .def_prop_ro("page", text(&ReportFiles::page), doc("ReportFiles.page"))
      .def_prop_ro("results", text(&ReportFiles::results), doc("ReportFiles.results"))
      .def_prop_ro(
          "tables",
          [](const ReportFiles& files) {
            nb::list paths;
            for (const std::string& path : files.tables) paths.append(with_any_bytes(path));
            return nb::typed<nb::tuple, nb::str, nb::ellipsis>(nb::steal<nb::tuple>(PyList_AsTuple(paths.ptr())));
          },
          doc("ReportFiles.tables"));
  m.def(
      "write_report",
      [](const Study& study, const std::string& file, const Path& folder, const std::vector<Path>& inputs, bool force,
         bool page) {
        const nb::gil_scoped_release free;
        Overwrite overwrite{.inputs = {}, .force = force};
        for (const auto& input : inputs) overwrite.inputs.push_back(input.string());
        return write_report(study, file, folder.string(), overwrite, page);
      },
      nb::arg("study"), nb::arg("file"), nb::arg("folder"), nb::arg("inputs") = std::vector<Path>{},
      nb::arg("force") = false, nb::arg("page") = true, doc("report:write_report"));
}

}  // namespace thud::python
