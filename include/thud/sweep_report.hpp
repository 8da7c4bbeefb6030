#pragma once

/// A sweep as files: answers.json for programs, tables for spreadsheets, a page for people. Nothing is computed here.

#include <thud/export.hpp>
#include <thud/file.hpp>
#include <thud/sweep.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// A plan, and what a sweep says, as JSON objects: `plan` and `answers` of answers.json and of `thud sweep --json`.
std::string sweep_plan_json(const SweepPlan& plan);
std::string sweep_answers_json(const SweepAnswers& answers);

/// The whole sweep as JSON; docs/answers.md lists the keys. `file` is the sweep's name, without its folder.
std::string sweep_json(const SweepResult& result, const SweepAnswers& answers, const std::string& file);

/// Tables as CSV, a header with units first; an empty cell is a number that does not exist.
std::string claims_csv(const SweepAnswers& answers);   ///< a row per claim
std::string campaigns_csv(const SweepResult& result);  ///< a row per campaign

/// One HTML page that opens from disk without a network: shares, what decides, maps of two keys, models, campaigns.
/// json  as sweep_json makes it.
std::string sweep_page(std::string_view json);

/// Where write_sweep_report put things.
struct SweepReportFiles {
  std::string page;                 ///< report.html
  std::string results;              ///< answers.json
  std::vector<std::string> tables;  ///< claims.csv, campaigns.csv
};

/// The files of a report in a folder. Throws FileError unless all of them may be written: see require_replaceable.
SweepReportFiles sweep_report_files(const std::string& folder, const Overwrite& overwrite = {});

/// Makes the folder if need be and writes all files into it, each with a mark that says that thud sweep wrote it. Each
/// is replaced whole or not at all, and none before the texts of all are complete; answers.json comes last. Throws
/// FileError, also for what sweep_report_files refuses.
///
/// answers  of answer_sweep
/// file     the sweep's name, without its folder: of the commands that the page shows
SweepReportFiles write_sweep_report(const SweepResult& result, const SweepAnswers& answers, const std::string& file,
                                    const std::string& folder, const Overwrite& overwrite = {});

}  // namespace thud
