#pragma once

/// A study as files: results.json for programs, tables for spreadsheets, a page for people. Nothing is computed here.

#include <thud/export.hpp>
#include <thud/file.hpp>
#include <thud/study.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// The study as JSON; docs/results.md lists the keys. Of trials, those that are drawn (Study::sample); where that is
/// not all of them, every cell has the band of its records beside. `file` is the dataset's name, without its folder.
std::string results_json(const Study& study, const std::string& file);

/// Tables as CSV, a header with units first; an empty cell is a number that does not exist.
std::string trials_csv(const Study& study);       ///< a row per trial
std::string cells_csv(const Study& study);        ///< a row per configuration and speed
std::string predictions_csv(const Study& study);  ///< a row per cell, inertia set and option
std::string verdicts_csv(const Study& study);     ///< a row per claim
std::string objects_csv(const Study& study);      ///< a row per object and model

/// One HTML page that opens from disk without a network and draws the results it holds.
///
/// results  one JSON object, as results_json makes it. It is put into the page's script element of id "results", every
///          '<' as \u003c: in JSON that stands in strings only and means the same, and no text can end the element.
std::string report_page(std::string_view results);

/// Where write_report put things.
struct ReportFiles {
  std::string page;                 ///< report.html; empty without one
  std::string results;              ///< results.json
  std::vector<std::string> tables;  ///< the CSV files; objects.csv among them where there are objects
};

/// The files of a report in a folder. Throws FileError unless all of them may be written: see require_replaceable.
ReportFiles report_files(const std::string& folder, const Overwrite& overwrite = {}, bool page = true);

/// Makes the folder if need be and writes all files into it, each with a mark that says that thud study wrote it. Each
/// is replaced whole or not at all, and none before the texts of all are complete; results.json comes last. An
/// objects.csv of an older study goes where this one has no objects. Throws FileError, also for what report_files
/// refuses.
///
/// page  whether there is to be a page beside results and tables; one that is there stays as it is
ReportFiles write_report(const Study& study, const std::string& file, const std::string& folder,
                         const Overwrite& overwrite = {}, bool page = true);

}  // namespace thud
