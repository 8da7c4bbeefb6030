#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "trials.hpp"

namespace thud::test {
namespace {

namespace fs = std::filesystem;

constexpr int trials = 8;

/// Stores what is missing, in the order of the plan or another, and finishes.
void run(const std::string& path, const DatasetHeader& header, Random* shuffle = nullptr) {
  DatasetWriter writer(path, header);
  auto names = writer.missing();
  if (shuffle) std::shuffle(names.begin(), names.end(), *shuffle);
  for (const auto& name : names) {
    const auto index =
        static_cast<std::size_t>(std::find(header.plan.begin(), header.plan.end(), name) - header.plan.begin());
    writer.store(sample_trial(header, index), sample_truth(index));
  }
  writer.finish();
}

std::string uninterrupted(int count = trials) {
  const Folder folder;
  run(folder / "a.h5", sample_header(count));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  return read_file(folder / "a.h5");
}

TEST(DatasetWriter, GrowsByOneTrialAtATime) {
  const Folder folder;
  const auto path = folder / "a.h5";
  const auto header = sample_header(3);
  DatasetWriter writer(path, header);
  EXPECT_EQ(writer.missing(), header.plan);
  EXPECT_TRUE(same(DatasetReader(path).header(), header));
  EXPECT_TRUE(read_dataset(path).trials.empty());
  for (const std::size_t i : {std::size_t{2}, std::size_t{0}}) {
    writer.store(sample_trial(header, i), sample_truth(i));
    EXPECT_TRUE(same(DatasetReader(path).trial(header.plan[i]), sample_trial(header, i)));
    EXPECT_TRUE(same(DatasetReader(path).truth(header.plan[i]).value(), sample_truth(i)));
  }
  EXPECT_EQ(writer.missing(), std::vector<std::string>{header.plan[1]});
  EXPECT_EQ(DatasetReader(path).finished(), (std::vector<std::string>{header.plan[0], header.plan[2]}));
  EXPECT_TRUE(same(read_dataset(path).trials.at(1), sample_trial(header, 2)));
  EXPECT_EQ(refusal<InputError>([&] { writer.finish(); }),
            "trials: " + header.plan[1] + ": is missing, and so are 0 more of the 3 planned");
  EXPECT_EQ(refusal<InputError>([&] {
              auto trial = sample_trial(header, 1);
              trial.name = "other";
              writer.store(trial, {});
            }),
            "trial: other: is not in the plan");
  writer.store(sample_trial(header, 1), {});
  writer.finish();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  EXPECT_TRUE(same(read_dataset(path), sample_dataset(3)));
  EXPECT_FALSE(DatasetReader(path).truth(header.plan[1]).has_value());
  EXPECT_TRUE(writer.missing().empty());
  EXPECT_EQ(refusal<FileError>([&] { writer.store(sample_trial(header, 1), {}); }),
            path + ": " + header.plan[1] + ": the dataset is complete");
  EXPECT_EQ(refusal<FileError>([&] { DatasetWriter(path, header); }), path + ": 3 trials: the dataset is complete");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
}

TEST(DatasetWriter, BytesDependNeitherOnTheOrderNorOnTheRoad) {
  const auto expected = uninterrupted();
  const Folder folder;
  write_dataset(folder / "whole.h5", sample_dataset(trials), sample_truths(trials));
  EXPECT_EQ(read_file(folder / "whole.h5"), expected);
  Random random(base_seed());
  for (int i = 0; i < 3; ++i) {
    const auto path = folder / ("a" + std::to_string(i) + ".h5");
    run(path, sample_header(trials), &random);
    EXPECT_EQ(read_file(path), expected) << "seed " << base_seed() << ", order " << i;
  }
}

TEST(DatasetWriter, GoesOnAfterBeingKilledAtAnyMoment) {
  const auto start = std::chrono::steady_clock::now();
  const auto expected = uninterrupted();
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  Random random(base_seed());
  constexpr int enough = 30;
  int kills = 0;
  for (int round = 0; round < 6 || (kills < enough && round < 100); ++round) {
    const Folder folder;
    const auto path = folder / "a.h5";
    const auto header = sample_header(trials);
    for (bool done = false; !done;) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        try {
          run(path, header);
        } catch (const FileError& error) {  // the one before may have been killed while it removed the parts
          ::_exit(error.rule() == "the dataset is complete" ? 0 : 1);
        }
        ::_exit(0);
      }
      std::this_thread::sleep_for(uniform(random, 0, 1.1) * whole);
      ::kill(child, SIGKILL);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      // Whatever the moment, a reader sees nothing, or a dataset with some of the trials.
      if (fs::exists(path)) {
        const auto seen = read_dataset(path);
        EXPECT_TRUE(same(seen.header, header));
        for (const auto& trial : seen.trials) {
          const auto at = std::find(header.plan.begin(), header.plan.end(), trial.name) - header.plan.begin();
          EXPECT_TRUE(same(trial, sample_trial(header, static_cast<std::size_t>(at))));
        }
      }
      if (WIFSIGNALED(status)) {
        ++kills;
        continue;
      }
      ASSERT_EQ(WEXITSTATUS(status), 0) << "seed " << base_seed() << ", round " << round;
      done = true;
    }
    EXPECT_EQ(read_file(path), expected) << "seed " << base_seed() << ", round " << round;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  }
  EXPECT_GE(kills, enough) << "the writer is too fast for this test to mean anything";
  std::cout << kills << " kills\n";
}

TEST(DatasetWriter, RefusesASecondWriter) {
  const Folder folder;
  const auto path = folder / "a.h5";
  const auto header = sample_header(2);
  {
    const DatasetWriter writer(path, header);
    EXPECT_EQ(refusal<FileError>([&] { DatasetWriter(path, header); }),
              path + ": is being written by another process: a dataset has one writer at a time");
  }
  EXPECT_NO_THROW(DatasetWriter(path, header)) << "the first is gone";
}

TEST(DatasetWriter, RefusesAnotherHeaderAndSaysWhatDiffers) {
  const Folder folder;
  const auto path = folder / "a.h5";
  { const DatasetWriter writer(path, sample_header(2)); }
  const auto says = [&](auto edit) {
    auto header = sample_header(2);
    edit(header);
    const auto text = refusal<FileError>([&] { DatasetWriter(path, header); });
    const std::string rule = ": the file is an unfinished dataset of another kind; choose another name";
    EXPECT_TRUE(text.starts_with(path + ": ") && text.ends_with(rule)) << text;
    return text.substr(path.size() + 2, text.size() - path.size() - 2 - rule.size());
  };
  EXPECT_EQ(says([](auto& h) { h.seed = 8; }), "seed is 7, not 8");
  EXPECT_EQ(says([](auto& h) { h.source = DataSource::measured; }), "source is simulated, not measured");
  EXPECT_EQ(says([](auto& h) { h.robot = "mine"; }), "robot is planar_2r, not mine");
  EXPECT_EQ(says([](auto& h) { h.campaign = "seed = 1\nrepeats = 3"; }),
            "campaign line 2 is '# \"quotes\", \\ and ?"
            "?', not 'repeats = 3'");
  EXPECT_EQ(says([](auto& h) { h.campaign = ""; }), "campaign line 1 is 'seed = 1', not ''");
  EXPECT_TRUE(says([](auto& h) { h.urdf += "<!-- -->"; }).starts_with("urdf line "));
  EXPECT_EQ(says([](auto& h) { h.point.frame = "link2"; }), "contact frame is tip, not link2");
  EXPECT_EQ(says([](auto& h) { h.point.normal_W[0] = 1; }), "contact point is another");
  EXPECT_EQ(says([](auto& h) { h.detection_joints.pop_back(); }), "detection joints differ");
  EXPECT_EQ(says([](auto& h) { h.configurations[1].threshold = 1; }), "configurations differ");
  EXPECT_EQ(says([](auto& h) { h.plan.push_back("more"); }), "plan is another");
  EXPECT_EQ(says([](auto& h) { h.versions["thud"] = "0.2.0"; }), "versions of the programs differ");
  EXPECT_NO_THROW(DatasetWriter(path, sample_header(2)));
}

TEST(DatasetWriter, LeavesForeignFilesAlone) {
  const Folder folder;
  const auto path = folder / "a.h5";
  write_file(path, "my thesis");
  EXPECT_EQ(refusal<FileError>([&] { DatasetWriter(path, sample_header(2)); }),
            path + ": is not HDF5: a dataset is an HDF5 file or a folder with a manifest.toml");
  EXPECT_EQ(read_file(path), "my thesis");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  EXPECT_NE(refusal<FileError>([&] { DatasetWriter(folder / "no/such/a.h5", sample_header(2)); }), "no refusal");
  EXPECT_NE(refusal<FileError>([&] { DatasetWriter(folder.path.string(), sample_header(2)); }), "no refusal");
  auto header = sample_header(2);
  header.robot = "";
  EXPECT_NE(refusal<InputError>([&] { DatasetWriter(folder / "b.h5", header); }), "no refusal");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
}

TEST(DatasetWriter, ReusesAndCleansWhatAKilledRunLeft) {
  const Folder folder;
  const auto path = folder / "a.h5";
  const auto header = sample_header(3);
  {
    DatasetWriter writer(path, header);
    writer.store(sample_trial(header, 0), sample_truth(0));
    writer.store(sample_trial(header, 1), sample_truth(1));
  }
  const auto part = folder / "a.h5.parts/";
  std::ofstream(part + header.plan[2] + ".h5.part123_0") << "half";
  std::ofstream(folder / "a.h5.part123_0") << "half";
  fs::resize_file(part + header.plan[1] + ".h5", 1000);
  {
    const DatasetWriter writer(path, header);
    EXPECT_EQ(writer.missing(), (std::vector<std::string>{header.plan[1], header.plan[2]}))
        << "a damaged part is missing";
    EXPECT_FALSE(fs::exists(part + header.plan[2] + ".h5.part123_0"));
    EXPECT_FALSE(fs::exists(folder / "a.h5.part123_0"));
  }
  EXPECT_NE(refusal<FileError>([&] { read_dataset(path); }).find(header.plan[1] + ".h5: 1000 of "), std::string::npos);
  // Who removes the file starts anew, whatever parts are left.
  fs::remove(path);
  const DatasetWriter writer(path, sample_header(3, 8));
  EXPECT_EQ(writer.missing().size(), 3U);
}

TEST(DatasetWriter, GoesOnWithAFileThatHasSomeTrialsInIt) {
  const Folder folder;
  const auto path = folder / "a.h5";
  auto some = sample_dataset(trials);
  const auto truths = sample_truths(2);
  some.trials.resize(2);
  write_dataset(path, some, truths);
  {
    const DatasetWriter writer(path, some.header);
    EXPECT_EQ(writer.missing().size(), static_cast<std::size_t>(trials - 2));
  }
  EXPECT_EQ(refusal<FileError>([&] { write_dataset(path, some, {}, true); }),
            path + ": is unfinished: its trials are in " + path + ".parts; choose another name");
  run(path, some.header);
  EXPECT_EQ(read_file(path), uninterrupted());
}

TEST(DatasetWriter, AFullDiskLosesNothing) {
  const Folder folder;
  const auto path = folder / "a.h5";
  const auto header = sample_header(trials);
  DatasetWriter writer(path, header);
  for (std::size_t i = 0; i < trials; ++i) writer.store(sample_trial(header, i), sample_truth(i));
  // A file size limit stands in for the full disk: write() fails half-way.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{.rlim_cur = 4096, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto stored = refusal<FileError>([&] { writer.store(sample_trial(header, 0), sample_truth(0)); });
  const auto finished = refusal<FileError>([&] { writer.finish(); });
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_TRUE(stored.ends_with("cannot be written: File too large")) << stored;
  EXPECT_EQ(finished, path + ": cannot be written: File too large");
  EXPECT_EQ(DatasetReader(path).finished().size(), static_cast<std::size_t>(trials));
  writer.finish();
  EXPECT_EQ(read_file(path), uninterrupted());
}

}  // namespace
}  // namespace thud::test
