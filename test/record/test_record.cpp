#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/record.hpp>
#include <thud/window.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "samples.hpp"

namespace {

/// Whether one of the notes holds the text.
bool has(const std::vector<thud::Warning>& notes, const std::string& text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const auto& note) { return note.text.find(text) != note.text.npos; });
}

using Texts = std::vector<std::string>;

/// Ten rows, 1 ms apart, force 0, 10, 20, ... [N]; times and forces are divided by the units.
std::string rows(const std::string& separator, double ms = 1, double newton = 10, const std::string& end = "\n") {
  std::string text;
  for (int i = 0; i < 10; ++i) text += thud::to_text(i * ms) + separator + thud::to_text(i * newton) + end;
  return text;
}

void expect_ten_rows(const thud::Record& record) {
  ASSERT_EQ(record.time.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(record.time[i], 1e-3 * static_cast<double>(i));
    EXPECT_DOUBLE_EQ(record.force[i], 10 * static_cast<double>(i));
  }
}

/// What the reader says about a text it must not accept.
std::string refusal(const std::string& text, const thud::RecordOptions& options = {}) {
  try {
    thud::parse_record(text, "a.csv", options);
  } catch (const thud::FileError& error) {
    EXPECT_EQ(std::string(error.what()), error.argument() + ": " + error.value() + ": " + error.rule());
    return error.what();
  }
  return "accepted";
}

TEST(Record, ReadsEveryHeaderAndSeparator) {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"comma", "time [ms],force\n" + rows(",")},
      {"semicolon", "Time (ms);Force (N)\n" + rows(";")},
      {"tab", "t/ms\tFz/N\n" + rows("\t")},
      {"blanks", "  t_ms   Fn\n" + rows("   ")},
      {"blanks and units", "t [ms] Fz (N)\n" + rows(" ")},
      {"comma and blank", "TIMESTAMP [MS] , NORMAL FORCE [n]\n" + rows(" , ")},
      {"micro", "time [\xC2\xB5s],f\n" + rows(",", 1000)},
      {"other micro", "time [\xCE\xBCs],f\n" + rows(",", 1000)},
      {"kilo", "time_us,force_kN\n" + rows(",", 1000, 0.01)},
      {"force first", "# by hand\n\nforce,time [ms]\n0,0\n10,1\n20,2\n30,3\n40,4\n50,5\n60,6\n70,7\n80,8\n90,9\n"},
      {"windows", "\xEF\xBB\xBFtime [ms],force\r\n" + rows(",", 1, 10, "\r\n")},
      {"quoted", "\"time [ms]\",\"force\"\n" + rows(",")},
      {"comments and blank lines", "# a\ntime [ms],force\n# b\n\n" + rows(",", 1, 10, " # c\n\n")},
      {"closing separator", "time [ms],force,\n" + rows(",", 1, 10, ",\n")},
      {"no last line end", "time [ms],force\n" + rows(",").substr(0, rows(",").size() - 1)},
  };
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    const auto record = thud::parse_record(text, "a.csv");
    expect_ten_rows(record);
    EXPECT_EQ(thud::texts(record.notes), Texts{});
  }
}

TEST(Record, WithoutAHeaderTheFirstTwoColumnsAreSecondsAndNewton) {
  const auto two =
      thud::parse_record("0 +1\n1e-3 -2\n0.002 3E0\n.003 4.\n0.004 5\n0.005 6\n0.006 7\n0.007 8\n", "a.csv");
  EXPECT_EQ(two.force, (std::vector<double>{1, -2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(two.time[3], 0.003);
  EXPECT_EQ(thud::texts(two.notes), Texts{});
  const auto three = thud::parse_record(rows(",0.5,", 1e-3), "a.csv");
  EXPECT_TRUE(has(three.notes, "the first of 3 columns is taken as time [s], the second as force [N]"));
  EXPECT_EQ(three.force[4], 0.5);
}

TEST(Record, SaysWhatItLeavesOut) {
  // n, time [ms], Fx, Fy: two forces, so one has to be named.
  std::string text = "n,time [ms],Fx [N],Fy [N]\n";
  for (int i = 0; i < 10; ++i) text += "7," + std::to_string(i) + ",1.5," + std::to_string(10 * i) + "\n";
  const auto record = thud::parse_record(text, "a.csv", {.force_column = "fy"});
  expect_ten_rows(record);
  EXPECT_EQ(thud::texts(record.notes), (Texts{"columns not used: n, Fx"}));
  EXPECT_EQ(refusal(text), "a.csv:1: Fx and Fy: two columns could be the force; keep one or name one");
}

TEST(Record, ReadsTheHeaderThatNumPyHidesInAComment) {
  const auto record = thud::parse_record("# lab\n# time [ms],force\n" + rows(","), "a.csv");
  expect_ten_rows(record);
  EXPECT_EQ(thud::texts(record.notes), (Texts{"the column names are taken from the comment in line 2"}));
  EXPECT_EQ(record.comments, (Texts{"lab", "time [ms],force"}));
  expect_ten_rows(thud::parse_record("# t [ms], F [kN]\n" + rows(" ", 1, 0.01), "a.csv"));
  // A comment that tells less than both columns is a comment.
  EXPECT_EQ(thud::parse_record("# time, in my lab\n" + rows(",", 1e-3), "a.csv").time[1], 1e-3);
}

TEST(Record, DropsRowsWithoutANumberAndCountsThem) {
  std::string text = "time,force\n";
  for (int i = 0; i < 100; ++i) {
    const auto force = i == 20 ? "nan" : i == 40 ? "" : i == 60 ? "N/A" : i == 80 ? "-inf" : "1";
    text += "0." + std::to_string(1000 + i) + "," + force + "\n";
  }
  const auto record = thud::parse_record(text, "a.csv");
  EXPECT_EQ(record.dropped, 4u);
  EXPECT_EQ(record.time.size(), 96u);
  EXPECT_TRUE(has(record.notes, "4 of 100 rows lack a number and are left out, the first in line 22"));
  EXPECT_TRUE(has(record.notes, "4 gaps in time, the largest of "));
  text += "0.2,nan\n0.3,nan\n";
  EXPECT_EQ(refusal(text), "a.csv:22: 6 of 102 rows: at most 5 % of the rows may lack a number; this is the first");
}

TEST(Record, MeasuresTheSampling) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.02);
  thud::Record record;
  for (int i = 0; i < 5000; ++i) {
    if (i == 1000 || i == 1001 || i == 3000) continue;
    record.time.push_back(4e-5 * (i + normal(random)));
    record.force.push_back(0);
  }
  const auto timing = thud::sampling(record);
  EXPECT_NEAR(timing.rate, 25000, 25);                    // a thousandth: the median of 5000 steps of spread 2.8 %
  EXPECT_NEAR(timing.jitter, 0.02 * std::sqrt(2), 2e-3);  // a step is the difference of two times
  EXPECT_EQ(timing.gaps, 2u);
  EXPECT_NEAR(timing.largest_gap, 1.2e-4, 1e-5);
  EXPECT_NEAR(timing.largest_gap_at, 999 * 4e-5, 1e-5);
  EXPECT_NEAR(timing.duration, 4999 * 4e-5, 1e-5);
}

TEST(Record, NotesUnevenAndSlowSampling) {
  std::string uneven, slow;
  for (int i = 0; i < 20; ++i) uneven += thud::to_text(1e-4 * (i + (i % 3) * 0.2)) + " 1\n";
  for (int i = 0; i < 20; ++i) slow += std::to_string(i) + " 1\n";
  EXPECT_TRUE(has(thud::parse_record(uneven, "a.csv").notes, "uneven sampling: the step varies by"));
  EXPECT_TRUE(has(thud::parse_record(slow, "a.csv").notes, "the rate is 1 Hz, low for an impact; is time in seconds?"));
}

TEST(Record, WritesAndReadsTheSameNumbers) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-300, 300);
  thud::Record record{.comments = {"made by hand", "time force"}};
  for (int i = 0; i < 1000; ++i) {
    record.time.push_back(i / 30000.0);
    record.force.push_back(uniform(random));
  }
  const auto path = (std::filesystem::temp_directory_path() / "thud_record.csv").string();
  thud::write_record(path, record);
  const auto back = thud::read_record(path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.time, record.time);
  EXPECT_EQ(back.force, record.force);
  EXPECT_EQ(back.comments, record.comments);
  EXPECT_EQ(thud::texts(back.notes), Texts{});
}

TEST(Record, RefusesWithFileLineValueAndRule) {
  const auto header = std::string("time,force\n");
  const auto good = rows(",", 1e-3);
  const std::vector<std::pair<std::string, std::string>> cases{
      {header + good + "0.02,1x\n", "a.csv:12: 1x: not a number"},
      {header + good + "x,1\n", "a.csv:12: x: not a number"},
      {header + good + header, "a.csv:12: time: not a number"},
      {header + good + "0.02,1e999\n", "a.csv:12: 1e999: beyond the range of a double"},
      {header + good + "0.02,1e13\n", "a.csv:12: 1e13: force must be within 1e12 N"},
      {header + good + "1e13,1\n", "a.csv:12: 1e13: time must be within 1e12 s"},
      {header + good + "0.009000000000000001,1\n",
       "a.csv:12: 0.009000000000000001: time repeats; it must increase from row to row"},
      {header + good + "0.008,1\n", "a.csv:12: 0.008: time goes back; it must increase from row to row"},
      {header + good + "0.02\n", "a.csv:12: 0.02: this row has 1 cell, the table has 2 cells"},
      {header + good + "0.02,1,2\n",
       "a.csv:12: 0.02,1,2: this row has 3 cells, the table has 2 cells; is there a decimal comma?"},
      {header + "0,5,1,2\n", "a.csv:2: 0,5,1,2: this row has 4 cells, the header in line 1 has 2 cells"},
      {"time;force\n0,5;1,2\n",
       "a.csv:2: 0,5;1,2: a comma inside a number; write decimal points and no thousands separators"},
      {"0,5\t1,2\n", "a.csv:1: 0,5?1,2: a comma inside a number; write decimal points and no thousands separators"},
      {"0,5 1,2\n", "a.csv:1: 0,5 1,2: a comma inside a number; write decimal points and no thousands separators"},
      {"0,04,1,5\n1,08,1,6\n2,12,1,7\n3,1,1,1\n4,1,1,1\n5,1,1,1\n6,1,1,1\n7,1,1,1\n",
       "a.csv: 4 columns of whole numbers: commas may be decimal commas here; add a header line"},
      {"a,b\n" + good, "a.csv:1: a,b: the header names no time column (t, time or timestamp)"},
      {"time,b\n" + good,
       "a.csv:1: time,b: the header names no force column (f, force, fx, fy, fz, fn or normal force)"},
      {"time,t\n" + good, "a.csv:1: time and t: two columns could be the time; keep one or name one"},
      {"time [min],force\n" + good, "a.csv:1: min: not a unit of time: s, ms, us"},
      {"time [N],force\n" + good, "a.csv:1: N: not a unit of time: s, ms, us"},
      {"time,force [lbf]\n" + good, "a.csv:1: lbf: not a unit of force: N, kN"},
      {"time;force\n" + good, "a.csv:2: 0,0: this row has 2 cells, the header in line 1 has 1 cell"},
      {"5\n6\n7\n", "a.csv:1: 5: a row needs a time and a force"},
      {"", "a.csv: 0 samples: a record needs at least 8"},
      {"# only talk\n", "a.csv: 0 samples: a record needs at least 8"},
      {header + "0,1\n1,2\n", "a.csv: 2 samples: a record needs at least 8"},
      {std::string("t,f\n0,\0", 7), "a.csv: holds a zero byte: a record is text in ASCII or UTF-8"},
      {header + std::string(60, 'y') + "\n",
       "a.csv:2: " + std::string(40, 'y') + "...: a row needs a time and a force"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message) << text;
  EXPECT_EQ(refusal(header + good, {.force_column = "Fz"}), "a.csv:1: time,force: has no column named Fz");
  EXPECT_EQ(refusal(good, {.force_column = "Fz"}), "a.csv:1: Fz: there is no header to find this column in");
  EXPECT_EQ(refusal(header + good, {.time_column = "force"}),
            "a.csv:1: time,force: time and force must be two columns");
  EXPECT_THROW(thud::read_record("no/such/file.csv"), thud::FileError);
}

TEST(Record, ChecksARecordMadeInMemory) {
  const auto refusal = [](auto&& change) {
    thud::Record record{.time = {0, 1, 2, 3, 4, 5, 6, 7}, .force = std::vector<double>(8, 1.0)};
    change(record);
    try {
      thud::format_record(record);
    } catch (const thud::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](auto&) {}), "accepted");
  EXPECT_EQ(refusal([](auto& r) { r.force.pop_back(); }), "record: 8 times, 7 forces: each time needs one force");
  EXPECT_EQ(refusal([](auto& r) { r.force.resize(7), r.time.resize(7); }),
            "record: 7 samples: a record needs at least 8");
  EXPECT_EQ(refusal([](auto& r) { r.force[2] = NAN; }), "record.force[2]: nan: must be a number within 1e12 N");
  EXPECT_EQ(refusal([](auto& r) { r.time[2] = INFINITY; }), "record.time[2]: inf: must be a number within 1e12 s");
  EXPECT_EQ(refusal([](auto& r) { r.time[3] = 2; }),
            "record.time[3]: 2: time must increase from sample to sample, by 1e-12 s or more");
}

TEST(Record, SampleRecordsAreWhatTheyWereMadeAs) {
  const auto samples = signals::samples();
  for (const auto& [file, text] : samples) {
    const auto path = std::string(THUD_ROOT) + "/data/records/" + file;
    EXPECT_EQ(thud::read_file(path), text) << "run make_records data/records";
    const auto record = thud::read_record(path);
    EXPECT_EQ(thud::texts(record.notes), Texts{}) << file;
    EXPECT_EQ(record.comments.front(), "made by test/record/make_records.cpp, not measured");
    const auto window = find_contact(record);
    EXPECT_TRUE(usable(window)) << file << ": " << window.message;
    double touch = 0;
    ASSERT_EQ(std::sscanf(record.comments.at(2).c_str(), "touch at %lf s", &touch), 1) << file;
    EXPECT_NEAR(window.start, touch, 1e-4) << file;
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(THUD_ROOT) + "/data/records"))
    files += entry.path().extension() == ".csv";
  EXPECT_EQ(files, samples.size());
}

TEST(Record, ReadsTwoMillionRows) {
  thud::Record record;
  for (int i = 0; i < 2'000'000; ++i) {
    record.time.push_back(i * 4e-5);
    record.force.push_back(std::round(1e4 * std::sin(i * 1e-3)) * 1e-2);
  }
  const auto text = thud::format_record(record);
  const auto start = std::chrono::steady_clock::now();
  const auto back = thud::parse_record(text, "a.csv");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(back.force, record.force);
  RecordProperty("seconds", std::to_string(taken.count()));
  std::cout << text.size() / 1000000 << " MB in " << taken.count() << " s\n";
}

}  // namespace
