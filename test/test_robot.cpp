#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/robot.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

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

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

TEST(Robot, ShipsFiveArmsThatLoad) {
  EXPECT_EQ(shipped_robots(), (std::vector<std::string>{"panda", "panda_fer", "panda_gaz", "planar_2r", "spatial_3r"}));
  EXPECT_NEAR(load_robot("panda").mass(), 15.17, tight * 100);
  EXPECT_NEAR(load_robot("panda_fer").mass(), 13.78593 + 0.1, tight * 100);
  EXPECT_NEAR(load_robot("panda_gaz").mass(), 16.162132, tight * 100);
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
  for (const char* part : {"panda_link4", "0.00367", "0.00795", "0.01273"}) expect_contains(fer.warnings()[0], part);
  EXPECT_TRUE(load_robot("panda").warnings().empty());

  const auto warns = [](double ixx, double iyy, double izz) {
    return robot_of(link("base") + link("arm", inertial(1, ixx, iyy, izz)) + joint("j", "base", "arm"))
        .warnings()
        .size();
  };
  EXPECT_EQ(warns(1, 2, 3), 0U);     // a flat body, on the boundary
  EXPECT_EQ(warns(1, 2, 3.1), 1U);   // beyond it
  EXPECT_EQ(warns(-0.1, 1, 1), 1U);  // negative
  EXPECT_EQ(robot_of(link("base") + link("arm", inertial(0, 1, 1, 1)) + joint("j", "base", "arm")).warnings().size(),
            1U);  // inertia without mass
}

TEST(Robot, WarnsOfMimicJoints) {
  const Robot robot = robot_of(link("base") + link("a") + link("b") + joint("j", "base", "a") +
                               joint("k", "a", "b", "continuous", "<mimic joint='j'/>"));
  ASSERT_EQ(robot.warnings().size(), 1U);
  expect_contains(robot.warnings()[0], "k mimics");
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
  const auto sentences = limit_warnings(arm, {Eigen::Vector3d(0, 0, -0.1), Eigen::Vector3d(2.5, 0, 0)});
  ASSERT_EQ(sentences.size(), 2U);
  expect_contains(sentences[0], "waist_joint moves at 2.5");
  expect_contains(sentences[1], "elbow_joint is at -0.1");
}

// Refusals: the message names the value and the rule.

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
  expect_contains(robot_refusal(link("a") + joint("j", "a", "b")), "'b', which is not there");
}

TEST(RobotRefuses, DeepNesting) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  expect_contains(refusal<RobotError>([&] { parse_urdf("<robot name='a'>" + deep, "this"); }), "nested");
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

TEST(RobotRefuses, UnknownNames) {
  const Robot panda = load_robot("panda");
  expect_contains(refusal<RobotError>([&] { (void)panda.frame("hand"); }), "frame: hand: not a link of panda");
  expect_contains(refusal<RobotError>([&] { (void)panda.joint_index("panda_joint8"); }), "joint: panda_joint8:");
}

}  // namespace
}  // namespace thud
