#include "study.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/report.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "arm_arguments.hpp"
#include "command.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace thud::cli {
namespace {

struct StudyFiles {
  std::string dataset, out, memory;
  int jobs = 0;
  bool force = false, progress = false, json = false, no_page = false;
};

// The last part of a path, whether it ends in a slash or not.
std::string name_of(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::path(path).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

// The arm of all trials, with the truth beside it where there is one.
std::string arm_table(const Study& study) {
  if (!study.arm) return {};
  const ArmStudy& arm = *study.arm;
  std::string out = fmt::format("\nthe arm, identified from {}: {}; drives of {}\n", counted(arm.trials, "trial"),
                                arm.message, printable(arm.origin));
  for (const auto& factor : arm.factors)
    out += fmt::format("{:<25}{:.4g} times as given, {}\n", factor.name, factor.value,
                       std::isfinite(factor.low) ? fmt::format("95 % within {:.4g} and {:.4g}", factor.low, factor.high)
                                                 : "no interval from fewer than three cells");
  return out;
}

std::string truth_table(const Study& study) {
  if (!study.truth) return {};
  std::string out = fmt::format("\n{:<34}{:>14}{:>14}{:>10}{:>10}\n", "identified against simulated", "identified",
                                "simulated", "median", "largest");
  for (const auto& each : *study.truth)
    if (each.trials > 0)
      out += fmt::format("{:<34}{:>14.5g}{:>14.5g}{:>8.3g} %{:>8.3g} %\n", each.quantity, each.identified,
                         each.simulated, 100 * each.median_error, 100 * each.largest_error);
  return out;
}

// Objects that were hit: how far each model is from how they left.
std::string object_table(const Study& study) {
  if (!study.objects) return {};
  const auto seen = std::ranges::count_if(study.objects->trials, [](const auto& each) { return each.message.empty(); });
  std::string out = fmt::format("\n{} of {} with a hit; {}\n", seen, counted(study.objects->trials.size(), "object"),
                                study.objects->contact_origin);
  out += fmt::format("{:<34}{:>8}{:>14}{:>10}{:>10}{:>14}{:>12}\n", "objects, predicted against measured", "trials",
                     "speed ratio", "median", "largest", "spin rad/s", "angle deg");
  const auto cell = [](double value, const char* unit = "") {
    return std::isfinite(value) ? fmt::format("{:.3g}{}", value, unit) : std::string("none");
  };
  for (const auto& model : study.objects->models)
    out +=
        fmt::format("{:<34}{:>8}{:>14}{:>10}{:>10}{:>14}{:>12}\n", model.model, model.trials, cell(model.median_ratio),
                    cell(100 * model.median_error, " %"), cell(100 * model.largest_error, " %"),
                    cell(model.median_spin_error), cell(180 / M_PI * model.median_angle_error));
  return out;
}

std::string study_table(const Study& study) {
  const auto fitted = std::ranges::count_if(study.trials, [](const TrialStudy& trial) { return trial.ok(); });
  std::string out =
      fmt::format("{}, {}, of {} planned, {} with a contact; {}; inertias of {}\n\n",
                  counted(study.trials.size(), "trial"), to_string(study.source), study.planned, fitted,
                  counted(study.cells.size(), "cell"), printable(fmt::format("{}", fmt::join(study.robots, ", "))));
  out += fmt::format("{:<25}{:<15}{:>11}{:>11}  {}\n", "claim", "verdict", "statistic", "threshold", "statement");
  const auto cell = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : std::string("none");
  };
  for (const auto* verdicts : {&study.verdicts, &study.beyond})
    for (const auto& verdict : *verdicts)
      out += fmt::format("{:<25}{:<15}{:>11}{:>11}  {}\n", verdict.claim, to_string(verdict.judgement),
                         cell(verdict.statistic), cell(verdict.threshold), verdict.statement);
  for (const auto* verdicts : {&study.verdicts, &study.beyond})
    for (const auto& verdict : *verdicts)
      if (verdict.judgement == Judgement::not_testable)
        out += fmt::format("not testable: {}: {}\n", verdict.claim, verdict.why);
  out += arm_table(study) + object_table(study) + truth_table(study);
  for (const auto& warning : study.warnings) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

void run_study(const StudyArguments& arguments, const StudyFiles& chosen) {
  const DatasetReader reader(chosen.dataset, memory_limit(chosen.memory));
  const StudyOptions options = study_options(arguments, reader.robot());
  Overwrite overwrite{.inputs = reader.files(), .force = chosen.force};
  if (!arguments.robot.empty()) overwrite.inputs.push_back(arguments.robot);
  if (!arguments.drives.empty()) overwrite.inputs.push_back(arguments.drives);
  // refused before the work, not after it
  as_option("--out", "folder", [&] { return report_files(chosen.out, overwrite, !chosen.no_page); });
  const std::size_t trials = reader.finished().size();
  Progress bar("trials", trials, chosen.progress);
  const RunOptions run{.jobs = chosen.jobs,
                       .progress = [&](std::size_t done, std::size_t all) { bar.at(done * trials / all); }};
  const Study found = study(reader, options, run);
  bar.done();

  const ReportFiles files = as_option("--out", "folder", [&] {
    return write_report(found, name_of(chosen.dataset), chosen.out, overwrite, !chosen.no_page);
  });
  if (chosen.json) {
    const Json results = Json::parse(read_file(files.results));
    Json printed{{"verdicts", results["verdicts"]}, {"beyond", results["beyond"]}, {"arm", results["arm"]}};
    if (found.objects) printed["objects"] = results["objects"]["models"];
    printed.update({{"report", chosen.no_page ? Json(nullptr) : Json(files.page)},
                    {"results", files.results},
                    {"tables", files.tables},
                    {"warnings", texts(found.warnings)}});
    print(printed);
  } else {
    std::string text = study_table(found) + "\n";
    if (!chosen.no_page) text += fmt::format("report: {}\n", printable(files.page));
    text += fmt::format("results: {}\ntables: {}\n", printable(files.results),
                        printable(fmt::format("{}", fmt::join(files.tables, ", "))));
    std::fputs(text.c_str(), stdout);
  }
  // trials without a force record leave the claims open, which is an answer
  const auto fails = [](const TrialStudy& trial) { return !trial.ok() && trial.status != TrialStatus::no_force; };
  if (std::ranges::none_of(found.trials, [](const TrialStudy& trial) { return trial.ok(); }) &&
      (found.trials.empty() || std::ranges::any_of(found.trials, fails)))
    throw NoAnswer(fmt::format("study: {}: no trial has a contact that can be studied", chosen.dataset));
}

}  // namespace

StudyOptions study_options(const StudyArguments& arguments, const Robot& own, const Sources& sources) {
  StudyOptions options;
  if (!arguments.material.empty()) options.material_restitution = number("--material-restitution", arguments.material);
  if (!arguments.friction.empty()) options.friction = number("--friction", arguments.friction);
  if (!arguments.object_restitution.empty())
    options.object_restitution = number("--object-restitution", arguments.object_restitution);
  if (!arguments.sample.empty()) options.sample = whole_number("--sample", arguments.sample);
  if (options.sample == 0) throw InputError("--sample", arguments.sample, "must be at least 1");
  if (!arguments.robot.empty()) options.robot = sources.robot(arguments.robot);
  if (!arguments.drives.empty()) {
    options.drives = sources.drives(arguments.drives, own);
    options.drives_origin = arguments.drives;
  }
  return options;
}

void add_study_options(CLI::App& command, StudyArguments& arguments) {
  command.add_option("--robot", arguments.robot,
                     "Robot to judge by instead of the dataset's own: a shipped name or a URDF or MJCF file");
  command.add_option("--drives", arguments.drives,
                     std::string(drives_help) +
                         ". Without it, those of a simulated dataset's campaign; the transmissions are identified "
                         "either way");
  command.add_option("--material-restitution", arguments.material,
                     "COR of the materials alone; without it, the paper's 0.627");
  command.add_option("--friction", arguments.friction,
                     "Of the contact point and an object that is hit; without it, that of a simulated dataset's "
                     "campaign, or 0");
  command.add_option("--object-restitution", arguments.object_restitution,
                     "COR of a hit on an object; without it, that of the campaign's law, or of the materials");
  command.add_option("--sample", arguments.sample,
                     "Most trials that the arm rests on and the page draws, spread over the plan; 300 without it");
}

void add_study(CLI::App& program) {
  auto* command = program.add_subcommand("study", "What a dataset says about the models, and about the paper's claims");
  auto arguments = std::make_shared<StudyArguments>();
  auto chosen = std::make_shared<StudyFiles>();
  command->add_option("DATASET", chosen->dataset, "HDF5 file, or folder of CSV files with a manifest")->required();
  command->add_option("--out", chosen->out, "Folder for report.html, results.json and the tables; made if need be")
      ->required();
  add_study_options(*command, *arguments);
  command->add_flag("--no-page", chosen->no_page, "Write results and tables alone");
  command->add_option("--memory", chosen->memory, memory_help());
  add_jobs(*command, chosen->jobs, "Threads; 0 is one per core");
  command->add_flag("--force", chosen->force, "Replace files that are not an earlier study's");
  command->add_flag("--progress", chosen->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", chosen->json, "Print one JSON object");
  command->footer("Example:\n  thud simulate --out campaign.h5 && thud study campaign.h5 --out study");
  command->callback([arguments, chosen] { run_study(*arguments, *chosen); });
}

}  // namespace thud::cli
