#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "studio/jobs.hpp"

namespace {

using namespace std::chrono_literals;
using thud::RunOptions;
using thud::cli::Busy;
using thud::cli::JobLength;
using thud::cli::Jobs;
using thud::cli::JobState;

// Works until it is told to stop.
std::string work_on(const RunOptions& run) {
  while (!run.stop->load()) std::this_thread::sleep_for(1ms);
  return "";
}

TEST(Jobs, AnswerAndFail) {
  Jobs jobs({.any = 1}, 2);
  const std::string good =
      jobs.start("page", "map", JobLength::lengthy, [](const RunOptions&) { return std::string("{}"); });
  const auto done = jobs.wait(good, 60s);
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_EQ(done.answer, "{}");
  const std::string bad = jobs.start("page", "map", JobLength::lengthy,
                                     [](const RunOptions&) -> std::string { throw std::runtime_error("no"); });
  const auto failed = jobs.wait(bad, 60s);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_THROW(std::rethrow_exception(failed.failure), std::runtime_error);
  EXPECT_THROW(jobs.wait("j9", 0s), std::out_of_range);
}

TEST(Jobs, ANewerOneOfAPageAndKindEndsTheOlder) {
  Jobs jobs({.any = 1}, 2);
  const std::string older = jobs.start("page", "map", JobLength::lengthy, work_on);
  EXPECT_EQ(jobs.wait(older, 0s).total, 0U);
  const std::string newer =
      jobs.start("page", "map", JobLength::lengthy, [](const RunOptions&) { return std::string("{}"); });
  EXPECT_EQ(jobs.wait(older, 60s).state, JobState::cancelled);
  EXPECT_EQ(jobs.wait(newer, 60s).state, JobState::done);
}

TEST(Jobs, OneThatWaitsCanBeCancelled) {
  Jobs jobs({.any = 1}, 2);
  const std::string at_work = jobs.start("a", "map", JobLength::lengthy, work_on),
                    waits = jobs.start("b", "map", JobLength::lengthy, work_on);
  jobs.cancel(waits);
  EXPECT_EQ(jobs.wait(waits, 60s).state, JobState::cancelled);
  jobs.cancel(at_work);
  const std::string next =
      jobs.start("c", "map", JobLength::lengthy, [](const RunOptions&) { return std::string("{}"); });
  EXPECT_EQ(jobs.wait(next, 60s).state, JobState::done);
}

TEST(Jobs, BriefOnesDoNotWaitForLengthyOnes) {
  const auto at_once = [](const RunOptions&) { return std::string("{}"); };
  Jobs jobs({.any = 2, .brief = 1}, 1);
  for (const char* page : {"a", "b"}) {
    const std::string at_work = jobs.start(page, "map", JobLength::lengthy, work_on);
    while (jobs.wait(at_work, 1ms).state != JobState::running) std::this_thread::sleep_for(1ms);
  }
  const std::string waits = jobs.start("c", "map", JobLength::lengthy, at_once);
  // also where no lengthy one may wait any more
  EXPECT_THROW(jobs.start("d", "map", JobLength::lengthy, at_once), Busy);
  EXPECT_EQ(jobs.wait(jobs.start("c", "limit", JobLength::brief, at_once), 60s).state, JobState::done);
  EXPECT_EQ(jobs.wait(waits, 0s).state, JobState::queued);
  // they work where nothing else does, too
  jobs.cancel_all("a");
  EXPECT_EQ(jobs.wait(waits, 60s).state, JobState::done);
  const std::string brief = jobs.start("a", "fit", JobLength::brief, work_on);
  while (jobs.wait(brief, 1ms).state != JobState::running) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(jobs.wait(jobs.start("b", "limit", JobLength::brief, at_once), 60s).state, JobState::done);
  jobs.cancel(brief);
}

// Also when every worker is at such work, and nothing else is started.
TEST(Jobs, WhatNobodyAsksForEnds) {
  std::atomic<int> stopped = 0;
  const auto work = [&](const RunOptions& run) {
    const std::string answer = work_on(run);
    ++stopped;
    return answer;
  };
  Jobs jobs({.any = 2, .brief = 1}, 4, 50ms);
  for (const char* page : {"a", "b", "c"}) jobs.start(page, "map", JobLength::lengthy, work);
  const auto end = Jobs::Clock::now() + 60s;
  while (stopped < 2 && Jobs::Clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(stopped, 2);  // the third had not begun
}

}  // namespace
