// Plans of virtual experiments as TOML: round trip, defaults, refusals.

#include <thud/campaign.hpp>
#include <thud/error.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace thud {
namespace {

Campaign parse(const std::string& text) {
  return parse_campaign(text, "plan.toml");
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Campaign, DefaultIsThePapersExperiment) {
  const Campaign campaign = default_campaign();
  EXPECT_EQ(campaign.robot, "panda");
  EXPECT_EQ(campaign.repeats, 10);
  EXPECT_EQ(campaign.speeds, (std::vector<double>{0.08, 0.10, 0.12, 0.15, 0.18}));
  ASSERT_EQ(campaign.configurations.size(), 3U);
  EXPECT_EQ(campaign.configurations[0].threshold, 1.8);
  EXPECT_EQ(campaign.configurations[1].threshold, 1.8);
  EXPECT_EQ(campaign.configurations[2].threshold, 1.5);
  EXPECT_EQ(campaign.detection_joints, (std::vector<std::string>{"panda_joint5", "panda_joint6"}));
  EXPECT_EQ(campaign.sensor.rate, 25e3);
  EXPECT_EQ(campaign.control.period, 1e-3);
  for (const auto& configuration : campaign.configurations)  // q6 = pi/2 + q2 - q4 keeps the tool horizontal
    EXPECT_NEAR(configuration.q[5], M_PI / 2 + configuration.q[1] - configuration.q[3], 1e-15);
  // the material's restitution at the middle speed
  EXPECT_NEAR(restitution(campaign.law, 1, -0.12), 0.627, 5e-4);
}

TEST(Campaign, TextComesBackAsItWas) {
  Campaign campaign = default_campaign();
  const std::string text = format_campaign(campaign);
  EXPECT_EQ(format_campaign(parse(text)), text);
  campaign.law = HuntCrossley{.stiffness = 2e8, .damping = 1e9, .exponent = 1.5};
  campaign.seed = 9007199254740993;  // more than a double holds
  campaign.speeds = {1.0 / 3};
  EXPECT_EQ(parse(format_campaign(campaign)).seed, campaign.seed);
  EXPECT_EQ(parse(format_campaign(campaign)).speeds, campaign.speeds);
  for (const LawKind kind : all_laws) {
    campaign.law = typical_law(kind);
    EXPECT_EQ(format_campaign(parse(format_campaign(campaign))), format_campaign(campaign));
  }
}

TEST(Campaign, KeysLeftOutKeepTheirDefaults) {
  const Campaign campaign = parse("seed = 7\nspeeds = [0.1]\n[joints]\nstiffness = 9000\n");
  EXPECT_EQ(campaign.seed, 7U);
  EXPECT_EQ(campaign.repeats, 10);
  EXPECT_EQ(campaign.drives.stiffness, VectorX::Constant(7, 9000));
  EXPECT_EQ(campaign.drives.damping, default_campaign().drives.damping);
}

TEST(Campaign, DelaysAreWrittenWhereTheyAre) {
  EXPECT_EQ(format_campaign(default_campaign()).find("delay"), std::string::npos)
      << "the default's text is what it was";
  const Campaign campaign = parse("[controller]\ndetection_delay = 0.002\ncommand_delay = 0.003\n");
  EXPECT_EQ(campaign.control.detection_delay, 0.002);
  EXPECT_EQ(campaign.control.command_delay, 0.003);
  EXPECT_EQ(format_campaign(parse(format_campaign(campaign))), format_campaign(campaign));
  EXPECT_EQ(parse(format_campaign(campaign)).control.command_delay, 0.003);
  EXPECT_EQ(refusal("[controller]\ncommand_delay = -1\n"),
            "plan.toml: controller.command_delay: -1: must not be negative");
}

TEST(Campaign, TheLossOfAWallMayBeARestitution) {
  for (const double e : {1.0, 0.9, 0.627, 0.3, 0.05}) {
    const std::string text = "restitution = " + to_text(e) + "\nrestitution_speed = 0.12\n";
    const Campaign campaign = parse("[contact]\n" + text);
    EXPECT_EQ(kind_of(campaign.law), LawKind::viscoelastic);
    EXPECT_NEAR(restitution(campaign.law, 3, -0.12), e, 1e-12);
    const Campaign hertz = parse("[contact]\nlaw = \"hunt_crossley\"\nexponent = 1.5\nstiffness = 1e8\n" + text);
    EXPECT_NEAR(restitution(hertz.law, 3, -0.12), e, 1e-12);
    EXPECT_EQ(format_campaign(parse(format_campaign(campaign))), format_campaign(campaign));
  }
  const std::string begin = "[contact]\nrestitution = ", speed = "\nrestitution_speed = 0.1\n";
  EXPECT_EQ(refusal(begin + "0.5\n"),
            "plan.toml:2: restitution: 0.5: needs restitution_speed, at which it holds [m/s]");
  EXPECT_EQ(refusal(begin + "1.5" + speed), "plan.toml:2: restitution: 1.5: must be from 0.001 to 1");
  EXPECT_EQ(refusal(begin + "0.5" + speed + "damping = 1\n"),
            "plan.toml:2: restitution: 0.5: takes the place of damping: give one of them");
  EXPECT_EQ(refusal(begin + "0.5\nrestitution_speed = 0\n"),
            "plan.toml:3: restitution_speed: 0: must be greater than 0");
  EXPECT_EQ(refusal("[contact]\nrestitution_speed = 1\n"),
            "plan.toml:2: restitution_speed: 1: is that of a restitution, which is not given");
}

TEST(Campaign, AScaleMultipliesAWholeKey) {
  const Campaign plain = default_campaign();
  const Campaign campaign = parse(
      "[joints]\nstiffness = 9000\n[scale]\n\"joints.stiffness\" = 0.5\n\"joints.friction_level\" = 2\n"
      "\"controller.stiffness\" = 3\n");
  EXPECT_EQ(campaign.drives.stiffness, VectorX::Constant(7, 4500));
  EXPECT_EQ(campaign.friction.level, 2 * plain.friction.level);
  EXPECT_EQ(campaign.drives.servo_stiffness, 3 * plain.drives.servo_stiffness);
  EXPECT_EQ(campaign.drives.damping, plain.drives.damping);
  EXPECT_EQ(format_campaign(parse(format_campaign(campaign))), format_campaign(campaign));
  EXPECT_EQ(refusal("[scale]\n\"joints.damping\" = 0\n"),
            "plan.toml:2: joints.damping: 0: must be a factor greater than 0");
  EXPECT_NE(refusal("[scale]\n\"sensor.noise\" = 2\n").find("not a key here"), std::string::npos);
}

TEST(Campaign, TakesAnotherRobot) {
  const Campaign campaign = parse(R"(
robot = "spatial_3r"
speeds = [0.2]
[[configuration]]
name = "bent"
q = [0.1, 0.4, 0.8]
threshold = 2
[contact]
frame = "tip"
normal = [0, 0, 1]
)");
  EXPECT_EQ(campaign.drives.rotor_inertia.size(), 3);
  EXPECT_EQ(campaign.detection_joints.size(), 3U);
}

TEST(Campaign, RefusalsNameLineKeyValueAndRule) {
  EXPECT_EQ(refusal("speed = [0.1]\n").substr(0, 44), "plan.toml:1: speed: not a key here; known ar");
  EXPECT_EQ(refusal("\n[sensor]\nrat = 1\n").substr(0, 42), "plan.toml:3: rat: not a key here; known ar");
  EXPECT_EQ(
      refusal("[contact]\nlaw = \"maxwell\"\nrestitution = 0.5\n"),
      "plan.toml:3: restitution: not a key here; known are frame, offset, normal, law, friction, stiffness, damping");
  EXPECT_EQ(refusal("speeds = 3\n"), "plan.toml:1: speeds: 3: must be a list of numbers");
  EXPECT_EQ(refusal("speeds = [0.1, -0.2]\n"), "plan.toml: speeds: -0.2: must lie above 0 and up to 10 m/s");
  EXPECT_EQ(refusal("speeds = [0.1, nan]\n"), "plan.toml:1: speeds: [0.1, nan]: must be a list of finite numbers");
  EXPECT_EQ(refusal("speeds = []\n"), "plan.toml: speeds: none: needs at least one");
  EXPECT_EQ(refusal("repeats = 0\n"), "plan.toml:1: repeats: 0: must be a whole number from 1 to 100000");
  EXPECT_EQ(refusal("repeats = 1.5\n"), "plan.toml:1: repeats: 1.5: must be a whole number from 1 to 100000");
  EXPECT_EQ(refusal("seed = -1\n"), "plan.toml:1: seed: -1: must be a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(refusal("[joints]\ndamping = [1, 2]\n"),
            "plan.toml:2: damping: [1, 2]: must have 7 numbers, one per joint, or be a single number");
  EXPECT_EQ(refusal("[joints]\nstiffness = 0\n"), "plan.toml: joints.stiffness: 0: must be positive");
  EXPECT_EQ(refusal("[sensor]\nnoise = -1\n"), "plan.toml: sensor.noise: -1: must not be negative");
  EXPECT_EQ(refusal("[[configuration]]\nname = \"a\"\nthreshold = 1\n"),
            "plan.toml:1: q: missing: must be a list of numbers");
  EXPECT_EQ(refusal("[plant]\nstep = 3e-5\n"), "plan.toml: plant.step: 3e-05: must divide controller.period = 0.001");
  EXPECT_EQ(refusal("[contact]\nlaw = \"glue\"\n"), "plan.toml:2: law: glue: must be " + law_names());
  EXPECT_EQ(refusal("contact = 1\n"), "plan.toml:1: contact: 1: must be a table");
  EXPECT_EQ(refusal("[contact]\nstiffness = -1\n").substr(0, 30), "plan.toml: stiffness: -1: must");
  EXPECT_NE(refusal("robot = \n").find("plan.toml:1: "), std::string::npos);
  EXPECT_EQ(refusal("robot = \"nobody\"\n").find("plan.toml: robot: nobody"), 0U);
  EXPECT_NE(refusal("[contact]\nframe = \"panda_link0\"\n").find("fixed to the base"), std::string::npos);
  EXPECT_NE(refusal("[contact]\nframe = \"hand\"\n").find("hand: not a link of panda"), std::string::npos);
  // a name that a dataset would refuse once the trials are run
  const auto named = [&](const std::string& name) {
    return refusal("[[configuration]]\nname = \"" + name + "\"\nq = [0, 0.1, 0, -1.5, 0, 3.17, 0.79]\nthreshold = 1\n");
  };
  EXPECT_EQ(named(".one"),
            "plan.toml: configuration.name: '.one': a name has up to 100 letters, digits, _, - and ., and begins with "
            "none of the last two");
  EXPECT_NE(named(std::string(98, 'a')).find("up to 100 letters"), std::string::npos);
  EXPECT_EQ(named(std::string(90, 'a')), "accepted");
  EXPECT_NE(refusal("[controller]\ndetection_joints = [\"x\"]\n").find("x: not a moving joint"), std::string::npos);
}

}  // namespace
}  // namespace thud
