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
}

TEST(Record, MissingSamplesAreLeftOutHoweverMany) {
  // A logger that writes the force into every tenth row: a record at a tenth of the rate.
  std::string text = "time [ms],q1,force\n";
  for (int i = 0; i < 100; ++i)
    text += std::to_string(i) + ",0.5," + (i % 10 == 0 ? std::to_string(i) : std::string(i % 2 ? "" : "NaN")) + "\n";
  const auto record = thud::parse_record(text, "a.csv");
  EXPECT_EQ(record.time.size(), 10u);
  EXPECT_EQ(record.force[3], 30);
  EXPECT_DOUBLE_EQ(thud::sampling(record).rate, 100);
  EXPECT_TRUE(has(record.notes, "90 of 100 rows lack a number and are left out, the first in line 3"));
  // A column that is all but empty is not a record.
  for (int i = 100; i < 300; ++i) text += std::to_string(i) + ",0.5,\n";
  EXPECT_EQ(refusal(text), "a.csv:3: 290 of 300 rows: at most 95 % of the rows may lack a number; this is the first");
}

TEST(Record, GapsDoNotChangeTheRate) {
  std::mt19937_64 random(3);
  thud::Record record;
  for (int i = 0; i < 5000; ++i) {
    if (random() % 10 < 3 || (i > 2000 && i < 2500)) continue;
    record.time.push_back(4e-5 * i);
    record.force.push_back(0);
  }
  EXPECT_NEAR(thud::sampling(record).rate, 25000, 1e-6);
}

TEST(Record, ReadsDecimalCommas) {
  // Ten rows of 0,5 ms and 13,5 N each, separated by what is not a comma.
  const auto table = [](const std::string& separator) {
    std::string text;
    for (int i = 0; i < 10; ++i)
      text += std::to_string(i / 2) + (i % 2 ? ",5" : ",0") + separator + "-" + std::to_string(i) + ",25\n";
    return text;
  };
  for (const std::string& text :
       {"Time [ms];Force [N]\n" + table(";"), "t/ms\tF\n" + table("\t"), "t_ms  F\n" + table("  ")}) {
    SCOPED_TRACE(text);
    const auto record = thud::parse_record(text, "a.csv");
    ASSERT_EQ(record.time.size(), 10u);
    EXPECT_EQ(record.time[3], 0.0015);
    EXPECT_EQ(record.force[3], -3.25);
    EXPECT_EQ(thud::texts(record.notes), (Texts{"commas inside numbers are taken as decimal commas"}));
    EXPECT_EQ(record.notes.front().code, thud::WarningCode::decimal_comma);
  }
  // Whole numbers among them, an exponent, and no header.
  const auto bare = thud::parse_record("0;1\n0,001;2,5e1\n0,002;3\n0,003;4\n0,004;5\n0,005;6\n0,006;7\n0,007;8\n", "a");
  EXPECT_EQ(bare.force[1], 25);
  const auto mixed = "commas and points inside numbers; write one of them for decimals and no thousands separators";
  EXPECT_EQ(refusal("t;f\n0.001;1,5\n"), "a.csv:2: 0.001;1,5: " + std::string(mixed));
  EXPECT_EQ(refusal("t;f\n0,001;1\n0,002;1.234,5\n"), "a.csv:3: 0,002;1.234,5: " + std::string(mixed));
  EXPECT_EQ(refusal("t;f\n0;1,234,567\n"), "a.csv:2: 1,234,567: not a number");
}

TEST(Record, ReadsLinesThatEndInCarriageReturnsAlone) {
  std::string text = "# old Macintosh\rtime [ms],force\r";
  for (int i = 0; i < 10; ++i) text += std::to_string(i) + "," + std::to_string(2 * i) + "\r";
  const auto record = thud::parse_record(text, "a.csv");
  ASSERT_EQ(record.time.size(), 10u);
  EXPECT_EQ(record.time[3], 0.003);
  EXPECT_EQ(record.force[3], 6);
}

TEST(Record, ReadsDecimalCommasInQuotes) {
  std::string rows, wide;
  for (int i = 0; i < 10; ++i) {
    const auto number = std::to_string(i);
    rows += "\"0,000" + number + "\", \"-" + number + ",25\"\r\n";
    wide += "\"" + number + "\",\"0,000" + number + "\",\"-" + number + ",25\"\n";
  }
  for (const std::string& text : {rows, "Time [s],Force [N]\n" + rows, "\"Time, [s]\",\"Force [N]\"\n" + rows,
                                  "n,\"time\",\"force (N)\"\n" + wide, wide}) {
    SCOPED_TRACE(text);
    const auto options = text.starts_with("\"Time, ") ? thud::RecordOptions{.time_column = "1"} : thud::RecordOptions{};
    const auto record = thud::parse_record(text, "a.csv", options);
    ASSERT_EQ(record.time.size(), 10u);
    EXPECT_EQ(record.time[3], 0.0003);
    EXPECT_EQ(record.force[3], -3.25);
    EXPECT_TRUE(has(record.notes, "commas inside numbers are taken as decimal commas"));
  }
  EXPECT_EQ(refusal("t,f\n\"0,001\",1.5\n"),
            "a.csv:2: \"0,001\",1.5: commas and points inside numbers; write one of them for decimals and no thousands "
            "separators");
  EXPECT_EQ(refusal("t,f\n\"0,001,1.5\n1,2\n"),
            "a.csv:2: \"0,001,1.5: neither numbers nor a unit for each of the 2 cells of the header");
}

TEST(Record, ReadsColumnsByNameAndByNumber) {
  // Six axes: the time, three forces, three torques.
  std::string header = "Time [ms],Fx (N),Fy (N),Fz (N),Mx (Nm),My (Nm),Mz (Nm)\n", numbers;
  for (int i = 0; i < 10; ++i) numbers += std::to_string(i) + ",1,2," + std::to_string(10 * i) + ",4,5,6\n";
  for (const std::string column : {"Fz", "fz", "Fz (N)", "4"}) {
    SCOPED_TRACE(column);
    const auto record = thud::parse_record(header + numbers, "a.csv", {.force_column = column});
    expect_ten_rows(record);
    EXPECT_EQ(thud::texts(record.notes), (Texts{"columns not used: Fx, Fy, Mx, My, Mz"}));
  }
  const auto bare = thud::parse_record(numbers, "a.csv", {.time_column = "1", .force_column = "4", .units = "time=ms"});
  expect_ten_rows(bare);
  EXPECT_EQ(thud::texts(bare.notes), Texts{});
  // A name is taken before a number, and a comment's names count.
  const auto named = thud::parse_record("t [ms],2,1\n" +
                                            [] {
                                              std::string text;
                                              for (int i = 0; i < 10; ++i)
                                                text += std::to_string(i) + "," + std::to_string(10 * i) + ",7\n";
                                              return text;
                                            }(),
                                        "a.csv", {.force_column = "2"});
  expect_ten_rows(named);
  expect_ten_rows(thud::parse_record("# t [ms],Fx,Fy,Fz,Mx,My,Mz\n" + numbers, "a.csv", {.force_column = "Fz"}));
  expect_ten_rows(thud::parse_record("# t [ms],Fx,Fy,Fz,Mx,My,Mz\n" + numbers, "a.csv", {.force_column = "4"}));
  EXPECT_EQ(refusal(numbers, {.force_column = "8"}), "a.csv:1: 8: columns are numbered from 1 to 7");
  EXPECT_EQ(refusal(numbers, {.force_column = "1"}), "a.csv:1: 0,1,2,0,4,5,6: time and force must be two columns");
  EXPECT_EQ(refusal(header + numbers, {.force_column = "Mz"}),
            "a.csv:1: Nm: not a unit of force: N, mN, kN, MN, lbf, kgf");
  EXPECT_EQ(refusal(header + numbers, {.force_column = "8"}),
            "a.csv:1: Time [ms],Fx (N),Fy (N),Fz (N),Mx (Nm),M...: has no column named 8");
}

TEST(Record, ReadsEveryUnit) {
  const auto at_one = [](const std::string& header, const std::string& units) {
    const auto record = thud::parse_record(header + rows(",", 1, 1), "a.csv", {.units = units});
    return std::pair(record.time[1], record.force[1]);
  };
  const std::vector<std::pair<std::string, double>> times{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  for (const auto& [unit, seconds] : times) {
    EXPECT_DOUBLE_EQ(at_one("", "time=" + unit).first, seconds);
    EXPECT_DOUBLE_EQ(at_one("time [" + unit + "],force\n", "").first, seconds);
  }
  const std::vector<std::pair<std::string, double>> forces{
      {"N", 1}, {"mN", 1e-3}, {"kN", 1e3}, {"MN", 1e6}, {"lbf", 4.4482216152605}, {"kgf", 9.80665}};
  for (const auto& [unit, newton] : forces) {
    EXPECT_DOUBLE_EQ(at_one("", "force=" + unit).second, newton);
    EXPECT_DOUBLE_EQ(at_one("time,force (" + unit + ")\n", "").second, newton);
  }
  // An accelerometer on 1.5 kg.
  EXPECT_DOUBLE_EQ(at_one("", "force=g*1.5").second, 1.5 * 9.80665);
  EXPECT_DOUBLE_EQ(at_one("", "force=m/s^2*2, time=ms").second, 2);
  EXPECT_EQ(refusal("time,force [g]\n" + rows(",")),
            "a.csv:1: g: an acceleration; with the mass that it moves it is a force: units force=g*MASS");
  // What is told goes before what the file says, and is noted where it is something else.
  const auto told =
      thud::parse_record("time [ms],Fz [V]\n" + rows(",", 1, 0.01), "a.csv", {.units = "time=ms,force=kN"});
  expect_ten_rows(told);
  EXPECT_EQ(thud::texts(told.notes), (Texts{"force is taken in kN as told, not in V"}));
  const auto three = thud::parse_record(rows(",0.5,"), "a.csv", {.units = "time=ms"});
  EXPECT_TRUE(has(three.notes, "the first of 3 columns is taken as time [ms], the second as force [N]"));

  const auto refused = [](const std::string& units) {
    try {
      thud::validate(thud::RecordOptions{.units = units});
    } catch (const thud::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused("time=ms,force=g*1.5"), "accepted");
  EXPECT_EQ(refused("ms"), "units: ms: must be time=UNIT or force=UNIT");
  EXPECT_EQ(refused("mass=kg"), "units: mass=kg: must be time=UNIT or force=UNIT");
  EXPECT_EQ(refused("time=h"), "units: time=h: not a unit of time: s, ms, us, ns");
  EXPECT_EQ(refused("time=N"), "units: time=N: not a unit of time: s, ms, us, ns");
  EXPECT_EQ(refused("force=s"), "units: force=s: not a unit of force: N, mN, kN, MN, lbf, kgf, g*MASS, m/s^2*MASS");
  EXPECT_EQ(refused("force=mn"), "units: force=mn: not a unit of force: N, mN, kN, MN, lbf, kgf, g*MASS, m/s^2*MASS");
  EXPECT_EQ(refused("force=g"), "units: force=g: an acceleration needs the mass that it moves: force=g*1.5 for 1.5 kg");
  EXPECT_EQ(refused("force=N*2"), "units: force=N*2: a force is not multiplied by a mass");
  EXPECT_EQ(refused("force=g*-1"), "units: force=g*-1: the mass must be a number of kg > 0");
  EXPECT_EQ(refused("force=g*x"), "units: force=g*x: the mass must be a number of kg > 0");
  EXPECT_EQ(refused("time=s,time=ms"), "units: time=ms: gives that unit twice");
}

TEST(Record, ReadsARowOfUnits) {
  for (const std::string& text : {"time,force\nms,N\n" + rows(","), "time;force\n[ms];[N]\n" + rows(";"),
                                  "time\tforce\n(us)\t(kN)\n" + rows("\t", 1000, 0.01),
                                  "time [ms],force\nms,-\n" + rows(","), "t  f\n ms  N \n" + rows(" ")}) {
    SCOPED_TRACE(text);
    const auto record = thud::parse_record(text, "a.csv");
    expect_ten_rows(record);
    EXPECT_EQ(thud::texts(record.notes), (Texts{"the units are taken from line 2"}));
    EXPECT_EQ(record.notes.front().code, thud::WarningCode::units_row);
  }
  EXPECT_EQ(refusal("time,force\nfoo,bar\n" + rows(",")), "a.csv:2: foo: not a unit of time: s, ms, us, ns");
  EXPECT_EQ(refusal("time [s],force\nms,N\n" + rows(",")), "a.csv:2: ms: the header says s");
  EXPECT_EQ(refusal("time,force\nms,N,K\n" + rows(",")),
            "a.csv:2: ms,N,K: neither numbers nor a unit for each of the 2 cells of the header");
}

TEST(Record, SkipsLines) {
  const std::string preamble = "Test bench 3, run 17\nOperator,somebody\n1,2,3\n";
  expect_ten_rows(thud::parse_record(preamble + "time [ms],force\n" + rows(","), "a.csv", {.skip = 3}));
  EXPECT_EQ(refusal("time,force\n1,x\n", {.skip = 1}), "a.csv:2: x: not a number");  // lines keep their numbers
  EXPECT_EQ(refusal("time,force\n", {.skip = 5}), "a.csv: 0 samples: a record needs at least 8");
  EXPECT_EQ(
      refusal("Run 17\ntime,force\n" + rows(",")),
      "a.csv:3: 0,0: this row has 2 cells, the header in line 1 has 1 cell; lines before the header can be skipped");
}

TEST(Record, KnowsAnIndexColumn) {
  const auto numbers = [](int first) {
    std::string text;
    for (int i = 0; i < 10; ++i)
      text += std::to_string(first + i) + ",0.00" + std::to_string(i) + "," + std::to_string(10 * i) + "\n";
    return text;
  };
  for (const int first : {0, 1}) {
    const auto record = thud::parse_record(numbers(first), "a.csv");
    expect_ten_rows(record);
    EXPECT_EQ(thud::texts(record.notes),
              (Texts{"no header: the first of 3 columns counts the rows, the second is taken as "
                     "time [s], the third as force [N]"}));
    EXPECT_EQ(record.notes.front().code, thud::WarningCode::index_column);
  }
  // A header without a name for it, as pandas writes one.
  const auto record = thud::parse_record(",time,force\n" + numbers(0), "a.csv");
  expect_ten_rows(record);
  EXPECT_EQ(thud::texts(record.notes), (Texts{"columns not used: (no name)"}));
  // Without a time there is nothing to take instead.
  EXPECT_EQ(refusal("n,force\n" + rows(",")),
            "a.csv:1: n,force: the header names no time column (t, time or timestamp); the first counts the rows");
  // A force that does not increase is no time.
  const auto time = thud::parse_record("0,1.5,1\n1,1.5,1\n2,1,1\n3,1,1\n4,1,1\n5,1,1\n6,1,1\n7,1,1\n", "a.csv");
  EXPECT_EQ(time.force[0], 1.5);
}

TEST(Record, HasALimit) {
  EXPECT_EQ(refusal("time,force\n" + rows(",", 1e-3), {.max_samples = 9}),
            "a.csv:11: more than 9 samples: the limit for a record (RecordOptions::max_samples, --max-samples)");
  EXPECT_EQ(thud::parse_record(rows(",", 1e-3), "a.csv", {.max_samples = 10}).time.size(), 10u);
  try {
    thud::read_record("/dev/zero", {.max_size = 1000000});
    FAIL();
  } catch (const thud::FileError& error) {
    EXPECT_STREQ(error.what(),
                 "/dev/zero: has more than 1000000 bytes: the limit for reading (RecordOptions::max_size, --max-size)");
  }
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
  // Where the unit is known it is not asked for, and a rate has six digits.
  std::string known = "time [s],force\n";
  for (int i = 0; i < 20; ++i) known += thud::to_text(i / 200.0 + 7e-17) + ",1\n";
  EXPECT_EQ(thud::texts(thud::parse_record(known, "a.csv").notes), (Texts{"the rate is 200 Hz, low for an impact"}));
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
      {"0,5 1,2,3\n",
       "a.csv:1: 0,5 1,2,3: a comma inside a number; with decimal commas, separate the cells by semicolons"},
      {"0,04,1,5\n1,08,1,6\n2,12,1,7\n3,1,1,1\n4,1,1,1\n5,1,1,1\n6,1,1,1\n7,1,1,1\n",
       "a.csv: 4 columns of whole numbers: commas may be decimal commas here; add a header line"},
      {"a,b\n" + good, "a.csv:1: a,b: the header names no time column (t, time or timestamp)"},
      {"time,b\n" + good,
       "a.csv:1: time,b: the header names no force column (f, force, fx, fy, fz, fn or normal force)"},
      {"time,t\n" + good, "a.csv:1: time and t: two columns could be the time; keep one or name one"},
      {"time [min],force\n" + good, "a.csv:1: min: not a unit of time: s, ms, us, ns"},
      {"time [N],force\n" + good, "a.csv:1: N: not a unit of time: s, ms, us, ns"},
      {"time,force [stone]\n" + good, "a.csv:1: stone: not a unit of force: N, mN, kN, MN, lbf, kgf"},
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
