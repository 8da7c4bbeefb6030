#include "fit.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/profile.hpp>
#include <thud/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "progress.hpp"

namespace thud::cli {
namespace {

namespace fs = std::filesystem;

using Subject = FitSubject;

struct FitFiles {
  std::vector<std::string> records;
  std::string out, plot;
  bool force = false, json = false, progress = false;
};

// The files to read, and the messages about what is not.
struct Selection {
  std::vector<std::string> files, refused;
};

// Of several records, one that cannot be read does not keep the others from an answer.
std::string refusal_of(const std::string& file, const Error& error) {
  const std::string message = error.what();
  return message.starts_with(file) ? message : file + ": " + message;
}

// Tables of results are no records, though they end in .csv, and neither is the file of speeds.
bool is_record_in_folder(const fs::path& path, const std::string& speeds) {
  std::error_code error;
  return path.extension() == ".csv" && !is_output_of(path.string(), "fit") && !is_output_of(path.string(), "study") &&
         !fs::equivalent(path, speeds, error);
}

Selection select(const FitFiles& chosen, const std::string& speeds) {
  Selection selection;
  for (const auto& name : chosen.records) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      selection.files.push_back(name);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(name, error))
      if (is_record_in_folder(entry.path(), speeds)) inside.push_back(entry.path().string());
    if (error || inside.empty()) {
      const FileError refusal("RECORD", name, "a folder without a .csv file to read");
      if (chosen.records.size() == 1) throw refusal;
      selection.refused.emplace_back(refusal.what());
    }
    std::sort(inside.begin(), inside.end());
    selection.files.insert(selection.files.end(), inside.begin(), inside.end());
  }
  return selection;
}

// Approach speed of each file: one number for all, or a file of `record,speed` rows named as the records or their
// file names are. A record without a row is refused.
std::map<std::string, double> speeds_of(const std::string& argument, Selection& selection) {
  std::map<std::string, double> speeds;
  if (!fs::is_regular_file(argument)) {
    const double speed = positive("--speed", argument);
    for (const auto& file : selection.files) speeds[file] = speed;
    return speeds;
  }
  std::map<std::string, double> given;
  int line = 0;
  std::string text = read_file(argument), row;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    row = text.substr(at, end - at);
    at = end + 1;
    ++line;
    if (!row.empty() && row.back() == '\r') row.pop_back();
    if (row.empty() || row[0] == '#' || row == "record,speed") continue;
    const auto comma = row.rfind(',');
    const std::string where = argument + ":" + std::to_string(line);
    if (comma == std::string::npos) throw FileError(where, row, "must be record,speed");
    if (!given.emplace(row.substr(0, comma), positive(where, row.substr(comma + 1))).second)
      throw FileError(where, row, "names that record twice");
  }
  for (const auto& file : selection.files) {
    auto found = given.find(file);
    if (found == given.end()) found = given.find(fs::path(file).filename().string());
    if (found != given.end()) {
      speeds[file] = found->second;
      continue;
    }
    const InputError refusal("--speed", argument, "has no row for " + file);
    if (selection.files.size() == 1) throw refusal;
    selection.refused.emplace_back(refusal.what());
  }
  std::erase_if(selection.files, [&](const std::string& file) { return !speeds.contains(file); });
  return speeds;
}

VectorX residuals_of(const Subject& subject, const FitResult& law) {
  for (const ElasticFit& fit : subject.arms)
    if (fit.result.kind == law.kind) return residuals(subject.found.contact, fit);
  return residuals(subject.found.contact, law);
}

// What a law leaves over of the contact; null unless its fit converged.
Json residuals_json(const Subject& subject, const FitResult& law) {
  const VectorX left = residuals_of(subject, law);
  if (left.size() == 0) return nullptr;
  const auto& time = subject.found.contact.time;
  const ResidualSummary summary =
      summarize_residuals(Eigen::Map<const Eigen::VectorXd>(time.data(), std::ssize(time)), left);
  return {{"rmse", json(summary.rmse)},
          {"noise", json(summary.noise)},
          {"runs", summary.runs},
          {"expected_runs", json(summary.expected_runs)},
          {"runs_p", json(summary.runs_p)},
          {"frequency", json(summary.frequency)},
          {"frequency_share", json(summary.frequency_share)}};
}

Json law_json(const Subject& subject, const FitResult& law) {
  Json object;
  object["status"] = to_string(law.status);
  object["message"] = law.message;
  object["parameters"] = object["identifiability"] = Json::object();
  for (const auto& parameter : law.parameters) {
    object["parameters"][std::string(parameter.name)] = {
        {"value", json(parameter.value)}, {"low", json(parameter.low)}, {"high", json(parameter.high)}};
    object["identifiability"][std::string(parameter.name)] = to_string(parameter.identifiability);
  }
  for (const auto& [name, field] : fit_numbers) object[std::string(name)] = json(law.*field);
  object["restitution_interval"] = {{"low", json(law.restitution_low)},
                                    {"high", json(law.restitution_high)},
                                    {"identifiability", to_string(law.restitution_identifiability)}};
  object["noise"] = json(law.noise);
  object["misfit"] = json(law.misfit);
  object["residuals"] = residuals_json(subject, law);
  return object;
}

// What the table says of a parameter that the record does not tell.
std::string doubt(Identifiability told) {
  switch (told) {
    case Identifiability::flat:
      return "; flat";
    case Identifiability::correlated:
      return "; correlated";
    case Identifiability::window_too_short:
      return "; window too short";
    default:
      return "";
  }
}

// One line per law. A column is as wide as its longest cell needs, and never narrower than usual.
std::string laws_table(const Identification& found) {
  struct Column {
    std::string_view title;
    std::size_t width;
    bool left = false;
  };
  std::vector<Column> columns{{"law", 17, true}, {"status", 18, true},    {"RMSE [N]", 9}, {"R^2", 10}, {"BIC", 11},
                              {"e", 9},          {"impulse_c [N s]", 17}, {"measured", 10}};
  const auto cell = [](double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string("none");
  };
  std::vector<std::vector<std::string>> rows{{}};
  for (const auto& column : columns) rows.front().emplace_back(column.title);
  rows.front().emplace_back("parameters, 95 % interval");
  for (const auto& law : found.laws) {
    std::string parameters;
    for (const auto& [name, value, low, high, told] : law.parameters)
      if (name != "start" && name != "baseline")
        parameters += fmt::format("{}{} {:.4g} ({}{})", parameters.empty() ? "" : ", ", name, value,
                                  std::isnan(low + high) ? "no interval" : fmt::format("{:.4g} to {:.4g}", low, high),
                                  doubt(told));
    rows.push_back({std::string(to_string(law.kind)) + (found.best == law.kind ? " *" : ""),
                    std::string(to_string(law.status)), cell(law.rmse, 4), cell(law.r_squared, 5), cell(law.bic, 6),
                    cell(law.restitution, 4), cell(law.impulse_compression, 5),
                    cell(law.measured_impulse_compression, 5), parameters});
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const auto& row : rows) columns[i].width = std::max(columns[i].width, row[i].size() + 1);
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      out += fmt::format(fmt::runtime(columns[i].left ? "{:<{}}" : "{:>{}}"), row[i], columns[i].width);
    out += "  " + row.back() + "\n";
  }
  return out;
}

std::string subject_table(const Subject& subject) {
  const ContactWindow& window = subject.found.window;
  std::string out = fmt::format("{}: {} samples at {:.6g} Hz", printable(subject.file), subject.record.time.size(),
                                subject.rate.rate);
  if (usable(window))
    out += fmt::format("; contact from {:.5g} to {:.5g} ms, peak {:.5g} N, noise {:.3g} N", 1e3 * window.start,
                       1e3 * window.end, window.peak, window.noise);
  out += "\n";
  if (!subject.found.laws.empty()) out += "\n" + laws_table(subject.found);
  if (subject.found.best) out += fmt::format("* best by BIC: {}\n", to_string(*subject.found.best));
  for (const auto& warning : subject.found.warnings) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

// One row per record and law; an empty cell is a number that does not exist. The restitution appears once, with an
// interval for the law that has it as a parameter.
std::string csv_table(const std::vector<Subject>& subjects) {
  std::vector<std::string_view> names = parameter_names();
  names.insert(names.end(), {"mass", "start", "baseline"});
  if (!subjects.empty() && !subjects.front().arms.empty())
    for (const DriveParameter each : all_drive_parameters) names.push_back(factor_name(each));
  std::string titles = "file,speed,samples,rate,window_start,window_end,law,best,status";
  for (const auto name : names) titles += fmt::format(",{0},{0}_low,{0}_high", name);
  const auto is_parameter = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& [name, field] : fit_numbers)
    if (!is_parameter(name)) titles += fmt::format(",{}", name);
  const auto columns = static_cast<std::size_t>(std::count(titles.begin(), titles.end(), ','));
  std::string text = titles + "\n";
  const auto cell = [](double value) { return std::isfinite(value) ? fmt::format(",{}", value) : std::string(","); };
  const auto quoted = [](std::string name) {
    for (std::size_t at = name.find('"'); at != std::string::npos; at = name.find('"', at + 2)) name.insert(at, 1, '"');
    return fmt::format("\"{}\"", name);
  };
  for (const auto& subject : subjects) {
    for (const auto& law : subject.found.laws) {
      text += quoted(subject.file) + cell(subject.speed) + "," + std::to_string(subject.record.time.size()) +
              cell(subject.rate.rate) + cell(subject.found.window.start) + cell(subject.found.window.end) + "," +
              std::string(to_string(law.kind)) + (subject.found.best == law.kind ? ",1," : ",0,") +
              std::string(to_string(law.status));
      for (const std::string_view name : names) {
        const auto found = std::find_if(law.parameters.begin(), law.parameters.end(),
                                        [&](const FitParameter& each) { return each.name == name; });
        FitParameter parameter = found == law.parameters.end() ? FitParameter{} : *found;
        if (name == "restitution") parameter.value = law.restitution;
        text += cell(parameter.value) + cell(parameter.low) + cell(parameter.high);
      }
      for (const auto& [name, field] : fit_numbers)
        if (!is_parameter(name)) text += cell(law.*field);
      text += "\n";
    }
    if (subject.found.laws.empty()) {
      text += quoted(subject.file) + cell(subject.speed) + "," + std::to_string(subject.record.time.size()) +
              cell(subject.rate.rate) + ",,,,0,no_contact";
      text += std::string(columns - 8, ',') + "\n";  // after the ninth column nothing is known
    }
  }
  return text;
}

// The record, every law's force over it, and what the laws leave over.
plot::Chart chart_of(const Subject& subject) {
  const double start = subject.found.window.start;
  const auto milliseconds = [&](double time) { return 1e3 * (time - start); };
  plot::Series measured{"record", {}, {}, plot::Series::Style::points};
  for (std::size_t i = 0; i < subject.found.contact.time.size(); ++i) {
    measured.x.push_back(milliseconds(subject.found.contact.time[i]));
    measured.y.push_back(subject.found.contact.force[i]);
  }
  plot::Chart chart;
  chart.title = fs::path(subject.file).filename().string();
  chart.subtitle = fmt::format("{:.4g} m/s; best law by BIC: {}", subject.speed,
                               subject.found.best ? to_string(*subject.found.best) : "none");
  chart.x_label = "time from first touch [ms]";
  plot::Panel force{"force [N]", {measured}, {}, 2}, residual{"record - law [N]", {}, {}, 1};
  std::vector<FitResult> laws = subject.found.laws;  // the best on top
  std::stable_partition(laws.begin(), laws.end(), [&](const FitResult& law) { return subject.found.best != law.kind; });
  for (const auto& law : laws) {
    const auto course = course_of(subject, law);
    if (!course) continue;
    plot::Series line{std::string(to_string(law.kind)), {}, {}}, rest = line;
    for (std::size_t i = 0; i < subject.found.contact.time.size(); ++i) {
      const double time = subject.found.contact.time[i];
      const double model = law.baseline + course->force[i];
      line.x.push_back(milliseconds(time));
      line.y.push_back(model);
      rest.x.push_back(milliseconds(time));
      rest.y.push_back(subject.found.contact.force[i] - model);
    }
    force.series.push_back(line);
    residual.series.push_back(rest);
    if (subject.found.best == law.kind) {
      force.marks.push_back({milliseconds(law.start + law.time_of_peak), "peak"});
      if (law.time_of_compression > 0)
        force.marks.push_back({milliseconds(law.start + law.time_of_compression), "end of compression"});
      if (course->end_of_force)
        force.marks.push_back({milliseconds(law.start + course->end_of_force->time), "end of force"});
    }
  }
  chart.panels = {force, residual};
  chart.height = 640;
  return chart;
}

void run_fit(const FitArguments& arguments, const FitFiles& chosen) {
  const FitTask task = fit_task(arguments);
  Selection selection = select(chosen, arguments.speed);
  const auto speeds = speeds_of(arguments.speed, selection);
  auto& [files, refused] = selection;
  const bool single = files.size() + refused.size() == 1;
  if (!chosen.plot.empty() && files.size() != 1)
    throw InputError("--plot", std::to_string(files.size()) + " records", "draws one record at a time");
  Overwrite overwrite{.inputs = files, .force = chosen.force};
  if (task.arm) overwrite.inputs.insert(overwrite.inputs.end(), {arguments.arm.robot, arguments.arm.drives});
  if (fs::is_regular_file(arguments.speed)) overwrite.inputs.push_back(arguments.speed);
  Outputs outputs("fit", std::move(overwrite));
  outputs.add("--out", chosen.out);
  outputs.add("--plot", chosen.plot);

  std::vector<Subject> subjects;
  Progress progress("fit", files.size(), chosen.progress);
  for (const auto& file : files) {
    try {
      subjects.push_back(fit_subject(task, file, speeds.at(file), read_record(file, task.record)));
    } catch (const Error& error) {
      if (single) throw;
      refused.push_back(refusal_of(file, error));
    } catch (const std::bad_alloc&) {
      const FileError error(file, "does not fit into memory", "a shorter record is needed");
      if (single) throw error;
      refused.emplace_back(error.what());
    }
    progress.step();
  }
  progress.done();

  outputs.write("--out", csv_table(subjects));
  if (outputs.wanted("--plot") && !subjects.empty() && usable(subjects.front().found.window))
    outputs.write("--plot", plot::drawing(chosen.plot, chart_of(subjects.front())));
  if (chosen.json) {
    print(fit_json(subjects, refused));
  } else {
    std::string text;
    for (const auto& subject : subjects) text += (text.empty() ? "" : "\n") + subject_table(subject);
    std::fputs(text.c_str(), stdout);
  }
  if (!refused.empty()) throw NoAnswer(std::move(refused));
  const auto answered = [](const Subject& subject) { return subject.found.best.has_value(); };
  const auto touched = [](const Subject& subject) { return !subject.found.laws.empty(); };
  if (std::none_of(subjects.begin(), subjects.end(), answered))
    throw NoAnswer(
        fmt::format("fit: {}: {}", chosen.records.front(),
                    std::any_of(subjects.begin(), subjects.end(), touched) ? "no law converged" : "no contact to fit"));
}

}  // namespace

double positive(const std::string& option, const std::string& text) {
  const double value = number(option, text);
  if (value <= 0) throw InputError(option, text, "must be > 0");
  return value;
}

FitTask fit_task(const FitArguments& arguments, const Sources& sources) {
  FitTask task;
  if (arguments.law != "all") {
    if (!law_from_name(arguments.law)) throw InputError("--law", arguments.law, "must be all, " + law_names());
    task.kind = law_kind("--law", arguments.law);
  }
  if (!arguments.mass.empty()) task.mass = positive("--mass", arguments.mass);
  task.arm = fitted_arm(arguments.arm, arguments.free, arguments.model_error, arguments.mass, sources);
  task.record = arguments.record.record_options();
  task.contact = arguments.record.contact_options();
  return task;
}

FitSubject fit_subject(const FitTask& task, const std::string& file, double speed, Record record) {
  FitSubject subject;
  subject.file = file;
  subject.speed = speed;
  subject.record = std::move(record);
  subject.rate = sampling(subject.record);
  if (task.arm)
    subject.found = identified(*task.arm, subject.record, speed, task.kind, task.contact, subject.arms);
  else
    subject.found = identify(subject.record, -speed, {.mass = task.mass}, task.kind, task.contact);
  return subject;
}

std::optional<FittedCourse> course_of(const FitSubject& subject, const FitResult& law) {
  const auto& time = subject.found.contact.time;
  for (const ElasticFit& fit : subject.arms)
    if (fit.result.kind == law.kind) return fitted_course(fit, time);
  const auto profile = fitted_profile(law);
  if (!profile) return std::nullopt;
  FittedCourse course{{}, profile->end_of_force};
  for (const double each : time) course.force.push_back(state(*profile, each - law.start).force);
  return course;
}

Json subject_json(const FitSubject& subject) {
  Json object;
  object["file"] = subject.file;
  object["speed"] = json(subject.speed);
  object["samples"] = subject.record.time.size();
  object["rate"] = json(six_digits(subject.rate.rate));
  object["window"] = {{"start", json(subject.found.window.start)}, {"end", json(subject.found.window.end)}};
  object["noise"] = json(subject.found.window.noise);
  object["peak"] = {{"time", json(subject.found.window.peak_time)}, {"force", json(subject.found.window.peak)}};
  object["best"] = subject.found.best ? Json(to_string(*subject.found.best)) : Json(nullptr);
  object["laws"] = Json::object();
  for (const auto& law : subject.found.laws) object["laws"][std::string(to_string(law.kind))] = law_json(subject, law);
  for (const auto& fit : subject.arms) object["laws"][std::string(to_string(fit.result.kind))].update(arm_json(fit));
  object["warnings"] = texts(subject.found.warnings);
  return object;
}

Json fit_json(const std::vector<FitSubject>& subjects, const std::vector<std::string>& refused) {
  Json object{{"records", Json::array()}, {"warnings", refused}};
  for (const auto& subject : subjects) object["records"].push_back(subject_json(subject));
  return object;
}

void add_fit_options(CLI::App& command, FitArguments& arguments) {
  command.add_option("--speed", arguments.speed, "Approach speed [m/s], or a file of record,speed rows")->required();
  command.add_option("--mass", arguments.mass, "Effective mass [kg]; without it, it is fitted");
  command.add_option("--law", arguments.law, law_names() + ", or all");
  command.add_option(
      "--robot", arguments.arm.robot,
      "The arm that hit, with elastic joints, in the place of a mass: a shipped name or a URDF or MJCF file");
  add_arm_options(command, arguments.arm);
  command.add_option("--free", arguments.free,
                     "Drives to fit, as factors of what --drives says: stiffness,damping,rotor_inertia,servo");
  command.add_option("--model-error", arguments.model_error,
                     "Error of the arm's model, root mean square over the peak force, that its intervals hold");
  add_record_options(command, arguments.record);
}

void add_fit(CLI::App& program) {
  auto* command = program.add_subcommand("fit", "Which contact law, which parameters: from measured force");
  auto arguments = std::make_shared<FitArguments>();
  auto chosen = std::make_shared<FitFiles>();
  command
      ->add_option("RECORD", chosen->records,
                   "CSV files with a time and a force column, folders of them, or - for standard input")
      ->required();
  add_fit_options(*command, *arguments);
  command->add_option("--out", chosen->out, "Write one table for all records as CSV");
  command->add_option("--plot", chosen->plot, "Draw the record, the laws and the events, as .svg or .html");
  command->add_flag("--force", chosen->force, "Replace a file that is not an earlier result of this command");
  command->add_flag("--progress", chosen->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", chosen->json, "Print one JSON object");
  command->footer(
      "Example:\n  thud profile --law viscoelastic --mass 4 --speed 0.12 --stiffness 3e5 --damping 1.25e7 --csv "
      "hit.csv && thud fit hit.csv --speed 0.12 --plot fit.svg");
  command->callback([arguments, chosen] { run_fit(*arguments, *chosen); });
}

}  // namespace thud::cli
