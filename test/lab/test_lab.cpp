// The virtual lab: two limits that tie plant and predictor, the wall against closed forms, control, sensors, energy.

#include <thud/detect.hpp>
#include <thud/dynamics.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/impulse.hpp>
#include <thud/inertia.hpp>
#include <thud/lab.hpp>
#include <thud/profile.hpp>
#include <thud/urdf.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "impacts.hpp"
#include "support.hpp"

namespace thud {
namespace {

using test::Random;
using test::random_sample;

constexpr double impulse_limit = 0.01;  // what ties plant and predictor: 1 %

// A contact so stiff that posture and rates hardly change while it lasts, and a step that resolves it.
constexpr double short_contact = 4e-4;  // about, to the end of compression [s]

ContactLaw stiff_law(double mass) {
  return Viscoelastic{.stiffness = mass * std::pow(M_PI / 2 / short_contact, 2)};
}

// The impulse of the plant over that of the predictor, both up to the end of compression.
double impulse_ratio(const Robot& robot, const State& state, const ContactPoint& point, PlantJoints joints) {
  const ContactDynamics dynamics = contact_dynamics(robot, point, state.q);
  const InverseInertia inertia =
      joints == PlantJoints::locked ? composite_rigid_body(dynamics) : generalized_momentum(dynamics);
  const double v = contact_velocity(dynamics, state.dq);
  FreeImpactOptions options;
  options.joints = joints;
  options.step = 5e-7;
  options.duration = 3 * short_contact;
  const PlantRun run = free_impact(robot, state, point, stiff_law(inertia.effective_mass()), options);
  return run.truth.impulse_compression / (-v * inertia.effective_mass());
}

TEST(Lab, RigidFreeArmGivesTheGeneralizedMomentum) {
  const Robot panda = load_robot("panda");
  for (int i = 0; i < 3; ++i) {
    const VectorX q = test::paper_configuration(i);
    const VectorX dq = approach(contact_dynamics(panda, test::paper_contact(), q), 0.12).dq;
    EXPECT_NEAR(impulse_ratio(panda, {q, dq}, test::paper_contact(), PlantJoints::rigid), 1, impulse_limit) << i;
  }
}

TEST(Lab, LockedArmGivesTheCompositeRigidBody) {
  const Robot panda = load_robot("panda");
  for (int i = 0; i < 3; ++i) {
    const VectorX q = test::paper_configuration(i);
    const VectorX dq = approach(contact_dynamics(panda, test::paper_contact(), q), 0.12).dq;
    EXPECT_NEAR(impulse_ratio(panda, {q, dq}, test::paper_contact(), PlantJoints::locked), 1, impulse_limit) << i;
  }
}

// Trees, prismatic joints, odd axes: whatever the robot, in whatever state it hits.
TEST(Lab, BothLimitsHoldForRandomRobots) {
  const std::uint64_t seed = test::base_seed();
  SCOPED_TRACE("THUD_SEED=" + std::to_string(seed));
  int tried = 0, branched = 0;
  for (std::uint64_t i = 0; i < 48; ++i) {
    Random random(seed + i);
    const Robot robot = parse_urdf(test::random_urdf(seed + i, 2 + static_cast<int>(i % 6)), "random");
    auto [state, point] = random_sample(random, robot);
    point.whole = i % 2 == 0;
    const ContactDynamics dynamics = contact_dynamics(robot, point, state.q);
    const double v = contact_velocity(dynamics, state.dq);
    if (!dynamics.M_is_positive || std::abs(v) < 1e-3) continue;
    state.dq *= -0.1 / v;  // approaches at 0.1 m/s
    if (state.dq.norm() > 3 || generalized_momentum(dynamics).effective_mass() > 100)
      continue;  // the point hardly moves
    ++tried;
    EXPECT_NEAR(impulse_ratio(robot, state, point, PlantJoints::rigid), 1, impulse_limit) << i;
    EXPECT_NEAR(impulse_ratio(robot, state, point, PlantJoints::locked), 1, impulse_limit) << i;
    // MuJoCo numbers joints depth first, a robot need not
    const auto [other, order] = test::breadth_first(robot);
    const State turned{state.q(order), state.dq(order)};
    for (const PlantJoints joints : {PlantJoints::rigid, PlantJoints::locked})
      EXPECT_NEAR(impulse_ratio(other, turned, point, joints), 1, impulse_limit) << i;
    branched += !std::is_sorted(order.begin(), order.end());
  }
  EXPECT_GE(tried, 12);
  EXPECT_GE(branched, 3);
}

// One link of 3 kg on a slide is the mass of force_profile: every law of the wall against its closed form.
TEST(Lab, WallGivesTheProfileOfEachLaw) {
  const Robot slider = parse_urdf(R"(<robot name="slider"><link name="base"/><link name="mass"><inertial>
    <mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="slide" type="prismatic"><parent link="base"/><child link="mass"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>)",
                                  "slider");
  const ContactPoint point{.frame = "mass", .normal_W = {-1, 0, 0}};
  const State state{VectorX::Zero(1), VectorX::Constant(1, 0.2)};
  const double tolerance = 2e-3;  // first order in the step: 1e-6 s against contacts of 5 to 15 ms
  for (const ContactLaw& law : support::recorded) {
    if (restitution(law, 3, -0.2) > 1) continue;  // such a spring still pushes where the wall has been left
    SCOPED_TRACE(to_string(kind_of(law)));
    FreeImpactOptions options;
    options.step = 1e-6;
    const Truth plant = free_impact(slider, state, point, law, options).truth;
    const ForceProfile profile = force_profile(law, 3, -0.2);
    EXPECT_NEAR(plant.peak_force / profile.peak.force, 1, tolerance);
    EXPECT_NEAR(plant.peak_time / profile.peak.time, 1, 0.02);  // the top is flat
    EXPECT_NEAR(plant.compression_time / profile.end_of_compression->time, 1, tolerance);
    EXPECT_NEAR(plant.impulse_compression, 3 * 0.2, tolerance * 0.6);
    if (kind_of(law) == LawKind::maxwell) continue;  // its dashpot stays in the wall
    EXPECT_NEAR(plant.velocity_after / 0.2, restitution(law, 3, -0.2), tolerance);
    if (kind_of(law) == LawKind::spring) continue;  // its rest length moves
    EXPECT_NEAR(plant.contact_time / profile.end_of_contact->time, 1, 5e-3);
  }
}

// Without motors and gravity what the wall gets is what the arm loses.
TEST(Lab, FreeImpactKeepsItsBooks) {
  const Robot panda = load_robot("panda");
  const VectorX q = test::paper_configuration(1);
  const VectorX dq = approach(contact_dynamics(panda, test::paper_contact(), q), 0.15).dq;
  for (const PlantJoints joints : {PlantJoints::rigid, PlantJoints::locked}) {
    FreeImpactOptions options;
    options.joints = joints;
    const EnergyAudit energy =
        free_impact(panda, {q, dq}, test::paper_contact(), Viscoelastic{3e5, 1e6}, options).energy;
    EXPECT_GT(energy.wall, 0);
    EXPECT_NEAR(energy.remainder() / energy.wall, 0, 1e-3);
  }
}

// One trial per cell of the default campaign.
std::vector<std::size_t> one_per_cell(const Campaign& campaign) {
  std::vector<std::size_t> indices;
  const std::size_t all = header(campaign).plan.size();
  for (std::size_t i = 0; i < all; i += static_cast<std::size_t>(campaign.repeats)) indices.push_back(i + i % 10);
  return indices;
}

TEST(Lab, TouchesAtTheReferenceSpeed) {
  const Campaign campaign = default_campaign();
  for (const std::size_t i : one_per_cell(campaign)) {
    const LabTrial trial = simulate_trial(campaign, i);
    SCOPED_TRACE(trial.trial.name);
    EXPECT_NEAR(-trial.run.truth.velocity / trial.trial.speed, 1, 0.05);
    EXPECT_GT(trial.trial.alarm_time, trial.run.truth.touch_time);         // no false alarm
    EXPECT_LT(trial.trial.alarm_time, trial.run.truth.touch_time + 5e-3);  // the paper: 3 to 5 ms
    EXPECT_GT(trial.run.truth.velocity_after, 0);                          // it leaves the wall
    EXPECT_GT(trial.run.truth.contact_time, 5e-3);
    EXPECT_LT(trial.run.truth.contact_time, 50e-3);
  }
}

TEST(Lab, FreeMotionRaisesNoAlarm) {
  const Campaign campaign = default_campaign();
  for (const std::size_t i : {4U, 49U, 75U, 99U, 149U}) {
    const LabTrial free = simulate_free_motion(campaign, i);
    EXPECT_TRUE(std::isnan(free.trial.alarm_time)) << free.trial.name;
    EXPECT_TRUE(free.run.force.empty());
    const JointLog& log = free.trial.joints;
    const double level = quiet_level(log.time, log.torque, log.torque_reference, header(campaign).detection_joints, 0,
                                     log.time.tail(1)[0]);
    EXPECT_LT(level, 1.0) << free.trial.name;  // thresholds are 1.5 and 1.8 N m
  }
}

// An approach that the limits do not allow: the joints keep to them, and the touch comes slower than asked for.
TEST(Lab, KeepsTheJointsWithinTheirLimits) {
  Campaign campaign = default_campaign();
  campaign.configurations.resize(1);
  campaign.configurations[0].threshold = 1e6;  // no pull-back
  campaign.repeats = 1;
  campaign.control.ramp = 0.1;
  campaign.control.cruise = 0.1;
  for (const double speed : {0.1, 2.0}) {
    campaign.speeds = {speed};
    campaign.sensor.range = 1e5;
    const LabTrial trial = simulate_free_motion(campaign, 0);
    const Robot robot = parse_urdf(campaign.urdf, "panda");
    const JointLog& log = trial.trial.joints;
    double used = 0;  // share of the velocity limit
    for (int i = 0; i < robot.size(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      used = std::max(used, log.velocity.col(i).cwiseAbs().maxCoeff() / joint.velocity);
      EXPECT_GT(log.position.col(i).minCoeff(), joint.lower);
      EXPECT_LT(log.position.col(i).maxCoeff(), joint.upper);
      const auto rows = log.velocity.rows();
      // the limit is on the command; the motors follow it within some 20 ms, so their mean over 50 ms is compared
      const Eigen::Index lag = 50;
      const VectorX change = log.velocity.col(i).tail(rows - lag) - log.velocity.col(i).head(rows - lag);
      EXPECT_LT(change.cwiseAbs().maxCoeff() / 0.05, 1.1 * campaign.control.acceleration[i]) << joint.name;
    }
    EXPECT_LT(used, 1.05) << speed;
  }
}

TEST(Lab, HalvingTheStepChangesTheImpulseByLessThanHalfAPercent) {
  Campaign campaign = default_campaign();
  for (const std::size_t i : {0U, 49U, 70U, 110U, 149U}) {
    campaign.step = 2e-5;
    const Truth coarse = simulate_trial(campaign, i).run.truth;
    campaign.step = 1e-5;
    const Truth fine = simulate_trial(campaign, i).run.truth;
    EXPECT_NEAR(coarse.impulse_compression / fine.impulse_compression, 1, 0.005) << i;
    EXPECT_NEAR(coarse.impulse / fine.impulse, 1, 0.005) << i;
    EXPECT_NEAR(coarse.peak_force / fine.peak_force, 1, 0.005) << i;
  }
}

// Motors, gravity, friction, springs, dampers and wall: what is left over is below 1 % of what the wall got, the
// smallest account that matters.
TEST(Lab, EnergyOfATrialCloses) {
  const Campaign campaign = default_campaign();
  for (const std::size_t i : {25U, 75U, 125U}) {
    const EnergyAudit energy = simulate_trial(campaign, i).run.energy;
    EXPECT_GT(energy.wall, 0);
    EXPECT_GT(energy.friction, 0);
    EXPECT_GT(energy.transmission, 0);
    EXPECT_NEAR(energy.remainder() / energy.wall, 0, 0.01) << i;
  }
}

// Friction takes energy whichever way the motors turn, and none without a level.
TEST(Lab, FrictionOpposesTheMotion) {
  Campaign campaign = default_campaign();
  const double usual = simulate_free_motion(campaign, 0).run.energy.friction;
  campaign.friction.level *= 2;
  const double twice = simulate_free_motion(campaign, 0).run.energy.friction;
  EXPECT_GT(usual, 0);
  EXPECT_NEAR(twice / usual, 2, 0.05);  // the servo keeps the motion nearly the same
  campaign.friction.level.setZero();
  EXPECT_EQ(simulate_free_motion(campaign, 0).run.energy.friction, 0);
}

// The stiff servo over elastic joints is neither limit: heavier than the free arm, of the order of the composite body.
TEST(Lab, ControlledArmLiesBeyondTheFreeArm) {
  const Campaign campaign = default_campaign();
  const Robot panda = load_robot("panda");
  for (int i = 0; i < 3; ++i) {
    const Truth truth = simulate_trial(campaign, static_cast<std::size_t>(50 * i + 20)).run.truth;
    const ContactDynamics dynamics = contact_dynamics(panda, campaign.point, truth.q);
    EXPECT_NEAR(contact_velocity(dynamics, truth.dq), truth.velocity, 1e-9);  // the plant's kinematics and ours
    EXPECT_GT(truth.impulse_compression / -truth.velocity, 2 * generalized_momentum(dynamics).effective_mass());
  }
}

TEST(Lab, RecordAgreesWithTheTruth) {
  const Campaign campaign = default_campaign();
  for (const std::size_t i : {3U, 77U, 148U}) {
    const LabTrial trial = simulate_trial(campaign, i);
    const ContactWindow window = find_contact(trial.trial.force);
    ASSERT_TRUE(usable(window)) << window.message;
    // the clocks differ by clock_offset; the low-pass delays by sqrt(2)/(2 pi 5 kHz) = 45 us
    EXPECT_NEAR(window.start + trial.trial.clock_offset, trial.run.truth.touch_time, 2e-4);
    EXPECT_NEAR(window.peak / trial.run.truth.peak_force, 1, 0.03);
    EXPECT_NEAR(window.noise, std::hypot(campaign.sensor.noise, campaign.sensor.resolution / std::sqrt(12)), 0.03);
    EXPECT_NEAR(sampling(trial.trial.force).rate, 25e3, 1);
    for (const double force : trial.trial.force.force)
      EXPECT_EQ(force, campaign.sensor.resolution * std::round(force / campaign.sensor.resolution));
  }
}

// Integral of force over time, and the time of its centre.
struct Push {
  double impulse, centre;
};

Push push(const std::vector<double>& time, const std::vector<double>& force) {
  Push sum{0, 0};
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double step = time[i] - time[i - 1];
    sum.impulse += step * force[i];
    sum.centre += step * force[i] * time[i];
  }
  return {sum.impulse, sum.centre / sum.impulse};
}

// A second-order Butterworth low-pass passes the impulse whole and delays its centre by sqrt(2)/(2 pi bandwidth).
TEST(Lab, LowPassOfTheSensorKeepsTheImpulseAndDelaysIt) {
  Campaign campaign = default_campaign();
  campaign.sensor.noise = campaign.sensor.resolution = campaign.variation.baseline = 0;
  const std::size_t trial = 45;  // of configuration one: the arm leaves the wall and stays away
  for (const double bandwidth : {200.0, 1000.0, 5000.0}) {
    campaign.sensor.bandwidth = bandwidth;
    const LabTrial lab = simulate_trial(campaign, trial);
    const Push felt = push(lab.trial.force.time, lab.trial.force.force);
    const Push given = push(lab.run.time, lab.run.force);
    const double touch = lab.run.truth.touch_time - lab.trial.clock_offset;  // sensor's clock
    EXPECT_NEAR(felt.impulse / given.impulse, 1, 2e-3) << bandwidth;
    EXPECT_NEAR(felt.centre - (touch + given.centre), std::sqrt(2) / (2 * M_PI * bandwidth), 4e-5) << bandwidth;
  }
}

TEST(Lab, SensorEndsAtItsRange) {
  Campaign campaign = default_campaign();
  campaign.sensor.range = 100;
  const auto& force = simulate_trial(campaign, 45).trial.force.force;
  EXPECT_EQ(*std::max_element(force.begin(), force.end()), 100);
}

TEST(Lab, TrialsDifferByTheVariationAlone) {
  Campaign campaign = default_campaign();
  campaign.configurations.resize(1);
  campaign.speeds = {0.15};
  campaign.repeats = 12;
  const auto truths = [&] {
    std::vector<Truth> all;
    for (std::size_t i = 0; i < 12; ++i) all.push_back(simulate_trial(campaign, i).run.truth);
    return all;
  };
  VectorX stiffness(12), touch(12), q(12);
  const auto drawn = truths();
  for (Eigen::Index i = 0; i < 12; ++i) {
    const Truth& truth = drawn[static_cast<std::size_t>(i)];
    stiffness[i] = std::log(std::get<Viscoelastic>(truth.law).stiffness / 1e6);
    touch[i] = truth.touch_time * 0.15;  // the wall's place along the way
    q[i] = truth.q[6] - campaign.configurations[0].q[6];
  }
  const auto deviation = [](const VectorX& x) { return std::sqrt((x.array() - x.mean()).square().mean()); };
  // twelve draws tell a standard deviation within a factor of two
  EXPECT_NEAR(std::log2(deviation(stiffness) / campaign.variation.law), 0, 1);
  EXPECT_NEAR(std::log2(deviation(touch) / campaign.variation.wall), 0, 1);
  EXPECT_NEAR(std::log2(deviation(q) / campaign.variation.posture), 0, 1);

  campaign.variation = {.wall = 0, .posture = 0, .law = 0, .baseline = 0, .clock_offset = 0};
  const auto same = truths();
  for (const auto& truth : same) {
    EXPECT_EQ(std::get<Viscoelastic>(truth.law).stiffness, 1e6);
    // alarms still differ by the noise of the torques, and with them what comes after
    EXPECT_EQ(truth.touch_time, same.front().touch_time);
    EXPECT_EQ(truth.velocity, same.front().velocity);
  }
}

// Motors that may not hold the arm let it sink.
TEST(Lab, EffortIsTheMotorsLimit) {
  Campaign campaign = default_campaign();
  const auto usual = simulate_free_motion(campaign, 0).trial.joints.position;
  campaign.drives.effort.setConstant(5);
  const auto weak = simulate_free_motion(campaign, 0).trial.joints.position;
  EXPECT_GT((weak - usual).col(3).cwiseAbs().maxCoeff(), 0.05);  // joint 4 holds the forearm
}

TEST(Lab, SameSeedSameNumbers) {
  Campaign campaign = default_campaign();
  const LabTrial one = simulate_trial(campaign, 5), again = simulate_trial(campaign, 5),
                 other = simulate_trial(campaign, 6);
  EXPECT_EQ(one.trial.force.force, again.trial.force.force);
  EXPECT_EQ(one.trial.joints.torque, again.trial.joints.torque);
  EXPECT_NE(one.trial.force.force, other.trial.force.force);
  campaign.seed = 2;
  EXPECT_NE(one.trial.force.force, simulate_trial(campaign, 5).trial.force.force);
}

// A trial begins as one without delays does, alarms later by the first delay, and pulls back later by both.
TEST(Lab, DelaysPutOffAlarmAndPullBack) {
  Campaign campaign = default_campaign();
  const LabTrial plain = simulate_trial(campaign, 0);
  campaign.control.detection_delay = 0.003;
  const LabTrial detected = simulate_trial(campaign, 0);
  EXPECT_NEAR(detected.trial.alarm_time, plain.trial.alarm_time + 0.003, 1e-9);
  campaign.control.command_delay = 0.002;
  const LabTrial commanded = simulate_trial(campaign, 0);
  EXPECT_NEAR(commanded.trial.alarm_time, detected.trial.alarm_time, 1e-9);
  const auto first_difference = [&](const LabTrial& other) {
    const MatrixX& reference = plain.trial.joints.torque_reference;
    Eigen::Index row = 0;
    while (row < reference.rows() && reference.row(row) == other.trial.joints.torque_reference.row(row)) ++row;
    return plain.trial.joints.time[row];
  };
  // until the plain one pulls back, a cycle after its alarm, all are the same
  EXPECT_NEAR(first_difference(detected), plain.trial.alarm_time + campaign.control.period, 1e-9);
  const auto pull_back = [](const LabTrial& trial) {
    // the largest change of the reference from cycle to cycle: full acceleration backwards
    const MatrixX& reference = trial.trial.joints.torque_reference;
    Eigen::Index row = 1, sharpest = 1;
    double most = 0;
    for (; row < reference.rows(); ++row) {
      const double change = (reference.row(row) - reference.row(row - 1)).norm();
      if (change > most) most = change, sharpest = row;
      if (most > 5) break;
    }
    return trial.trial.joints.time[sharpest];
  };
  EXPECT_NEAR(pull_back(detected) - pull_back(plain), 0.003, 1e-9);
  // the command's delay runs from the alarm; without one the pull-back is a cycle after it
  EXPECT_NEAR(pull_back(commanded) - pull_back(detected), 0.002 - campaign.control.period, 1e-9);
}

TEST(Lab, PlanNamesConfigurationsSpeedsAndRepeats) {
  const DatasetHeader plan = header(default_campaign());
  EXPECT_EQ(plan.plan.size(), 150U);
  EXPECT_EQ(plan.plan.front(), "one_0.08_01");
  EXPECT_EQ(plan.plan.back(), "three_0.18_10");
  EXPECT_EQ(std::set<std::string>(plan.plan.begin(), plan.plan.end()).size(), 150U);
  EXPECT_EQ(plan.source, DataSource::simulated);
  EXPECT_EQ(plan.detection_joints, (std::vector<int>{4, 5}));
  const Trial trial = simulate_trial(default_campaign(), 149).trial;
  EXPECT_EQ(trial.name, "three_0.18_10");
  EXPECT_EQ(trial.repeat, 10);
  EXPECT_NO_THROW(validate(plan, trial));
}

TEST(Lab, RefusesWhatItCannotRun) {
  Campaign campaign = default_campaign();
  EXPECT_THROW(simulate_trial(campaign, 150), InputError);
  campaign.control.ramp = 50;  // metres of approach: out of reach
  EXPECT_THROW(simulate_trial(campaign, 0), InputError);
  campaign = default_campaign();
  campaign.law = Viscoelastic{.stiffness = -1};
  EXPECT_THROW(simulate_trial(campaign, 0), InputError);
  campaign = default_campaign();
  campaign.drives.stiffness.setConstant(1e12);
  campaign.step = 1e-4;
  campaign.sensor.rate = 1e4;
  campaign.sensor.bandwidth = 2e3;
  try {
    simulate_trial(campaign, 0);
    FAIL() << "an unstable plant went unnoticed";
  } catch (const PlantError& error) {
    EXPECT_EQ(error.argument(), "step");
  }
  const Robot panda = load_robot("panda");
  const State state{test::paper_configuration(0), VectorX::Zero(7)};
  EXPECT_THROW(free_impact(panda, state, {.frame = "panda_link0"}, Viscoelastic{1e5, 0}), RobotError);
  EXPECT_THROW(free_impact(panda, state, test::paper_contact(), Viscoelastic{-1, 0}), InputError);
}

// A link whose moments no body can have is a warning elsewhere, and MuJoCo's compiler would refuse it.
TEST(Lab, TakesANonPhysicalInertia) {
  const Robot fer = load_robot("panda_fer");
  ASSERT_FALSE(fer.warnings().empty());
  const VectorX q = test::paper_configuration(0);
  const VectorX dq = approach(contact_dynamics(fer, test::paper_contact(), q), 0.12).dq;
  EXPECT_NEAR(impulse_ratio(fer, {q, dq}, test::paper_contact(), PlantJoints::rigid), 1, impulse_limit);
}

// Four trials.
Campaign small_campaign() {
  Campaign campaign = default_campaign();
  campaign.configurations.resize(2);
  campaign.speeds = {0.15};
  campaign.repeats = 2;
  return campaign;
}

struct Scratch {
  Scratch() : folder(std::filesystem::temp_directory_path() / ("thud_lab_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~Scratch() { std::filesystem::remove_all(folder); }
  std::string operator()(const std::string& name) const { return (folder / name).string(); }
  std::filesystem::path folder;
};

TEST(Lab, FileDependsNeitherOnThreadsNorOnInterruptions) {
  const Campaign campaign = small_campaign();
  const Scratch file;
  RunOptions options;
  options.jobs = 1;
  EXPECT_EQ(simulate(campaign, file("one.h5"), options), SimulateStatus::complete);
  const std::string bytes = read_file(file("one.h5"));
  EXPECT_EQ(simulate(campaign, file("one.h5"), options), SimulateStatus::was_complete);
  EXPECT_EQ(read_file(file("one.h5")), bytes);

  options.jobs = 3;
  EXPECT_EQ(simulate(campaign, file("three.h5"), options), SimulateStatus::complete);
  EXPECT_EQ(read_file(file("three.h5")), bytes);

  std::atomic<bool> stop = false;
  options.jobs = 1;
  options.stop = &stop;
  options.progress = [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(all, 4U);
    if (done == 2) stop = true;
  };
  EXPECT_EQ(simulate(campaign, file("cut.h5"), options), SimulateStatus::interrupted);
  EXPECT_EQ(DatasetReader(file("cut.h5")).finished().size(), 2U);
  stop = false;
  options.progress = {};
  EXPECT_EQ(simulate(campaign, file("cut.h5"), options), SimulateStatus::complete);
  EXPECT_EQ(read_file(file("cut.h5")), bytes);
}

TEST(Lab, RefusesTheFileOfAnotherCampaign) {
  Campaign campaign = small_campaign();
  const Scratch file;
  ASSERT_EQ(simulate(campaign, file("a.h5")), SimulateStatus::complete);
  const std::string bytes = read_file(file("a.h5"));
  campaign.seed = 2;
  try {
    simulate(campaign, file("a.h5"));
    FAIL() << "took a file of another seed";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("seed is 1, not 2"), std::string::npos) << error.what();
  }
  campaign = small_campaign();
  campaign.speeds = {0.1};
  EXPECT_THROW(simulate(campaign, file("a.h5")), FileError);
  EXPECT_EQ(read_file(file("a.h5")), bytes);
}

TEST(Lab, SummaryCountsWhatHappened) {
  const Campaign campaign = small_campaign();
  const Scratch file;
  ASSERT_EQ(simulate(campaign, file("a.h5")), SimulateStatus::complete);
  const auto cells = summarize_cells(file("a.h5"));
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].configuration, "one");
  EXPECT_EQ(cells[1].configuration, "two");
  for (const auto& cell : cells) {
    EXPECT_EQ(cell.trials, 2U);
    EXPECT_EQ(cell.threshold.false_alarms + cell.threshold.missed, 0U);
    EXPECT_EQ(cell.observer.false_alarms + cell.observer.missed, 0U);
    EXPECT_GT(cell.threshold.delay.min, 0);
    EXPECT_LT(cell.observer.delay.max, 5e-3);
  }
  double mean = 0;  // of the first cell, by hand
  for (const std::size_t i : {0U, 1U}) mean += simulate_trial(campaign, i).run.truth.impulse_compression / 2;
  EXPECT_DOUBLE_EQ(cells[0].impulse_compression.mean, mean);
}

}  // namespace
}  // namespace thud
