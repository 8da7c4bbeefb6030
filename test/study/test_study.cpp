#include <thud/error.hpp>
#include <thud/study.hpp>
#include <thud/urdf.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "claims.hpp"
#include "study/untold.hpp"

namespace thud {
namespace {

using claims::Broken;

Study study_of(const claims::Built& built, const StudyOptions& options = {}, const RunOptions& run = {}) {
  return study(built.dataset, built.truth, options, run);
}

const Verdict& verdict(const Study& study, const std::string& claim) {
  return *std::ranges::find(study.verdicts, claim, &Verdict::claim);
}

// Keeps the trials that a condition picks, and their truth and plan.
template <class Condition>
claims::Built only(claims::Built built, Condition condition) {
  claims::Built kept{{built.dataset.header, {}}, {}, {}};
  kept.dataset.header.plan.clear();
  for (std::size_t i = 0; i < built.dataset.trials.size(); ++i) {
    if (!condition(built.dataset.trials[i])) continue;
    kept.dataset.header.plan.push_back(built.dataset.trials[i].name);
    kept.truth.push_back(built.truth[i]);
    kept.laws.push_back(built.laws[i]);
    kept.dataset.trials.push_back(std::move(built.dataset.trials[i]));
  }
  return kept;
}

// The dataset of most tests below; built once.
const claims::Built& sample() {
  static const claims::Built built = claims::build({.repeats = 3});
  return built;
}
const Study& sample_study() {
  static const Study result = study_of(sample());
  return result;
}

// The proof: what is built to obey the claims gets all supported, what is built to break one loses that one alone.
class Claims : public testing::TestWithParam<int> {};

TEST_P(Claims, BreakOneByOne) {
  const auto broken = static_cast<Broken>(GetParam());
  const Study result = study_of(claims::build({.broken = broken}));
  ASSERT_EQ(result.verdicts.size(), std::size(claims::names));
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const Verdict& each = result.verdicts[i];
    EXPECT_EQ(each.claim, claims::names[i]);
    const bool falls = static_cast<int>(i) + 1 == GetParam();
    EXPECT_EQ(each.judgement, falls ? Judgement::not_supported : Judgement::supported)
        << each.claim << ": " << each.why;
    EXPECT_TRUE(std::isfinite(each.statistic) && std::isfinite(each.threshold)) << each.claim;
    EXPECT_FALSE(each.unit.empty() || each.statement.empty() || each.section.empty() || each.why.empty()) << each.claim;
  }
}

INSTANTIATE_TEST_SUITE_P(Study, Claims, testing::Range(0, claims::count + 1),
                         [](const testing::TestParamInfo<int>& info) {
                           std::string name = info.param == 0 ? "nothing" : claims::names[info.param - 1];
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

// The paper's own procedure: the same claims, thresholds and units; two readings where a claim rests on the COR.
TEST(VerdictsAsInPaper, AreOfTheSameClaimsWithAMassThatIsNotFitted) {
  const Study& study = sample_study();
  ASSERT_EQ(study.verdicts_as_in_paper.size(), study.verdicts.size());
  const std::set<std::string> by_restitution{"c1.viscoelastic", "r1", "small_restitution"};
  int other = 0;
  for (std::size_t i = 0; i < study.verdicts.size(); ++i) {
    const Verdict& fitted = study.verdicts[i];
    const PaperVerdict& paper = study.verdicts_as_in_paper[i];
    EXPECT_EQ(paper.exact.claim, fitted.claim);
    EXPECT_EQ(paper.asymptotic.has_value(), by_restitution.contains(fitted.claim)) << fitted.claim;
    if (paper.exact.judgement != Judgement::not_testable && paper.exact.unit == fitted.unit) {
      EXPECT_EQ(paper.exact.threshold, fitted.threshold) << fitted.claim;
    }
    other += paper.exact.statistic != fitted.statistic;
  }
  EXPECT_GT(other, 3);  // the mass matters
}

// A law that fits badly is not saved by the trend of its COR.
TEST(Verdicts, ALawThatDoesNotFitIsNotSupported) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  signals::Normal normal(5);
  for (auto& trial : built.dataset.trials) {
    const auto n = static_cast<double>(trial.force.time.size());
    for (std::size_t i = 0; i < trial.force.time.size(); ++i)  // a table of the right height: all laws fail on it
      trial.force.force[i] = (static_cast<double>(i) > n / 4 && static_cast<double>(i) < n / 3 ? 400 : 0) + normal();
  }
  const Study result = study_of(built);
  const Verdict& found = verdict(result, "c1.viscoelastic");
  EXPECT_EQ(found.judgement, Judgement::not_supported);
  EXPECT_EQ(found.threshold, 0.9);
  EXPECT_LT(found.statistic, 0.9) << found.why;
}

// A prediction just above the mean, where the trials scatter by much more, is not off it.
TEST(Verdicts, AMissWithinTheScatterDoesNotCount) {
  claims::Built built = claims::build({.broken = Broken::composite_rigid_body, .repeats = 4});
  const Study before = study_of(built);
  EXPECT_EQ(verdict(before, "c2.algebraic").judgement, Judgement::supported);  // above every mean by 5 %
  for (auto& trial : built.dataset.trials)
    for (double& f : trial.force.force) f *= trial.repeat % 2 == 0 ? 1.15 : 0.85;
  const Study after = study_of(built);
  for (std::size_t i = 0; i < before.cells.size(); ++i)
    EXPECT_NEAR(after.cells[i].impulse_compression.mean / before.cells[i].impulse_compression.mean, 1, 0.02);
  EXPECT_EQ(verdict(after, "c2.algebraic").statistic, 0);
}

// A COR that scatters more than it changes is not said to vary, however far apart the medians lie.
TEST(Verdicts, AChangeWithinTheScatterCountsAsNone) {
  const auto built = only(claims::build({.broken = Broken::maxwell, .repeats = 4}), [](const Trial& trial) {
    return trial.configuration == "three" && !(trial.speed > 0.11 && trial.repeat == 1);  // fewer of the larger CORs
  });
  const Study result = study_of(built);
  std::vector<double> means;
  for (const auto& cell : result.cells) means.push_back(cell.restitution_maxwell.mean);
  const auto [low, high] = std::ranges::minmax(means);
  ASSERT_GT(high - low, 0.1 * high);
  EXPECT_EQ(verdict(result, "c1.maxwell").judgement, Judgement::not_supported);
  EXPECT_EQ(verdict(result, "c1.maxwell").statistic, 0) << verdict(result, "c1.maxwell").why;
}

// r1 compares with the wall's own COR where it is known, and else with what the user says.
TEST(Verdicts, TheWallsOwnRestitutionIsTheMaterials) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  const auto r1 = [&](double told) {
    const Study result = study_of(built, {.material_restitution = told});
    double largest = 0;
    for (const auto& cell : result.cells) {
      const std::size_t i = cell.trials.front();
      const double material = built.truth.empty() ? told : restitution(built.truth[i]->law, 1, -0.97 * cell.speed);
      largest = std::max(largest, result.trials[i].law(LawKind::viscoelastic)->restitution / material);
    }
    EXPECT_NEAR(verdict(result, "r1").statistic, largest, 0.003);  // by 0.2 % the speed is not 0.97 of the reference
    EXPECT_EQ(verdict(result, "r1").threshold, 0.9);
    return verdict(result, "r1");
  };
  EXPECT_EQ(r1(0.3).judgement, Judgement::supported) << "the wall restores 0.627, whatever is said";
  EXPECT_NE(r1(0.3).why.find("simulated wall"), std::string::npos);
  for (std::size_t i = 0; i < built.truth.size(); ++i) built.truth[i]->law = Spring{claims::stiffness, 0.4};
  EXPECT_EQ(r1(0.9).judgement, Judgement::not_supported);
  for (auto& truth : built.truth) truth->law = Viscoelastic{};  // without a law, what is said holds
  EXPECT_EQ(verdict(study_of(built, {.material_restitution = 0.9}), "r1").judgement, Judgement::supported);
  built.truth.clear();
  EXPECT_EQ(r1(0.9).judgement, Judgement::supported);
  EXPECT_EQ(r1(0.3).judgement, Judgement::not_supported);
}

// What no record tells decides no claim: it is not testable, and says so; others stand.
TEST(Verdicts, WhatRestsOnAnUntoldRestitutionIsNotTestable) {
  const auto built = claims::build({.repeats = 5, .told = false});
  const Study result = study_of(built);
  std::size_t untold = 0;
  for (const auto& trial : result.trials)
    untold += trial.law(LawKind::viscoelastic)->restitution_identifiability != Identifiability::identified;
  EXPECT_GE(untold, 70U);  // of 75
  // falls with the speed, below 0.15, an impulse as predicted, as fitted; at the other ends of the intervals not so
  for (const char* claim : {"c1.viscoelastic", "c2.composite_rigid_body", "small_restitution"}) {
    const Verdict& found = verdict(result, claim);
    EXPECT_EQ(found.judgement, Judgement::not_testable) << claim << ": " << found.why;
    EXPECT_TRUE(std::isnan(found.statistic) && std::isnan(found.threshold));
    EXPECT_NE(found.why.find("rests on the COR of the viscoelastic law, which " + std::to_string(untold) +
                             " records do not tell"),
              std::string::npos)
        << found.why;
    EXPECT_NE(found.why.find("would be not supported, as fitted it is supported"), std::string::npos) << found.why;
  }
  // far from a spring, below the wall's COR, out of phase and compressed at both ends alike
  for (const char* claim :
       {"c1.spring", "r1", "r2.phase", "r2.residual_compression", "c2.generalized_momentum", "c2.flexible_joints"})
    EXPECT_EQ(verdict(result, claim).judgement, Judgement::supported) << verdict(result, claim).why;
  EXPECT_EQ(verdict(result, "c1.maxwell").judgement, Judgement::not_testable);
}

TEST(Verdicts, DampingAndRestitutionAreInverse) {
  for (const double d : {0.01, 0.3, 1.0, 3.0, 30.0, 499.0})
    EXPECT_NEAR(studying::damping_of(restitution(Viscoelastic{1, d}, 1, -1)) / d, 1, 1e-9) << d;
}

// What follows from a COR goes with it: damping, end of compression, impulse; and of what is told, nothing moves.
TEST(Verdicts, AnUntoldRestitutionTakesWithItWhatFollows) {
  Study study = study_of(only(sample(), [](const Trial& trial) { return trial.repeat == 1; }));
  constexpr auto at = static_cast<std::size_t>(LawKind::viscoelastic);
  EXPECT_EQ(studying::untold_trials(study, LawKind::viscoelastic), 0U);
  FitResult& law = study.trials[7].found.laws[at];
  law.restitution_identifiability = Identifiability::flat;
  law.restitution_low = 0.1;
  law.restitution_high = 0.6;
  EXPECT_EQ(studying::untold_trials(study, LawKind::viscoelastic), 1U);
  for (std::size_t k = 0; k < 2; ++k) {
    const Study other = studying::untold_study(study, LawKind::viscoelastic, k).study;
    const TrialStudy &before = study.trials[7], &after = other.trials[7];
    const FitResult& moved = after.found.laws[at];
    EXPECT_EQ(moved.restitution, k == 0 ? 0.1 : 0.6);
    EXPECT_NEAR(restitution(moved.law, moved.mass, moved.velocity), moved.restitution, 1e-9);
    EXPECT_NEAR(after.impulse_compression * (1 + moved.restitution), before.impulse_compression * (1 + law.restitution),
                1e-12);
    EXPECT_EQ(moved.time_of_compression<law.time_of_compression, moved.restitution> law.restitution);
    EXPECT_NE(other.cells[7].impulse_compression.mean, study.cells[7].impulse_compression.mean);
    EXPECT_EQ(other.trials[6].impulse_compression, study.trials[6].impulse_compression);
  }
}

// Upper bound of Theil and Sen's slope by its definition, for a second road.
double upper_slope(const std::vector<std::pair<double, double>>& points) {
  std::vector<double> slopes;
  for (const auto& a : points)
    for (const auto& b : points)
      if (a.first < b.first) slopes.push_back((b.second - a.second) / (b.first - a.first));
  std::map<double, int> sizes;
  for (const auto& point : points) ++sizes[point.first];
  const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
  double variance = term(static_cast<double>(points.size()));
  for (const auto& [x, size] : sizes) variance -= term(size);
  const double reach = 1.959964 * std::sqrt(variance / 18);
  const auto rank = static_cast<std::ptrdiff_t>(std::lround((static_cast<double>(slopes.size()) - reach) / 2));
  std::ranges::nth_element(slopes, slopes.end() - rank);
  return *(slopes.end() - rank);
}

TEST(Verdicts, TheTrendByASecondRoad) {
  const Study& result = sample_study();
  double highest = -INFINITY;
  for (const auto& configuration : result.configurations) {
    std::vector<std::pair<double, double>> points;
    for (const auto& cell : result.cells)
      if (cell.configuration == configuration.name)
        for (const std::size_t i : cell.trials)
          points.emplace_back(-cell.velocity_exact.mean, result.trials[i].law(LawKind::viscoelastic)->restitution);
    highest = std::max(highest, upper_slope(points));
  }
  EXPECT_DOUBLE_EQ(verdict(result, "c1.viscoelastic").statistic, highest);
}

// H of Kruskal and Wallis as an analysis of variance of the ranks.
TEST(Verdicts, TheDifferenceBetweenSpeedsByASecondRoad) {
  const Study& result = sample_study();
  std::vector<std::pair<double, std::size_t>> values;  // COR and cell of configuration three, no two alike
  std::size_t cells = 0;
  for (const auto& cell : result.cells) {
    if (cell.configuration != "three") continue;
    for (const std::size_t i : cell.trials)
      values.emplace_back(result.trials[i].law(LawKind::maxwell)->restitution, cells);
    ++cells;
  }
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double between = 0, total = 0;
  std::vector<double> sums(cells, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double from_mean = static_cast<double>(i + 1) - (n + 1) / 2;
    sums[values[i].second] += from_mean;
    total += from_mean * from_mean;
  }
  for (const double sum : sums) between += sum * sum / (n / static_cast<double>(cells));
  const double h = (n - 1) * between / total;
  ASSERT_EQ(cells, 5U);
  const double p = std::exp(-h / 2) * (1 + h / 2);  // chi^2 with four degrees of freedom
  const std::string why = verdict(result, "c1.maxwell").why;
  EXPECT_NE(why.find(std::string("p = ").append(to_text(p, 3))), std::string::npos) << why << " against " << p;
}

// One trial by itself.

TEST(TrialStudy, VelocitiesImpulsesAndTimesAreThoseOfTheImpact) {
  // noise of 1 N on peaks from 300 N, and of 1e-4 rad/s on the joints: what the fit of a damped record then leaves
  constexpr double velocity_error = 1e-3, impulse_error = 0.03, peak_error = 0.01, total_error = 0.03;
  const Study& result = sample_study();
  int best = 0;
  for (std::size_t i = 0; i < result.trials.size(); ++i) {
    const TrialStudy& trial = result.trials[i];
    const Truth& truth = *sample().truth[i];
    ASSERT_TRUE(trial.ok()) << trial.message;
    EXPECT_EQ(trial.touch.source, VelocitySource::joints);
    EXPECT_NEAR(trial.touch.v_exact / truth.velocity, 1, velocity_error) << trial.name;
    EXPECT_LT((trial.touch.q - truth.q).cwiseAbs().maxCoeff(), 1e-4) << trial.name;  // 0.1 ms of the touch at 1 rad/s
    EXPECT_NEAR(trial.impulse_compression / truth.impulse_compression, 1, impulse_error) << trial.name;
    EXPECT_NEAR(trial.impulse_total / truth.impulse, 1, total_error) << trial.name;
    EXPECT_NEAR(trial.peak_force / truth.peak_force, 1, peak_error) << trial.name;
    EXPECT_NEAR(trial.peak_time, truth.peak_time, 1e-4) << trial.name;  // of a rise of 1.3 ms, at 25 kHz
    EXPECT_EQ(trial.found.laws.size(), all_laws.size());
    ASSERT_EQ(trial.residuals.size(), all_laws.size());
    const ResidualSummary& left = trial.residuals[static_cast<std::size_t>(LawKind::viscoelastic)];
    EXPECT_NEAR(left.rmse, 1, 0.2) << trial.name;  // the noise
    EXPECT_GT(left.runs_p, 1e-4) << trial.name;
    EXPECT_LT(trial.residuals[static_cast<std::size_t>(LawKind::spring)].runs_p, 1e-6) << trial.name;
    best += trial.found.best == LawKind::viscoelastic;
  }
  EXPECT_GE(best, 42);  // of 45: fit.hpp promises the true law in 95 %
}

TEST(TrialStudy, TableOneByASecondRoad) {
  const Robot robot = load_robot("panda");
  const Study& result = sample_study();
  for (const auto& cell : result.cells) {
    double exact = 0, approximate = 0, ratio = 0;
    for (const std::size_t i : cell.trials) {
      const Truth& truth = *sample().truth[i];
      // the rigid body's velocity from its momentum: X I_G^-1 A_G dq, in plain matrices
      const auto dynamics = contact_dynamics(robot, sample().dataset.header.point, truth.q);
      const Vector6 momentum = dynamics.A_G * truth.dq;
      const Vector3 turning = dynamics.Ic_W.inverse() * Vector3(momentum.tail<3>());
      const Vector3 moving = momentum.head<3>() / dynamics.mass + turning.cross(dynamics.p_WC - dynamics.com_W);
      const double n = static_cast<double>(cell.trials.size());
      exact += dynamics.normal_W.dot(dynamics.J.topRows<3>() * truth.dq) / n;
      approximate += dynamics.normal_W.dot(moving) / n;
      ratio += dynamics.normal_W.dot(moving) / dynamics.normal_W.dot(dynamics.J.topRows<3>() * truth.dq) / n;
    }
    constexpr double logged = 1e-3;  // noise of the joint log, averaged
    EXPECT_NEAR(cell.velocity_exact.mean / exact, 1, logged);
    EXPECT_NEAR(cell.velocity_approximate.mean / approximate, 1, logged);
    EXPECT_NEAR(cell.ratio.mean / ratio, 1, logged);
    EXPECT_LT(cell.velocity_exact.max, 0);
  }
}

TEST(TrialStudy, AlarmsAreTimedFromTheTouch) {
  for (const auto& trial : sample_study().trials) {
    if (trial.repeat > 1) {
      EXPECT_NEAR(trial.detection_delay, 4e-3, 1e-4);  // given; the touch is found to 0.1 ms
    } else {  // from the log at 1 kHz: within the first two samples after the touch
      EXPECT_GE(trial.detection_delay, 0);
      EXPECT_LT(trial.detection_delay, 2e-3);
    }
    EXPECT_GE(trial.observer_delay, 0);
    EXPECT_LT(trial.observer_delay, 4e-3);  // a time constant of 2 ms later
  }
}

TEST(TrialStudy, AnAlarmBeforeTheTouchIsNoDelay) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 2 && trial.speed == 0.12; });
  for (auto& trial : built.dataset.trials) trial.alarm_time = trial.joints.time[0];
  const Study result = study_of(built);
  for (const auto& trial : result.trials) EXPECT_TRUE(std::isnan(trial.detection_delay));
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].text.find("3 trials: the controller's alarm came before the touch"), std::string::npos);
}

TEST(TrialStudy, ResidualsThatAreLoudBeforeTheTouchGiveNoDelay) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 1 && trial.speed == 0.12; });
  for (auto& trial : built.dataset.trials) trial.joints.torque.array() += 5;  // N m, as of a payload nobody told
  for (const auto& trial : study_of(built).trials) {
    EXPECT_TRUE(std::isnan(trial.detection_delay));
    EXPECT_TRUE(std::isnan(trial.observer_delay));
  }
}

TEST(TrialStudy, RatesFromPositionsWhereNoneWereMeasured) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  for (auto& trial : built.dataset.trials) trial.joints.velocity.resize(0, 0);
  const Study result = study_of(built);
  for (std::size_t i = 0; i < result.trials.size(); ++i) {
    EXPECT_EQ(result.trials[i].touch.source, VelocitySource::joints);
    EXPECT_NEAR(result.trials[i].touch.v_exact / built.truth[i]->velocity, 1, 1e-4);  // positions are exact here
    EXPECT_TRUE(std::isnan(result.trials[i].observer_delay));
  }
}

// Cells.

TEST(Cells, PredictionsAreThoseOfPredict) {
  const Study& result = sample_study();
  EXPECT_EQ(result.robots, (std::vector<std::string>{"panda", "panda_fer", "panda_gaz"}));
  for (const auto& cell : result.cells) {
    ASSERT_EQ(cell.predictions.size(), result.robots.size());
    for (std::size_t i = 0; i < result.robots.size(); ++i) {
      const auto dynamics = contact_dynamics(load_robot(result.robots[i]), sample().dataset.header.point, cell.q);
      const Prediction expected = predict(dynamics, cell.dq);
      for (const InertiaModel option : all_inertia_models) {
        const ModelPrediction& found = cell.predictions[i][option];
        EXPECT_EQ(found.impulse.compression, expected[option].impulse.compression);
        EXPECT_EQ(found.impulse_approximate.compression, expected[option].impulse_approximate.compression);
        // for the cell's mean exact velocity, to rounding
        EXPECT_NEAR(found.impulse.compression, -cell.velocity_exact.mean * found.inertia.effective_mass(), 1e-12);
      }
    }
  }
}

TEST(Cells, MeanAndSpreadByHand) {
  const Study& result = sample_study();
  ASSERT_EQ(result.cells.size(), 15U);
  EXPECT_EQ(result.cells[7].configuration, "two");
  EXPECT_EQ(result.cells[7].speed, 0.12);
  const CellStudy& cell = result.cells[7];
  ASSERT_EQ(cell.trials.size(), 3U);
  const double a = result.trials[cell.trials[0]].peak_force, b = result.trials[cell.trials[1]].peak_force,
               c = result.trials[cell.trials[2]].peak_force, mean = (a + b + c) / 3;
  EXPECT_DOUBLE_EQ(cell.peak_force.mean, mean);
  EXPECT_DOUBLE_EQ(cell.peak_force.std,
                   std::sqrt(((a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean)) / 2));
  EXPECT_EQ(cell.peak_force.min, std::min({a, b, c}));
  EXPECT_EQ(cell.peak_force.max, std::max({a, b, c}));
}

TEST(Cells, OneTrialHasNoDeviation) {
  const Study result = study_of(only(sample(), [](const Trial& trial) { return trial.repeat == 1; }));
  for (const auto& cell : result.cells) {
    EXPECT_EQ(cell.peak_force.count, 1U);
    EXPECT_TRUE(std::isnan(cell.peak_force.std));
    EXPECT_EQ(cell.peak_force.min, cell.peak_force.max);
  }
}

TEST(Cells, ARobotOfAnotherNameButTheSameInertiasIsNotShownTwice) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.name == "one_0_1"; });
  built.dataset.header.robot = "our arm";
  EXPECT_EQ(study_of(built).robots, (std::vector<std::string>{"our arm", "panda_fer", "panda_gaz"}));
  built.dataset.header.robot = "panda";
  built.dataset.header.urdf = urdf_text("panda_gaz");
  EXPECT_EQ(study_of(built).robots, (std::vector<std::string>{"panda", "panda (other)", "panda_fer"}));
}

TEST(Cells, AnotherRobotCanJudge) {
  StudyOptions options;
  options.robot = load_robot("panda_gaz");
  const auto one = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  const Study result = study_of(one, options);
  EXPECT_EQ(result.robots, (std::vector<std::string>{"panda_gaz", "panda", "panda_fer"}));
  const Study own = study_of(one);
  for (std::size_t i = 0; i < own.cells.size(); ++i)
    EXPECT_NEAR(result.cells[i].predictions[1][InertiaModel::composite_rigid_body].impulse.compression,
                own.cells[i].predictions[0][InertiaModel::composite_rigid_body].impulse.compression, 1e-9);
}

// Truth stays in its section.

TEST(StudyTruth, SaysHowFarTheIdentifiedIs) {
  claims::Built built = sample();
  for (std::size_t i = 0; i < built.truth.size(); ++i) built.truth[i]->law = built.laws[i];  // a wall that does it all
  const Study result = study_of(built);
  ASSERT_TRUE(result.truth);
  std::map<std::string, TruthQuantity> by;
  for (const auto& each : *result.truth) by[each.quantity] = each;
  EXPECT_EQ(by.size(), 7U);
  EXPECT_EQ(by["stiffness"].trials, 45U);
  EXPECT_DOUBLE_EQ(by["stiffness"].simulated, claims::stiffness);
  EXPECT_LT(by["stiffness"].median_error, 0.1);  // with d up to 13 the stiffness leaves little trace
  EXPECT_LT(by["damping"].median_error, 0.02);
  EXPECT_LT(by["velocity"].largest_error, 1e-3);
  EXPECT_LT(by["peak_force"].largest_error, 0.01);
  EXPECT_LT(by["impulse_compression"].median_error, 0.01);
  EXPECT_LT(by["time_of_compression"].median_error, 0.03);
  EXPECT_GT(by["impulse_compression"].largest_error, by["impulse_compression"].median_error);
}

TEST(StudyTruth, ScrambledTruthChangesNothingElse) {
  claims::Built built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  const Study honest = study_of(built), without = study(built.dataset);
  std::ranges::reverse(built.truth);
  for (auto& truth : built.truth) {
    truth->law = Maxwell{1, 1};
    truth->velocity = truth->touch_time = truth->peak_force = -1e9;
    truth->q.setConstant(7);
  }
  const Study scrambled = study_of(built);
  EXPECT_FALSE(without.truth);
  for (const Study* other : {&scrambled, &without}) {
    for (std::size_t i = 0; i < honest.verdicts.size(); ++i)  // r1 alone knows the wall's own COR
      if (honest.verdicts[i].claim != "r1") {
        EXPECT_EQ(other->verdicts[i].why, honest.verdicts[i].why);
      }
    for (std::size_t i = 0; i < honest.trials.size(); ++i) {
      EXPECT_EQ(other->trials[i].impulse_compression, honest.trials[i].impulse_compression);
      EXPECT_EQ(other->trials[i].touch.v_exact, honest.trials[i].touch.v_exact);
      EXPECT_EQ(other->trials[i].observer_delay, honest.trials[i].observer_delay);
    }
    for (std::size_t i = 0; i < honest.cells.size(); ++i) {
      EXPECT_EQ(other->cells[i].q, honest.cells[i].q);
      EXPECT_EQ(other->cells[i].restitution_maxwell.mean, honest.cells[i].restitution_maxwell.mean);
    }
    EXPECT_EQ(other->warnings, honest.warnings);
  }
}

// Data as people have them.

TEST(RealData, OneConfigurationStillGetsItsVerdicts) {
  auto built = only(claims::build({.repeats = 10}), [](const Trial& trial) { return trial.configuration == "one"; });
  built.truth.clear();
  built.dataset.header.source = DataSource::measured;
  built.dataset.header.configurations.resize(1);
  const Study result = study_of(built);
  EXPECT_FALSE(result.seed);
  EXPECT_FALSE(result.truth);
  for (const auto& each : result.verdicts)  // strongly damped, so that Maxwell's COR is 0.01 at most
    EXPECT_EQ(each.judgement, each.claim == "c1.maxwell" ? Judgement::not_testable : Judgement::supported)
        << each.claim << ": " << each.why;
  EXPECT_NE(verdict(result, "c1.maxwell").why.find("cannot be told from zero"), std::string::npos);
}

TEST(RealData, WithoutARuleThatAppliesItIsNotTestable) {
  const auto built = only(sample(), [](const Trial& trial) { return trial.configuration == "three"; });
  const Verdict found = verdict(study_of(built), "small_restitution");
  EXPECT_EQ(found.judgement, Judgement::not_testable);
  EXPECT_TRUE(std::isnan(found.statistic));
  EXPECT_NE(found.why.find("applies to 0 trials"), std::string::npos) << found.why;
}

TEST(RealData, WithoutJointsTheReferenceStandsIn) {
  auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  for (auto& trial : built.dataset.trials) {
    trial.joints = {};
    trial.alarm_time = NAN;
  }
  const Study result = study(built.dataset);
  for (const auto& trial : result.trials) {
    ASSERT_TRUE(trial.ok());
    EXPECT_EQ(trial.touch.source, VelocitySource::reference);
    EXPECT_NEAR(trial.touch.v_exact, -trial.speed, 1e-12);
    EXPECT_TRUE(std::isnan(trial.detection_delay) && std::isnan(trial.observer_delay));
  }
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].text.find("15 trials: no joint log"), std::string::npos) << result.warnings[0].text;
  EXPECT_EQ(result.warnings[0].code, WarningCode::reference_velocity);
}

TEST(RealData, WithoutTorquesOnlyTheDelaysAreMissing) {
  auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  for (auto& trial : built.dataset.trials) {
    trial.joints.torque.resize(0, 0);
    trial.joints.torque_reference.resize(0, 0);
  }
  for (const auto& trial : study_of(built).trials) {
    EXPECT_EQ(trial.touch.source, VelocitySource::joints);
    EXPECT_TRUE(std::isnan(trial.detection_delay) && std::isnan(trial.observer_delay));
  }
}

TEST(RealData, OneTrialIsTooFewForAnyClaim) {
  const Study result = study_of(only(sample(), [](const Trial& trial) { return trial.name == "one_2_1"; }));
  ASSERT_EQ(result.trials.size(), 1U);
  ASSERT_EQ(result.cells.size(), 1U);
  for (const auto& each : result.verdicts) {
    EXPECT_EQ(each.judgement, Judgement::not_testable) << each.claim << ": " << each.why;
    EXPECT_FALSE(each.why.empty());
  }
}

TEST(RealData, ARecordOfNoiseIsSaidToBeOne) {
  auto built = only(sample(), [](const Trial& trial) { return trial.configuration == "one"; });
  signals::Normal normal(3);
  for (auto& f : built.dataset.trials[4].force.force) f = normal();
  const Study result = study_of(built);
  EXPECT_FALSE(result.trials[4].ok());
  EXPECT_TRUE(result.trials[4].found.laws.empty());
  EXPECT_EQ(result.cells[1].trials, (std::vector<std::size_t>{3, 5}));
  EXPECT_NE(result.warnings.at(0).text.find("1 trial: left out: "), std::string::npos);
  EXPECT_EQ(result.warnings[0].code, WarningCode::trials_left_out);
}

TEST(RealData, NothingButNoiseGetsAStudyWithNothingTestable) {
  auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1 && trial.configuration == "two"; });
  signals::Normal normal(4);
  for (auto& trial : built.dataset.trials)
    for (auto& f : trial.force.force) f = normal();
  const Study result = study_of(built);
  for (const auto& each : result.verdicts) EXPECT_EQ(each.judgement, Judgement::not_testable) << each.claim;
  ASSERT_EQ(result.cells.size(), 5U);
  for (const auto& cell : result.cells) {
    EXPECT_TRUE(cell.trials.empty());
    EXPECT_TRUE(
        std::isfinite(cell.predictions[0][InertiaModel::composite_rigid_body].impulse.compression));  // as planned
  }
}

TEST(RealData, AnArmThatMovesAwayIsLeftOut) {
  auto built = only(sample(), [](const Trial& trial) { return trial.name == "two_2_1"; });
  built.dataset.trials[0].joints.velocity *= -1;
  const Study result = study_of(built);
  EXPECT_EQ(result.trials[0].status, TrialStatus::no_approach);
  EXPECT_EQ(result.trials[0].message, "the joint log says that the contact point does not approach");
}

TEST(RealData, AnUnfinishedDatasetSaysSo) {
  auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  built.dataset.trials.resize(6);
  built.truth.resize(6);
  const Study result = study_of(built);
  EXPECT_EQ(result.planned, 15U);
  EXPECT_NE(result.warnings.at(0).text.find("6 of 15 trials"), std::string::npos);
}

TEST(RealData, OtherArmsHaveNoPandaBesideThem) {
  // a planar arm of two joints: the algebraic option does not exist, and its claim is not testable
  auto built = only(sample(), [](const Trial& trial) { return trial.configuration == "one"; });
  DatasetHeader& header = built.dataset.header;
  header.robot = "planar_2r";
  header.urdf = urdf_text("planar_2r");
  header.point = {.frame = "tip", .offset = {0, 0, 0}, .normal_W = {-1, 0, 0}};
  header.detection_joints = {0, 1};
  for (auto& configuration : header.configurations) configuration.q = VectorX::Constant(2, 0.7);
  for (auto& trial : built.dataset.trials) trial.joints = {};
  built.truth.clear();
  const Study result = study_of(built);
  EXPECT_EQ(result.robots, (std::vector<std::string>{"planar_2r"}));
  EXPECT_EQ(verdict(result, "c2.algebraic").judgement, Judgement::not_testable);
  EXPECT_NE(verdict(result, "c2.generalized_momentum").judgement, Judgement::not_testable);
  EXPECT_NE(verdict(result, "c2.composite_rigid_body").judgement, Judgement::not_testable);
}

// How it is run.

TEST(RunStudy, TheResultDoesNotDependOnTheThreads) {
  const auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  std::size_t calls = 0, last = 0;
  RunOptions one, four;
  one.jobs = 1;
  one.progress = [&](std::size_t done, std::size_t all) {
    ++calls;
    EXPECT_EQ(done, last + 1);
    last = done;
    EXPECT_EQ(all, 15U);
  };
  four.jobs = 4;
  const Study a = study_of(built, {}, one), b = study_of(built, {}, four);
  EXPECT_EQ(calls, 15U);
  for (std::size_t i = 0; i < a.verdicts.size(); ++i) {
    EXPECT_EQ(a.verdicts[i].why, b.verdicts[i].why);
    EXPECT_EQ(a.verdicts_as_in_paper[i].exact.why, b.verdicts_as_in_paper[i].exact.why);
  }
  for (std::size_t i = 0; i < a.trials.size(); ++i) {
    EXPECT_EQ(a.trials[i].name, b.trials[i].name);
    EXPECT_EQ(a.trials[i].impulse_compression, b.trials[i].impulse_compression);
  }
}

TEST(RunStudy, OneThatIsStoppedReturnsNothing) {
  const auto built = only(sample(), [](const Trial& trial) { return trial.repeat == 1; });
  std::atomic<bool> stop = false;
  const RunOptions run{.jobs = 1, .progress = [&](std::size_t done, std::size_t) { stop = done == 3; }, .stop = &stop};
  EXPECT_THROW(study_of(built, {}, run), Interrupted);
}

TEST(RunStudy, RefusesWhatIsWrong) {
  const auto built = only(sample(), [](const Trial& trial) { return trial.name == "one_0_1"; });
  const auto refusal = [&](auto change) -> std::string {
    claims::Built bad = built;
    StudyOptions options;
    RunOptions run;
    change(bad, options, run);
    try {
      study(bad.dataset, bad.truth, options, run);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](auto& bad, auto&, auto&) { bad.truth.resize(2); }),
            "truth: 2 entries: must be none, or one for each of 1 trials");
  EXPECT_EQ(refusal([](auto&, auto& options, auto&) { options.material_restitution = 1.5; }),
            "material_restitution: 1.5: must be in (0, 1]");
  EXPECT_EQ(refusal([](auto&, auto&, auto& run) { run.jobs = -1; }), "jobs: -1: must be at least 0");
  EXPECT_EQ(refusal([](auto&, auto& options, auto&) { options.robot = load_robot("planar_2r"); }),
            "robot: planar_2r: has 2 joints where the dataset has 7");
  EXPECT_NE(refusal([](auto& bad, auto&, auto&) { bad.dataset.trials[0].speed = -1; }).find("speed: -1"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& bad, auto&, auto&) { bad.dataset.header.point.frame = "nose"; }).find("nose"),
            std::string::npos);
  // once such a dataset was accepted, and its study ended in an exception from the dynamics
  EXPECT_EQ(refusal([](auto& bad, auto&, auto&) { bad.dataset.header.point.frame = "panda_link0"; }),
            "point.frame: panda_link0: is fixed to the base and cannot hit anything");
}

}  // namespace
}  // namespace thud
