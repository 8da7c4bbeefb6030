#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/robot.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>

#include <Eigen/SVD>
#include <console_bridge/console.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double tight = 1e-14;  // a few roundings

std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string inertial(double mass, double ixx, double iyy, double izz, const std::string& origin = "") {
  return "<inertial>" + origin + "<mass value='" + to_text(mass) + "'/><inertia ixx='" + to_text(ixx) + "' iyy='" +
         to_text(iyy) + "' izz='" + to_text(izz) + "' ixy='0' ixz='0' iyz='0'/></inertial>";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type = "continuous", const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>";
}

Robot robot_of(const std::string& parts) {
  return parse_urdf("<robot name='test'>" + parts + "</robot>", "test");
}

// The refusal's message, or a failure of the test.
template <class Kind>
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Kind& error) {
    return error.what();
  } catch (const std::exception& other) {
    ADD_FAILURE() << "another kind of exception: " << other.what();
    return "";
  }
  ADD_FAILURE() << "not refused";
  return "";
}

std::string robot_refusal(const std::string& parts) {
  return refusal<RobotError>([&] { robot_of(parts); });
}

std::vector<Warning> of_code(const Robot& robot, WarningCode code) {
  std::vector<Warning> found;
  for (const Warning& warning : robot.warnings())
    if (warning.code == code) found.push_back(warning);
  return found;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

// What the sources in data/README.md say of an arm: the sum of its masses with the base, and its joints.
struct PublishedArm {
  const char* name;
  double base, moving;  // [kg]
  const char *first_joint, *last_joint, *last_link;
  std::vector<double> velocity;  // [rad/s]
  std::vector<double> effort;    // [N m]
};

const double degree = std::numbers::pi / 180;

const PublishedArm published[] = {
    {"fr3",
     2.3966,
     2.9274653454 + 2.9355370338 + 2.2449013699 + 2.6155955791 + 2.3271207594 + 1.8170376524 + 0.6271432862,
     "fr3_joint1",
     "fr3_joint7",
     "fr3_link8",
     {2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26},
     {87, 87, 87, 87, 12, 12, 12}},
    {"iiwa7",
     4.855658,
     23.9 - 4.855658,
     "lbr_A1",
     "lbr_A7",
     "lbr_link_ee",
     {98 * degree, 98 * degree, 100 * degree, 130 * degree, 140 * degree, 180 * degree, 180 * degree},
     {176, 176, 110, 110, 110, 40, 40}},
    {"iiwa14",
     7.050378,
     29.9 - 7.050378,
     "lbr_A1",
     "lbr_A7",
     "lbr_link_ee",
     {85 * degree, 85 * degree, 100 * degree, 75 * degree, 130 * degree, 135 * degree, 135 * degree},
     {320, 320, 176, 176, 110, 40, 40}},
    {"ur5e",
     4,
     3.761 + 8.058 + 2.846 + 1.37 + 1.3 + 0.365,
     "shoulder_pan_joint",
     "wrist_3_joint",
     "tool0",
     std::vector<double>(6, 180 * degree),
     {150, 150, 150, 28, 28, 28}},
    {"ur10e",
     4,
     7.369 + 13.051 + 3.989 + 2.1 + 1.98 + 0.615,
     "shoulder_pan_joint",
     "wrist_3_joint",
     "tool0",
     {120 * degree, 120 * degree, 180 * degree, 180 * degree, 180 * degree, 180 * degree},
     {330, 330, 150, 54, 54, 54}},
    {"gen3",
     1.697,
     1.3773 + 2 * 1.1636 + 0.9302 + 2 * 0.6781 + 0.5,
     "joint_1",
     "joint_7",
     "end_effector_link",
     {1.3963, 1.3963, 1.3963, 1.3963, 1.2218, 1.2218, 1.2218},
     {39, 39, 39, 39, 9, 9, 9}},
    {"xarm7",
     0.88556,
     2.382 + 1.869 + 1.6383 + 1.7269 + 1.3203 + 1.325 + 0.17,
     "joint1",
     "joint7",
     "link_eef",
     std::vector<double>(7, 3.14),
     {50, 50, 30, 30, 30, 20, 20}},
};

TEST(Robot, ShipsArmsThatLoad) {
  EXPECT_EQ(shipped_robots(),
            (std::vector<std::string>{"fr3", "gen3", "iiwa14", "iiwa7", "panda", "panda_fer", "panda_gaz", "planar_2r",
                                      "spatial_3r", "ur10e", "ur5e", "xarm7"}));
  EXPECT_NEAR(load_robot("panda").mass(), 15.17, tight * 100);
  EXPECT_NEAR(load_robot("panda_fer").mass(), 13.78593 + 0.1, tight * 100);
  EXPECT_NEAR(load_robot("panda_gaz").mass(), 16.162132, tight * 100);
}

TEST(Robot, ShippedArmsAreAsPublished) {
  constexpr double gram = 1e-3;  // masses of the source have six digits behind the point
  for (const auto& [name, base, moving, first_joint, last_joint, last_link, velocity, effort] : published) {
    SCOPED_TRACE(name);
    const Robot robot = load_robot(name);
    EXPECT_NEAR(robot.base().mass, base, tight);
    EXPECT_NEAR(robot.mass(), moving, gram);
    EXPECT_EQ(robot.joints().front().name, first_joint);
    EXPECT_EQ(robot.joints().back().name, last_joint);
    EXPECT_EQ(robot.frame(last_link).joint, robot.size() - 1);
    ASSERT_EQ(robot.joints().size(), velocity.size());
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      EXPECT_NEAR(robot.joints()[i].velocity, velocity[i], tight);
      EXPECT_EQ(robot.joints()[i].effort, effort[i]);
    }
    EXPECT_TRUE(robot.warnings().empty()) << robot.warnings().front().text;
  }
  // of the seven, Kinova's has joints without an end
  std::vector<bool> endless;
  const Robot gen3 = load_robot("gen3");
  for (const Joint& joint : gen3.joints()) endless.push_back(joint.type == JointType::continuous);
  EXPECT_EQ(endless, (std::vector<bool>{true, false, true, false, true, false, true}));
}

TEST(Robot, TextOfAShippedNameOrAFile) {
  for (const auto& name : shipped_robots()) {
    const auto text = urdf_text(name);
    EXPECT_EQ(parse_urdf(text, name).joints().back().name, load_robot(name).joints().back().name);
    const auto path = testing::TempDir() + "thud_" + name + ".urdf";
    write_file(path, text);
    EXPECT_EQ(urdf_text(path), text);
    std::remove(path.c_str());
  }
  expect_contains(refusal<FileError>([] { urdf_text("nobody"); }), "robot: nobody: cannot be read (No such file");
}

TEST(Robot, KeepsJointLimits) {
  const Robot panda = load_robot("panda");
  const Joint& joint4 = panda.joints()[3];
  EXPECT_EQ(joint4.name, "panda_joint4");
  EXPECT_EQ(joint4.lower, -3.0718);
  EXPECT_EQ(joint4.upper, -0.0698);
  EXPECT_EQ(joint4.velocity, 2.175);
  EXPECT_EQ(joint4.effort, 87);
  const Robot planar = load_robot("planar_2r");
  const Joint& free = planar.joints()[0];
  EXPECT_EQ(free.type, JointType::continuous);
  EXPECT_EQ(free.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(free.effort, std::numeric_limits<double>::infinity());
}

TEST(Robot, OrdersJointsDepthFirstSiblingsByName) {
  // base - b - (d, c); base - a. The file names them in another order, and 'fixed' lies between b and c.
  const Robot robot = robot_of(link("base") + link("lb") + link("la") + link("ld") + link("lc") + link("lf") +
                               joint("d", "lb", "ld") + joint("b", "base", "lb") + joint("a", "base", "la") +
                               joint("c", "lf", "lc") + joint("bf", "lb", "lf", "fixed"));
  std::vector<std::string> names;
  for (const auto& each : robot.joints()) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(robot.joints()[2].parent, 1);
  EXPECT_EQ(robot.joints()[3].parent, 1);
  EXPECT_EQ(robot.frame("lf").joint, 1);
}

TEST(Robot, MergesFixedLinksByHand) {
  // Two point-like masses of 1 and 3 kg, 2 m apart, the second on a link turned by 90 degrees about z.
  const Robot robot =
      robot_of(link("base") + link("arm", inertial(1, 0.1, 0.2, 0.3)) + link("tool", inertial(3, 0.4, 0.5, 0.6)) +
               joint("j", "base", "arm") +
               joint("f", "arm", "tool", "fixed", "<origin xyz='2 0 0' rpy='0 0 1.5707963267948966'/>"));
  ASSERT_EQ(robot.size(), 1);
  const BodyInertia& body = robot.bodies()[0];
  EXPECT_NEAR(body.mass, 4, tight);
  EXPECT_NEAR((body.com - Vector3(1.5, 0, 0)).norm(), 0, tight);
  // reduced mass 3/4 kg over 2 m adds 3 kg m^2 about y and z; the turned tool swaps its x and y
  Matrix3 expected = Vector3(0.1 + 0.5, 0.2 + 0.4 + 3, 0.3 + 0.6 + 3).asDiagonal();
  EXPECT_NEAR((body.inertia - expected).norm(), 0, 10 * tight);
  EXPECT_EQ(robot.frame("tool").joint, 0);
  EXPECT_NEAR((robot.frame("tool").p_JF - Vector3(2, 0, 0)).norm(), 0, tight);
}

TEST(Robot, TurnsInertialFrames) {
  const Robot robot = robot_of(
      link("base") + link("arm", inertial(1, 1, 2, 2.5, "<origin xyz='0 0 1' rpy='1.5707963267948966 0 0'/>")) +
      joint("j", "base", "arm"));
  const Matrix3 expected = Vector3(1, 2.5, 2).asDiagonal();  // a quarter turn about x swaps y and z
  EXPECT_NEAR((robot.bodies()[0].inertia - expected).norm(), 0, tight);
}

TEST(Robot, ForgetsWhatIsFixedToTheBase) {
  const Robot robot =
      robot_of(link("base", inertial(50, 1, 1, 1)) + link("plate", inertial(9, 1, 1, 1)) +
               link("arm", inertial(1, 1, 1, 1)) + joint("f", "base", "plate", "fixed") + joint("j", "plate", "arm"));
  EXPECT_EQ(robot.mass(), 1);
  EXPECT_EQ(robot.frame("plate").joint, -1);
}

TEST(Robot, TakesSixtyFourJointsAndMore) {
  EXPECT_EQ(parse_urdf(test::random_urdf(7, 64), "tree").size(), 64);
  EXPECT_EQ(parse_urdf(test::random_urdf(7, 200, true), "chain").size(), 200);
}

TEST(Robot, WarnsOfNonPhysicalInertia) {
  const Robot fer = load_robot("panda_fer");
  ASSERT_EQ(fer.warnings().size(), 1U);
  EXPECT_EQ(fer.warnings()[0].code, WarningCode::non_physical_link_inertia);
  EXPECT_EQ(fer.warnings()[0].subject, "panda_link4");
  for (const char* part : {"panda_link4", "0.00367", "0.00795", "0.01273"})
    expect_contains(fer.warnings()[0].text, part);
  EXPECT_TRUE(load_robot("panda").warnings().empty());

  const auto warns = [](double ixx, double iyy, double izz) {
    return robot_of(link("base") + link("arm", inertial(100, ixx, iyy, izz)) + joint("j", "base", "arm"))
        .warnings()
        .size();
  };
  EXPECT_EQ(warns(1, 2, 3), 0U);     // a flat body, on the boundary
  EXPECT_EQ(warns(1, 2, 3.1), 1U);   // beyond it
  EXPECT_EQ(warns(-0.1, 1, 1), 1U);  // negative
  EXPECT_EQ(robot_of(link("base") + link("arm", inertial(0, 1, 1, 1)) + joint("j", "base", "arm")).warnings().size(),
            1U);  // inertia without mass
}

TEST(Robot, WarnsOfMimicJointsWithoutALeader) {
  const std::string links = link("base") + link("a", inertial(1, 1, 1, 1)) + link("b", inertial(1, 1, 1, 1)) +
                            link("c", inertial(1, 1, 1, 1));
  const auto with = [&](const std::string& leader) {
    return robot_of(links + joint("j", "base", "a") + joint("f", "a", "c", "fixed") +
                    joint("k", "a", "b", "continuous", "<mimic joint='" + leader + "'/>"));
  };
  const Robot follows = with("j");
  EXPECT_EQ(follows.size(), 1);
  EXPECT_TRUE(of_code(follows, WarningCode::mimic_joint).empty());
  for (const char* none : {"f", "nobody", "k"}) {
    const Robot robot = with(none);
    EXPECT_EQ(robot.size(), 2) << none;
    const auto warnings = of_code(robot, WarningCode::mimic_joint);
    ASSERT_EQ(warnings.size(), 1U) << none;
    EXPECT_EQ(warnings[0].subject, "k");
    expect_contains(warnings[0].text, std::string("k mimics ") + none);
  }
}

TEST(Robot, WarnsOfImplausibleInertia) {
  const auto warned = [](const std::string& of_arm, const std::string& of_tool = "") {
    return of_code(robot_of(link("base") + link("arm", of_arm) + link("tool", of_tool) + joint("j", "base", "arm") +
                            joint("f", "arm", "tool", "fixed", "<origin xyz='0.9 0 0'/>")),
                   WarningCode::implausible_link_inertia);
  };
  EXPECT_TRUE(warned(inertial(4, 1, 1, 1)).empty());        // 0.5 m
  EXPECT_TRUE(warned(inertial(1, 0.8, 0.8, 0.8)).empty());  // 0.89 m, and the arm is 0.9 m long
  EXPECT_EQ(warned(inertial(1, 0.85, 0.85, 0.85)).size(), 1U);
  const auto placeholder = warned(inertial(5, 0.1, 0.1, 0.1), inertial(1e-6, 1, 1, 1));
  ASSERT_EQ(placeholder.size(), 1U);
  EXPECT_EQ(placeholder[0].subject, "tool");
  expect_contains(placeholder[0].text, "1 kg m^2 of 1e-06 kg is a radius of gyration of 1e+03 m");
  const auto heavy = warned(inertial(1e308, 1, 1, 1));
  ASSERT_EQ(heavy.size(), 1U);
  expect_contains(heavy[0].text, "link arm has an implausible mass: 1e+308 kg");
  for (const auto& name : shipped_robots())
    EXPECT_TRUE(of_code(load_robot(name), WarningCode::implausible_link_inertia).empty()) << name;
}

TEST(Robot, WarnsOfLinksThatMoveWithoutInertia) {
  const auto warned = [](const std::string& of_tip) {
    return of_code(robot_of(link("base") + link("arm", inertial(1, 1, 1, 1)) + link("wrist") + link("tip", of_tip) +
                            joint("i", "base", "arm") + joint("j", "arm", "wrist") + joint("k", "wrist", "tip")),
                   WarningCode::massless_link);
  };
  EXPECT_TRUE(warned(inertial(1, 1, 1, 1)).empty());  // the wrist moves the tip
  const auto warnings = warned("");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].subject, "wrist");
  EXPECT_EQ(warnings[1].text, "link tip moves without inertia: nothing that joint k moves has a mass");
}

TEST(Robot, WarnsOfBasesThatMayNotBeFixed) {
  const auto warned = [](const std::string& parts) { return of_code(robot_of(parts), WarningCode::fixed_base); };
  const std::string leg = inertial(1, 0.1, 0.1, 0.1), trunk = link("trunk", inertial(6, 0.1, 0.1, 0.1));
  const std::string legs =
      link("left", leg) + link("right", leg) + joint("l", "trunk", "left") + joint("r", "trunk", "right");
  const auto walks = warned(trunk + legs);
  ASSERT_EQ(walks.size(), 1U);
  expect_contains(walks[0].text, "trunk and what is fixed to it, 6 kg) carries 2 limbs");
  expect_contains(walks[0].text, "taken as fixed to the world, and its mass is left out");
  // the usual massless root of a walking robot says nothing of what it stands on
  EXPECT_EQ(warned(link("base") + trunk + joint("floating_base", "base", "trunk", "fixed") + legs).size(), 1U);
  // limbs off a base without mass, arms on a lighter base
  EXPECT_TRUE(warned(link("trunk") + legs).empty());
  const std::string arm = link("arm", inertial(20, 1, 1, 1)) + joint("j", "trunk", "arm");
  EXPECT_TRUE(warned(trunk + arm).empty());
  // one that carries less than its own mass may fly, unless it is fixed to a root without mass
  const std::string light = link("left", leg) + joint("l", "trunk", "left");
  ASSERT_EQ(warned(trunk + light).size(), 1U);
  expect_contains(warned(trunk + light)[0].text, "carries less than its own mass");
  EXPECT_TRUE(warned(link("world") + trunk + joint("w", "world", "trunk", "fixed") + light).empty());
  // a root called world says that what is fixed to it is; a limb without mass is none
  EXPECT_TRUE(warned(link("world") + trunk + joint("w", "world", "trunk", "fixed") + legs).empty());
  EXPECT_TRUE(warned(trunk + arm + link("camera") + joint("c", "trunk", "camera")).empty());
  // a trunk that branches into limbs, but not an arm with fingers
  const auto branches = [&](double mass) {
    const std::string branch = inertial(mass, 0.1, 0.1, 0.1);
    return arm + link("left", branch) + link("right", branch) + joint("l", "arm", "left") + joint("r", "arm", "right");
  };
  ASSERT_EQ(warned(trunk + branches(5)).size(), 1U);
  expect_contains(warned(trunk + branches(5))[0].text, "carries a trunk with limbs");
  EXPECT_TRUE(warned(trunk + branches(0.1)).empty());
  EXPECT_TRUE(warned(link("base") + trunk + joint("b", "base", "trunk", "fixed") + branches(5)).empty());
  for (const auto& name : shipped_robots())
    EXPECT_TRUE(of_code(load_robot(name), WarningCode::fixed_base).empty()) << name;
}

TEST(Robot, JudgesTheBaseAnewWhereJointsAreLocked) {
  const std::string leg = inertial(1, 0.1, 0.1, 0.1), limits = "<limit lower='1' upper='2' velocity='1' effort='1'/>";
  const Robot walker = robot_of(link("base") + link("trunk", inertial(6, 0.1, 0.1, 0.1)) + link("left", leg) +
                                link("right", leg) + joint("b", "base", "trunk", "fixed") +
                                joint("l", "trunk", "left") + joint("r", "trunk", "right", "revolute", limits));
  EXPECT_EQ(walker.base().mass, 6);
  EXPECT_FALSE(walker.base().root_has_mass);
  ASSERT_EQ(of_code(walker, WarningCode::fixed_base).size(), 1U);
  const Robot chain = walker.chain_to("left");
  EXPECT_EQ(chain.base().mass, 7);
  EXPECT_TRUE(of_code(chain, WarningCode::fixed_base).empty()) << "one limb is left";
  // 0 is outside the limits, but nobody has asked for it
  EXPECT_TRUE(of_code(chain, WarningCode::position_limit).empty());
  EXPECT_EQ(of_code(walker.chain_to("left", {{"r", 0}}), WarningCode::position_limit).size(), 1U);
  EXPECT_EQ(of_code(walker.reduced({{"r", 0}}), WarningCode::position_limit).size(), 1U);
  // locked, the last limb that moves is lighter than the base
  const Robot flyer = robot_of(link("trunk", inertial(6, 0.1, 0.1, 0.1)) + link("left", leg) + link("right", leg) +
                               joint("l", "trunk", "left") + joint("r", "trunk", "right"));
  expect_contains(of_code(flyer.reduced({{"r", 0}}), WarningCode::fixed_base).at(0).text,
                  "7 kg) carries less than its own mass");
}

TEST(Robot, WarnsOfImplausibleTools) {
  const Robot arm = load_robot("planar_2r");
  BodyInertia tool{.mass = 1e-6};
  tool.inertia = Matrix3::Identity();
  const auto warnings = of_code(arm.with_tool("tip", tool), WarningCode::implausible_link_inertia);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(
      warnings[0].text,
      "the tool at tip has an implausible inertia: 1 kg m^2 of 1e-06 kg is a radius of gyration of 1e+03 m, beyond "
      "both its reach of 0 m and 0.5 m");
  tool.mass = 1;
  tool.inertia *= 0.01;
  EXPECT_TRUE(of_code(arm.with_tool("tip", tool), WarningCode::implausible_link_inertia).empty());
  tool.mass = 1e7;
  expect_contains(of_code(arm.with_tool("tip", tool), WarningCode::implausible_link_inertia).at(0).text,
                  "the tool at tip has an implausible mass: 1e+07 kg");
  tool.mass = 1e308;
  tool.com = {10, 0, 0};
  EXPECT_EQ(refusal<InputError>([&] { arm.with_tool("tip", tool); }),
            "tool.mass: 1e+308: is too large to compute with");
}

TEST(Robot, AddsRotorInertiaAndNothingElse) {
  const Robot arm = load_robot("planar_2r");
  const Robot geared = arm.with_rotor_inertia(Eigen::Vector2d(0.5, 0.25));
  EXPECT_EQ(geared.joints()[1].rotor_inertia, 0.25);
  EXPECT_EQ(arm.joints()[1].rotor_inertia, 0);
  const std::string message = refusal<InputError>([&] { arm.with_rotor_inertia(Eigen::Vector2d(0.5, -1)); });
  expect_contains(message, "rotor: -1:");
  refusal<InputError>([&] { arm.with_rotor_inertia(Eigen::Vector3d(1, 1, 1)); });
}

TEST(Robot, WarnsOutsideLimits) {
  const Robot arm = load_robot("spatial_3r");
  EXPECT_TRUE(limit_warnings(arm, {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(0, 0, 0)}).empty());
  const auto warnings = limit_warnings(arm, {Eigen::Vector3d(0, 0, -0.1), Eigen::Vector3d(2.5, 0, 0)});
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].code, WarningCode::velocity_limit);
  EXPECT_EQ(warnings[0].subject, "waist_joint");
  expect_contains(warnings[0].text, "waist_joint moves at 2.5");
  EXPECT_EQ(warnings[1].code, WarningCode::position_limit);
  expect_contains(warnings[1].text, "elbow_joint is at -0.1");
}

// A robot from parts.

struct Parts {
  std::vector<Joint> joints;
  std::vector<BodyInertia> bodies;
  std::vector<Frame> frames;
  std::vector<Warning> warnings;

  explicit Parts(const Robot& robot)
      : joints(robot.joints()), bodies(robot.bodies()), frames(robot.frames()), warnings(robot.warnings()) {}
  Robot robot() const { return {"parts", joints, bodies, frames, warnings}; }
};

TEST(Robot, FromPartsIsWhatTheyAre) {
  for (const Robot& robot : test::sample_robots()) {
    SCOPED_TRACE(robot.name());
    const Robot same = Parts(robot).robot();
    EXPECT_EQ(same.warnings(), robot.warnings());
    EXPECT_EQ(same.mass(), robot.mass());
    for (std::size_t i = 0; i < robot.joints().size(); ++i) {
      EXPECT_EQ(same.joints()[i].axis, robot.joints()[i].axis);
      EXPECT_EQ(same.joints()[i].R_PJ, robot.joints()[i].R_PJ);
      EXPECT_EQ(same.bodies()[i].inertia, robot.bodies()[i].inertia);
    }
    for (std::size_t i = 0; i < robot.frames().size(); ++i)
      EXPECT_EQ(same.frames()[i].R_JF, robot.frames()[i].R_JF) << i;
  }
}

TEST(Robot, BringsAnAxisOfSixDigitsToUnitLength) {
  Parts parts(load_robot("planar_2r"));
  parts.joints[1].axis = {0.577350, 0.577350, 0.577350};
  EXPECT_NEAR(parts.robot().joints()[1].axis.norm(), 1, tight);
}

double rotation_error(const Matrix3& R) {
  return (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff();
}

// The rotation that is nearest to a matrix, by singular values; exact to `tight`.
Matrix3 nearest_rotation(const Matrix3& R) {
  const Eigen::JacobiSVD<Matrix3> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

TEST(Robot, KeepsTheRotationNearestToOneOfFewDigits) {
  constexpr double exact = 1e-15;  // a rotation's product with its transpose, rounded
  const Robot model = robot_of(link("base") + link("l", inertial(1, 1, 1, 1)) + link("m", inertial(1, 1, 1, 1)) +
                               link("f", inertial(1, 1, 1, 1)) + joint("j", "base", "l") + joint("k", "l", "m") +
                               joint("mimic", "m", "f", "continuous", "<mimic joint='j'/>"));
  test::Random random(test::base_seed());
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const double digits = i % 2 == 0 ? 1e7 : 1e12;
    const auto rounded = [&] { return Matrix3((test::random_rotation(random) * digits).array().round() / digits); };
    Parts parts(model);
    std::vector<Follower> followers = model.followers();
    for (Joint& each : parts.joints) each.R_PJ = rounded();
    for (Frame& each : parts.frames) each.R_JF = rounded();
    followers[0].joint.R_PJ = rounded();
    const Robot robot("rounded", parts.joints, parts.bodies, parts.frames, {}, followers);
    const auto expect_nearest = [&](const Matrix3& kept, const Matrix3& given) {
      EXPECT_GT(rotation_error(given), exact);
      EXPECT_LE(rotation_error(kept), exact);
      EXPECT_LE((kept - nearest_rotation(given)).cwiseAbs().maxCoeff(), tight);
    };
    for (std::size_t k = 0; k < parts.joints.size(); ++k) expect_nearest(robot.joints()[k].R_PJ, parts.joints[k].R_PJ);
    for (std::size_t k = 0; k < parts.frames.size(); ++k) expect_nearest(robot.frames()[k].R_JF, parts.frames[k].R_JF);
    expect_nearest(robot.followers()[0].joint.R_PJ, followers[0].joint.R_PJ);
    const Robot again("again", robot.joints(), robot.bodies(), robot.frames(), {}, robot.followers());  // stays
    for (std::size_t k = 0; k < parts.joints.size(); ++k) EXPECT_EQ(again.joints()[k].R_PJ, robot.joints()[k].R_PJ);
    for (std::size_t k = 0; k < parts.frames.size(); ++k) EXPECT_EQ(again.frames()[k].R_JF, robot.frames()[k].R_JF);
    EXPECT_LE(rotation_error(robot.reduced({{"j", 0.3}}).joints()[0].R_PJ), tight);
  }
}

TEST(Robot, KeepsTheBitsOfARotationThatIsExactToRounding) {
  test::Random random(test::base_seed());
  Parts parts(load_robot("planar_2r"));
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    // as a file's reader has it: a product of up to three, along links that are fixed to each other
    Matrix3 R = test::random_rotation(random);
    for (int k = 0; k < i % 3; ++k) R = R * test::random_rotation(random);
    parts.joints[1].R_PJ = parts.frames[1].R_JF = R;
    const Robot robot = parts.robot();
    EXPECT_EQ(robot.joints()[1].R_PJ, R);
    EXPECT_EQ(robot.frames()[1].R_JF, R);
    largest = std::max(largest, rotation_error(R));
  }
  EXPECT_GT(largest, 1e-15);  // it would not stay by chance
}

TEST(Robot, WarnsOnceOfANonPhysicalBody) {
  Parts parts(load_robot("planar_2r"));
  parts.bodies[1].inertia = Vector3(0.1, 0.2, 0.31).asDiagonal();
  const Robot robot = parts.robot();
  ASSERT_EQ(robot.warnings().size(), 1U);
  expect_contains(robot.warnings()[0].text,
                  "the body of joint " + robot.joints()[1].name + " has a non-physical inertia");
  expect_contains(robot.warnings()[0].text, "0.1, 0.2, 0.31 kg m^2");
  EXPECT_EQ(Parts(robot).robot().warnings(), robot.warnings());
  const Robot fer = load_robot("panda_fer");  // has the warning of its link
  EXPECT_EQ(Parts(fer).robot().warnings(), fer.warnings());
}

// Refusals: the message names the value and the rule.

TEST(RobotRefuses, PartsThatDoNotFit) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const auto with = [](const std::function<void(Parts&)>& change) {
    Parts parts(load_robot("planar_2r"));
    change(parts);
    return refusal<RobotError>([&] { parts.robot(); });
  };
  using P = Parts;
  const auto clear = [](P& parts) {
    parts.joints.clear();
    parts.bodies.clear();
  };
  EXPECT_EQ(with(clear), "joints: 0: must be at least one");
  EXPECT_EQ(with([](P& parts) { parts.bodies.pop_back(); }), "bodies: 1: must be as many as joints, 2");
  expect_contains(with([](P& parts) { parts.joints[1].parent = 1; }), "joints[1].parent: 1: must be -1 (the base) or");
  expect_contains(with([](P& parts) { parts.joints[0].parent = -2; }), "joints[0].parent: -2: ");
  expect_contains(with([&](P& parts) { parts.joints[0].R_PJ(1, 2) = nan; }), "joints[0].R_PJ: nan: must be a rotation");
  expect_contains(with([](P& parts) { parts.joints[0].R_PJ *= 2; }), "joints[0].R_PJ: 3: must be a rotation");
  expect_contains(with([](P& parts) { parts.joints[0].R_PJ *= -1; }), "joints[0].R_PJ: -1: must be a rotation, not a");
  expect_contains(with([&](P& parts) { parts.joints[1].p_PJ[0] = infinite; }),
                  "joints[1].p_PJ: inf,0,0: must be finite");
  expect_contains(with([&](P& parts) { parts.joints[1].axis[0] = nan; }), "joints[1].axis: nan,0,1: must be finite");
  expect_contains(with([](P& parts) { parts.joints[1].axis *= 2; }), "joints[1].axis: 0,0,2: must have unit length");
  expect_contains(with([](P& parts) { parts.joints[1].axis.setZero(); }), "joints[1].axis: 0,0,0: ");
  expect_contains(with([&](P& parts) { parts.joints[1].lower = nan; }), "joints[1].lower: nan: must be a number");
  expect_contains(with([&](P& parts) { parts.joints[1].upper = nan; }), "joints[1].upper: nan: must be at least");
  const auto crossed = [](P& parts) { parts.joints[1].lower = 2, parts.joints[1].upper = 1; };
  EXPECT_EQ(with(crossed), "joints[1].upper: 1: must be at least lower, 2");
  EXPECT_EQ(with([](P& parts) { parts.joints[1].velocity = -1; }), "joints[1].velocity: -1: must be >= 0");
  EXPECT_EQ(with([&](P& parts) { parts.joints[1].effort = nan; }), "joints[1].effort: nan: must be >= 0");
  EXPECT_EQ(with([&](P& parts) { parts.joints[1].rotor_inertia = infinite; }),
            "joints[1].rotor_inertia: inf: must be finite and >= 0");
  EXPECT_EQ(with([](P& parts) { parts.joints[1].name = ""; }), "joints[1].name: '': must not be empty");
  expect_contains(with([](P& parts) { parts.joints[1].name = parts.joints[0].name; }), "names must be unique");
}

TEST(RobotRefuses, BodiesAndFramesThatDoNotFit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](const std::function<void(Parts&)>& change) {
    Parts parts(load_robot("planar_2r"));
    change(parts);
    return refusal<RobotError>([&] { parts.robot(); });
  };
  using P = Parts;
  EXPECT_EQ(with([](P& parts) { parts.bodies[1].mass = -1; }), "bodies[1].mass: -1: must be finite and >= 0");
  EXPECT_EQ(with([&](P& parts) { parts.bodies[1].mass = nan; }), "bodies[1].mass: nan: must be finite and >= 0");
  expect_contains(with([&](P& parts) { parts.bodies[0].com[1] = nan; }), "bodies[0].com: ");
  expect_contains(with([&](P& parts) { parts.bodies[0].inertia(2, 0) = nan; }),
                  "bodies[0].inertia: nan: must be finite");
  expect_contains(with([](P& parts) { parts.bodies[0].inertia(2, 0) = 1; }), "bodies[0].inertia: 1: must be symmetric");
  EXPECT_EQ(with([](P& parts) { parts.frames[1].name = ""; }), "frames[1].name: '': must not be empty");
  EXPECT_EQ(with([](P& parts) { parts.frames[1].name = "base"; }),
            "frames[1].name: base: already exists; names must be unique");
  expect_contains(with([](P& parts) { parts.frames[1].joint = 2; }), "frames[1].joint: 2: must be -1 (the base) or");
  expect_contains(with([](P& parts) { parts.frames[1].joint = -2; }), "frames[1].joint: -2: ");
  expect_contains(with([](P& parts) { parts.frames[1].R_JF(0, 0) = 0.9; }), "frames[1].R_JF: 0.18");
  expect_contains(with([&](P& parts) { parts.frames[1].p_JF[2] = nan; }), "frames[1].p_JF: 0,0,nan: must be finite");
}

TEST(RobotRefuses, MissingFile) {
  const std::string message = refusal<FileError>([] { load_robot("no/such/robot.urdf"); });
  expect_contains(message, "robot: no/such/robot.urdf:");
  expect_contains(message, "panda_gaz");
  refusal<FileError>([] { load_robot(""); });
  refusal<FileError>([] { load_robot("/"); });  // a folder
}

TEST(RobotRefuses, TextThatIsNotXml) {
  for (const std::string& text : {std::string(), std::string("hello"), std::string("<robot name='a'>"),
                                  std::string("<robot name='a'><link name=</robot>"), std::string("<robot\0>", 8),
                                  std::string("<robot name='\xff\xfe'/>"), std::string("\xef")})
    expect_contains(refusal<RobotError>([&] { parse_urdf(text, "this"); }), "robot: this: ");
}

TEST(RobotRefuses, XmlThatIsNotUrdf) {
  expect_contains(refusal<RobotError>([] { parse_urdf("<house/>", "this"); }), "no <robot>");
  expect_contains(robot_refusal(""), "no links");
  expect_contains(robot_refusal(link("a") + link("a")), "two links are called a");
  expect_contains(robot_refusal(link("a") + link("b") + joint("j", "a", "b") + joint("j", "a", "b")),
                  "two joints are called j");
  expect_contains(robot_refusal(link("a") + joint("j", "a", "b")), "'b', which does not exist");
}

TEST(RobotRefuses, DeepNesting) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  expect_contains(refusal<RobotError>([&] { parse_urdf("<robot name='a'>" + deep, "this"); }), "nested");
}

TEST(RobotRefuses, ElementsOfTooManyAttributes) {
  const auto with = [](int count, const std::string& first) {
    std::ostringstream element;
    element << "<robot name='a' " << first;
    for (int i = 0; i < count; ++i) element << " a" << i << "='>'";
    element << "><link name='base'/>";
    return element.str();
  };
  expect_contains(refusal<RobotError>([&] { parse_urdf(with(20000, "") + "</robot>", "this"); }),
                  "an XML element has more than 1000 attributes");
  const std::string arm = link("arm", inertial(1, 1, 1, 1)) + joint("j", "base", "arm") + "</robot>";
  EXPECT_EQ(parse_urdf(with(900, "b='<'") + arm, "this").size(), 1);
}

TEST(RobotRefuses, Xacro) {
  const std::string arm = link("base") + link("arm", inertial(1, 1, 1, 1)) + joint("j", "base", "arm");
  const auto text = [&](const std::string& more) {
    return "<robot name='a' xmlns:xacro='http://www.ros.org/wiki/xacro'>" + more + arm + "</robot>";
  };
  EXPECT_EQ(refusal<RobotError>([&] { parse_urdf(text("<xacro:property name='p' value='1'/>"), "arm.urdf.xacro"); }),
            "robot: arm.urdf.xacro: is xacro, from which URDF is made: expand it first: xacro arm.urdf.xacro -o "
            "robot.urdf");
  // what expands it leaves the name space, and may leave comments
  EXPECT_EQ(parse_urdf(text("<!-- <xacro:property name='p' value='1'/> -->"), "arm.urdf").size(), 1);
}

TEST(RobotRefuses, CountlessOpenElementsInLinearTime) {
  std::string text = "<robot name='a'>";
  for (int i = 0; i < 100000; ++i) text += "<a </a ";
  const auto start = std::chrono::steady_clock::now();
  expect_contains(refusal<RobotError>([&] { parse_urdf(text, "this"); }), "not XML");
  // milliseconds; in a time that grows with the square it is a minute
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(RobotRefuses, FilesBeyondTheLimitBeforeTheyAreRead) {
  EXPECT_EQ(refusal<FileError>([] { load_robot("/dev/zero", {.bytes = 100000}); }),
            "robot: /dev/zero: has more than 100000 bytes (the limit for reading (UrdfLimits::bytes, --max-size))");
  expect_contains(refusal<FileError>([] { load_robot("no_such_robot"); }),
                  "robot: no_such_robot: cannot be read (No such file or directory), and is not a shipped name (fr3, ");
}

TEST(RobotRefuses, MoreThanTheLimits) {
  std::ostringstream chain;
  chain << link("link0");
  for (int i = 1; i <= 1001; ++i) {
    std::ostringstream name, parent, child;
    name << "j" << i;
    parent << "link" << i - 1;
    child << "link" << i;
    chain << link(child.str(), inertial(1, 1, 1, 1)) << joint(name.str(), parent.str(), child.str());
  }
  expect_contains(robot_refusal(chain.str()),
                  "more than 1000 moving joints, the limit (UrdfLimits::joints, --max-joints)");
  const std::string text = "<robot name='test'>" + chain.str() + "</robot>";
  EXPECT_EQ(parse_urdf(text, "long", {.joints = 1001}).size(), 1001);
  expect_contains(refusal<RobotError>([&] { parse_urdf(text, "long", {.joints = 1001, .bytes = 1000}); }),
                  "bytes of text are above the limit of 1000 (UrdfLimits::bytes)");
}

TEST(RobotRefuses, GraphsThatAreNoTree) {
  expect_contains(robot_refusal(link("a") + link("b") + link("c") + joint("j", "a", "b")), "two roots, a and c");
  expect_contains(robot_refusal(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a")), "cycle");
  expect_contains(robot_refusal(link("r") + link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a")),
                  "cycle");
  expect_contains(robot_refusal(link("a") + joint("j", "a", "a")), "cycle");
  expect_contains(robot_refusal(link("a") + link("b") + link("c") + joint("j", "a", "c") + joint("k", "b", "c")),
                  "c has two parents");
}

TEST(RobotRefuses, JointsItCannotMove) {
  const auto with = [](const std::string& type, const std::string& inside = "") {
    return robot_refusal(link("a") + link("b") + joint("j", "a", "b", type, inside));
  };
  expect_contains(with("floating"), "floating");
  expect_contains(with("planar"), "planar");
  expect_contains(with("screw"), "screw");
  expect_contains(with("fixed"), "no moving joint");
  expect_contains(with("continuous", "<axis xyz='0 0 0'/>"), "axis");
  expect_contains(with("revolute"), "limits");
  expect_contains(with("revolute", "<limit lower='2' upper='1' velocity='1' effort='1'/>"), "2 > 1");
  expect_contains(with("revolute", "<limit lower='1' upper='2' velocity='1' effort='-3'/>"), "effort -3");
}

TEST(RobotRefuses, NumbersThatAreNone) {
  const auto with = [](const std::string& inside) {
    return robot_refusal(link("a") + link("b", inside) + joint("j", "a", "b"));
  };
  expect_contains(with(inertial(-1, 1, 1, 1)), "mass of link b: -1:");
  EXPECT_FALSE(
      with("<inertial><mass value='nan'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>")
          .empty());
  EXPECT_FALSE(with("<inertial><mass value='1e999'/></inertial>").empty());
  EXPECT_FALSE(with("<inertial><mass value='two'/></inertial>").empty());
  expect_contains(with(inertial(1e308, 1, 1, 1, "<origin xyz='1e300 0 0'/>")), "too large");
}

// urdfdom prints values of a file with printf.
TEST(RobotRefuses, ValuesThatPrintfWouldObey) {
  const auto with = [](const std::string& name, const std::string& mass) {
    return link("base") + "<link name='" + name + "'><inertial><mass value='" + mass +
           "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>" + joint("j", "base", name);
  };
  for (const char* mass : {"%n", "%s%s%s%n", "%99999999d", "&#37;n", "&#x25;s%n", "&#4294967333;n"})
    expect_contains(robot_refusal(with("arm", mass)), "not URDF: ");
  expect_contains(robot_refusal(with("arm", "5%")), "5\uFF05");
  for (const char* mass : {"&#xx25;n", "&#0037;n", "&#x100000025;n", "&#&#37;n", "&#&#37;#37;n"})
    expect_contains(robot_refusal(with("arm", mass)), "not URDF: ");
  const std::string zeros(200, '0');
  expect_contains(robot_refusal(with("arm", "&#" + zeros + "37;n")), "not URDF: ");
  // Other references stand for what they stand for.
  EXPECT_EQ(robot_of(with("arm", "&#50;")).bodies()[0].mass, 2);
  EXPECT_EQ(robot_of(with("&#97;rm", "&#x32;.5")).joints()[0].link, "arm");
  // A name may hold them, and is read as it stands.
  const Robot robot = robot_of(with("a%n&#37;s", "2"));
  EXPECT_EQ(robot.joints()[0].link, "a%n%s");
  EXPECT_EQ(robot.bodies()[0].mass, 2);
}

// An application that wants to hear nothing of urdfdom's is told all the same.
TEST(RobotRefuses, WhateverTheLevelOfTheLog) {
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
  const std::string said = robot_refusal(link("base") +
                                         "<link name='arm'><inertial><mass value='much'/><inertia ixx='1' ixy='0' "
                                         "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>" +
                                         joint("j", "base", "arm"));
  EXPECT_EQ(console_bridge::getLogLevel(), console_bridge::CONSOLE_BRIDGE_LOG_NONE);
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_WARN);
  expect_contains(said, "not URDF: ");
}

TEST(RobotRefuses, WrongStates) {
  const Robot panda = load_robot("panda");
  expect_contains(refusal<InputError>([&] { validate_positions(panda, Eigen::VectorXd::Zero(6)); }),
                  "q: 6 values: needs 7");
  VectorX dq = VectorX::Zero(7);
  dq[3] = std::numeric_limits<double>::quiet_NaN();
  expect_contains(refusal<InputError>([&] { validate_velocities(panda, dq); }),
                  "dq: nan: must be finite (panda_joint4)");
  dq[3] = std::numeric_limits<double>::infinity();
  refusal<InputError>([&] { validate_velocities(panda, dq); });
}

TEST(RobotRefuses, ContactPointsThatCannotHit) {
  const Robot panda = load_robot("panda");
  const ContactPoint good{"panda_foot", {0, 0, 0.0223}, {-2, 0, 0}};
  EXPECT_NO_THROW(validate(panda, good));
  const auto message = [&]<class Kind>(Kind*, auto change, std::string_view prefix = {}) {
    ContactPoint point = good;
    change(point);
    return refusal<Kind>([&] { validate(panda, point, prefix); });
  };
  constexpr RobotError* robot_error = nullptr;
  constexpr InputError* input_error = nullptr;
  expect_contains(message(robot_error, [](auto& point) { point.frame = "hand"; }), "frame: hand: not a link of panda");
  EXPECT_EQ(message(
                robot_error, [](auto& point) { point.frame = "panda_link0"; }, "contact."),
            "contact.frame: panda_link0: is fixed to the base and cannot hit anything");
  EXPECT_EQ(message(input_error, [](auto& point) { point.offset[1] = NAN; }), "offset: 0,nan,0.0223: must be finite");
  EXPECT_EQ(message(input_error, [](auto& point) { point.normal_W.setZero(); }),
            "normal: 0,0,0: must be finite and not zero");
  EXPECT_EQ(message(
                input_error, [](auto& point) { point.normal_W[2] = INFINITY; }, "contact."),
            "contact.normal: -2,0,inf: must be finite and not zero");
}

TEST(RobotRefuses, UnknownNames) {
  const Robot panda = load_robot("panda");
  expect_contains(refusal<RobotError>([&] { (void)panda.frame("hand"); }), "frame: hand: not a link of panda");
  expect_contains(refusal<RobotError>([&] { (void)panda.joint_index("panda_joint8"); }), "joint: panda_joint8:");
}

}  // namespace
}  // namespace thud
