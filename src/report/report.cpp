#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/report.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "report/cell_columns.hpp"
#include "report/folder.hpp"
#include "report/row.hpp"

namespace THUD_EXPORT thud {
using namespace report;
namespace {

// Whose output a file is by its mark: the command's, and of JSON its format.
constexpr std::string_view command = "study";
constexpr std::string_view results_format = "results";

// Columns of a law's fit, the same for every law.
struct LawColumn {
  std::string_view name, unit;
  double FitResult::*value;
};
constexpr LawColumn law_columns[] = {{"restitution", "1", &FitResult::restitution},
                                     {"restitution_low", "1", &FitResult::restitution_low},
                                     {"restitution_high", "1", &FitResult::restitution_high},
                                     {"r_squared", "1", &FitResult::r_squared},
                                     {"bic", "1", &FitResult::bic},
                                     {"misfit", "1", &FitResult::misfit},
                                     {"mass", "kg", &FitResult::mass},
                                     {"time_of_peak", "s", &FitResult::time_of_peak},
                                     {"time_of_compression", "s", &FitResult::time_of_compression}};

// Of what it leaves over, likewise.
struct ResidualColumn {
  std::string_view name, unit;
  double ResidualSummary::*value;
};
constexpr ResidualColumn residual_columns[] = {{"residual_runs_p", "1", &ResidualSummary::runs_p},
                                               {"residual_frequency", "Hz", &ResidualSummary::frequency},
                                               {"residual_frequency_share", "1", &ResidualSummary::frequency_share}};

// The law's own parameters, and the mass.
std::vector<std::string_view> parameters_of(LawKind kind) {
  std::vector<std::string_view> names;
  std::visit(
      [&](const auto& law) {
        for (const auto& each : law.parameters) names.push_back(each.name);
      },
      typical_law(kind));
  names.push_back("mass");
  return names;
}

void add_law_titles(Row& header, LawKind kind) {
  const auto named = [&](std::string_view name) { return std::string(name).append("_").append(to_string(kind)); };
  for (const auto& column : law_columns) header.add(title(named(column.name), column.unit));
  for (const auto& column : residual_columns) header.add(title(named(column.name), column.unit));
  header.add(named("restitution_identifiability"));
  for (const std::string_view name : parameters_of(kind))
    if (name != "restitution") header.add(named(std::string(name).append("_identifiability")));
}

void add_law(Row& row, const TrialStudy& trial, LawKind kind) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const FitResult* law = trial.law(kind);
  for (const auto& column : law_columns) row.add(law ? law->*column.value : none);
  const auto at = law ? static_cast<std::size_t>(law - trial.found.laws.data()) : 0;
  for (const auto& column : residual_columns) row.add(law ? trial.residuals[at].*column.value : none);
  row.add(law ? to_string(law->restitution_identifiability) : "");
  for (const std::string_view name : parameters_of(kind)) {
    if (name == "restitution") continue;  // told above, by an interval that holds an error of the law
    row.add(law ? to_string(std::ranges::find(law->parameters, name, &FitParameter::name)->identifiability) : "");
  }
}

double value(const FitResult* law, std::string_view name) {
  if (law)
    for (const auto& parameter : law->parameters)
      if (parameter.name == name) return parameter.value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string trials_csv(const Study& study) {
  Row header;
  for (const char* name : {"name",
                           "configuration",
                           "speed [m/s]",
                           "repeat",
                           "status",
                           "velocity_source",
                           "velocity_exact [m/s]",
                           "velocity_approximate [m/s]",
                           "ratio [1]",
                           "window_start [s]",
                           "window_end [s]",
                           "window_noise [N]",
                           "peak_force [N]",
                           "peak_time [s]",
                           "contact_time [s]",
                           "impulse_compression [N s]",
                           "impulse_compression_best [N s]",
                           "impulse_total [N s]",
                           "detection_delay [s]",
                           "observer_delay [s]",
                           "best",
                           "best_model",
                           "stiffness_viscoelastic [N/m]",
                           "damping_viscoelastic [N s/m^2]"})
    header.add(std::string_view(name));
  for (const LawKind kind : all_laws) add_law_titles(header, kind);
  std::string text = header.line();
  for (const auto& trial : study.trials) {
    Row row;
    row.add(trial.name).add(trial.configuration).add(trial.speed).add(trial.repeat);
    row.add(trial.ok() ? to_string(trial.status) : trial.message);
    row.add(trial.ok() ? to_string(trial.touch.source) : "").add(trial.touch.v_exact).add(trial.touch.v_approximate);
    row.add(trial.touch.ratio).add(trial.found.window.start).add(trial.found.window.end).add(trial.found.window.noise);
    row.add(trial.peak_force).add(trial.peak_time).add(trial.contact_time).add(trial.impulse_compression);
    row.add(trial.impulse_compression_best)
        .add(trial.impulse_total)
        .add(trial.detection_delay)
        .add(trial.observer_delay);
    row.add(trial.found.best ? to_string(*trial.found.best) : "").add(trial.best_model);
    const FitResult* viscoelastic = trial.law(LawKind::viscoelastic);
    row.add(value(viscoelastic, "stiffness")).add(value(viscoelastic, "damping"));
    for (const LawKind kind : all_laws) add_law(row, trial, kind);
    text += row.line();
  }
  return text;
}

std::string cells_csv(const Study& study) {
  constexpr std::pair<const char*, double Spread::*> parts[] = {
      {"mean", &Spread::mean}, {"std", &Spread::std}, {"min", &Spread::min}, {"max", &Spread::max}};
  Row header;
  header.add("configuration").add("speed [m/s]").add("trials");
  for (const auto& [name, unit, field] : cell_columns)
    for (const auto& [part, number] : parts) header.add(title(std::string(name).append("_").append(part), unit));
  std::string text = header.line();
  for (const auto& cell : study.cells) {
    Row row;
    row.add(cell.configuration).add(cell.speed).add(cell.trials.size());
    for (const auto& [name, unit, field] : cell_columns)
      for (const auto& [part, number] : parts) row.add(cell.*field.*number);
    text += row.line();
  }
  return text;
}

std::string predictions_csv(const Study& study) {
  Row header;
  for (const char* name :
       {"configuration", "speed [m/s]", "robot", "option", "status", "effective_mass [kg]", "impulse_compression [N s]",
        "impulse_compression_approximate [N s]", "measured_impulse_compression_mean [N s]",
        "measured_impulse_compression_std [N s]", "measured_impulse_compression_best_mean [N s]",
        "measured_impulse_compression_best_std [N s]"})
    header.add(std::string_view(name));
  std::string text = header.line();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto add = [&](const CellStudy& cell, const std::string& robot, std::string_view option,
                       std::string_view status, double mass, double impulse, double approximate) {
    Row row;
    row.add(cell.configuration).add(cell.speed).add(robot).add(option).add(status).add(mass).add(impulse);
    row.add(approximate).add(cell.impulse_compression.mean).add(cell.impulse_compression.std);
    row.add(cell.impulse_compression_best.mean).add(cell.impulse_compression_best.std);
    text += row.line();
  };
  const auto exists = [](double value) { return std::isfinite(value) ? "ok" : "none"; };
  for (const auto& cell : study.cells) {
    for (std::size_t i = 0; i < study.robots.size(); ++i)
      for (const InertiaModel option : all_inertia_models) {
        const ModelPrediction& prediction = cell.predictions[i][option];
        add(cell, study.robots[i], to_string(option), to_string(prediction.inertia.status),
            prediction.inertia.effective_mass(), prediction.impulse.compression,
            option == InertiaModel::composite_rigid_body ? prediction.impulse_approximate.compression : none);
      }
    if (!study.arm) continue;
    const double elastic = cell.impulse_elastic.mean;
    add(cell, study.robots.front(), "generalized_momentum_with_rotors", exists(cell.mass_rotors), cell.mass_rotors,
        cell.impulse_rotors, none);
    add(cell, study.robots.front(), "elastic_joints", exists(elastic), elastic / -cell.velocity_exact.mean, elastic,
        none);
  }
  return text;
}

std::string verdicts_csv(const Study& study) {
  Row header;
  for (const char* name : {"claim", "verdict", "statistic", "threshold", "unit", "statement", "why", "section"})
    header.add(std::string_view(name));
  std::string text = header.line();
  for (const auto* verdicts : {&study.verdicts, &study.beyond})
    for (const auto& verdict : *verdicts) {
      Row row;
      row.add(verdict.claim).add(to_string(verdict.judgement)).add(verdict.statistic).add(verdict.threshold);
      row.add(verdict.unit).add(verdict.statement).add(verdict.why).add(verdict.section);
      text += row.line();
    }
  return text;
}

std::string objects_csv(const Study& study) {
  Row header;
  for (const char* name : {"trial", "status", "mass [kg]", "touch_time [s]", "approach [m/s]", "restitution [1]",
                           "friction [1]", "speed [m/s]", "spin [rad/s]", "angle [rad]", "model",
                           "predicted_speed [m/s]", "predicted_spin [rad/s]", "predicted_angle [rad]"})
    header.add(std::string_view(name));
  std::string text = header.line();
  if (!study.objects) return text;
  for (const auto& object : study.objects->trials) {
    const auto add = [&](const ObjectPrediction& prediction) {
      Row row;
      row.add(object.trial).add(object.message.empty() ? "ok" : object.message).add(object.mass);
      row.add(object.touch_time).add(object.approach).add(object.restitution).add(object.friction);
      row.add(object.speed).add(object.spin).add(object.angle).add(prediction.model);
      row.add(prediction.speed).add(prediction.spin).add(prediction.angle);
      text += row.line();
    };
    if (object.predictions.empty()) add({});
    for (const auto& prediction : object.predictions) add(prediction);
  }
  return text;
}

ReportFiles report_files(const std::string& folder, const Overwrite& overwrite, bool page) {
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  ReportFiles files{.page = page ? path("report.html") : "", .results = path("results.json"), .tables = {}};
  for (const char* name : {"trials.csv", "cells.csv", "predictions.csv", "verdicts.csv"})
    files.tables.push_back(path(name));
  if (!is_folder(folder)) return files;  // there is nothing in their place
  if (page) require_replaceable("folder", files.page, command, overwrite);
  require_replaceable("folder", files.results, results_format, overwrite);
  for (const auto& table : files.tables) require_replaceable("folder", table, command, overwrite);
  return files;
}

ReportFiles write_report(const Study& study, const std::string& file, const std::string& folder,
                         const Overwrite& overwrite, bool page) {
  ReportFiles files = report_files(folder, overwrite, page);
  std::vector<std::string> tables{trials_csv(study), cells_csv(study), predictions_csv(study), verdicts_csv(study)};
  const std::string objects = (std::filesystem::path(folder) / "objects.csv").string();
  if (study.objects) {
    if (is_folder(folder)) require_replaceable("folder", objects, command, overwrite);
    files.tables.push_back(objects);
    tables.push_back(objects_csv(study));
  }
  const std::string results = results_json(study, file);
  const std::string drawn = page ? report_page(results) : "";
  make_folder(folder);
  if (std::error_code error; !study.objects && is_output_of(objects, command))
    std::filesystem::remove(objects, error);  // of an older study
  const std::string written_by = output_mark(command);
  for (std::size_t i = 0; i < files.tables.size(); ++i)
    write_file(files.tables[i], "# " + written_by + "\n" + tables[i]);
  if (page) write_file(files.page, "<!-- " + written_by + " -->\n" + drawn);
  write_file(files.results, results);
  return files;
}

}  // namespace thud
