#include <thud/error.hpp>
#include <thud/robot.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"

namespace thud::cli {
namespace {

const char* to_text(JointType type) {
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
  }
  return "";
}

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
         {"type", to_text(joint.type)},
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
  object["warnings"] = robot.warnings();
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
                       joint.name, to_text(joint.type), joint.lower, joint.upper, joint.velocity, joint.effort,
                       joint.link, body.mass, moments[0], moments[1], moments[2]);
  }
  out += "\nframes:";
  for (const auto& frame : robot.frames()) out += " " + frame.name + (frame.joint < 0 ? " (base)" : "");
  out += "\n";
  for (const auto& sentence : robot.warnings()) out += "warning: " + sentence + "\n";
  return out;
}

}  // namespace

void add_info(CLI::App& program) {
  struct Arguments {
    std::string subject;
    bool json = false;
  };
  auto* command = program.add_subcommand("info", "What a robot is: joints, masses, limits, warnings");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("ROBOT", arguments->subject, "A shipped name or a URDF file; without it, the shipped names");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer("Example:\n  thud info panda");
  command->callback([arguments] {
    if (arguments->subject.empty()) {
      if (arguments->json) return print({{"robots", shipped_robots()}, {"warnings", Json::array()}});
      for (const auto& name : shipped_robots()) std::printf("%s\n", name.c_str());
      return;
    }
    const Robot robot = load_robot(arguments->subject);
    if (arguments->json) return print(robot_json(robot));
    std::fputs(robot_table(robot).c_str(), stdout);
  });
}

}  // namespace thud::cli
