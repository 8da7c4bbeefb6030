#include <thud/detect.hpp>
#include <thud/error.hpp>
#include <thud/urdf.hpp>

#include <cmath>
#include <functional>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support.hpp"

namespace thud {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// A log of four joints, of which 1 and 3 are watched: the residuals are 0.5, 1.5, 1, 2, 2.5, 0 in binary-exact numbers.
struct Log {
  Eigen::VectorXd time{{0, 0.001, 0.0025, 0.003, 0.01, 0.011}};
  Eigen::MatrixXd torque{{90, 1.25, 0, 2}, {90, 2.5, 0, 2}, {90, 1, 0, 1},
                         {90, 0, 0, 1},    {90, 1, 0, 4.5}, {90, 1, 0, 2}};
  Eigen::MatrixXd reference{{-90, 1, 7, 2.25}, {-90, 1, 7, 2}, {-90, 1, 7, 2},
                            {-90, 1, 7, 2},    {-90, 1, 7, 2}, {-90, 1, 7, 2}};
};
const std::vector<int> watched{1, 3};

TEST(TorqueResidual, ByHand) {
  const Log log;
  const double expected[] = {0.5, 1.5, 1, 2, 2.5, 0};
  for (int i = 0; i < 6; ++i) {
    const Eigen::VectorXd torque = log.torque.row(i), reference = log.reference.row(i);
    EXPECT_EQ(torque_residual(watched, torque, reference), expected[i]);
    EXPECT_EQ(torque_residual(watched, reference, torque), expected[i]) << "either sign counts";
    EXPECT_EQ(torque_residual(watched, torque - reference), expected[i]);
  }
  EXPECT_EQ(torque_residual({}, Eigen::Vector2d(1, 2), Eigen::Vector2d(0, 0)), 0);
}

TEST(ThresholdDetector, AlarmsAboveTheThresholdAndStaysSo) {
  const Log log;
  ThresholdDetector detector(watched, 2);
  EXPECT_TRUE(std::isnan(detector.residual()));
  for (int i = 0; i < 6; ++i) {
    const Eigen::VectorXd torque = log.torque.row(i), reference = log.reference.row(i);
    EXPECT_EQ(detector.update(torque, reference), i >= 4) << "a residual of 2 in sample 3 is not above 2";
    EXPECT_EQ(detector.alarm(), i >= 4);
    EXPECT_EQ(detector.residual(), torque_residual(watched, torque, reference));
  }
  detector.reset();
  EXPECT_FALSE(detector.alarm());
  EXPECT_TRUE(std::isnan(detector.residual()));
  EXPECT_TRUE(detector.update(Eigen::Vector4d(0, 1.5, 0, -1.5)));
}

TEST(ThresholdDetector, CountsCyclesInARow) {
  ThresholdDetector detector({0}, 1, 3);
  for (const double residual : {2.0, 2.0, 1.0, 2.0, 2.0}) EXPECT_FALSE(detector.update(residual));
  EXPECT_TRUE(detector.update(2.0));
  EXPECT_TRUE(detector.update(0.0)) << "until reset";
}

TEST(ThresholdDetector, TakesASensorThatFailsForAnAlarm) {
  ThresholdDetector detector({0, 1}, 1);
  EXPECT_FALSE(detector.update(Eigen::Vector3d(0, 0, NAN))) << "of a joint that is not watched";
  EXPECT_TRUE(detector.update(Eigen::Vector3d(0, NAN, 0)));
}

TEST(FindAlarm, KnownAnswers) {
  const Log log;
  const auto alarm = find_alarm(log.time, log.torque, log.reference, {watched, 1});
  ASSERT_TRUE(alarm);
  EXPECT_EQ(alarm->sample, 1u);
  EXPECT_EQ(alarm->time, 0.001);
  EXPECT_EQ(alarm->residual, 1.5);
  EXPECT_EQ(find_alarm(log.time, log.torque, log.reference, {watched, 1, 2})->sample, 4u);
  EXPECT_EQ(find_alarm(log.time, log.torque, log.reference, {watched, 2})->sample, 4u);
  EXPECT_FALSE(find_alarm(log.time, log.torque, log.reference, {watched, 2.5}));
  EXPECT_EQ(find_alarm(log.time, log.torque - log.reference, {watched, 2})->sample, 4u);
}

TEST(FindAlarm, BeginsAtTheStart) {
  const Log log;
  const auto from = [&](double start, int consecutive = 1) {
    return find_alarm(log.time, log.torque, log.reference, {watched, 1, consecutive}, start);
  };
  EXPECT_EQ(from(0.001)->sample, 1u) << "a sample at the start counts";
  EXPECT_EQ(from(0.0011)->sample, 3u);
  EXPECT_FALSE(from(0.01, 2)) << "what came before the start does not count towards the row";
  EXPECT_FALSE(from(0.02));
  EXPECT_FALSE(from(inf));
}

TEST(FindAlarm, IsTheStreamingDetectorOnALog) {
  test::Random random(test::base_seed());
  const int samples = 400;
  const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(samples, 0, 1);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE("THUD_SEED " + std::to_string(test::base_seed()) + ", round " + std::to_string(round));
    MatrixX torque(samples, 7), reference(samples, 7);
    for (Eigen::Index i = 0; i < torque.size(); ++i) {
      torque.data()[i] = test::uniform(random, -1, 1);
      reference.data()[i] = test::uniform(random, -1, 1);
    }
    ThresholdDetector detector({4, 5}, test::uniform(random, 2, 4), 1 + round % 3);
    const auto found = find_alarm(time, torque, reference, detector);
    int first = 0;
    while (first < samples && !detector.update(torque.row(first).transpose(), reference.row(first).transpose()))
      ++first;
    ASSERT_EQ(found.has_value(), first < samples);
    if (!found) continue;
    EXPECT_EQ(found->sample, static_cast<std::size_t>(first));
    EXPECT_EQ(found->residual, detector.residual());
  }
}

TEST(QuietLevel, IsTheLargestResidualOfTheSpanAndAThresholdWithoutAlarm) {
  const Log log;
  const auto quiet = [&](double from, double to) {
    return quiet_level(log.time, log.torque, log.reference, watched, from, to);
  };
  EXPECT_EQ(quiet(-inf, inf), 2.5);
  EXPECT_EQ(quiet(0, 0.003), 2) << "both ends belong to the span";
  EXPECT_EQ(quiet(0.0015, 0.0029), 1);
  EXPECT_EQ(quiet_level(log.time, log.torque - log.reference, watched, 0, 0.001), 1.5);
  EXPECT_FALSE(find_alarm(log.time, log.torque, log.reference, {watched, 2.5}));
  EXPECT_TRUE(find_alarm(log.time, log.torque, log.reference, {watched, std::nextafter(2.5, 0)}));
}

// A rigid arm under motor torques that swing about those that hold it up, and external ones. Its equations of motion
// are built from M, mass and centre of mass by differences, which is another road than the observer's.
class Arm {
 public:
  using External = std::function<VectorX(double time, const ContactDynamics& at)>;

  Arm(const Robot& robot, const test::Sample& sample, External external)
      : workspace_(robot, sample.point), external_(std::move(external)), state_(sample.state) {
    const VectorX still = VectorX::Zero(robot.size());
    hold_ = -gradient(state_.q, still);
    M_start_ = contact_dynamics(workspace_, state_.q).M;
  }

  // tau [N m or N]: accelerations of about 3 rad/s^2 at 1.6 Hz, each joint in its own phase
  VectorX torque(double time) const {
    VectorX wanted(hold_.size());
    for (Eigen::Index i = 0; i < wanted.size(); ++i) wanted[i] = 3 * std::sin(10 * time + static_cast<double>(i));
    return hold_ + M_start_ * wanted;
  }

  VectorX external(double time) { return external_(time, contact_dynamics(workspace_, state_.q)); }

  // One step of Runge and Kutta.
  void advance(double time, double dt) {
    const auto [q, dq] = state_;
    const VectorX k1 = acceleration(time, q, dq), v2 = dq + dt / 2 * k1;
    const VectorX k2 = acceleration(time + dt / 2, q + dt / 2 * dq, v2), v3 = dq + dt / 2 * k2;
    const VectorX k3 = acceleration(time + dt / 2, q + dt / 2 * v2, v3), v4 = dq + dt * k3;
    const VectorX k4 = acceleration(time + dt, q + dt * v3, v4);
    state_ = {q + dt / 6 * (dq + 2 * v2 + 2 * v3 + v4), dq + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)};
  }

  const State& state() const { return state_; }

 private:
  static constexpr double h = 1e-4;  // differences are then good to some 1e-8

  VectorX gradient(const VectorX& q, const VectorX& dq) {
    const auto lagrangian = [&](const VectorX& at) {
      const ContactDynamics& d = contact_dynamics(workspace_, at);
      return 0.5 * dq.dot(d.M * dq) - 9.81 * d.mass * d.com_W.z();
    };
    VectorX gradient(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const VectorX step = h * VectorX::Unit(q.size(), i);
      gradient[i] = (lagrangian(q + step) - lagrangian(q - step)) / (2 * h);
    }
    return gradient;
  }

  VectorX acceleration(double time, const VectorX& q, const VectorX& dq) {
    MatrixX M_rate = contact_dynamics(workspace_, q + h * dq).M;
    M_rate -= contact_dynamics(workspace_, q - h * dq).M;
    M_rate /= 2 * h;
    const VectorX known = torque(time) + gradient(q, dq) - M_rate * dq;
    const ContactDynamics& d = contact_dynamics(workspace_, q);
    return Eigen::MatrixXd(d.M).ldlt().solve(known + external_(time, d));
  }

  DynamicsWorkspace workspace_;
  External external_;
  State state_;
  VectorX hold_;
  MatrixX M_start_;
};

// What a log of the arm's motion holds, with steps of time that differ by up to three times, and its external torques.
struct Motion {
  VectorX time;
  MatrixX position, velocity, torque, external;
};

Motion simulate(Arm arm, test::Random& random, double step, Eigen::Index samples) {
  const Eigen::Index n = arm.state().q.size();
  Motion log{VectorX(samples), MatrixX(samples, n), MatrixX(samples, n), MatrixX(samples, n), MatrixX(samples, n)};
  double time = 0;
  for (Eigen::Index i = 0; i < samples; ++i) {
    log.time[i] = time;
    log.position.row(i) = arm.state().q;
    log.velocity.row(i) = arm.state().dq;
    log.torque.row(i) = arm.torque(time);
    log.external.row(i) = arm.external(time);
    const double dt = step * test::uniform(random, 0.5, 1.5);
    arm.advance(time, dt);
    time += dt;
  }
  return log;
}

// The textbook arm, and the Panda and random arms with branches and sliding joints; rotors keep these from whirling.
std::vector<Robot> arms() {
  std::vector<Robot> robots{load_robot("spatial_3r"), load_robot("panda")};
  for (const bool serial : {false, true})
    robots.push_back(parse_urdf(test::random_urdf(test::base_seed() + 40, 6, serial), serial ? "chain" : "tree"));
  for (std::size_t i = 1; i < robots.size(); ++i)
    robots[i] = robots[i].with_rotor_inertia(VectorX::Constant(robots[i].size(), 0.2));
  return robots;
}

test::Sample slow_sample(test::Random& random, const Robot& robot) {
  test::Sample sample = test::random_sample(random, robot);
  sample.point.whole = true;  // gravity pulls at every limb
  sample.state.dq *= 0.5;
  return sample;
}

constexpr double gain = 100;  // [1/s]

// The trapezoidal rule is off by dt^2/12 of the torques' second derivative: with dt up to 1.5 ms and angular
// frequencies up to 20 rad/s, by 1e-4 of the largest torque.
constexpr double trapezoid = 1e-4;

TEST(MomentumObserver, SeesNothingInFreeMotion) {
  test::Random random(test::base_seed());
  for (const Robot& robot : arms()) {
    SCOPED_TRACE(robot.name());
    const VectorX none = VectorX::Zero(robot.size());
    const Arm::External free = [&](double, const ContactDynamics&) { return none; };
    const test::Sample sample = slow_sample(random, robot);
    const auto largest = [&](double step, Eigen::Index samples) {
      const Motion log = simulate(Arm(robot, sample, free), random, step, samples);
      const MatrixX r = external_torques(robot, log.time, log.position, log.velocity, log.torque, gain);
      return r.cwiseAbs().maxCoeff() / log.torque.cwiseAbs().maxCoeff();
    };
    const double coarse = largest(1e-3, 100), fine = largest(5e-4, 200);
    EXPECT_LT(coarse, trapezoid);
    EXPECT_LT(fine, coarse / 2) << "half the step leaves a quarter";
  }
}

TEST(MomentumObserver, FollowsAConstantTorqueWithItsTimeConstant) {
  test::Random random(test::base_seed());
  for (const Robot& robot : arms()) {
    SCOPED_TRACE(robot.name());
    const Eigen::Index n = robot.size();
    const test::Sample sample = slow_sample(random, robot);
    VectorX push(n);
    for (double& entry : push) entry = test::uniform(random, -3, 3);
    push = contact_dynamics(robot, sample.point, sample.state.q).M * push;
    const Arm::External constant = [&](double, const ContactDynamics&) { return push; };
    const Motion log = simulate(Arm(robot, sample, constant), random, 1e-3, 100);
    const MatrixX r = external_torques(robot, log.time, log.position, log.velocity, log.torque, gain);
    const double size = log.torque.cwiseAbs().maxCoeff();
    double worst = 0;
    for (Eigen::Index i = 0; i < r.rows(); ++i) {
      const VectorX expected = -std::expm1(-gain * log.time[i]) * push;
      worst = std::max(worst, (r.row(i).transpose() - expected).cwiseAbs().maxCoeff() / size);
    }
    EXPECT_LT(worst, trapezoid);
  }
}

TEST(MomentumObserver, FollowsAForceAtAPoint) {
  constexpr double fast = 500;  // [1/s]
  const Vector3 force_W(-4, 3, 8);
  test::Random random(test::base_seed());
  for (const Robot& robot : arms()) {
    SCOPED_TRACE(robot.name());
    const Arm::External contact = [&](double, const ContactDynamics& at) -> VectorX {
      return at.J.topRows<3>().transpose() * force_W;
    };
    const Motion log = simulate(Arm(robot, slow_sample(random, robot), contact), random, 1e-3, 100);
    const MatrixX r = external_torques(robot, log.time, log.position, log.velocity, log.torque, fast);
    // Behind a ramp the low-pass stays by 1/K of its slope, and in steps of dt by dt/2 coth(K dt/2): from
    // d <- a d + slope dt (1 + a)/2, a = exp(-K dt), which grows with dt.
    const Eigen::Index last = r.rows() - 1;
    const VectorX steps = log.time.tail(last) - log.time.head(last);
    const double lag = steps.maxCoeff() / 2 / std::tanh(fast * steps.maxCoeff() / 2);
    const MatrixX slopes =
        steps.cwiseInverse().asDiagonal() * (log.external.bottomRows(last) - log.external.topRows(last));
    const double rounding = trapezoid * log.torque.cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < robot.size(); ++j) {
      const double behind = lag * slopes.col(j).cwiseAbs().maxCoeff() + rounding;
      for (Eigen::Index i = 0; i <= last; ++i) {
        const double beginning = std::exp(-fast * log.time[i]) * std::abs(log.external(0, j));
        ASSERT_NEAR(r(i, j), log.external(i, j), behind + beginning) << "sample " << i << ", joint " << j;
      }
    }
    EXPECT_GT(r.row(last).dot(log.external.row(last)), 0.9 * log.external.row(last).squaredNorm());
  }
}

TEST(MomentumObserver, IsTheIntegralOfTheTextbook) {
  // Euler's rule is off by half a step of torques that change by ten times their size in a second, and in its low-pass
  // by half of gain * step: about one hundredth of r in all.
  constexpr double step = 1e-4, euler = 0.02;
  test::Random random(test::base_seed());
  const Robot robot = load_robot("spatial_3r");
  const VectorX push = Vector3(2, -1, 0.5);
  const Arm::External constant = [&](double, const ContactDynamics&) { return push; };
  const Motion log = simulate(Arm(robot, slow_sample(random, robot), constant), random, step, 300);
  const MatrixX r = external_torques(robot, log.time, log.position, log.velocity, log.torque, gain);

  VectorX integral = VectorX::Zero(3), by_hand = VectorX::Zero(3), start;
  for (Eigen::Index i = 0; i < r.rows(); ++i) {
    const auto [p, gradient] = lagrange_terms(robot, log.position.row(i).transpose(), log.velocity.row(i).transpose());
    if (i == 0) start = p;
    by_hand = gain * (p - start - integral);
    EXPECT_LT((r.row(i).transpose() - by_hand).cwiseAbs().maxCoeff(), euler * push.norm()) << i;
    if (i + 1 < r.rows())
      integral += (log.torque.row(i).transpose() + gradient + by_hand) * (log.time[i + 1] - log.time[i]);
  }
}

TEST(MomentumObserver, BeginsAnewAfterAReset) {
  const Robot robot = load_robot("spatial_3r");
  MomentumObserver observer(robot, gain);
  const VectorX rest = VectorX::Zero(3), push = VectorX::Constant(3, -2);
  const VectorX hold = -lagrange_terms(robot, rest, rest).gradient;
  EXPECT_EQ(observer.external_torque(), rest);
  EXPECT_EQ(observer.update(rest, rest, hold + push, 1e-3), rest) << "the first cycle has no step";
  // an arm that stays where it is although the motors push is pushed the other way
  EXPECT_LT((observer.update(rest, rest, hold + push, 1e-3) + push * -std::expm1(-0.1)).norm(), 1e-12);
  observer.reset();
  EXPECT_EQ(observer.external_torque(), rest);
  MomentumObserver other(robot, gain);
  for (const VectorX& dq : {push, rest})
    EXPECT_EQ(observer.update(rest, dq, hold, 2e-3), other.update(rest, dq, hold, 2e-3)) << "nothing is remembered";
}

TEST(MomentumObserver, IsStableAcrossAGap) {
  const Robot robot = load_robot("spatial_3r");
  const VectorX rest = VectorX::Zero(3), push = VectorX::Constant(3, 2);
  const VectorX hold = -lagrange_terms(robot, rest, rest).gradient;
  MomentumObserver observer(robot, 1e4);
  for (const double dt : {1e-3, 1.0, 1e-3, 60.0}) observer.update(rest, rest, hold - push, dt);
  EXPECT_LT((observer.external_torque() - push).norm(), 1e-12) << "to rounding, though gain times step is 6e5";
}

TEST(MomentumObserver, DetectsAPushAfterTheTimeThatItsGainSays) {
  const Robot robot = load_robot("panda").with_rotor_inertia(VectorX::Constant(7, 0.3));
  const test::Sample sample{{test::paper_configuration(0), VectorX::Zero(7)}, test::paper_contact()};
  constexpr double touch = 0.02, step = 2.5e-4;  // [s]
  const Arm::External wall = [&](double time, const ContactDynamics& at) -> VectorX {
    return at.J.topRows<3>().transpose() * (time < touch ? 0 : 40) * at.normal_W;
  };
  test::Random random(test::base_seed());
  const Motion log = simulate(Arm(robot, sample, wall), random, step, 200);
  Eigen::Index first = 0;
  while (log.time[first] < touch) ++first;
  // the alarm waits for a sample, and the plant knows the touch to the step in which it falls
  constexpr double two_steps = 2 * 1.5 * step;
  const std::vector<int> joints{4, 5};
  const double pushed = torque_residual(joints, log.external.row(first).transpose()), threshold = pushed / 2;
  for (const double fast : {50.0, 200.0, 1000.0}) {
    const MatrixX r = external_torques(robot, log.time, log.position, log.velocity, log.torque, fast);
    EXPECT_LT(quiet_level(log.time, r, joints, 0, touch), trapezoid * log.torque.cwiseAbs().maxCoeff());
    const auto alarm = find_alarm(log.time, r, {joints, threshold});
    ASSERT_TRUE(alarm);
    EXPECT_NEAR(alarm->time, touch + std::log(2) / fast, two_steps);
    EXPECT_GT(alarm->residual, threshold);
  }
}

// What an error says, or that there was none.
template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(DetectRefuses, BadDetectors) {
  EXPECT_EQ(refusal([] { ThresholdDetector({}, 1); }), "joints: none: at least one joint must be watched");
  EXPECT_EQ(refusal([] { ThresholdDetector({4, -1}, 1); }), "joints: -1: a joint's index must be at least 0");
  EXPECT_EQ(refusal([] { ThresholdDetector({4, 5, 4}, 1); }), "joints: 4: must not be listed twice");
  EXPECT_EQ(refusal([] { ThresholdDetector({4}, 0); }), "threshold: 0: must be finite and greater than 0");
  EXPECT_EQ(refusal([] { ThresholdDetector({4}, -1.8); }), "threshold: -1.8: must be finite and greater than 0");
  EXPECT_EQ(refusal([] { ThresholdDetector({4}, NAN); }), "threshold: nan: must be finite and greater than 0");
  EXPECT_EQ(refusal([] { ThresholdDetector({4}, inf); }), "threshold: inf: must be finite and greater than 0");
  EXPECT_EQ(refusal([] { ThresholdDetector({4}, 1, 0); }), "consecutive: 0: must be at least 1");
}

TEST(DetectRefuses, BadLogs) {
  const Log good;
  const auto alarm = [](const Log& log, double start = 0) {
    return refusal([&] { find_alarm(log.time, log.torque, log.reference, {watched, 1}, start); });
  };
  EXPECT_EQ(alarm(good), "no refusal");
  EXPECT_EQ(alarm(good, NAN), "start: nan: must be a time");

  Log log = good;
  log.time[2] = log.time[1];
  EXPECT_EQ(alarm(log), "time[2]: 0.001: time must increase from sample to sample");
  log.time[2] = NAN;
  EXPECT_EQ(alarm(log), "time[2]: nan: must be finite");
  log.time.resize(0);
  EXPECT_EQ(alarm(log), "time: 0 samples: a log needs at least one");

  log = good;
  log.torque.conservativeResize(5, 4);
  EXPECT_EQ(alarm(log), "torque: 5 x 4: must be 6 x 4, a row per sample and a column per joint");
  log = good;
  log.reference.conservativeResize(6, 3);
  EXPECT_EQ(alarm(log), "torque_reference: 6 x 3: must be 6 x 4, a row per sample and a column per joint");
  log = good;
  log.torque(3, 0) = inf;
  EXPECT_EQ(alarm(log), "torque: inf: must be finite (sample 3, joint 0)");
  log = good;
  log.reference(5, 3) = NAN;
  EXPECT_EQ(alarm(log), "torque_reference: nan: must be finite (sample 5, joint 3)");

  EXPECT_EQ(refusal([&] { find_alarm(good.time, good.torque, {{1, 4}, 1}); }), "joints: 4: the log has 4, from 0");
  EXPECT_EQ(refusal([&] {
              find_alarm(good.time, good.torque.topRows(2), {{1}, 1});
            }),
            "external_torque: 2 x 4: must be 6 x 4, a row per sample and a column per joint");
  EXPECT_EQ(refusal([&] { quiet_level(good.time, good.torque, {}, 0, 1); }),
            "joints: none: at least one joint must be watched");
  EXPECT_EQ(refusal([&] { quiet_level(good.time, good.torque, watched, 0.004, 0.009); }),
            "span: 0.004 to 0.009: must hold a sample (the log is from 0 to 0.011 s)");
  EXPECT_EQ(refusal([&] { quiet_level(good.time, good.torque, watched, NAN, 1); }),
            "span: nan to 1: must hold a sample (the log is from 0 to 0.011 s)");
}

TEST(DetectRefuses, BadObservers) {
  const Robot robot = load_robot("planar_2r");
  EXPECT_EQ(refusal([&] { MomentumObserver(robot, 0); }), "gain: 0: must be finite and greater than 0");
  EXPECT_EQ(refusal([&] { MomentumObserver(robot, NAN); }), "gain: nan: must be finite and greater than 0");
  EXPECT_EQ(refusal([&] { MomentumObserver(robot, 1, {0, inf, 0}); }), "gravity: 0,inf,0: must be finite");

  const Eigen::Vector3d time(0, 1, 2);
  const Eigen::MatrixXd good = Eigen::MatrixXd::Zero(3, 2), wide = Eigen::MatrixXd::Zero(3, 3);
  const auto observe = [&](const Eigen::MatrixXd& q, const Eigen::MatrixXd& dq, const Eigen::MatrixXd& torque,
                           double K = 1) { return refusal([&] { external_torques(robot, time, q, dq, torque, K); }); };
  EXPECT_EQ(observe(good, good, good), "no refusal");
  EXPECT_EQ(observe(good, good, good, -1), "gain: -1: must be finite and greater than 0");
  const std::string rule = ": 3 x 3: must be 3 x 2, a row per sample and a column per joint";
  EXPECT_EQ(observe(wide, good, good), "position" + rule);
  EXPECT_EQ(observe(good, wide, good), "velocity" + rule);
  EXPECT_EQ(observe(good, good, wide), "torque" + rule);
  EXPECT_EQ(observe(good, good * NAN, good), "velocity: nan: must be finite (sample 0, joint 0)");
  EXPECT_EQ(refusal([&] { external_torques(robot, time.reverse(), good, good, good, 1); }),
            "time[1]: 1: time must increase from sample to sample");
}

}  // namespace
}  // namespace thud
