#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "info.hpp"
#include "log.hpp"
#include "progress.hpp"
#include "python.hpp"

namespace thud::cli {
namespace {

namespace fs = std::filesystem;

bool is_hdf5(const std::string& path) {
  const auto extension = fs::path(path).extension();
  return extension == ".h5" || extension == ".hdf5";
}

// Output of `info` for a dataset.
struct Summary {
  std::string file;
  DatasetHeader header;
  std::vector<std::string> joints;  // names
  std::size_t trials = 0;           // that exist
  std::map<std::string, std::size_t> per_configuration;
  std::set<double> speeds;                                       // [m/s]
  double force_rate = NAN, joint_rate = NAN, object_rate = NAN;  // median over the trials [Hz]
  std::vector<std::string> signals;                              // of the joints, in any trial
  std::size_t forces = 0, objects = 0;                           // trials with a force record, with an object
  std::set<double> masses;                                       // of the objects [kg]
  std::size_t alarms = 0;
  bool truth = false;
  std::vector<std::string> warnings;
};

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Samples per second of a log; none without two of them.
void add_rate(const VectorX& time, std::vector<double>& rates) {
  if (const auto n = time.size(); n > 1) rates.push_back(static_cast<double>(n - 1) / (time[n - 1] - time[0]));
}

constexpr std::pair<const char*, MatrixX JointLog::*> joint_signals[] = {
    {"position", &JointLog::position},
    {"velocity", &JointLog::velocity},
    {"torque", &JointLog::torque},
    {"torque_reference", &JointLog::torque_reference}};

std::vector<std::string> signals_of(const JointLog& joints) {
  std::vector<std::string> names;
  for (const auto& [name, signal] : joint_signals)
    if ((joints.*signal).size() > 0) names.emplace_back(name);
  return names;
}

// All trials, of which one is in memory at a time.
void add_trials(Summary& summary, const DatasetReader& reader, const std::vector<std::string>& names) {
  std::vector<double> force_rates, joint_rates, object_rates;
  std::set<std::string> signals;
  for (const auto& name : names) {
    const Trial trial = reader.trial(name);
    for (const auto& signal : signals_of(trial.joints)) signals.insert(signal);
    ++summary.per_configuration[trial.configuration];
    summary.speeds.insert(trial.speed);
    if (!trial.force.time.empty()) force_rates.push_back(sampling(trial.force).rate);
    add_rate(trial.joints.time, joint_rates);
    add_rate(trial.object.time, object_rates);
    if (trial.object.time.size() > 0) {
      ++summary.objects;
      summary.masses.insert(trial.object.mass);
    }
    summary.alarms += std::isnan(trial.alarm_time) ? 0 : 1;
    for (const auto& note : trial.force.notes) summary.warnings.push_back(trial.name + ": " + note.text);
  }
  for (const auto& [name, signal] : joint_signals)
    if (signals.contains(name)) summary.signals.emplace_back(name);
  summary.trials = names.size();
  summary.forces = force_rates.size();
  summary.force_rate = median(std::move(force_rates));
  summary.joint_rate = median(std::move(joint_rates));
  summary.object_rate = median(std::move(object_rates));
}

Summary summarize_dataset(const DatasetReader& reader, const std::string& name) {
  Summary summary;
  summary.file = name;
  summary.header = reader.header();
  const auto names = reader.finished();
  for (const auto& joint : reader.robot().joints()) summary.joints.push_back(joint.name);
  if (const auto planned = summary.header.plan.size(); names.size() < planned)
    summary.warnings.push_back(fmt::format("unfinished: {} of {} trials are missing", planned - names.size(), planned));
  add_trials(summary, reader, names);
  if (names.empty()) return summary;
  try {
    summary.truth = reader.truth(names.front()).has_value();
  } catch (const FileError& error) {
    summary.warnings.push_back(fmt::format("the truth cannot be read: {}", error.what()));
  }
  return summary;
}

std::vector<std::string> detection_joints(const Summary& summary) {
  std::vector<std::string> names;
  for (const int joint : summary.header.detection_joints)
    names.push_back(summary.joints[static_cast<std::size_t>(joint)]);
  return names;
}

Json summary_json(const Summary& summary) {
  const DatasetHeader& header = summary.header;
  Json object;
  object["kind"] = "dataset";
  object["file"] = summary.file;
  object["trials"] = summary.trials;
  object["planned"] = header.plan.size();
  object["complete"] = summary.trials == header.plan.size();
  object["source"] = to_string(header.source);
  object["seed"] = header.source == DataSource::simulated ? Json(header.seed) : Json(nullptr);
  object["robot"] = header.robot;
  object["joints"] = summary.joints;
  object["contact"] = {
      {"frame", header.point.frame}, {"offset", json(header.point.offset)}, {"normal", json(header.point.normal_W)}};
  object["detection_joints"] = detection_joints(summary);
  object["configurations"] = Json::array();
  for (const auto& configuration : header.configurations) {
    const auto found = summary.per_configuration.find(configuration.name);
    object["configurations"].push_back({{"name", configuration.name},
                                        {"q", json(configuration.q)},
                                        {"threshold", json(configuration.threshold)},
                                        {"trials", found == summary.per_configuration.end() ? 0 : found->second}});
  }
  object["speeds"] = summary.speeds;
  object["force"] = {{"rate", json(six_digits(summary.force_rate))}};
  if (summary.forces < summary.trials) object["force"]["trials"] = summary.forces;
  if (summary.objects > 0)
    object["object"] = {
        {"rate", json(six_digits(summary.object_rate))}, {"trials", summary.objects}, {"masses", summary.masses}};
  object["joint_signals"] = {{"rate", json(six_digits(summary.joint_rate))}, {"signals", summary.signals}};
  object["alarms"] = summary.alarms;
  object["truth"] = summary.truth;
  object["versions"] = header.versions;
  object["warnings"] = summary.warnings;
  return object;
}

std::string summary_table(const Summary& summary) {
  const DatasetHeader& header = summary.header;
  const bool complete = summary.trials == header.plan.size();
  std::string out = fmt::format("{}: {} of {} trials, {}; {}", printable(summary.file), summary.trials,
                                header.plan.size(), complete ? "complete" : "unfinished", to_string(header.source));
  if (header.source == DataSource::simulated)
    out += fmt::format(" with seed {}, truth {}", header.seed, summary.truth ? "included" : "not included");
  out +=
      fmt::format("\nrobot {}, {}; contact at {}, offset ({:.6g}, {:.6g}, {:.6g}) m, normal ({:.6g}, {:.6g}, {:.6g})\n",
                  printable(header.robot), counted(summary.joints.size(), "joint"), printable(header.point.frame),
                  header.point.offset[0], header.point.offset[1], header.point.offset[2], header.point.normal_W[0],
                  header.point.normal_W[1], header.point.normal_W[2]);
  if (summary.forces == summary.trials && summary.trials > 0)
    out += fmt::format("force at {:.6g} Hz", summary.force_rate);
  else if (summary.forces > 0)
    out += fmt::format("force in {} of {} trials, at {:.6g} Hz", summary.forces, summary.trials, summary.force_rate);
  else if (summary.trials > 0)
    out += "no force records";
  if (!summary.signals.empty())
    out += fmt::format("; joints at {:.6g} Hz: {}", summary.joint_rate, fmt::join(summary.signals, ", "));
  if (summary.objects > 0)
    out += fmt::format("; an object's motion in {} at {:.6g} Hz, masses {} kg", counted(summary.objects, "trial"),
                       summary.object_rate, fmt::join(summary.masses, ", "));
  out +=
      fmt::format("\nspeeds {} m/s; alarms in {}", fmt::join(summary.speeds, ", "), counted(summary.alarms, "trial"));
  if (!header.detection_joints.empty())
    out += fmt::format(", by {}", printable(fmt::format("{}", fmt::join(detection_joints(summary), ", "))));
  out += fmt::format("\n\n{:<20}{:>8}{:>12}   q\n", "configuration", "trials", "threshold");
  for (const auto& configuration : header.configurations) {
    const auto found = summary.per_configuration.find(configuration.name);
    const auto threshold = std::isnan(configuration.threshold) ? "" : fmt::format("{:.6g}", configuration.threshold);
    out += fmt::format("{:<20}{:>8}{:>12}   {:.6g}\n", configuration.name,
                       found == summary.per_configuration.end() ? 0 : found->second, threshold,
                       fmt::join(configuration.q, ", "));
  }
  for (const auto& [name, version] : header.versions)
    out += fmt::format("made by {} {}\n", printable(name), printable(version));
  for (const auto& sentence : summary.warnings) out += "warning: " + printable(sentence) + "\n";
  return out;
}

// One trial. As text it is a record that every command reads, the rest in comments above it.
constexpr std::pair<const char*, double Truth::*> truth_numbers[] = {
    {"velocity", &Truth::velocity},
    {"peak_force", &Truth::peak_force},
    {"compression_time", &Truth::compression_time},
    {"contact_time", &Truth::contact_time},
    {"impulse_compression", &Truth::impulse_compression},
    {"impulse", &Truth::impulse}};

double rate_of(const VectorX& time) {
  std::vector<double> rates;
  add_rate(time, rates);
  return median(std::move(rates));
}

Json trial_json(const std::string& file, const Trial& trial, const std::optional<Truth>& truth) {
  Json object{{"kind", "trial"},
              {"file", file},
              {"trial", trial.name},
              {"configuration", trial.configuration},
              {"speed", trial.speed},
              {"repeat", trial.repeat},
              {"clock_offset", trial.clock_offset},
              {"alarm_time", json(trial.alarm_time)}};
  object["force"] =
      trial.force.time.empty() ? Json(nullptr) : Json{{"time", trial.force.time}, {"force", trial.force.force}};
  const JointLog& joints = trial.joints;
  object["joint_signals"] = {{"samples", joints.time.size()},
                             {"rate", json(six_digits(rate_of(joints.time)))},
                             {"signals", signals_of(joints)}};
  object["object"] = nullptr;
  if (trial.object.time.size() > 0)
    object["object"] = {{"mass", trial.object.mass},
                        {"samples", trial.object.time.size()},
                        {"rate", json(six_digits(rate_of(trial.object.time)))}};
  object["truth"] = nullptr;
  if (truth) {
    object["truth"] = {{"law", to_string(kind_of(truth->law))}, {"parameters", Json::object()}};
    for (const auto& [name, value] : law_parameters(truth->law))
      object["truth"]["parameters"][std::string(name)] = value;
    for (const auto& [name, field] : truth_numbers) object["truth"][name] = json((*truth).*field);
  }
  object["warnings"] = texts(trial.force.notes);
  return object;
}

std::string trial_text(const Trial& trial, const std::optional<Truth>& truth) {
  Record record = trial.force;
  std::vector<std::string> comments{fmt::format("trial {}: configuration {}, reference speed {} m/s, repeat {}",
                                                trial.name, trial.configuration, trial.speed, trial.repeat),
                                    fmt::format("clock_offset {} s", trial.clock_offset)};
  if (!std::isnan(trial.alarm_time)) comments.back() += fmt::format(", alarm_time {} s", trial.alarm_time);
  if (const JointLog& joints = trial.joints; joints.time.size() > 0)
    comments.push_back(fmt::format("joints: {} samples at {:.6g} Hz: {}", joints.time.size(), rate_of(joints.time),
                                   fmt::join(signals_of(joints), ", ")));
  if (const ObjectLog& object = trial.object; object.time.size() > 0)
    comments.push_back(
        fmt::format("object of {} kg: {} samples at {:.6g} Hz", object.mass, object.time.size(), rate_of(object.time)));
  if (truth) {
    comments.push_back(fmt::format("simulated: {} wall", to_string(kind_of(truth->law))));
    for (const auto& [name, value] : law_parameters(truth->law)) comments.back() += fmt::format(", {} {}", name, value);
    for (const auto& [name, field] : truth_numbers)
      if (const double value = (*truth).*field; !std::isnan(value))
        comments.back() += fmt::format(", {} {}", name, value);
  }
  for (const auto& note : trial.force.notes) comments.push_back("warning: " + note.text);
  if (record.time.empty()) {
    comments.emplace_back("no force record");
    std::string out;
    for (const auto& comment : comments) out += "# " + printable(comment) + "\n";
    return out;
  }
  record.comments.insert(record.comments.begin(), comments.begin(), comments.end());
  return format_record(record);
}

struct DatasetArguments {
  std::string from, out, memory;
  std::vector<std::string> more;  // logs beside the first
  bool force = false, json = false, progress = false;
};

// A dataset with its truth, and what had to be decided about that.
struct Loaded {
  Dataset dataset;
  std::vector<Truth> truth;
  std::vector<std::string> warnings;
};

Loaded load(const char* command, const DatasetArguments& arguments) {
  Loaded loaded;
  const DatasetReader reader(arguments.from, memory_limit(arguments.memory));
  const auto names = reader.finished();
  Progress progress(command, names.size(), arguments.progress);
  loaded.dataset = reader.dataset([&](std::size_t done, std::size_t) { progress.at(done); });
  for (const auto& name : names)
    if (const auto truth = reader.truth(name)) loaded.truth.push_back(*truth);
  progress.done();
  if (const auto known = loaded.truth.size(); known > 0 && known < names.size()) {
    loaded.truth.clear();
    loaded.warnings.push_back(
        fmt::format("truth is known of {} trials in {} only, and is left out", known, names.size()));
  }
  if (const auto planned = loaded.dataset.header.plan.size(); names.size() < planned)
    loaded.warnings.push_back(fmt::format("unfinished: {} of {} trials are missing", planned - names.size(), planned));
  return loaded;
}

void report(const DatasetArguments& arguments, const Loaded& loaded) {
  const auto trials = loaded.dataset.trials.size(), planned = loaded.dataset.header.plan.size();
  if (arguments.json)
    return print({{"kind", "dataset"},
                  {"from", arguments.from},
                  {"file", arguments.out},
                  {"trials", trials},
                  {"planned", planned},
                  {"complete", trials == planned},
                  {"truth", !loaded.truth.empty()},
                  {"warnings", loaded.warnings}});
  std::string text = fmt::format("{}: {} of {} trials\n", printable(arguments.out), trials, planned);
  for (const auto& sentence : loaded.warnings) text += "warning: " + printable(sentence) + "\n";
  std::fputs(text.c_str(), stdout);
}

// What is converted is not replaced by its copy: neither itself, nor a folder that it stands in.
void require_other(const DatasetArguments& arguments) {
  std::error_code error;
  const auto from = fs::weakly_canonical(arguments.from, error), out = fs::weakly_canonical(arguments.out, error);
  const auto holds = [](const fs::path& folder, const fs::path& path) {
    const auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
  };
  if (holds(out, from) || fs::equivalent(arguments.from, arguments.out, error))
    throw FileError("--out", arguments.out, "is read by this command and would be lost");
}

void run_import(const DatasetArguments& arguments) {
  if (!is_hdf5(arguments.out)) throw InputError("--out", arguments.out, "must end in .h5 or .hdf5");
  require_replaceable_dataset("--out", arguments.out, arguments.force);
  require_other(arguments);
  const Loaded loaded = load("import", arguments);
  write_dataset(arguments.out, loaded.dataset, loaded.truth, arguments.force);
  report(arguments, loaded);
}

void run_export(const DatasetArguments& arguments) {
  if (is_hdf5(arguments.out)) throw InputError("--out", arguments.out, "names an HDF5 file; export writes a folder");
  require_replaceable_dataset("--out", arguments.out, arguments.force);
  require_other(arguments);
  const Loaded loaded = load("export", arguments);
  write_dataset(arguments.out, loaded.dataset, loaded.truth, arguments.force);
  report(arguments, loaded);
}

// What python -m thud.logs takes beside what a folder takes; docs/logs.md.
constexpr std::pair<const char*, const char*> log_options[] = {
    {"--robot", "A shipped name (thud info lists them) or a URDF file; a dataset holds no MJCF"},
    {"--frame", "Link that hits"},
    {"--offset", "Contact point X,Y,Z in that link's frame [m]"},
    {"--normal", "X,Y,Z out of the environment, in the world; any length"},
    {"--force-topic", "Topic or variable of the force; TOPIC:FIELD of a message that is no wrench"},
    {"--joint-topic", "Topic or variable of the joints"},
    {"--force-axis", "x, y, z, -x, -y, -z, norm or normal; without it the axis that exceeds its rest most"},
    {"--joints", "What the robot's joints are called in the log, in the robot's order: A,B,..."},
    {"--q", "Joint positions at the touch, instead of the log's: numbers or joint=value,..."},
    {"--speed", "Approach speed [m/s], or several of which each hit gets the nearest"},
    {"--min-force", "Smallest rise that is an impact [N]; without it 0.2 of the largest"},
    {"--from", "Leave out what is before this time of the force [s]"},
    {"--to", "Leave out what is after this time of the force [s]"},
    {"--clock-offset", "Added to the times of the force to get those of the joints [s]"},
    {"--unit", "time=ms,force=kN,position=deg: units of a log that is arrays"}};

[[noreturn]] void import_log(const CLI::App& command, const DatasetArguments& arguments) {
  if (!arguments.memory.empty()) throw InputError("--memory", arguments.memory, "does not apply to logs");
  for (const char* option : {"--robot", "--frame", "--normal"})
    if (command.get_option(option)->count() == 0)
      throw InputError(option, "missing", "a log needs it (see thud import --help)");
  auto words = words_of(command);
  std::erase(words, "--progress");
  words.insert(words.begin(), "import");
  become_python("logs", arguments.from, words);
}

void refuse_log_options(const CLI::App& command, const DatasetArguments& arguments) {
  if (!arguments.more.empty()) throw InputError("LOGS", arguments.more.front(), "only logs may be several");
  for (const auto& [name, help] : log_options)
    if (const auto* option = command.get_option(name); option->count() > 0)
      throw InputError(name, option->results().front(), "applies to logs only; a manifest.toml says it for a folder");
}

CLI::App* add_conversion(CLI::App& program, const char* name, const char* what, const char* from, const char* to,
                         const std::shared_ptr<DatasetArguments>& arguments) {
  auto* command = program.add_subcommand(name, what);
  command->add_option("DATASET", arguments->from, from)->required();
  command->add_option("--out", arguments->out, to)->required();
  command->add_option("--memory", arguments->memory, memory_help());
  command->add_flag("--force", arguments->force, "Replace a dataset that already exists");
  command->add_flag("--progress", arguments->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  return command;
}

}  // namespace

void add_dataset(CLI::App& program) {
  const auto in = std::make_shared<DatasetArguments>(), out = std::make_shared<DatasetArguments>();
  auto* reader = add_conversion(
      program, "import", "A folder of CSV files with a manifest.toml, or the impacts in a log, become one HDF5 file",
      "A folder with a manifest.toml, or a log: rosbag 1 (.bag), rosbag 2 (folder, .db3), .mcap, .mat, libfranka's "
      ".csv, "
      ".lvm, .flat",
      "The file to write, .h5 or .hdf5", in);
  reader->add_option("LOGS", in->more, "More logs of the same set-up, whose trials join those of the first");
  for (const auto& [name, help] : log_options) reader->add_option(name, help)->type_name("TEXT")->group("Of a log");
  reader->footer(
      "Of a log, for example:\n  thud import hits.bag --robot panda --frame panda_foot --offset 0,0,0.0223 --normal "
      "-1,0,0 --out hits.h5\n\nExample:\n  thud simulate --out campaign.h5 && thud export campaign.h5 --out campaign "
      "&& "
      "thud import campaign --out again.h5");
  reader->callback([in, reader] {
    if (is_log(in->from)) import_log(*reader, *in);
    refuse_log_options(*reader, *in);
    run_import(*in);
  });
  auto* writer = add_conversion(program, "export", "A dataset in HDF5 becomes a folder of CSV files",
                                "A dataset, .h5 or .hdf5", "The folder to write", out);
  writer->footer("Example:\n  thud simulate --out campaign.h5 && thud export campaign.h5 --out campaign");
  writer->callback([out] { run_export(*out); });
}

bool is_dataset(const std::string& subject) {
  std::error_code error;
  return is_hdf5(subject) || fs::is_directory(subject, error);
}

Json dataset_json(const DatasetReader& reader, const std::string& name) {
  return summary_json(summarize_dataset(reader, name));
}

void print_dataset(const std::string& subject, std::uint64_t memory, bool as_json) {
  const Summary summary = summarize_dataset(DatasetReader(subject, memory), subject);
  if (as_json) return print(summary_json(summary));
  std::fputs(summary_table(summary).c_str(), stdout);
}

void print_trial(const std::string& subject, const std::string& name, std::uint64_t memory, bool as_json) {
  const DatasetReader reader(subject, memory);
  const Trial trial = reader.trial(name);
  const auto truth = reader.truth(name);
  if (as_json) return print(trial_json(subject, trial, truth));
  std::fputs(trial_text(trial, truth).c_str(), stdout);
}

}  // namespace thud::cli
