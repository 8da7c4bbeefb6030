#include "info.hpp"

#include <thud/error.hpp>
#include <thud/record.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "command.hpp"
#include "log.hpp"
#include "python.hpp"
#include "record_arguments.hpp"
#include "sweep.hpp"

namespace thud::cli {
namespace {

Vector3 principal_moments(const BodyInertia& body) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

Json joint_json(const Robot& robot, const Joint& joint, const BodyInertia& body) {
  const auto name_of = [&](int i) {
    const auto at = static_cast<std::size_t>(i), joints = robot.joints().size();
    return (at < joints ? robot.joints()[at] : robot.followers()[at - joints].joint).name;
  };
  return {{"name", joint.name},
          {"type", to_string(joint.type)},
          {"parent", joint.parent < 0 ? Json(nullptr) : Json(name_of(joint.parent))},
          {"lower", json(joint.lower)},
          {"upper", json(joint.upper)},
          {"velocity", json(joint.velocity)},
          {"effort", json(joint.effort)},
          {"rotor_inertia", json(joint.rotor_inertia)},
          {"link", joint.link},
          {"mass", json(body.mass)},
          {"center_of_mass", json(body.com)},
          {"principal_moments", json(principal_moments(body))}};
}

// A row of the table of joints.
std::string joint_row(const Joint& joint, const BodyInertia& body, std::size_t names, std::size_t links) {
  const Vector3 moments = principal_moments(body);
  return fmt::format("{:<{}}{:<12} {:>9.5g} {:>9.5g} {:>9.5g} {:>8.5g}  {:<{}}{:>9.5g}   {:.5g}, {:.5g}, {:.5g}\n",
                     printable(joint.name), names, to_string(joint.type), joint.lower, joint.upper, joint.velocity,
                     joint.effort, printable(joint.link), links, body.mass, moments[0], moments[1], moments[2]);
}

std::string robot_table(const Robot& robot) {
  std::vector<std::string> names, links;
  const auto add = [&](const Joint& joint) {
    names.push_back(printable(joint.name));
    links.push_back(printable(joint.link));
  };
  for (const Joint& joint : robot.joints()) add(joint);
  for (const Follower& follower : robot.followers()) add(follower.joint);
  const std::size_t name_width = column_width(names, 20), link_width = column_width(links, 18);

  std::string out = fmt::format("{}: {}, {:.6g} kg moving\n\n", printable(robot.name()),
                                counted(robot.joints().size(), "joint"), robot.mass());
  out += fmt::format("{:<{}}{:<12} {:>9} {:>9} {:>9} {:>8}  {:<{}}{:>9}   principal moments [kg m^2]\n", "joint",
                     name_width, "type", "lower", "upper", "velocity", "effort", "moves link", link_width, "mass [kg]");
  for (std::size_t i = 0; i < robot.joints().size(); ++i)
    out += joint_row(robot.joints()[i], robot.bodies()[i], name_width, link_width);
  for (const Follower& follower : robot.followers())
    out += joint_row(follower.joint, follower.body, name_width, link_width);
  for (const Follower& follower : robot.followers())
    out += fmt::format("{} follows {}: q = {:.6g} q_leader + {:.6g}\n", printable(follower.joint.name),
                       printable(robot.joints()[static_cast<std::size_t>(follower.leader)].name), follower.multiplier,
                       follower.offset);
  const bool rotors = std::ranges::any_of(robot.joints(), [](const Joint& joint) { return joint.rotor_inertia > 0; });
  if (rotors) {
    out += "\nrotor inertia [kg m^2 or kg]:";
    for (const Joint& joint : robot.joints())
      out += fmt::format(" {} {:.5g}", printable(joint.name), joint.rotor_inertia);
    out += "\n";
  }
  out += "\nframes:";
  for (const auto& frame : robot.frames()) out += " " + printable(frame.name) + (frame.joint < 0 ? " (base)" : "");
  out += "\n";
  for (const auto& warning : robot.warnings()) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

// Jitter [%], without what rounding of the times makes of none.
double shown_jitter(double jitter) {
  constexpr double rounding = 1e-9;
  return jitter < rounding ? 0 : 100 * jitter;
}

std::string record_table(const std::string& file, const RecordSummary& summary) {
  const auto& [rate, contact, warnings] = summary;
  std::string out =
      fmt::format("{}: {} samples at {:.6g} Hz over {:.6g} s, jitter {:.2g} %, {}\n", printable(file), rate.samples,
                  rate.rate, rate.duration, shown_jitter(rate.jitter), counted(rate.gaps, "gap"));
  if (usable(contact))
    out +=
        fmt::format("noise {:.4g} N, baseline {:.4g} N; contact from {:.6g} to {:.6g} s, peak {:.5g} N at {:.6g} s\n",
                    contact.noise, contact.baseline, contact.start, contact.end, contact.peak, contact.peak_time);
  for (const auto& warning : warnings) out += "warning: " + printable(warning.text) + "\n";
  return out;
}

bool is_shipped_robot(const std::string& subject) {
  const auto shipped = shipped_robots();
  return std::find(shipped.begin(), shipped.end(), subject) != shipped.end();
}

// A file that is not URDF by its name is a record, and so is standard input; a word that is no file is a robot's name.
bool is_record(const std::string& subject) {
  if (subject == "-") return true;
  if (is_shipped_robot(subject)) return false;
  const std::string extension = std::filesystem::path(subject).extension().string();
  return extension == ".csv" || extension == ".tsv" || extension == ".txt" || extension == ".dat";
}

// Only --json applies to a log.
void print_log(const CLI::App& command, const std::string& log) {
  auto words = words_of(command);
  for (const auto& word : words)
    if (word.starts_with("--") && word != "--json")
      throw InputError(word.substr(0, word.find('=')), word.substr(word.find('=') + 1), "does not apply to logs");
  words.insert(words.begin(), "info");
  become_python("logs", log, words);
}

}  // namespace

Json robot_json(const Robot& robot) {
  Json object;
  object["kind"] = "robot";
  object["robot"] = robot.name();
  object["mass"] = json(robot.mass());
  object["joints"] = Json::array();
  for (std::size_t i = 0; i < robot.joints().size(); ++i)
    object["joints"].push_back(joint_json(robot, robot.joints()[i], robot.bodies()[i]));
  object["followers"] = Json::array();
  for (const Follower& follower : robot.followers()) {
    Json each = joint_json(robot, follower.joint, follower.body);
    each["leader"] = robot.joints()[static_cast<std::size_t>(follower.leader)].name;
    each["multiplier"] = json(follower.multiplier);
    each["offset"] = json(follower.offset);
    object["followers"].push_back(each);
  }
  object["frames"] = Json::array();
  for (const auto& frame : robot.frames()) object["frames"].push_back(frame.name);
  object["warnings"] = texts(robot.warnings());
  return object;
}

Json record_json(const std::string& file, const RecordSummary& summary) {
  const auto& [rate, contact, warnings] = summary;
  Json object;
  object["kind"] = "record";
  object["file"] = file;
  object["samples"] = rate.samples;
  object["duration"] = json(rate.duration);
  object["rate"] = json(six_digits(rate.rate));
  object["jitter"] = json(rate.jitter);
  object["gaps"] = rate.gaps;
  object["noise"] = json(contact.noise);
  object["baseline"] = json(contact.baseline);
  object["peak"] = {{"time", json(contact.peak_time)}, {"force", json(contact.peak)}};
  object["window"] = {{"start", json(contact.start)}, {"end", json(contact.end)}};
  object["warnings"] = texts(warnings);
  return object;
}

void add_info(CLI::App& program) {
  struct Arguments {
    std::string subject, kind, max_joints, memory, trial;
    RecordArguments record;
    bool json = false;
  };
  auto* command = program.add_subcommand(
      "info", "What a robot, a record, a dataset, a log, a sweep, a file of drives or of limits is");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("SUBJECT", arguments->subject,
                      "A robot (shipped name, URDF or MJCF file), a record (.csv, .tsv, .txt, .dat; - for standard "
                      "input), a dataset (.h5, .hdf5, or a folder with a manifest.toml), a log (.bag, .mcap, .mat, a "
                      "rosbag 2, ...), a sweep (.h5, or its plan, .toml), drives or limits (shipped name or TOML "
                      "file); without it, what ships");
  command->add_option("--kind", arguments->kind,
                      "robot, drives or limits, where one name is several: panda is a robot first");
  add_record_options(*command, arguments->record);
  command->add_option("--trial", arguments->trial, "One trial of a dataset, by its name: its values and its record");
  command->add_option("--memory", arguments->memory, memory_help());
  command->add_option("--max-joints", arguments->max_joints, max_joints_help());
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer("Example:\n  thud info panda");
  command->callback([arguments, command] {
    const bool told = !arguments->kind.empty();
    if (told && arguments->kind != "robot" && arguments->kind != "drives" && arguments->kind != "limits")
      throw InputError("--kind", arguments->kind, "must be robot, drives or limits");
    if (!told && is_log(arguments->subject)) return print_log(*command, arguments->subject);
    const bool sweep = !told && is_sweep(arguments->subject);
    const bool dataset = !told && !sweep && is_dataset(arguments->subject);
    const bool record = !told && !sweep && !dataset && is_record(arguments->subject);
    std::string settings = told && arguments->kind != "robot" ? arguments->kind : "";
    if (!told && !sweep && !dataset && !record && !is_shipped_robot(arguments->subject))
      settings = settings_kind(arguments->subject);
    const bool robot_file = !sweep && !dataset && !record && settings.empty() && !arguments->subject.empty();
    const auto refuse = [](const std::string& option, const std::string& value, const char* subjects) {
      if (!value.empty()) throw InputError(option, value, fmt::format("applies to {} only", subjects));
    };
    if (const auto given = arguments->record.any(); given && !record) refuse(given->first, given->second, "records");
    if (!record && !robot_file) refuse("--max-size", arguments->record.max_size, "records and robots");
    if (!robot_file) refuse("--max-joints", arguments->max_joints, "robots");
    if (!dataset) refuse("--memory", arguments->memory, "datasets");
    if (!dataset) refuse("--trial", arguments->trial, "datasets");
    if (arguments->subject.empty()) {
      if (told) throw InputError("SUBJECT", "missing", "is needed with --kind");
      if (arguments->json) {
        Json shipped{{"robots", shipped_robots()}};
        for (const auto& [kind, names] : shipped_settings()) shipped[kind] = names;
        shipped["warnings"] = Json::array();
        return print(shipped);
      }
      for (const auto& name : shipped_robots()) std::printf("%s\n", name.c_str());
      return;
    }
    if (sweep) return print_sweep(arguments->subject, arguments->json);
    if (dataset && !arguments->trial.empty())
      return print_trial(arguments->subject, arguments->trial, memory_limit(arguments->memory), arguments->json);
    if (dataset) return print_dataset(arguments->subject, memory_limit(arguments->memory), arguments->json);
    if (!settings.empty()) return print_settings(settings, arguments->subject, arguments->json);
    if (record) {
      const auto contact = arguments->record.contact_options();
      const RecordSummary summary =
          summarize(read_record(arguments->subject, arguments->record.record_options()), contact);
      if (arguments->json) return print(record_json(arguments->subject, summary));
      std::fputs(record_table(arguments->subject, summary).c_str(), stdout);
      return;
    }
    const Robot robot = named_robot(arguments->subject, urdf_limits(arguments->max_joints, arguments->record.max_size));
    if (arguments->json) return print(robot_json(robot));
    std::fputs(robot_table(robot).c_str(), stdout);
  });
}

}  // namespace thud::cli
