// A study whose trials are many: those that are drawn, and trials on the disk, one at a time.

#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/report.hpp>
#include <thud/study.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "claims.hpp"
#include "study/rank_tests.hpp"
#include "study/trials.hpp"
#include "trials.hpp"

namespace thud {
namespace {

using studying::spread_over;

TEST(Growth, ASampleIsSpreadOverThePlan) {
  EXPECT_EQ(spread_over(4, 4), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(spread_over(2, 300), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(spread_over(0, 300).empty());
  for (const std::size_t count : {301U, 900U, 4500U, 9999U}) {
    const auto sample = spread_over(count, 300);
    ASSERT_EQ(sample.size(), 300U);
    EXPECT_EQ(sample, spread_over(count, 300));
    for (std::size_t i = 0; i < 300; ++i) {
      EXPECT_GE(sample[i], i * count / 300);
      EXPECT_LT(sample[i], (i + 1) * count / 300);
    }
  }
  // a plan that goes round fifteen cells, in step with the sample
  std::set<std::size_t> cells;
  for (const std::size_t i : spread_over(4500, 300)) cells.insert(i % 15);
  EXPECT_EQ(cells.size(), 15U);
}

std::vector<Truth> known(const claims::Built& built) {
  std::vector<Truth> all;
  for (const auto& truth : built.truth) all.push_back(*truth);
  return all;
}

TEST(Growth, FromTheDiskIsAsInMemory) {
  const claims::Built built = claims::build({.repeats = 1});
  const test::Folder folder;
  write_dataset(folder / "a.h5", built.dataset, known(built));
  write_dataset(folder / "a", built.dataset, known(built));
  for (const std::size_t sample : {300U, 4U}) {
    const StudyOptions options{.sample = sample};
    const Study in_memory = study(built.dataset, built.truth, options);
    for (const char* name : {"a.h5", "a"}) {
      const Study on_disk = study(DatasetReader(folder / name), options, {.jobs = 2});
      EXPECT_EQ(results_json(on_disk, "a"), results_json(in_memory, "a")) << name;
      EXPECT_EQ(trials_csv(on_disk), trials_csv(in_memory)) << name;
    }
  }
  EXPECT_EQ(test::refusal<InputError>([&] { study(built.dataset, {}, {.sample = 0}); }),
            "sample: 0: must be at least 1");
}

// What is found of a trial does not depend on whether it is drawn.
TEST(Growth, EveryTrialIsStudiedDrawnOrNot) {
  const claims::Built built = claims::build({.repeats = 1});
  const Study all = study(built.dataset, built.truth), few = study(built.dataset, built.truth, {.sample = 3});
  EXPECT_EQ(few.sample, spread_over(15, 3));
  EXPECT_EQ(trials_csv(few), trials_csv(all));
  EXPECT_EQ(cells_csv(few), cells_csv(all));
  EXPECT_EQ(verdicts_csv(few), verdicts_csv(all));
  EXPECT_EQ(predictions_csv(few), predictions_csv(all));
  EXPECT_EQ(few.warnings.front().text, "3 of 15 trials, spread over the plan, are drawn");
}

TEST(Growth, ABandHoldsTheRecordsOfItsCell) {
  const claims::Built built = claims::build({.repeats = 10});
  claims::Built one;
  one.dataset.header = built.dataset.header;
  for (const auto& trial : built.dataset.trials)
    if (trial.configuration == built.dataset.trials[0].configuration && trial.speed == built.dataset.trials[0].speed)
      one.dataset.trials.push_back(trial);
  const Study found = study(one.dataset);
  ASSERT_EQ(found.cells.size(), 1U);
  const ForceBand& band = found.cells[0].band;
  ASSERT_GT(band.time.size(), 100);
  ASSERT_EQ(band.force.rows(), band.time.size());
  EXPECT_LT(band.time[0], 0);
  for (Eigen::Index k = 0; k < band.time.size(); ++k) {
    if (k > 0) {
      EXPECT_GT(band.time[k], band.time[k - 1]);
    }
    std::vector<double> forces;  // of the samples nearest to that time
    for (const auto& trial : found.trials) {
      const auto& time = trial.found.contact.time;
      const double t = trial.found.window.start + band.time[k];
      const auto after = std::ranges::lower_bound(time, t);
      if (after == time.begin() || after == time.end()) continue;
      const auto i = static_cast<std::size_t>(after - time.begin());
      const double share = (t - time[i - 1]) / (time[i] - time[i - 1]);
      forces.push_back(std::lerp(trial.found.contact.force[i - 1], trial.found.contact.force[i], share));
    }
    std::ranges::sort(forces);
    ASSERT_EQ(forces.size(), 10U);
    for (Eigen::Index level = 1; level < 5; ++level) EXPECT_LE(band.force(k, level - 1), band.force(k, level));
    EXPECT_NEAR(band.force(k, 2), (forces[4] + forces[5]) / 2, 1e-6);
    EXPECT_GE(band.force(k, 0), forces.front());
    EXPECT_LE(band.force(k, 4), forces.back());
  }
}

// Of so many points the slopes are not kept: the second road keeps and sorts them.
TEST(Growth, TheTrendOfManyTrialsIsThatOfAllTheirSlopes) {
  constexpr std::size_t points = 2000;
  std::mt19937 generator(1);
  std::normal_distribution<double> noise(0, 0.05);
  std::vector<double> x, y, slopes;
  for (std::size_t i = 0; i < points; ++i) {
    x.push_back(0.08 + 0.025 * static_cast<double>(i % 5));
    y.push_back(0.8 - 1.5 * x.back() + noise(generator));
    for (std::size_t j = 0; j < i; ++j)
      if (x[j] != x[i]) slopes.push_back((y[i] - y[j]) / (x[i] - x[j]));
  }
  std::ranges::sort(slopes);
  const auto trend = studying::ranks::theil_sen(x, y);
  ASSERT_TRUE(trend);
  EXPECT_EQ(trend->slope, slopes[(slopes.size() + 1) / 2 - 1]);
  // ends of the interval: from either side the same number of slopes is beyond them
  const auto below = std::ranges::lower_bound(slopes, trend->low) - slopes.begin();
  const auto above = slopes.end() - std::ranges::upper_bound(slopes, trend->high);
  EXPECT_EQ(below, above);
  // Kendall's variance of untied ranks, less that of the five groups [Sen 1968]
  const double n = points, t = points / 5.0;
  const double variance = (n * (n - 1) * (2 * n + 5) - 5 * t * (t - 1) * (2 * t + 5)) / 18;
  EXPECT_NEAR(static_cast<double>(below),
              (static_cast<double>(slopes.size()) - 1.959963984540054 * std::sqrt(variance)) / 2, 1.5);
  EXPECT_NEAR(trend->slope, -1.5, 0.1);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

double peak_memory() {  // [byte]
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// 60 trials with a log of 4 MB each, 240 MB together.
TEST(Growth, TrialsOnTheDiskAreNotAllInMemory) {
  if (sanitized) GTEST_SKIP() << "a sanitizer keeps what is freed";
  constexpr std::size_t trials = 60;
  constexpr Eigen::Index rows = 60000;
  claims::Built built = claims::build({.repeats = 1});
  DatasetHeader header = built.dataset.header;
  header.plan.clear();
  for (std::size_t i = 0; i < trials; ++i) header.plan.push_back("t" + std::to_string(i));
  const test::Folder folder;
  DatasetWriter writer(folder / "a.h5", header);
  for (std::size_t i = 0; i < trials; ++i) {
    Trial trial = built.dataset.trials[i % built.dataset.trials.size()];
    const double touch = 0.01 + trial.clock_offset;
    const VectorX q = trial.joints.position.row(0).transpose();
    trial.joints = {};
    trial.joints.time = VectorX::LinSpaced(rows, touch - 60, touch - 1e-3);
    trial.joints.position = q.transpose().replicate(rows, 1);
    trial.joints.velocity = trial.joints.position * 0;
    trial.name = header.plan[i];
    writer.store(trial, std::nullopt);
  }
  writer.finish();
  const double all = static_cast<double>(trials * static_cast<std::size_t>(rows) * (1 + 2 * 7) * sizeof(double));
  const double before = peak_memory();
  const Study found = study(DatasetReader(folder / "a.h5"), {.sample = 4}, {.jobs = 2});
  EXPECT_EQ(found.trials.size(), trials);
  EXPECT_LT(peak_memory() - before, 0.25 * all) << all;
}

}  // namespace
}  // namespace thud
