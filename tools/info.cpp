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

#include "arguments.hpp"
#include "command.hpp"
#include "record_arguments.hpp"

namespace thud::cli {
namespace {

Vector3 principal_moments(const BodyInertia& body) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

Json robot_json(const Robot& robot) {
  Json object;
  object["kind"] = "robot";
  object["robot"] = robot.name();
  object["mass"] = json(robot.mass());
  object["joints"] = Json::array();
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    object["joints"].push_back(
        {{"name", joint.name},
         {"type", to_string(joint.type)},
         {"parent",
          joint.parent < 0 ? Json(nullptr) : Json(robot.joints()[static_cast<std::size_t>(joint.parent)].name)},
         {"lower", json(joint.lower)},
         {"upper", json(joint.upper)},
         {"velocity", json(joint.velocity)},
         {"effort", json(joint.effort)},
         {"link", joint.link},
         {"mass", json(body.mass)},
         {"center_of_mass", json(body.com)},
         {"principal_moments", json(principal_moments(body))}});
  }
  object["frames"] = Json::array();
  for (const auto& frame : robot.frames()) object["frames"].push_back(frame.name);
  object["warnings"] = texts(robot.warnings());
  return object;
}

std::string robot_table(const Robot& robot) {
  std::string out = fmt::format("{}: {} joints, {:.6g} kg moving\n\n", robot.name(), robot.size(), robot.mass());
  out += fmt::format("{:<20}{:<12}{:>10}{:>10}{:>10}{:>9}  {:<18}{:>9}   principal moments [kg m^2]\n", "joint", "type",
                     "lower", "upper", "velocity", "effort", "moves link", "mass [kg]");
  for (int i = 0; i < robot.size(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const BodyInertia& body = robot.bodies()[static_cast<std::size_t>(i)];
    const Vector3 moments = principal_moments(body);
    out += fmt::format("{:<20}{:<12}{:>10.5g}{:>10.5g}{:>10.5g}{:>9.5g}  {:<18}{:>9.5g}   {:.5g}, {:.5g}, {:.5g}\n",
                       joint.name, to_string(joint.type), joint.lower, joint.upper, joint.velocity, joint.effort,
                       joint.link, body.mass, moments[0], moments[1], moments[2]);
  }
  out += "\nframes:";
  for (const auto& frame : robot.frames()) out += " " + frame.name + (frame.joint < 0 ? " (base)" : "");
  out += "\n";
  for (const auto& warning : robot.warnings()) out += "warning: " + warning.text + "\n";
  return out;
}

Json record_json(const std::string& file, const RecordSummary& summary) {
  const auto& [rate, contact, warnings] = summary;
  Json object;
  object["kind"] = "record";
  object["file"] = file;
  object["samples"] = rate.samples;
  object["duration"] = json(rate.duration);
  object["rate"] = json(rate.rate);
  object["jitter"] = json(rate.jitter);
  object["gaps"] = rate.gaps;
  object["noise"] = json(contact.noise);
  object["baseline"] = json(contact.baseline);
  object["peak"] = {{"time", json(contact.peak_time)}, {"force", json(contact.peak)}};
  object["window"] = {{"start", json(contact.start)}, {"end", json(contact.end)}};
  object["warnings"] = texts(warnings);
  return object;
}

std::string record_table(const std::string& file, const RecordSummary& summary) {
  const auto& [rate, contact, warnings] = summary;
  std::string out = fmt::format("{}: {} samples at {:.6g} Hz over {:.6g} s, jitter {:.2g} %, {} gaps\n", file,
                                rate.samples, rate.rate, rate.duration, 100 * rate.jitter, rate.gaps);
  if (usable(contact))
    out +=
        fmt::format("noise {:.4g} N, baseline {:.4g} N; contact from {:.6g} to {:.6g} s, peak {:.5g} N at {:.6g} s\n",
                    contact.noise, contact.baseline, contact.start, contact.end, contact.peak, contact.peak_time);
  for (const auto& warning : warnings) out += "warning: " + warning.text + "\n";
  return out;
}

// A file that is not URDF by its name is a record, and so is standard input; a word that is no file is a robot's name.
bool is_record(const std::string& subject) {
  if (subject == "-") return true;
  const auto shipped = shipped_robots();
  if (std::find(shipped.begin(), shipped.end(), subject) != shipped.end()) return false;
  const std::string extension = std::filesystem::path(subject).extension().string();
  return extension == ".csv" || extension == ".tsv" || extension == ".txt" || extension == ".dat";
}

}  // namespace

void add_info(CLI::App& program) {
  struct Arguments {
    std::string subject;
    RecordArguments record;
    bool json = false;
  };
  auto* command =
      program.add_subcommand("info", "What a robot, a record or a dataset is: masses, limits; rate, noise; trials");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("SUBJECT", arguments->subject,
                      "A robot (shipped name or URDF file), a record (.csv, .tsv, .txt, .dat; - for standard input) or "
                      "a dataset (.h5, .hdf5, or a folder "
                      "with a manifest.toml); without it, the shipped robots");
  add_record_options(*command, arguments->record);
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer("Example:\n  thud info panda");
  command->callback([arguments] {
    if (const auto given = arguments->record.any(); given && !is_record(arguments->subject))
      throw InputError(given->first, given->second, "is for records");
    if (arguments->subject.empty()) {
      if (arguments->json) return print({{"robots", shipped_robots()}, {"warnings", Json::array()}});
      for (const auto& name : shipped_robots()) std::printf("%s\n", name.c_str());
      return;
    }
    if (is_dataset(arguments->subject)) return print_dataset(arguments->subject, arguments->json);
    if (is_record(arguments->subject)) {
      const auto contact = arguments->record.contact_options();
      const RecordSummary summary =
          summarize(read_record(arguments->subject, arguments->record.record_options()), contact);
      if (arguments->json) return print(record_json(arguments->subject, summary));
      std::fputs(record_table(arguments->subject, summary).c_str(), stdout);
      return;
    }
    const Robot robot = load_robot(arguments->subject);
    if (arguments->json) return print(robot_json(robot));
    std::fputs(robot_table(robot).c_str(), stdout);
  });
}

}  // namespace thud::cli
