// Limits in TOML files.

#include <thud/error.hpp>
#include <thud/limits_file.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace thud {
namespace {

TEST(LimitsFile, ReadsWhatItSays) {
  const LimitsFile file = parse_limits(
      "[joints]\nspeed = 2\ntorque = [1, 2, 3]\n[contact]\nforce = 50\n[body.paw]\nforce = 1\npressure = 2\nstiffness "
      "= 3\n"
      "mass = 4\n",
      "file", 3);
  EXPECT_TRUE(file.limits.speed.isApprox(VectorX::Constant(3, 2)));
  EXPECT_EQ(file.limits.torque[2], 3);
  EXPECT_EQ(file.limits.collision_torque.size(), 0);
  EXPECT_EQ(file.limits.force, 50);
  EXPECT_TRUE(std::isnan(file.limits.collision_force));
  ASSERT_TRUE(file.bodies.contains("paw"));
  const BodyRegion& paw = file.bodies.at("paw");
  EXPECT_EQ(paw.name, "paw");
  EXPECT_EQ(paw.force, 1);
  EXPECT_EQ(paw.pressure, 2);
  EXPECT_EQ(paw.stiffness, 3);
  EXPECT_EQ(paw.mass, 4);
  EXPECT_EQ(paw.transient, 2);
}

TEST(LimitsFile, OverridesOnlyWhatItHas) {
  Limits robot;
  robot.speed = VectorX::Constant(2, 1);
  robot.torque = VectorX::Constant(2, 5);
  Limits over;
  over.speed.resize(2);
  over.speed << std::nan(""), 3;
  over.force = 9;
  const Limits both = with_limits(robot, over);
  EXPECT_EQ(both.speed[0], 1);
  EXPECT_EQ(both.speed[1], 3);
  EXPECT_EQ(both.torque[1], 5);
  EXPECT_EQ(both.force, 9);
}

TEST(LimitsFile, Refusals) {
  const struct {
    const char *text, *what;
  } cases[] = {
      {"[joints]\nspeed = [1, 2]\n", "must have 3 numbers"},
      {"[joints]\nspeed = -1\n", "greater than 0"},
      {"[joints]\nfast = 1\n", "fast"},
      {"[limits]\n", "limits"},
      {"[contact]\nforce = 0\n", "greater than 0"},
      {"[body]\npaw = 1\n", "must be a table"},
      {"[body.paw]\nforce = 1\n", "must have pressure"},
      {"[body.paw]\nforce = 1\npressure = 1\nstiffness = 0\nmass = 1\n", "greater than 0"},
      {"[body.paw]\nforce = 1\npressure = 1\nstiffness = 1\nmass = 1\ntransient = -1\n", "at least 0"},
      {"speed =", "TOML"},
  };
  for (const auto& [text, what] : cases) {
    try {
      parse_limits(text, "file", 3);
      ADD_FAILURE() << text;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(load_limits("no such file", 3), FileError);
}

TEST(LimitsFile, TheShippedRegionsAreThoseOfTheStandard) {
  EXPECT_EQ(body_regions().size(), 12U);
  // free body at 8.7165 kg, data/limits/iso_ts_15066.toml read back
  EXPECT_NEAR(body_speeds({body_regions().at("chest")}, 8.7165).force, .6619, 5e-5);
  EXPECT_NEAR(body_speeds({body_regions().at("lower_leg")}, 8.7165).force, .3798, 5e-5);
  EXPECT_NEAR(body_speeds({body_regions().at("hand"), true}, 10).force, .1617, 5e-5);
  for (const char* name : {"skull", "face"}) EXPECT_EQ(body_regions().at(name).transient, 0) << name;
}

TEST(LimitsFile, FrankasThresholdsShip) {
  const LimitsFile franka = load_limits("franka", 7);
  EXPECT_EQ(franka.limits.collision_torque[6], 12);
  EXPECT_EQ(franka.limits.collision_force, 20);
  EXPECT_EQ(shipped_limits().size(), 2U);
}

}  // namespace
}  // namespace thud
