// The arm with elastic joints: against reference values of another integrator, its limits, closed forms, an adaptive
// integration of the same equations, and the laws of mechanics.

#include <thud/elastic_arm.hpp>
#include <thud/error.hpp>
#include <thud/inertia.hpp>
#include <thud/profile.hpp>
#include <thud/regime.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>

#include "arms.hpp"
#include "elastic/series.hpp"
#include "impacts.hpp"
#include "support.hpp"

namespace thud {
namespace {

using std::numbers::pi;

using arms::panda_arm;
using arms::vector;

VectorX all(int joints, double value) {
  return VectorX::Constant(joints, value);
}

// Of the default campaign, without limits of the motors.
Drives panda_drives(bool servo) {
  Drives drives = arms::panda_drives();
  drives.effort.resize(0);
  return servo ? drives : drives.without_servo();
}

const Viscoelastic wall{1e6, 7.279e6};

// A random arm with all of its drives.
struct RandomArm {
  ElasticArm arm;
  double velocity;
};

RandomArm random_arm(test::Random& random, int joints, bool limited) {
  const Robot robot = parse_urdf(test::random_urdf(random(), joints, true), "random");
  const auto log = [&](double low, double high) {
    return std::exp(test::uniform(random, std::log(low), std::log(high)));
  };
  const int n = robot.size();
  Drives drives;
  for (VectorX* values : {&drives.rotor_inertia, &drives.stiffness, &drives.damping, &drives.servo_stiffness,
                          &drives.servo_damping, &drives.effort})
    values->resize(n);
  for (int i = 0; i < n; ++i) {
    drives.rotor_inertia[i] = log(0.02, 0.5);
    drives.stiffness[i] = log(3e3, 2.5e4);
    drives.damping[i] = log(0.5, 5);
    drives.servo_stiffness[i] = log(300, 5000);
    drives.servo_damping[i] = log(10, 100);
    drives.effort[i] = limited ? log(0.1, 5) : std::numeric_limits<double>::quiet_NaN();
  }
  const test::Sample sample = test::random_sample(random, robot);
  ElasticArm arm = elastic_arm(robot, sample.point, sample.state.q, drives);
  if (limited) arm.holding = 0.5 * VectorX::Random(n);
  return {arm, -test::uniform(random, 0.05, 0.3)};
}

// The same equations, by an adaptive integrator: the state is q~, q~', th~, th~', f of a Maxwell contact, the impulse.
// Laws without switches of their own; the motors' limits and the command as they come.
struct Integrated {
  std::vector<double> force;
  double impulse;
};

Integrated integrated(const ElasticArm& arm, const ContactLaw& law, double v0, const std::vector<double>& times,
                      const std::function<void(double, VectorX&, VectorX&, VectorX&)>& command = {}) {
  using State = std::vector<double>;
  const Eigen::Index n = arm.j.size();
  const auto at = [&](const State& z, int block) { return Eigen::Map<const Eigen::VectorXd>(z.data() + block * n, n); };
  const Drives& drives = arm.drives;
  const auto force_of = [&](const State& z, double t) {
    const double x = v0 * t + arm.j.dot(at(z, 0)), v = v0 + arm.j.dot(at(z, 1));
    return std::visit(
        [&](const auto& concrete) {
          if constexpr (requires { force(concrete, x, v); })
            return force(concrete, x, v);
          else
            return std::max(z[static_cast<std::size_t>(4 * n)], 0.0);
        },
        law);
  };
  const auto rates = [&](const State& z, State& dz, double t) {
    const double f = force_of(z, t), v = v0 + arm.j.dot(at(z, 1));
    VectorX delta = VectorX::Zero(n), ddelta = delta, feedforward = delta;
    if (command) command(t, delta, ddelta, feedforward);
    const VectorX tau =
        drives.damping.cwiseProduct(at(z, 1) - at(z, 3)) + drives.stiffness.cwiseProduct(at(z, 0) - at(z, 2));
    VectorX servo = drives.servo_stiffness.cwiseProduct(at(z, 2) - delta) +
                    drives.servo_damping.cwiseProduct(at(z, 3) - ddelta) - feedforward;
    if (drives.effort.size() != 0)
      for (Eigen::Index i = 0; i < n; ++i)
        if (std::isfinite(drives.effort[i]))
          servo[i] = arm.holding[i] - std::clamp(arm.holding[i] - servo[i], -drives.effort[i], drives.effort[i]);
    const VectorX ddq = arm.M.ldlt().solve(VectorX(arm.j * f - tau));
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i), size = static_cast<std::size_t>(n);
      dz[k] = z[size + k];
      dz[size + k] = ddq[i];
      dz[2 * size + k] = z[3 * size + k];
      dz[3 * size + k] = (tau[i] - servo[i]) / drives.rotor_inertia[i];
    }
    const auto last = static_cast<std::size_t>(4 * n);
    const auto* maxwell = std::get_if<Maxwell>(&law);
    dz[last] = maxwell ? force_rate(*maxwell, z[last], v) : 0;
    dz[last + 1] = f;
  };
  Integrated out{};
  State z(static_cast<std::size_t>(4 * n) + 2, 0.0);
  namespace ode = boost::numeric::odeint;
  // not Fehlberg's, whose estimate of the error does not see a step in time
  const auto stepper = ode::make_controlled(1e-13, 1e-11, ode::runge_kutta_dopri5<State>());
  ode::integrate_times(stepper, rates, z, times.begin(), times.end(), 1e-6,
                       [&](const State& now, double t) { out.force.push_back(force_of(now, t)); });
  out.impulse = z.back();
  return out;
}

std::vector<double> instants(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(end * i / (count - 1));
  return times;
}

// The largest difference of the forces against their largest.
double difference(const ElasticProfile& profile, const Integrated& other, const std::vector<double>& times) {
  const ElasticStates own =
      states(profile, Eigen::Map<const Eigen::VectorXd>(times.data(), static_cast<Eigen::Index>(times.size())));
  return test::relative_error(own.force, Eigen::Map<const Eigen::VectorXd>(other.force.data(), own.force.size()));
}

// Values of DOP853 at 1e-11; the time of a flat peak is known to 2e-7 s.
struct Reference {
  const char* name;
  int configuration;
  bool servo;
  double first_force, first_time, second_force, second_time, compression, impulse, end;  // [N], [ms], [N s]
  double links, rotors;                                                                  // [kg]
};
const Reference references[] = {
    {"one, free", 0, false, 193.813, 1.6576, 214.053, 4.9921, 5.7494, 1.028807, 9.9259, 2.4549, 7.0054},
    {"two, free", 1, false, 194.942, 1.6927, 247.878, 5.3068, 6.2266, 1.210568, 10.9939, 2.4604, 8.3151},
    {"three, free", 2, false, 195.075, 1.7175, 294.083, 5.6959, 6.8575, 1.483610, 12.7853, 2.4476, 10.5258},
    {"one, servo", 0, true, 193.841, 1.659, 234.035, 5.430, 6.3703, 1.200029, 0, 2.4549, 7.0054},
    {"two, servo", 1, true, 194.977, 1.695, 278.724, 5.843, 7.1120, 1.501721, 0, 2.4604, 8.3151},
};

TEST(ElasticArm, ReferenceValues) {
  for (const Reference& r : references) {
    SCOPED_TRACE(r.name);
    const ElasticArm arm = panda_arm(r.configuration, panda_drives(r.servo));
    EXPECT_NEAR(arm.mass_links, r.links, 5e-5);
    EXPECT_NEAR(arm.mass_rotors, r.rotors, 5e-5);
    const ElasticProfile profile = elastic_profile(arm, wall, -0.12, {.horizon = 0.03});
    ASSERT_GE(profile.peaks.size(), 2u);
    EXPECT_NEAR(profile.peaks[0].force, r.first_force, 6e-4);
    EXPECT_NEAR(profile.peaks[1].force, r.second_force, 6e-4);
    EXPECT_NEAR(1e3 * profile.peaks[0].time, r.first_time, r.servo ? 6e-4 : 2.5e-4);
    EXPECT_NEAR(1e3 * profile.peaks[1].time, r.second_time, r.servo ? 6e-4 : 2.5e-4);
    ASSERT_FALSE(profile.turns.empty());
    EXPECT_NEAR(1e3 * profile.turns[0].time, r.compression, 6e-5);
    EXPECT_NEAR(profile.turns[0].impulse, r.impulse, 6e-7);
    EXPECT_EQ(profile.end_of_contact.has_value(), r.end > 0);
    if (profile.end_of_contact) {
      EXPECT_NEAR(1e3 * profile.end_of_contact->time, r.end, 6e-5);
    }
  }
}

// Nothing known of the drives: the links alone, as one mass.
TEST(ElasticArm, WithoutDrivesIsTheLumpedMassUnderEveryLaw) {
  for (const auto& impact : support::impacts) {
    SCOPED_TRACE(impact.name);
    const ElasticArm arm = elastic_arm(MatrixX::Constant(1, 1, impact.mass), all(1, 1), Drives{});
    const ForceProfile lumped = force_profile(impact.law, impact.mass, impact.velocity);
    const double end = 1.2 * lumped.end_of_force.time;
    const ElasticProfile profile = elastic_profile(arm, impact.law, impact.velocity, {.horizon = end});
    ASSERT_EQ(profile.peaks.size(), 1u);
    EXPECT_TRUE(support::agree(profile.peak().force, lumped.peak.force, 1e-8));
    EXPECT_TRUE(support::agree(profile.peak().time, lumped.peak.time, 1e-5));
    if (lumped.end_of_compression && lumped.end_of_compression->time < end) {
      ASSERT_FALSE(profile.turns.empty());
      EXPECT_TRUE(support::agree(profile.turns[0].time, lumped.end_of_compression->time, 1e-8));
      EXPECT_TRUE(support::agree(profile.turns[0].depth, lumped.end_of_compression->depth, 1e-8));
      EXPECT_TRUE(support::agree(*profile.mass_compression(), impact.mass, 1e-9));
    }
    const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(200, 0, profile.end);
    const ElasticStates own = states(profile, times);
    for (Eigen::Index i = 0; i < times.size(); ++i)
      EXPECT_NEAR(own.force[i], state(lumped, times[i]).force, 1e-6 * lumped.peak.force) << times[i];
    const ElasticEnergies energy = energies(profile);
    EXPECT_NEAR(energy.kinetic + energy.wall + energy.dissipated, energy.supplied, 1e-8 * energy.supplied);
  }
}

// Two masses and two springs: the second-order system M w" + K w = 0 in modes, by hand.
TEST(ElasticArm, OneJointAndALinearWallIsTwoMassesAndTwoSprings) {
  const double M = 2, B = 5, K = 4e5, k = 1e6, v0 = -0.2;
  Drives drives;
  drives.rotor_inertia = all(1, B);
  drives.stiffness = all(1, K);
  drives.damping = all(1, 0);
  const ElasticArm arm = elastic_arm(MatrixX::Constant(1, 1, M), all(1, 1), drives.without_servo());
  const ElasticProfile profile = elastic_profile(arm, Viscoelastic{k, 0}, v0, {.horizon = 0.1});

  // positions from the touch: link x = v0 t + q~, motor y = v0 t + th~
  const double a = (k + K) / M, b = K / M, c = K / B, root = std::sqrt((a - c) * (a - c) + 4 * b * c);
  const double s1 = (a + c - root) / 2, s2 = (a + c + root) / 2, w1 = std::sqrt(s1), w2 = std::sqrt(s2);
  const double u1 = (a - s1) / b, u2 = (a - s2) / b;  // y/x of each mode
  const double A1 = v0 * (1 - u2) / (u1 - u2), A2 = v0 - A1;
  const auto depth = [&](double t) { return -(A1 / w1 * std::sin(w1 * t) + A2 / w2 * std::sin(w2 * t)); };
  ASSERT_TRUE(profile.end_of_contact);
  EXPECT_NEAR(depth(profile.end), 0, 1e-12);
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(500, 0, profile.end);
  const ElasticStates own = states(profile, times);
  for (Eigen::Index i = 0; i < times.size(); ++i) EXPECT_NEAR(own.force[i], k * depth(times[i]), 1e-6) << times[i];
}

TEST(ElasticArm, LimitsOfItsStiffness) {
  for (int configuration = 0; configuration < 3; ++configuration) {
    SCOPED_TRACE(configuration);
    const Drives free = panda_drives(false);
    const auto mass = [&](const Drives& drives, const Viscoelastic& law) {
      return *elastic_profile(panda_arm(configuration, drives), law, -0.12, {.horizon = 1}).mass_compression();
    };
    const ElasticArm arm = panda_arm(configuration, free);
    EXPECT_TRUE(support::agree(mass(free, {1e11, 0}), arm.mass_links, 2e-3)) << "very short contact";
    Drives soft = free;
    soft.stiffness.setConstant(1e-3);
    soft.damping.setConstant(0);
    EXPECT_TRUE(support::agree(mass(soft, wall), arm.mass_links, 1e-6)) << "K to 0";
    Drives stiff = free;
    stiff.stiffness.setConstant(1e8);
    EXPECT_TRUE(support::agree(mass(stiff, {1e5, 0}), arm.mass_rotors, 2e-3)) << "K to infinity";
    Drives rigid = free;
    rigid.stiffness.resize(0);
    EXPECT_TRUE(support::agree(mass(rigid, wall), arm.mass_rotors, 1e-8)) << "rigid";
    // motors that do not move behind stiff transmissions: they push on, and no mass bounds the impulse
    Drives held = free;
    held.rotor_inertia.resize(0);
    held.stiffness.setConstant(1e7);
    const ElasticProfile pushed =
        elastic_profile(panda_arm(configuration, held), Viscoelastic{1e4, 0}, -0.12, {.horizon = 0.5});
    EXPECT_FALSE(pushed.end_of_contact);
    EXPECT_GT(pushed.impulse / 0.12, 100 * arm.mass_rotors);
  }
}

TEST(ElasticArm, AgreesWithAnAdaptiveIntegratorOnRandomArms) {
  test::Random random(test::base_seed());
  const ContactLaw laws[] = {Viscoelastic{1e6, 7e6}, HuntCrossley{2e9, 1e10, 1.5}, Viscoelastic{5e5, 0}};
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE(trial);
    const auto [arm, velocity] = random_arm(random, 1 + trial % 8, false);
    for (const ContactLaw& law : laws) {
      const ElasticProfile profile = elastic_profile(arm, law, velocity, {.horizon = 0.01});
      const std::vector<double> times = instants(0.999 * profile.end, 60);
      EXPECT_LT(difference(profile, integrated(arm, law, velocity, times), times), 2e-7) << to_string(kind_of(law));
    }
  }
}

TEST(ElasticArm, MotorsStopAtTheirLimit) {
  test::Random random(test::base_seed() + 1);
  int limited = 0;
  for (int trial = 0; trial < 8; ++trial) {
    SCOPED_TRACE(trial);
    auto [arm, velocity] = random_arm(random, 2 + trial % 6, true);
    const ElasticProfile profile = elastic_profile(arm, wall, velocity, {.horizon = 0.02});
    const std::vector<double> times = instants(0.999 * profile.end, 60);
    EXPECT_LT(difference(profile, integrated(arm, wall, velocity, times), times), 1e-6);
    arm.drives.effort.resize(0);
    const ElasticProfile strong = elastic_profile(arm, wall, velocity, {.horizon = 0.02});
    limited += std::abs(strong.impulse / profile.impulse - 1) > 1e-3;
  }
  EXPECT_GE(limited, 4) << "the limits do matter in most of these";
}

TEST(ElasticArm, FollowsAChangedCommand) {
  test::Random random(test::base_seed() + 2);
  for (int trial = 0; trial < 4; ++trial) {
    SCOPED_TRACE(trial);
    const auto [arm, velocity] = random_arm(random, 3, trial % 2 == 1);
    const double delay = 2e-3, period = 1e-3;
    const VectorX acceleration = 20 * VectorX::Random(3), feedforward = VectorX::Random(3);
    ElasticOptions options{.horizon = 0.012};
    for (int cycle = 0; cycle < 10; ++cycle) {
      const double since = cycle * period;
      options.command.push_back(
          {delay + since, acceleration * since * (since - period) / 2, acceleration * since, feedforward});
    }
    const auto command = [&](double t, VectorX& delta, VectorX& rate, VectorX& torque) {
      if (t < delay) return;
      const double since = std::min(std::floor((t - delay) / period), 9.0) * period;
      rate = acceleration * since;
      delta = acceleration * since * (since - period) / 2 + (t - delay - since) * rate;
      torque = feedforward;
    };
    const ElasticProfile profile = elastic_profile(arm, wall, velocity, options);
    const std::vector<double> times = instants(0.999 * profile.end, 60);
    EXPECT_LT(difference(profile, integrated(arm, wall, velocity, times, command), times), 1e-6);
    const ElasticProfile unchanged = elastic_profile(arm, wall, velocity, {.horizon = 0.012});
    EXPECT_NE(unchanged.impulse, profile.impulse);
  }
}

TEST(ElasticArm, EnergyClosesOnRandomTreesUnderEveryLaw) {
  test::Random random(test::base_seed() + 3);
  for (int trial = 0; trial < 8; ++trial)
    for (const LawKind kind : all_laws) {
      SCOPED_TRACE(std::to_string(trial) + " " + std::string(to_string(kind)));
      const auto [arm, velocity] = random_arm(random, 1 + trial, trial % 2 == 1);
      const ElasticProfile profile = elastic_profile(arm, typical_law(kind), velocity, {.horizon = 0.03});
      const ElasticEnergies e = energies(profile);
      EXPECT_NEAR(e.kinetic + e.transmission + e.servo + e.wall + e.dissipated, e.supplied, 1e-8 * e.supplied);
      EXPECT_GE(e.wall_max, e.wall);
      if (trial % 2 == 0) {
        EXPECT_GE(e.dissipated, 0) << "nothing drives but the approach";
      }
    }
}

// Momentum: what the contact gives is what links and motors have, and what motors and servo took.
TEST(ElasticArm, ImpulseMovesTheRigidJointsByTheGeneralizedMomentum) {
  test::Random random(test::base_seed() + 4);
  for (int trial = 0; trial < 10; ++trial) {
    auto [arm, velocity] = random_arm(random, 1 + trial % 7, false);
    Drives drives = arm.drives.without_servo();
    drives.stiffness.resize(0);
    const ElasticArm rigid = elastic_arm(arm.M, arm.j, drives);
    const ElasticProfile profile = elastic_profile(rigid, wall, velocity, {.horizon = 0.05});
    const ElasticStates last = states(profile, Eigen::VectorXd::Constant(1, profile.end));
    MatrixX total = rigid.M;
    total.diagonal() += drives.rotor_inertia;
    const VectorX expected = total.ldlt().solve(VectorX(rigid.j * profile.impulse));
    EXPECT_LT(test::relative_error(last.joint_rate.row(0).transpose(), expected), 1e-9);
    EXPECT_NEAR(last.apparent_mass[0], rigid.mass_rotors, 1e-8 * rigid.mass_rotors);
  }
}

TEST(ElasticArm, DoesNotDependOnWorldAxesOrTheOrderOfJoints) {
  test::Random random(test::base_seed() + 5);
  for (int trial = 0; trial < 6; ++trial) {
    SCOPED_TRACE(trial);
    const auto [arm, velocity] = random_arm(random, 4, true);
    const ElasticProfile profile = elastic_profile(arm, wall, velocity);
    // joints the other way round
    const Eigen::PermutationMatrix<Eigen::Dynamic> turn(Eigen::VectorXi::LinSpaced(4, 3, 0));
    ElasticArm other = arm;
    other.M = turn * arm.M * turn.transpose();
    other.M_inv = turn * arm.M_inv * turn.transpose();
    for (VectorX* values :
         {&other.j, &other.holding, &other.drives.rotor_inertia, &other.drives.stiffness, &other.drives.damping,
          &other.drives.servo_stiffness, &other.drives.servo_damping, &other.drives.effort})
      *values = turn * VectorX(*values);
    const ElasticProfile turned = elastic_profile(other, wall, velocity);
    EXPECT_TRUE(support::agree(turned.impulse, profile.impulse, 1e-9));
    EXPECT_TRUE(support::agree(turned.peak().force, profile.peak().force, 1e-9));
    EXPECT_TRUE(support::agree(turned.end, profile.end, 1e-9));
  }
  // the robot with its wall in other axes: gravity is not asked for without limits
  const Robot panda = load_robot("panda");
  const VectorX q = test::paper_configuration(1);
  VectorX yawed = q;
  yawed[0] += 0.7;
  ContactPoint point = test::paper_contact();
  const ElasticProfile straight = elastic_profile(elastic_arm(panda, point, q, panda_drives(true)), wall, -0.12);
  point.normal_W = {-std::cos(0.7), -std::sin(0.7), 0};
  const ElasticProfile turned = elastic_profile(elastic_arm(panda, point, yawed, panda_drives(true)), wall, -0.12);
  EXPECT_TRUE(support::agree(turned.impulse, straight.impulse, 1e-9));
}

TEST(ElasticArm, SaysWhatItAssumed) {
  const auto codes = [](const Drives& drives) {
    std::string subjects;
    for (const Warning& warning : assumptions(drives)) {
      EXPECT_EQ(warning.code, WarningCode::assumed_drive);
      subjects += warning.subject + " ";
    }
    return subjects;
  };
  EXPECT_EQ(codes(Drives{}), "rotor_inertia stiffness servo ");
  EXPECT_EQ(codes(panda_drives(true)), "effort ");
  EXPECT_EQ(codes(panda_drives(false)), "");
  Drives drives = panda_drives(true);
  drives.servo_damping_ratio.reset();
  drives.effort = all(7, 80);
  EXPECT_EQ(codes(drives), "servo_damping ");
  drives.damping[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(codes(drives), "damping servo_damping ");
  drives.rotor_inertia.resize(0);
  EXPECT_EQ(codes(drives), "rotor_inertia damping servo_damping ");
}

TEST(ElasticArm, EventsOfAContactThatLasts) {
  const ElasticProfile profile = elastic_profile(panda_arm(0, panda_drives(true)), wall, -0.12, {.horizon = 0.03});
  EXPECT_FALSE(profile.end_of_contact);
  EXPECT_EQ(profile.end, 0.03);
  EXPECT_FALSE(end_of_force(profile));
  EXPECT_EQ(profile.turns.size(), 3u) << "in, out, and in again";
  EXPECT_EQ(profile.deepest_turn()->time, profile.turns[0].time);
  const ElasticProfile cut = elastic_profile(panda_arm(0, panda_drives(true)), wall, -0.12, {.horizon = 1e-3});
  EXPECT_TRUE(cut.peaks.empty());
  EXPECT_FALSE(cut.mass_compression());
  EXPECT_GT(cut.peak().force, 100);
  const ElasticProfile free = elastic_profile(panda_arm(0, panda_drives(false)), wall, -0.12);
  const auto end = end_of_force(free, 0.01);
  ASSERT_TRUE(end);
  const ElasticStates there = states(free, Eigen::VectorXd::Constant(1, end->time));
  EXPECT_NEAR(there.force[0], 0.01 * free.peak().force, 1e-6);
  const ElasticStates last = states(free, Eigen::VectorXd::Constant(1, free.end));
  EXPECT_NEAR(last.compression[0], 0, 1e-15);
  EXPECT_NEAR(last.velocity[0], free.end_of_contact->velocity, 1e-12);
  EXPECT_NEAR(last.impulse[0], free.impulse, 1e-12);
}

TEST(ElasticArm, ForcesAndStatesAgree) {
  const ElasticProfile profile = elastic_profile(panda_arm(1, panda_drives(true)), wall, -0.12, {.horizon = 0.02});
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(400, -1e-3, 0.0199);
  Eigen::VectorXd force(times.size());
  forces(profile, times, force);
  const ElasticStates inside = states(profile, times.tail(370));
  EXPECT_EQ(force.head(20).norm(), 0);
  EXPECT_LT((force.tail(370) - inside.force).norm(), 1e-9);
}

// The object as one more joint of the arm, which nothing drives: the same motion by another road.
ElasticArm with_object(const ElasticArm& arm, double mass) {
  const Eigen::Index n = arm.j.size();
  MatrixX M = MatrixX::Zero(n + 1, n + 1);
  M.topLeftCorner(n, n) = arm.M;
  M(n, n) = mass;
  VectorX j(n + 1), holding = VectorX::Zero(n + 1);
  j << arm.j, 1;
  holding.head(n) = arm.holding;
  Drives drives = arm.drives;
  for (VectorX* values : {&drives.rotor_inertia, &drives.stiffness, &drives.damping, &drives.effort,
                          &drives.servo_stiffness, &drives.servo_damping})
    if (values->size() == n) {
      values->conservativeResize(n + 1);
      (*values)[n] = std::numeric_limits<double>::quiet_NaN();
    }
  return elastic_arm(M, j, drives, holding);
}

TEST(ElasticArm, AnObjectIsOneMoreJointThatNothingDrives) {
  test::Random random(test::base_seed() + 5);
  for (int trial = 0; trial < 6; ++trial)
    for (const LawKind kind : all_laws) {
      SCOPED_TRACE(std::to_string(trial) + " " + std::string(to_string(kind)));
      const auto [arm, velocity] = random_arm(random, 1 + trial, trial % 2 == 1);
      const double mass = std::exp(test::uniform(random, -2, 3));
      const ContactLaw law = typical_law(kind);
      const ElasticProfile profile =
          elastic_profile(arm, law, velocity, {.horizon = 0.02, .object_inverse_mass = 1 / mass});
      const ElasticProfile other = elastic_profile(with_object(arm, mass), law, velocity, {.horizon = 0.02});
      EXPECT_NEAR(profile.end, other.end, 1e-8 * other.end);
      EXPECT_NEAR(profile.impulse, other.impulse, 1e-8 * other.impulse);
      ASSERT_EQ(profile.peaks.size(), other.peaks.size());
      ASSERT_EQ(profile.turns.size(), other.turns.size());
      const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(80, 0, std::min(profile.end, other.end));
      const ElasticStates own = states(profile, times), as_joint = states(other, times);
      EXPECT_LT(test::relative_error(own.force, as_joint.force), 1e-8);
      EXPECT_LT(test::relative_error(own.joint_rate, as_joint.joint_rate.leftCols(arm.j.size())), 1e-8);
      const ElasticEnergies energy = energies(profile), as_joints = energies(other);
      EXPECT_NEAR(energy.kinetic, as_joints.kinetic, 1e-8 * energy.supplied);
      EXPECT_NEAR(energy.dissipated, as_joints.dissipated, 1e-7 * energy.supplied);
      // momentum: what the arm got is what the object lost, and the two velocities are those of the contact
      const VectorX object = -own.impulse / mass;
      for (Eigen::Index i = 0; i < times.size(); ++i)
        EXPECT_NEAR(own.joint_rate.row(i).dot(arm.j) - object[i], own.velocity[i] - velocity, 1e-9 * -velocity);
    }
}

TEST(ElasticArm, EnergyClosesWithAnObject) {
  test::Random random(test::base_seed() + 6);
  for (int trial = 0; trial < 8; ++trial)
    for (const LawKind kind : all_laws) {
      SCOPED_TRACE(std::to_string(trial) + " " + std::string(to_string(kind)));
      const auto [arm, velocity] = random_arm(random, 1 + trial, trial % 2 == 1);
      const ElasticProfile profile = elastic_profile(arm, typical_law(kind), velocity,
                                                     {.horizon = 0.03, .object_inverse_mass = 0.2 + 0.5 * trial});
      const ElasticEnergies e = energies(profile);
      EXPECT_NEAR(e.kinetic + e.transmission + e.servo + e.wall + e.dissipated, e.supplied, 1e-8 * e.supplied);
    }
}

TEST(ElasticArm, AnObjectOfInfiniteMassIsAWall) {
  const ElasticArm arm = panda_arm(0, panda_drives(true));
  for (const LawKind kind : all_laws) {
    SCOPED_TRACE(to_string(kind));
    const ContactLaw law = typical_law(kind);
    const ElasticProfile of_wall = elastic_profile(arm, law, -0.12, {.horizon = 0.02});
    const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(80, 0, 0.999 * of_wall.end);
    const ElasticStates still = states(of_wall, times);
    const ElasticProfile heavy = elastic_profile(arm, law, -0.12, {.horizon = 0.02, .object_inverse_mass = 1e-13});
    EXPECT_LT(test::relative_error(states(heavy, times).force, still.force), 1e-10);
    EXPECT_LT(test::relative_error(states(heavy, times).velocity, still.velocity), 1e-10);
    // and one that is light leaves at once
    const ElasticProfile light = elastic_profile(arm, law, -0.12, {.horizon = 0.02, .object_inverse_mass = 10});
    EXPECT_LT(light.impulse, 0.5 * of_wall.impulse);
  }
}

TEST(ElasticArm, WithoutDrivesAnObjectMakesItTheReducedMassUnderEveryLaw) {
  for (const auto& impact : support::impacts) {
    SCOPED_TRACE(impact.name);
    const double mass = 1.7 * impact.mass, object = 1 / (1 / impact.mass - 1 / mass);  // together impact.mass
    const ElasticArm arm = elastic_arm(MatrixX::Constant(1, 1, mass), all(1, 1), Drives{});
    const ForceProfile lumped = force_profile(impact.law, impact.mass, impact.velocity);
    const double end = 1.2 * lumped.end_of_force.time;
    const ElasticProfile profile =
        elastic_profile(arm, impact.law, impact.velocity, {.horizon = end, .object_inverse_mass = 1 / object});
    ASSERT_EQ(profile.peaks.size(), 1u);
    EXPECT_TRUE(support::agree(profile.peak().force, lumped.peak.force, 1e-8));
    if (lumped.end_of_compression && lumped.end_of_compression->time < end) {
      ASSERT_FALSE(profile.turns.empty());
      EXPECT_TRUE(support::agree(profile.turns[0].time, lumped.end_of_compression->time, 1e-8));
      EXPECT_TRUE(support::agree(profile.turns[0].impulse, *lumped.impulse.compression, 1e-8));
      EXPECT_TRUE(support::agree(*profile.mass_compression(), mass, 1e-8));  // the arm's own
    }
    const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(200, 0, profile.end);
    const ElasticStates own = states(profile, times);
    for (Eigen::Index i = 1; i < times.size(); ++i) {
      EXPECT_NEAR(own.force[i], state(lumped, times[i]).force, 1e-6 * lumped.peak.force) << times[i];
      EXPECT_TRUE(support::agree(own.apparent_mass[i], mass, 1e-5)) << times[i];
    }
  }
}

TEST(ElasticArm, RefusesWhatIsNoArm) {
  const auto refused = [](const auto& call, const std::string& argument) {
    try {
      call();
      ADD_FAILURE() << argument << " is accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.argument(), argument);
    }
  };
  const MatrixX M = MatrixX::Identity(2, 2);
  refused([&] { elastic_arm(M, all(3, 1), {}); }, "M");
  refused([&] { elastic_arm(-M, all(2, 1), {}); }, "M");
  refused([&] { elastic_arm(M, all(2, 0), {}); }, "j");
  refused([&] { elastic_arm(M, all(2, 1), {}, all(3, 0)); }, "holding");
  Drives drives;
  drives.stiffness = all(3, 1);
  refused([&] { elastic_arm(M, all(2, 1), drives); }, "stiffness");
  drives.stiffness = vector({1, -1});
  refused([&] { elastic_arm(M, all(2, 1), drives); }, "stiffness[1]");
  drives = {};
  drives.servo_damping_ratio = -1;
  refused([&] { elastic_arm(M, all(2, 1), drives); }, "servo_damping_ratio");
  const ElasticArm arm = elastic_arm(M, all(2, 1), {});
  refused([&] { elastic_profile(arm, wall, 0.1); }, "velocity");
  refused([&] { elastic_profile(arm, wall, -0.1, {.horizon = 0}); }, "horizon");
  refused([&] { elastic_profile(arm, wall, -0.1, {.object_inverse_mass = -1}); }, "object_inverse_mass");
  refused([&] { elastic_profile(arm, Viscoelastic{-1, 0}, -0.1); }, "stiffness");
  refused([&] { states(elastic_profile(arm, wall, -0.1), all(1, 7)); }, "times");
  refused([&] { elastic_profile(arm, wall, -0.1, {.command = {{1e-3, all(1, 0), all(2, 0), all(2, 0)}}}); }, "command");
}

// One joint: omega is the frequency of the link on its transmission, and x tends to 0 as the wall hardens.
TEST(Regime, OfOneJointIsTheLinksFrequencyTimesTheTime) {
  Drives drives;
  drives.rotor_inertia = vector({0.2});
  drives.stiffness = vector({9e3});
  const MatrixX M = MatrixX::Constant(1, 1, 0.4);
  const ElasticArm arm = elastic_arm(M, vector({0.5}), drives);
  double before = std::numeric_limits<double>::infinity();
  for (const double stiffness : {1e5, 1e6, 1e7, 1e8}) {
    const ElasticProfile profile = elastic_profile(arm, Spring{stiffness, 1}, -0.1);
    const auto found = regime(arm, profile);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->frequency, std::sqrt(9e3 / 0.4), 1e-9);
    EXPECT_NEAR(found->x, found->frequency * profile.deepest_turn()->time, 1e-12);
    EXPECT_NEAR(found->effective_mass, profile.deepest_turn()->impulse / 0.1, 1e-12);
    EXPECT_LT(found->x, before);
    before = found->x;
  }
  EXPECT_LT(before, regime_bounds[0]);
  const auto stiff = regime(arm, elastic_profile(arm, Spring{1e8, 1}, -0.1));
  EXPECT_EQ(stiff->by_rule, InertiaModel::generalized_momentum);
  EXPECT_NEAR(stiff->effective_mass, arm.mass_links, 0.01 * arm.mass_links);
}

TEST(Regime, NeedsEveryTransmissionAndATurn) {
  Drives rigid = panda_drives(true);
  rigid.stiffness[3] = std::numeric_limits<double>::quiet_NaN();
  const ElasticArm arm = panda_arm(0, rigid), whole = panda_arm(0, panda_drives(true));
  EXPECT_FALSE(regime(arm, elastic_profile(arm, wall, -0.12)));
  EXPECT_FALSE(regime(whole, elastic_profile(whole, wall, -0.12, {.horizon = 1e-4})));
  EXPECT_TRUE(regime(whole, elastic_profile(whole, wall, -0.12)));
}

// Events are roots, however the function bends between the ends of its bracket.
TEST(Root, IsFoundInConvexAndConcaveBrackets) {
  for (const double at : {1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
    for (const int power : {1, 2, 3, 9}) {
      const double value = std::pow(at, power);
      EXPECT_NEAR(elastic::root([&](double t) { return std::pow(t, power) - value; }, 0, 1), at, 1e-15);
      EXPECT_NEAR(elastic::root([&](double t) { return value - std::pow(t, power); }, 0, 1), at, 1e-15);
      EXPECT_NEAR(elastic::root([&](double t) { return std::pow(1 - t, power) - value; }, 0, 1), 1 - at, 1e-15);
    }
  }
}

// A wall that restores little leads to grazing turns, in the end to ever shorter ones that cannot be followed. A
// passive arm gains nothing from them.
TEST(ElasticArm, APassiveArmGainsNoEnergyFromAnInelasticSpring) {
  const ElasticArm arm = panda_arm(1, panda_drives(false));
  for (const double e : {0.3, 0.1, 0.05, 0.03, 0.01, 1e-3, 1e-4}) {
    SCOPED_TRACE(e);
    ElasticProfile profile(7);
    elastic_profile(arm, Spring{1e6, e}, -0.12, {}, profile);
    EXPECT_GT(profile.end, 7e-3);
    const ElasticEnergies found = energies(profile);
    EXPECT_GE(found.dissipated, -1e-9);
    EXPECT_LE(found.kinetic + found.transmission, found.supplied + 1e-9);
    EXPECT_LT(profile.peak().force, 400);
    if (profile.end_of_contact) {
      EXPECT_LT(profile.end_of_contact->velocity, 0.12);
    }
  }
}

}  // namespace
}  // namespace thud
