// The arm in a study: from trials of the virtual lab, whose plant shares no code with the model.

#include <thud/campaign.hpp>
#include <thud/lab.hpp>
#include <thud/study.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thud {
namespace {

struct Trials {
  Dataset dataset;
  std::vector<std::optional<Truth>> truth;
};

// Three configurations, two speeds of the default campaign: noise, variation and pull-back as they are.
Trials lab_trials(int repeats = 1) {
  Campaign campaign = default_campaign();
  campaign.repeats = repeats;
  campaign.speeds = {0.08, 0.15};
  Trials all{{header(campaign), {}}, {}};
  for (std::size_t i = 0; i < all.dataset.header.plan.size(); ++i) {
    LabTrial trial = simulate_trial(campaign, i);
    all.dataset.trials.push_back(std::move(trial.trial));
    all.truth.emplace_back(trial.run.truth);
  }
  return all;
}

const Trials& trials() {
  static const Trials made = lab_trials();
  return made;
}
const Study& studied() {
  static const Study result = study(trials().dataset, trials().truth);
  return result;
}

const TruthQuantity& quantity(const Study& study, const std::string& name) {
  return *std::ranges::find(*study.truth, name, &TruthQuantity::quantity);
}
const Verdict& beyond(const Study& study, const std::string& claim) {
  return *std::ranges::find(study.beyond, claim, &Verdict::claim);
}

// The aim for the impulse is 5 % in the median; the viscoelastic law with a mass misses it by 17 % here.
TEST(StudyArm, FindsTransmissionsWallAndTheEndOfCompression) {
  const Study& study = studied();
  ASSERT_TRUE(study.arm);
  EXPECT_EQ(study.arm->status, FitStatus::converged) << study.arm->message;
  EXPECT_EQ(study.arm->law, LawKind::viscoelastic);
  EXPECT_EQ(study.arm->trials, 6u);
  EXPECT_LT(quantity(study, "impulse_compression_best").median_error, 0.005);
  EXPECT_LT(quantity(study, "impulse_compression_best").largest_error, 0.02);
  EXPECT_GT(quantity(study, "impulse_compression").median_error, 0.05);
  EXPECT_LT(quantity(study, "time_of_compression_elastic_arm").median_error, 0.01);
  EXPECT_LT(quantity(study, "stiffness_elastic_arm").median_error, 0.02);
  EXPECT_LT(quantity(study, "damping_elastic_arm").median_error, 0.03);
  EXPECT_LT(quantity(study, "joints.stiffness").median_error, 0.01);
  EXPECT_LT(quantity(study, "joints.damping").median_error, 0.15);
  EXPECT_EQ(quantity(study, "joints.damping").trials, 6u) << "trials, not joints";
  for (const FitParameter& factor : study.arm->factors) EXPECT_TRUE(factor.low <= 1 && 1 <= factor.high) << factor.name;
  for (const TrialStudy& trial : study.trials) {
    EXPECT_EQ(trial.best_model, "elastic_arm") << trial.name;
    EXPECT_TRUE(trial.alone && trial.arm) << trial.name;
    // one mass has one hump, these arms have more: seen in what the law leaves over, and not in what the arm does
    ASSERT_TRUE(trial.arm_residuals) << trial.name;
    const ResidualSummary& law = trial.residuals[static_cast<std::size_t>(LawKind::viscoelastic)];
    EXPECT_NEAR(trial.arm_residuals->rmse / trial.arm->result.rmse, 1, 1e-6) << trial.name;
    EXPECT_LT(law.runs_p, 1e-6) << trial.name;
    EXPECT_GT(law.frequency_share, 0.1) << trial.name;  // of noise 0.05 at most
    EXPECT_LT(trial.arm_residuals->rmse, 0.2 * law.rmse) << trial.name;
  }
}

TEST(StudyArm, PredictsEachCellFromTheOthersBetterThanAnyMatrix) {
  const Study& study = studied();
  EXPECT_EQ(beyond(study, "beyond.elastic_arm").judgement, Judgement::supported);
  EXPECT_LT(beyond(study, "beyond.elastic_arm").statistic, 0.3);
  EXPECT_EQ(beyond(study, "beyond.rotors").judgement, Judgement::not_supported) << beyond(study, "beyond.rotors").why;
  for (const CellStudy& cell : study.cells) {
    EXPECT_NEAR(cell.impulse_elastic.mean / cell.impulse_compression_best.mean, 1, 0.01) << cell.configuration;
    EXPECT_NEAR(cell.impulse_rotors, cell.mass_rotors * -cell.velocity_exact.mean, 1e-9);
  }
}

// Drives that are told wrong by a factor of two give the same arm: where it starts does not matter.
TEST(StudyArm, DoesNotDependOnTheTransmissionsThatItIsTold) {
  Trials measured = trials();
  measured.dataset.header.source = DataSource::measured;
  measured.dataset.header.campaign.clear();
  measured.dataset.header.seed = 0;
  Drives told = default_campaign().drives;
  told.stiffness *= 2;
  told.damping *= 0.5;
  const Study other = study(measured.dataset, {}, {.drives = told, .drives_origin = "a test"});
  ASSERT_TRUE(other.arm);
  EXPECT_EQ(other.arm->origin, "a test");
  EXPECT_FALSE(other.truth);
  EXPECT_NEAR(other.arm->found.stiffness[0] / studied().arm->found.stiffness[0], 1, 0.01);
  EXPECT_NEAR(other.arm->found.damping[0] / studied().arm->found.damping[0], 1, 0.1);
}

// Twelve trials of which the arm rests on six: the others are fitted with it, and come out as if it rested on all.
TEST(StudyArm, OfASampleFitsTheOthersAsThatOfAll) {
  Trials twice = lab_trials(2);
  const Study all = study(twice.dataset, twice.truth), few = study(twice.dataset, twice.truth, {.sample = 6});
  ASSERT_TRUE(few.arm);
  EXPECT_EQ(all.sample.size(), 12u);
  EXPECT_EQ(few.sample.size(), 6u);
  EXPECT_EQ(few.arm->trials, 6u);
  EXPECT_EQ(few.arm->law, all.arm->law);
  EXPECT_NEAR(few.arm->factors[0].value / all.arm->factors[0].value, 1, 0.005);
  EXPECT_NEAR(few.arm->factors[1].value / all.arm->factors[1].value, 1, 0.05);
  for (std::size_t i = 0; i < all.trials.size(); ++i) {
    const TrialStudy &one = few.trials[i], &other = all.trials[i];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.alone.has_value(), std::ranges::find(few.sample, i) != few.sample.end()) << one.name;
    ASSERT_TRUE(one.arm) << one.name;
    EXPECT_EQ(one.law(LawKind::viscoelastic)->restitution, other.law(LawKind::viscoelastic)->restitution);
    EXPECT_EQ(one.best_model, other.best_model);
    // an arm of half as many trials is another by a part of the model's error, which is 0.5 % of the peak
    EXPECT_NEAR(one.arm->result.rmse, other.arm->result.rmse, 0.001 * one.peak_force) << one.name;
    EXPECT_NEAR(one.impulse_compression_best / other.impulse_compression_best, 1, 0.002) << one.name;
    EXPECT_NEAR(one.impulse_elastic / other.impulse_elastic, 1, 0.005) << one.name;
    EXPECT_NEAR(law_parameters(one.arm->result.law)[0].second / law_parameters(other.arm->result.law)[0].second, 1,
                0.01);
  }
  for (std::size_t i = 0; i < all.verdicts.size(); ++i)
    EXPECT_EQ(few.verdicts[i].judgement, all.verdicts[i].judgement) << all.verdicts[i].claim;
  ASSERT_FALSE(few.warnings.empty());
  EXPECT_EQ(
      few.warnings.front().text,
      "6 of 12 trials, spread over the plan, are drawn, and the arm rests on them; the others are fitted with it");
}

// A cell whose records are noise is planned, and no part of what is compared.
TEST(StudyArm, CountsTheCellsThatAreMeasured) {
  Trials few = trials();
  for (double& force : few.dataset.trials[0].force.force) force = 0;
  const Study study = thud::study(few.dataset, few.truth);
  ASSERT_EQ(study.cells.size(), 6u);
  for (const Verdict& each : study.beyond)
    EXPECT_NE(each.why.find("Mean error over 5 cells"), std::string::npos) << each.why;
}

TEST(StudyArm, WithoutDrivesIsNotTestableAndTheBestLawMeasures) {
  Trials measured = trials();
  measured.dataset.header.source = DataSource::measured;
  measured.dataset.header.campaign.clear();
  measured.dataset.header.seed = 0;
  const Study other = study(measured.dataset);
  EXPECT_FALSE(other.arm);
  ASSERT_EQ(other.beyond.size(), 2u);
  for (const Verdict& verdict : other.beyond) {
    EXPECT_EQ(verdict.judgement, Judgement::not_testable);
    EXPECT_NE(verdict.why.find("drives"), std::string::npos);
  }
  for (const TrialStudy& trial : other.trials) {
    if (!trial.found.best) continue;
    EXPECT_EQ(trial.best_model, to_string(*trial.found.best));
    EXPECT_EQ(trial.impulse_compression_best, trial.law(*trial.found.best)->measured_impulse_compression);
  }
  ASSERT_EQ(other.verdicts.size(), studied().verdicts.size());  // what the paper claims is judged as with drives
  for (std::size_t i = 0; i < other.verdicts.size(); ++i)
    EXPECT_EQ(other.verdicts[i].judgement, studied().verdicts[i].judgement) << other.verdicts[i].claim;
}

// An alarm before the touch, drives without damping, and ones of which nothing is known: a study goes on.
TEST(StudyArm, GoesOnWithWhatItHas) {
  Trials few = trials();
  few.dataset.trials[0].alarm_time = few.truth[0]->touch_time - 0.012;
  Drives drives = default_campaign().drives;
  drives.damping.setZero();
  const Study undamped = study(few.dataset, few.truth, {.drives = drives, .drives_origin = "a test"});
  ASSERT_TRUE(undamped.arm);
  EXPECT_EQ(undamped.arm->factors.size(), 1u);
  EXPECT_EQ(undamped.verdicts.size(), 11u);
  const Study unknown = study(few.dataset, few.truth, {.drives = Drives{}, .drives_origin = "a test"});
  ASSERT_TRUE(unknown.arm);
  EXPECT_TRUE(unknown.arm->factors.empty());
  EXPECT_EQ(unknown.beyond[1].judgement, Judgement::not_testable);
}

}  // namespace
}  // namespace thud
