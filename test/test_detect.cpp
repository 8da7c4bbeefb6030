#include <thud/detect.hpp>
#include <thud/error.hpp>

#include <cmath>

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
  EXPECT_EQ(refusal([] { ThresholdDetector({4, 5, 4}, 1); }), "joints: 4: must not be named twice");
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

}  // namespace
}  // namespace thud
