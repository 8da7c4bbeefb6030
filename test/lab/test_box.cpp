// A free box in the place of the wall, and friction: floor, hit, poses, books.

#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/inertia.hpp>
#include <thud/lab.hpp>
#include <thud/lagrange.hpp>
#include <thud/object.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "lab/floor_box.hpp"
#include "lab/wall.hpp"
#include "support.hpp"

namespace thud {
namespace {

// One posture, one speed, a light box hit in the middle and beside it; no noise that is not asked for.
const std::string text = R"(kind = "box"
repeats = 1
speeds = [0.4]
[[configuration]]
name = "one"
q = [0, 0.1, 0, -1.5, 0, 3.170796326794897, 0.7853981633974483]
threshold = 50
[contact]
stiffness = 1e6
restitution = 0.6
restitution_speed = 0.4
friction = 0.3
[controller]
after = 0.08
[variation]
wall = 0
posture = 0
law = 0
[box]
masses = [0.5]
offsets = [0, 0.04]
size = [0.2, 0.24, 0.1]
floor_friction = 0.2
position_noise = 0
orientation_noise = 0
)";

Campaign box_campaign() {
  return parse_campaign(text, "box.toml");
}

TEST(Box, SlidesAsFarAsFrictionLetsIt) {
  const Box box{.masses = {0.8}, .size = {0.2, 0.2, 0.1}, .floor_friction = 0.25};
  const double step = 2e-5, push_time = 2e-3, force = 400;
  lab::FloorBox plant(box, 0.8, 0, Vector3(0.5, 0.1, 0.3), -Vector3::UnitX(), step);
  const double start = plant.energy();
  for (int i = 0; i < 5000; ++i) plant.step(Vector3::Zero(), plant.position());  // settles on the floor
  const Vector3 rest = plant.position();
  EXPECT_NEAR((rest - Vector3(0.6, 0.1, 0.3)).norm(), 0, 2e-4);
  double work = 0;
  for (int i = 0; i < push_time / step; ++i) {
    const double before = plant.velocity()[0];
    plant.step(Vector3(force, 0, 0), plant.position());
    work += step * force * (before + plant.velocity()[0]) / 2;
  }
  const double v = plant.velocity()[0], at = plant.position()[0];
  EXPECT_NEAR(v, (force / 0.8 - 0.25 * 9.81) * push_time, 0.01 * v);
  int steps = 0;
  while (plant.velocity()[0] > 1e-3 && ++steps < 50000) plant.step(Vector3::Zero(), plant.position());
  EXPECT_NEAR(plant.position()[0] - at, v * v / (2 * 0.25 * 9.81), 0.02 * v * v / (2 * 0.25 * 9.81));
  EXPECT_NEAR(plant.energy() - start + plant.given_to_floor(), work, 1e-3 * work);
}

TEST(Box, HasTheInverseInertiaOfItsObject) {
  const Box box{.masses = {1.3}, .size = {0.2, 0.3, 0.1}};
  const Vector3 touch(0.5, 0.1, 0.3);
  const lab::FloorBox plant(box, 1.3, 0.07, touch, Vector3(0.6, -0.8, 0), 2e-5);
  const Object object{.mass = 1.3,
                      .inertia_W = plant.orientation() * plant.inertia() * plant.orientation().transpose(),
                      .com_W = plant.position()};
  EXPECT_TRUE(plant.inverse_inertia_at(touch).isApprox(contact_response(object, touch).W, 1e-12));
  EXPECT_NEAR(plant.distance(touch), 0, 1e-12);
  EXPECT_TRUE(plant.faces(touch));
  const Vector3 left = Vector3::UnitZ().cross(-Vector3(0.6, -0.8, 0));
  EXPECT_NEAR(left.dot(touch - plant.position()), 0.07, 1e-12);
  EXPECT_FALSE(plant.faces(touch + 0.09 * left));
}

TEST(Box, FrictionStopsTheSlipOrResistsIt) {
  const Matrix3 W = Vector3(0.5, 0.8, 1.2).asDiagonal();
  const Vector3 n = Vector3::UnitX();
  const double h = 1e-5, f = 100;
  const Vector3 slow(-0.1, 1e-4, -2e-4), fast(-0.1, 0.3, -0.4);
  const Vector3 hold = lab::friction_force(0.5, f, n, slow, W, h);
  const Vector3 after = slow + h * W * (f * n + hold);
  EXPECT_NEAR(after[1], 0, 1e-15);
  EXPECT_NEAR(after[2], 0, 1e-15);
  const Vector3 drag = lab::friction_force(0.5, f, n, fast, W, h);
  EXPECT_NEAR(drag.norm(), 50, 1e-9);
  EXPECT_NEAR(drag.dot(fast), -50 * 0.5, 1e-9);
  EXPECT_EQ(drag.dot(n), 0);
  EXPECT_TRUE(lab::friction_force(0, f, n, fast, W, h).isZero(0));
  EXPECT_TRUE(lab::friction_force(0.5, 0, n, fast, W, h).isZero(0));
}

TEST(Box, ATrialHasPosesAndNoForce) {
  const LabTrial middle = simulate_trial(box_campaign(), 0);
  EXPECT_EQ(middle.trial.name, "one_m0.5_o0_0.4_01");
  EXPECT_TRUE(middle.trial.force.time.empty());
  const ObjectLog& object = middle.trial.object;
  EXPECT_EQ(object.mass, 0.5);
  EXPECT_NEAR(object.inertia(2, 2), 0.5 / 12 * (0.04 + 0.0576), 1e-15);
  EXPECT_NEAR(object.time[1] - object.time[0], 5e-3, 1e-12);
  EXPECT_EQ(object.time.size(), 86);  // 0.43 s
  const Truth& truth = middle.run.truth;
  EXPECT_NEAR(truth.velocity, -0.4, 0.01);
  // momentum: the floor takes little in so short a time
  EXPECT_NEAR(0.5 * truth.object_speed, truth.impulse, 0.03 * truth.impulse);
  EXPECT_NEAR(truth.object_spin, 0, 0.05);
  EXPECT_GT(truth.object_speed, 0.4);
  // it moves away along the hit, from where it lay
  EXPECT_NEAR(object.position(0, 1), 0, 1e-3);
  EXPECT_GT(object.position(object.time.size() - 1, 0) - object.position(0, 0), 0.01);
  EXPECT_NO_THROW(validate(header(box_campaign()), middle.trial));
  // the books close
  EXPECT_NEAR(middle.run.energy.remainder(), 0, 0.02 * std::abs(middle.run.energy.wall));
  EXPECT_GT(middle.run.energy.object, 0);
  EXPECT_GT(middle.run.energy.floor, 0);
}

TEST(Box, AHitToTheLeftTurnsItClockwise) {
  const LabTrial beside = simulate_trial(box_campaign(), 1);
  const Truth& truth = beside.run.truth;
  EXPECT_EQ(beside.trial.name, "one_m0.5_o0.04_0.4_01");
  EXPECT_LT(truth.object_spin, -0.5);
  // the impact law for a rigid arm: a light box meets little but the links
  const Robot panda = load_robot("panda");
  const ContactDynamics dynamics = contact_dynamics(panda, box_campaign().point, truth.q);
  const ObjectLog& log = beside.trial.object;
  const Object box{.mass = log.mass, .inertia_W = log.inertia, .com_W = log.position.row(0).transpose()};
  const ContactResponse arm = contact_response(dynamics, truth.dq, generalized_momentum(dynamics));
  const PairImpact hit = impact(arm, contact_response(box, dynamics.p_WC), dynamics.normal_W,
                                {.friction = 0.3, .restitution = restitution(truth.law, 1, truth.velocity)});
  const ObjectMotion after = motion_after(box, dynamics.p_WC, -hit.impact.impulse);
  EXPECT_NEAR(truth.object_speed, after.velocity[0], 0.05 * after.velocity[0]);
  EXPECT_NEAR(truth.object_spin, after.angular_velocity[2], 0.1 * std::abs(after.angular_velocity[2]));
}

TEST(Box, TheSameSeedGivesTheSamePoses) {
  Campaign campaign = box_campaign();
  campaign.box.position_noise = 1e-4;
  campaign.box.orientation_noise = 1e-3;
  const Trial one = simulate_trial(campaign, 0).trial, two = simulate_trial(campaign, 0).trial;
  EXPECT_EQ(one.object.position, two.object.position);
  EXPECT_EQ(one.object.orientation, two.object.orientation);
  const VectorX before = one.object.position.col(0).head(50).array() - one.object.position.col(0).head(50).mean();
  EXPECT_NEAR(std::sqrt(before.squaredNorm() / 49), 1e-4, 4e-5);
}

TEST(Box, AWallMayHaveFriction) {
  Campaign campaign = default_campaign();
  campaign.speeds = {0.12};
  campaign.repeats = 1;
  campaign.control.after = 0.03;
  const LabTrial smooth = simulate_trial(campaign, 0);
  campaign.contact_friction = 0.5;
  const LabTrial rough = simulate_trial(campaign, 0);
  EXPECT_NEAR(rough.run.energy.remainder(), 0, 0.02 * std::abs(rough.run.energy.wall));
  // what is held across the wall cannot give way there: the contact point feels more of the arm
  EXPECT_NE(rough.run.truth.impulse_compression, smooth.run.truth.impulse_compression);
  EXPECT_NEAR(rough.run.truth.impulse_compression / smooth.run.truth.impulse_compression, 1, 0.5);
}

TEST(Box, ItsCampaignComesBackAsItWas) {
  Campaign campaign = box_campaign();
  const std::string written = format_campaign(campaign);
  EXPECT_EQ(format_campaign(parse_campaign(written, "again")), written);
  EXPECT_EQ(parse_campaign(written, "again").box.offsets, campaign.box.offsets);
  EXPECT_EQ(header(campaign).plan, (std::vector<std::string>{"one_m0.5_o0_0.4_01", "one_m0.5_o0.04_0.4_01"}));
  const std::string wall = format_campaign(default_campaign());
  for (const char* key : {"kind", "friction =", "[box]"}) EXPECT_EQ(wall.find(key), std::string::npos) << key;
  campaign.box.masses = {0.4, 1.9};
  EXPECT_EQ(header(campaign).plan.size(), 4U);
  EXPECT_EQ(header(campaign).plan[2], "one_m1.9_o0_0.4_01");
}

TEST(Box, RefusesCampaignsThatMakeNoSense) {
  const auto says = [](const std::string& old, const std::string& now) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), now);
    try {
      parse_campaign(changed, "box.toml");
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string("no refusal");
  };
  EXPECT_EQ(says("masses = [0.5]", ""), "box.toml: box.masses: none: needs at least one");
  EXPECT_EQ(says("masses = [0.5]", "masses = [-1]"), "box.toml: box.masses: -1: must be positive");
  EXPECT_EQ(says("masses = [0.5]", "masses = [1, 1]"), "box.toml: box.masses: 2 values: must differ from each other");
  EXPECT_EQ(says("offsets = [0, 0.04]", "offsets = [0.13]"),
            "box.toml: box.offsets: 0.13: must lie within the face, that is within 0.12");
  EXPECT_EQ(says("floor_friction = 0.2", "floor_friction = -0.2"),
            "box.toml: box.floor_friction: -0.2: must not be negative");
  EXPECT_EQ(says("friction = 0.3", "friction = -0.3"), "box.toml: contact.friction: -0.3: must not be negative");
  EXPECT_EQ(says("friction = 0.3", "normal = [-1, 0, 1]").substr(0, 40), "box.toml: contact.normal: 0.707106781186");
  EXPECT_EQ(says("kind = \"box\"", "kind = \"ball\""), "box.toml:1: kind: ball: must be wall or box");
  EXPECT_EQ(says("kind = \"box\"\n", "").substr(0, 13), "box.toml:18: ");
}

}  // namespace
}  // namespace thud
