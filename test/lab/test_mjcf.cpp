// Robots from MJCF, against MuJoCo itself.

#include <thud/drives_file.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/mjcf.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "lab/mujoco.hpp"
#include "support.hpp"

namespace thud {
namespace {

using test::Random;
using test::uniform;

// Two algorithms in double precision over a dozen joints.
constexpr double rounding = 1e-10;
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr const char* inertial = "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>";

std::string mjcf(const std::string& world, const std::string& beside = "") {
  return "<mujoco model='test'>" + beside + "<worldbody>" + world + "</worldbody></mujoco>";
}

// Everything that moves a body in MJCF: degrees and radians of classes, several joints on one body, anchors that are
// not at its origin, references, slides, turned inertial frames, bodies that are fixed to others, frames, sites, two
// trees.
std::string odd_arm() {
  return R"(<?xml version="1.0"?>
<!-- <robot/> -->
<mujoco model="odd">
  <compiler angle="degree" autolimits="true"/>
  <default>
    <joint armature="0.05" damping="1"/>
    <default class="light"><joint armature="0.002" axis="0 1 0"/></default>
  </default>
  <worldbody>
    <body name="stand" pos="0.1 0.2 0.3" euler="10 20 30">
      <inertial pos="0 0 0" mass="40" diaginertia="1 1 1"/>
      <body name="shoulder" pos="0 0 0.4" quat="0.9 0.1 -0.2 0.3">
        <joint name="pan" pos="0.02 -0.03 0.04" axis="1 2 3" range="-170 170" ref="35"/>
        <joint name="tilt" pos="-0.05 0 0.1" axis="0 1 0.5"/>
        <joint name="lift" type="slide" axis="0.3 0 1" range="-0.1 0.4" ref="0.07"/>
        <inertial pos="0.1 0.02 -0.03" quat="0.8 0.3 0.1 -0.4" mass="3" diaginertia="0.03 0.02 0.04"/>
        <site name="mark" pos="0.1 0.2 0.3" euler="0 45 0"/>
        <frame pos="0 0 0.1" euler="0 0 90">
          <body name="bracket" pos="0.1 0 0" euler="5 0 0">
            <inertial pos="0.01 0 0" fullinertia="0.01 0.012 0.013 0.001 -0.002 0.0005" mass="0.7"/>
            <body name="arm" pos="0 0 0.2">
              <joint class="light" name="elbow" pos="0 0.05 0"/>
              <geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.03" mass="1.2"/>
              <geom type="mesh" mesh="cover" mass="0"/>
              <site name="shoulder" pos="0.3 0 0.1"/>
            </body>
          </body>
        </frame>
        <body pos="0 -0.2 0">
          <joint axis="0 0 1" pos="0.1 0 0"/>
          <inertial pos="0 0 0.1" mass="0.4" diaginertia="0.001 0.002 0.002"/>
        </body>
      </body>
    </body>
    <body name="other" pos="1 0 0">
      <joint name="turn" axis="0 0 1" armature="0"/>
      <geom type="box" size="0.1 0.2 0.05" density="500"/>
    </body>
    <body name="cube" pos="0 1 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/><site name="top"/></body>
  </worldbody>
  <asset><mesh name="cover" file="nowhere.stl"/><texture name="t" type="2d" file="nowhere.png"/><material name="m" texture="t"/></asset>
  <equality><joint joint1="pan" joint2="turn"/></equality>
  <actuator>
    <position name="a" joint="pan" kp="100" forcerange="-20 30" gear="2"/>
    <motor name="b" joint="tilt" ctrlrange="-5 4" gear="10" armature="0.001"/>
    <motor name="c" joint="elbow"/>
    <motor name="d" joint="turn" forcerange="-3 3"/>
    <motor name="e" joint="turn" forcerange="-4 4"/>
  </actuator>
  <sensor><jointpos joint="pan"/></sensor>
</mujoco>)";
}

// The same, for MuJoCo alone: with a mesh that is not there it does not compile.
std::string without_files(std::string text) {
  const auto cut = [&](const std::string& from, const std::string& to) {
    const auto begin = text.find(from), end = text.find(to, begin) + to.size();
    text.erase(begin, end - begin);
  };
  cut("<geom type=\"mesh\"", "/>");
  cut("<asset>", "</asset>");
  return text;
}

// The refusal's message, or a failure of the test.
template <typename Refusal>
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Refusal& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

using Model = std::unique_ptr<mjModel, lab::MujocoDeleter>;
using Data = std::unique_ptr<mjData, lab::MujocoDeleter>;

Model compiled(const std::string& text) {
  std::array<char, 1000> error{};
  const std::unique_ptr<mjSpec, lab::MujocoDeleter> spec(
      mj_parseXMLString(text.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) throw std::runtime_error(error.data());
  Model model(mj_compile(spec.get(), nullptr));
  if (!model) throw std::runtime_error(mjs_getError(spec.get()));
  return model;
}

TEST(Mjcf, GivesMujocosDynamics) {
  const Robot robot = parse_mjcf(odd_arm(), "odd");
  const Model model = compiled(without_files(odd_arm()));
  const Data data(mj_makeData(model.get()));
  ASSERT_EQ(robot.size(), 6);
  const Eigen::Index n = robot.size(), nv = model->nv;  // the cube, last, is no joint of the robot
  Random random(test::base_seed());
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::vector<std::pair<std::string, mjtObj>> places = {
      {"shoulder", mjOBJ_BODY}, {"bracket", mjOBJ_BODY}, {"arm", mjOBJ_BODY},          {"body5", mjOBJ_UNKNOWN},
      {"other", mjOBJ_BODY},    {"mark", mjOBJ_SITE},    {"shoulder_site", mjOBJ_SITE}};
  for (int state = 0; state < 50; ++state) {
    VectorX q(n);
    for (double& value : q) value = uniform(random, -2, 2);
    std::copy_n(q.data(), n, data->qpos);
    mj_kinematics(model.get(), data.get());
    mj_comPos(model.get(), data.get());
    mj_makeM(model.get(), data.get());
    Rows M(nv, nv);
    mj_fullM(model.get(), data.get(), M.data());
    for (const auto& [name, kind] : places) {
      SCOPED_TRACE(name);
      const std::string given = name == "shoulder_site" ? "shoulder" : name;
      const int id = kind == mjOBJ_UNKNOWN ? 5 : mj_name2id(model.get(), kind, given.c_str());
      Rows linear(3, nv), angular(3, nv);
      const mjtNum* place = nullptr;
      if (kind == mjOBJ_SITE) {
        mj_jacSite(model.get(), data.get(), linear.data(), angular.data(), id);
        place = data->site_xpos;
      } else {
        mj_jacBody(model.get(), data.get(), linear.data(), angular.data(), id);
        place = data->xpos;
      }
      const ContactDynamics own = contact_dynamics(robot, {name, {0, 0, 0}, {1, 0, 0}}, q);
      EXPECT_LT(test::relative_error(own.M, M.topLeftCorner(n, n)), rounding);  // rotors are armature
      EXPECT_LT((own.J.topRows<3>() - linear.leftCols(n)).cwiseAbs().maxCoeff(), rounding);
      EXPECT_LT((own.J.bottomRows<3>() - angular.leftCols(n)).cwiseAbs().maxCoeff(), rounding);
      EXPECT_LT((own.p_WC - Eigen::Map<const Vector3>(place + 3 * static_cast<std::ptrdiff_t>(id))).norm(), rounding);
    }
  }
}

TEST(Mjcf, KeepsNamesLimitsRotorsAndWhatIsLeftOut) {
  const Robot robot = parse_mjcf(odd_arm(), "odd.xml");
  EXPECT_EQ(robot.name(), "odd.xml");
  std::vector<std::string> names, links, frames;
  for (const Joint& joint : robot.joints()) {
    names.push_back(joint.name);
    links.push_back(joint.link);
    EXPECT_EQ(joint.velocity, infinity);
  }
  for (const Frame& frame : robot.frames()) frames.push_back(frame.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pan", "tilt", "lift", "elbow", "joint4", "turn"}));
  EXPECT_EQ(links, (std::vector<std::string>{"shoulder", "shoulder", "shoulder", "arm", "body5", "other"}));
  EXPECT_EQ(frames, (std::vector<std::string>{"world", "stand", "shoulder", "bracket", "arm", "body5", "other", "mark",
                                              "shoulder_site"}));
  const auto& joints = robot.joints();
  EXPECT_EQ(joints[0].type, JointType::revolute);
  EXPECT_NEAR(joints[0].upper, 170 * std::numbers::pi / 180, 1e-12);
  EXPECT_EQ(joints[1].type, JointType::continuous);
  EXPECT_EQ(joints[2].type, JointType::prismatic);
  EXPECT_EQ(joints[2].lower, -0.1);
  EXPECT_EQ(joints[0].effort, 60);  // the larger side, times the gear
  EXPECT_EQ(joints[1].effort, 50);  // of the control
  EXPECT_EQ(joints[2].effort, infinity);
  EXPECT_EQ(joints[3].effort, infinity);
  EXPECT_EQ(joints[5].effort, 7);  // both
  EXPECT_EQ(joints[0].rotor_inertia, 0.05);
  EXPECT_NEAR(joints[1].rotor_inertia, 0.05 + 0.001 * 100, 1e-15);
  EXPECT_EQ(joints[3].rotor_inertia, 0.002);
  EXPECT_EQ(joints[5].rotor_inertia, 0);
  EXPECT_EQ(robot.base().mass, 40);
  EXPECT_NEAR(robot.mass(), 3 + 0.7 + 1.2 + 0.4 + 500 * 8 * 0.1 * 0.2 * 0.05, 1e-12);

  std::vector<std::string> said;
  for (const Warning& warning : robot.warnings()) said.push_back(warning.text);
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "body cube is free to move and is left out: it is no part of an arm",
                "damping, stiffness and friction of joints are left out, those of pan and 5 more: they are no part "
                "of a transmission",
                "equality constraints are left out, 1: what they couple moves independently"}));

  const Drives drives = drives_of(robot);
  EXPECT_EQ(drives.rotor_inertia[0], 0.05);
  EXPECT_TRUE(std::isnan(drives.rotor_inertia[5]));
  EXPECT_EQ(drives.effort[0], 60);
  EXPECT_TRUE(std::isnan(drives.effort[2]));
  EXPECT_EQ(drives.stiffness.size(), 0);
  validate(drives, robot.size());
}

TEST(Mjcf, IsToldByItsRootElement) {
  EXPECT_TRUE(is_mjcf("<mujoco/>"));
  EXPECT_TRUE(is_mjcf("\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE x>\n<!-- <robot> -->\n<mujoco\n model='a'>"));
  for (const char* other : {"", "mujoco", "<mujoco", "<mujocoinclude>", "<robot><mujoco/></robot>", "<!-- <mujoco>",
                            "<?", "rotor_inertia = [1]"})
    EXPECT_FALSE(is_mjcf(other)) << other;
}

TEST(Mjcf, FilesByPathWithWhatTheyInclude) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "thud_mjcf";
  std::filesystem::create_directories(folder);
  write_file((folder / "arm.xml").string(),
             std::string("<mujocoinclude><body name='arm'><joint name='j'/>") + inertial + "</body></mujocoinclude>");
  const std::string scene = (folder / "scene.xml").string();
  write_file(scene, "<mujoco><worldbody><include file='arm.xml'/></worldbody></mujoco>");
  EXPECT_EQ(load_any_robot(scene).joints().front().name, "j");
  std::filesystem::remove(folder / "arm.xml");
  const std::string said = refusal<RobotError>([&] { load_any_robot(scene); });
  EXPECT_NE(said.find("arm.xml"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  std::filesystem::remove_all(folder);
  EXPECT_EQ(load_any_robot("panda").mass(), load_robot("panda").mass());
  EXPECT_NE(refusal<FileError>([] { load_any_robot("nobody.xml"); }).find("cannot be read"), std::string::npos);
}

TEST(MjcfRefuses, WhatARobotIsNot) {
  const auto said = [](const std::string& text, const UrdfLimits& limits = {}) {
    const std::string message = refusal<RobotError>([&] { parse_mjcf(text, "this", limits); });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  };
  const auto body = [](const std::string& inside) { return "<body name='b'>" + inside + inertial + "</body>"; };
  const std::string hinge = body("<joint name='j'/>");
  EXPECT_EQ(said(mjcf(body("<joint name='s' type='ball'/>"))), "robot: this: joint s is a ball; use three hinges");
  EXPECT_EQ(said(mjcf("<body name='base'><freejoint/><geom size='1'/>" + hinge + "</body>")),
            "robot: this: joint j is on a body that is free; the base must be fixed: delete the free joint");
  EXPECT_EQ(said(mjcf("<body><freejoint/><geom size='1'/></body>")),
            "robot: this: has no moving joint: MJCF of a robot has hinges or slides");
  EXPECT_EQ(said(mjcf("")), "robot: this: has no moving joint: MJCF of a robot has hinges or slides");
  EXPECT_EQ(said(mjcf(hinge + "<body name='c'><joint/>" + inertial + "</body>"), {.joints = 1}),
            "robot: this: more than 1 moving joints, the limit (UrdfLimits::joints, --max-joints)");
  EXPECT_NE(said(mjcf(hinge), {.bytes = 10}).find("are above the limit of 10 (UrdfLimits::bytes)"), std::string::npos);
  EXPECT_EQ(said("<robot/>"), "robot: this: not MJCF: it has no <mujoco> element as its root");
  const auto copied = [&](const std::string& inside) {
    return mjcf("<replicate count='40' offset='1 0 0'>" + inside + "</replicate>");
  };
  EXPECT_EQ(parse_mjcf(copied("<body><joint/><geom size='1'/></body>"), "this").size(), 40);
  EXPECT_EQ(said(copied("<replicate euler='0 0 1' count='30'><body><joint/><geom size='1'/></body></replicate>")),
            "robot: this: copies a part more than 1000 times, the limit (UrdfLimits::joints, --max-joints)");
  EXPECT_NE(said(mjcf("<replicate count='1e300'><body/></replicate>")).find("copies a part"), std::string::npos);
  // A mesh that gives a body its inertia must be there
  const std::string mesh =
      mjcf("<body><joint/><geom type='mesh' mesh='m'/></body>", "<asset><mesh name='m' file='nowhere.stl'/></asset>");
  EXPECT_NE(said(mesh).find("nowhere.stl"), std::string::npos);
  EXPECT_NE(said(mesh).find("(a body that moves without <inertial> needs its meshes)"), std::string::npos);
  for (const std::string& text :
       {std::string("<mujoco>"), std::string("<mujoco><worldbody><body></worldbody></mujoco>"),
        mjcf("<body><joint type='screw'/></body>"), mjcf("<body pos='1 2'/>"), mjcf("<body pos='nan 0 0'/>"),
        mjcf("<body><joint/></body>"), mjcf(body("<joint range='2 1' limited='true'/>")),
        mjcf(body("<joint axis='0 0 0'/>")), mjcf("", "<include file='this'/>"), mjcf("", "<nonsense/>"),
        mjcf(hinge, "<extension><plugin plugin='nobody.knows'/></extension>")})
    EXPECT_NE(said(text).find("MuJoCo refuses it: "), std::string::npos) << text;
}

TEST(MjcfRefuses, ToBeReadAsUrdf) {
  const std::string said = refusal<RobotError>([] { parse_urdf(odd_arm(), "odd.xml"); });
  EXPECT_NE(said.find("robot: odd.xml: is MJCF, not URDF"), std::string::npos) << said;
}

}  // namespace
}  // namespace thud
