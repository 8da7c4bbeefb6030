// Sweeps: designs, plans, what is stored and what is said. Suites that run campaigns are called SweepLab.

#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/sweep.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "dataset/file.hpp"
#include "dataset/hdf5.hpp"
#include "sweep/design.hpp"
#include "sweep/journal.hpp"
#include "sweep/refine.hpp"
#include "sweep/rows.hpp"

namespace thud {
namespace {

namespace fs = std::filesystem;

// A campaign of one trial, short and in coarse steps: its numbers mean nothing, and it takes little time.
constexpr auto tiny_base = R"([base]
robot = "planar_2r"
repeats = 1
speeds = [0.15]
[[base.configuration]]
name = "bent"
q = [0.4, 1.2]
threshold = 1e9
[base.contact]
frame = "tip"
offset = [0, 0, 0]
normal = [-1, 0, 0]
[base.controller]
ramp = 0.06
cruise = 0.02
after = 0.03
angular_weight = 0
[base.sensor]
rate = 1e4
bandwidth = 2e3
[base.plant]
step = 1e-4
)";

SweepPlan plan_from(const std::string& head, const std::string& ranges) {
  return parse_sweep(head + "\n" + tiny_base + "[range]\n" + ranges, "s.toml");
}

std::string message(const std::string& text) {
  try {
    static_cast<void>(parse_sweep(text, "s.toml"));
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

class Folder : public testing::Test {
 protected:
  Folder() {
    path_ = fs::temp_directory_path() /
            (std::string("thud_sweep_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() override { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

using SweepFile = Folder;
using SweepLab = Folder;

// --- designs

constexpr auto cube = R"(
"joints.stiffness" = { log = [1e3, 1e5] }
"contact.stiffness" = { linear = [1e5, 2e6] }
"joints.damping" = { scale = [0.5, 2] }
)";

TEST(SweepDesigns, SobolHasOnePointInEachPartOfEachAxis) {
  for (const int points : {8, 32}) {
    const SweepPlan plan = plan_from("points = " + std::to_string(points) + "\nseed = 5", cube);
    const MatrixX design = sweeping::unit_design(plan);
    ASSERT_EQ(design.rows(), points);
    for (Eigen::Index axis = 0; axis < design.cols(); ++axis) {
      std::set<int> parts;
      for (Eigen::Index i = 0; i < points; ++i) parts.insert(static_cast<int>(design(i, axis) * points));
      EXPECT_EQ(parts.size(), static_cast<std::size_t>(points)) << axis;
    }
    // and in pairs of axes each quarter has as many as the others
    std::map<std::pair<int, int>, int> quarters;
    for (Eigen::Index i = 0; i < points; ++i)
      ++quarters[{static_cast<int>(2 * design(i, 0)), static_cast<int>(2 * design(i, 1))}];
    for (const auto& [quarter, count] : quarters) EXPECT_EQ(count, points / 4);
  }
}

TEST(SweepDesigns, LatinHypercubeHasOnePointInEachStratum) {
  const SweepPlan plan = plan_from("points = 13\ndesign = 'latin_hypercube'", cube);
  const MatrixX design = sweeping::unit_design(plan);
  for (Eigen::Index axis = 0; axis < design.cols(); ++axis) {
    std::set<int> strata;
    for (Eigen::Index i = 0; i < 13; ++i) strata.insert(static_cast<int>(design(i, axis) * 13));
    EXPECT_EQ(strata.size(), 13U);
  }
  EXPECT_NE(design.col(0), design.col(1));
}

TEST(SweepDesigns, FollowTheSeedAndNothingElse) {
  for (const std::string design : {"sobol", "latin_hypercube"}) {
    const auto with = [&](int seed) {
      return sweeping::unit_design(
          plan_from("points = 8\ndesign = '" + design + "'\nseed = " + std::to_string(seed), cube));
    };
    EXPECT_EQ(with(3), with(3));
    EXPECT_NE(with(3), with(4));
    EXPECT_GE(with(3).minCoeff(), 0);
    EXPECT_LT(with(3).maxCoeff(), 1);
  }
}

TEST(SweepDesigns, GridHasAllCombinationsEndsIncluded) {
  const auto points =
      sweep_points(plan_from("points = 3\ndesign = 'grid'", R"("contact.stiffness" = { log = [1e4, 1e6] }
"joints.damping" = { values = [1, 2] })"));
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points.front().values, (std::vector<double>{1e4, 0}));
  EXPECT_EQ(points[1].values, (std::vector<double>{1e4, 1}));
  EXPECT_DOUBLE_EQ(points[2].values[0], 1e5);
  EXPECT_EQ(points.back().values, (std::vector<double>{1e6, 1}));
}

TEST(SweepDesigns, CoordinatesAndValuesAreInverse) {
  const SweepPlan plan = plan_from("points = 16", cube);
  const MatrixX design = sweeping::unit_design(plan);
  constexpr double rounding = 1e-12;
  for (std::size_t k = 0; k < 3; ++k)
    for (Eigen::Index i = 0; i < 16; ++i) {
      const double u = design(i, static_cast<Eigen::Index>(k));
      const double value = sweeping::value_at(plan.ranges[k], u);
      EXPECT_GE(value, plan.ranges[k].low);
      EXPECT_LE(value, plan.ranges[k].high);
      EXPECT_NEAR(sweeping::coordinate_of(plan.ranges[k], value), u, rounding);
    }
  EXPECT_NEAR(sweeping::value_at({"", RangeKind::log, 1e2, 1e4}, 0.5), 1e3, 1e-9);
  EXPECT_EQ(sweeping::value_at({"", RangeKind::linear, -1, 3}, 0.5), 1);
}

// --- plans

TEST(SweepPlans, ADrawIsOfEveryJointAndAScaleOfWhatTheBaseHas) {
  const SweepPlan plan = parse_sweep(R"(points = 1
[base]
repeats = 2
[base.scale]
"joints.rotor_inertia" = 2
[range]
"joints.stiffness" = { log = [2e3, 3e4] }
"joints.rotor_inertia" = { scale = [0.3, 2] }
"contact.stiffness" = { scale = [0.5, 2] }
"contact.law" = { values = ["viscoelastic"] }
)",
                                     "s.toml");
  ASSERT_EQ(plan.ranges.size(), 4U);
  EXPECT_EQ(plan.ranges[0].key, "contact.law");
  const Campaign usual = default_campaign();
  const Campaign made = sweep_campaign(plan, {.values = {0, 1.5, 0.5, 7e3}, .seed = 77});
  EXPECT_EQ(made.seed, 77U);
  EXPECT_EQ(made.repeats, 2);
  EXPECT_EQ(made.drives.stiffness, VectorX::Constant(7, 7e3));
  EXPECT_EQ(made.drives.rotor_inertia, VectorX(usual.drives.rotor_inertia * 2 * 0.5));
  EXPECT_EQ(std::get<Viscoelastic>(made.law).stiffness, 1.5 * std::get<Viscoelastic>(usual.law).stiffness);
  EXPECT_EQ(made.drives.damping, usual.drives.damping);
}

TEST(SweepPlans, ARestitutionIsAKeyLikeOthers) {
  const SweepPlan plan = parse_sweep(R"(points = 4
[base.contact]
restitution_speed = 0.12
[range]
"contact.restitution" = { linear = [0.2, 0.9] }
)",
                                     "s.toml");
  const Campaign made = sweep_campaign(plan, {.values = {0.5}});
  constexpr double bisection = 1e-9;
  EXPECT_NEAR(restitution(made.law, 1, -0.12), 0.5, bisection);
}

TEST(SweepPlans, SeedsDifferFromRowToRowUnlessTheBaseHasOne) {
  const std::string range = R"("joints.stiffness" = { log = [1e3, 1e5] })";
  std::set<std::uint64_t> seeds;
  const auto points = sweep_points(plan_from("points = 4\nrepeats = 3", range));
  for (const SweepPoint& point : points) seeds.insert(point.seed);
  EXPECT_EQ(points.size(), 12U);
  EXPECT_EQ(seeds.size(), 12U);
  EXPECT_LE(*seeds.rbegin(), std::uint64_t{1} << 53);
  EXPECT_EQ(points[0].values, points[2].values);
  EXPECT_NE(points[2].values, points[3].values);
  const auto fixed =
      sweep_points(parse_sweep("points = 2\nrepeats = 2\n[base]\nseed = 9\n[range]\n" + range, "s.toml"));
  EXPECT_EQ(fixed[0].seed, 9U);
  EXPECT_EQ(fixed[1].seed, 10U);
  EXPECT_EQ(fixed[2].seed, 9U);
}

TEST(SweepPlans, TextAndBack) {
  const SweepPlan plan =
      plan_from("points = 5\nseed = 3\nrepeats = 2\ndesign = 'latin_hypercube'",
                "\"joints.stiffness\" = { log = [0.1, 30000] }\n\"controller.stiffness\" = { scale = [0.3, 2] }\n"
                "\"contact.law\" = { values = [\"viscoelastic\", \"hunt_crossley\"] }\n");
  const std::string text = format_sweep(plan);
  const SweepPlan again = parse_sweep(text, "again");
  EXPECT_EQ(format_sweep(again), text);
  const auto a = sweep_points(plan), b = sweep_points(again);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].values, b[i].values);
    EXPECT_EQ(a[i].seed, b[i].seed);
    EXPECT_EQ(format_campaign(sweep_campaign(plan, a[i])), format_campaign(sweep_campaign(again, b[i])));
  }
}

TEST(SweepPlans, RefuseWithLineValueAndRule) {
  const std::string range = "[range]\n\"joints.stiffness\" = ";
  const std::pair<std::string, std::string> cases[] = {
      {"seed = 1", "s.toml:1: points: missing: must be a whole number from 1 to 1000000"},
      {"points = 0", "points: 0: must be a whole number from 1"},
      {"points = 1\ncolour = 2", "s.toml:2: colour: not a key here; known are points, seed, design"},
      {"points = 1\ndesign = 'random'", "s.toml:2: design: random: must be sobol, latin_hypercube or grid"},
      {"points = 1\n" + range + "{ log = [1, 2], linear = [1, 2] }", "must be one of { log"},
      {"points = 1\n" + range + "{ lin = [1, 2] }", "lin: not a key here; known are log, linear, scale, values"},
      {"points = 1\n" + range + "3", "joints.stiffness: 3: must be a table"},
      {"points = 1\n" + range + "{ log = [1, 2, 3] }", "must be two numbers, low and high"},
      {"points = 1\n" + range + "{ log = [2, 1] }",
       "range.joints.stiffness: 2, 1: must be finite, the lower end first"},
      {"points = 1\n" + range + "{ log = [0, 1] }",
       "range.joints.stiffness: 0: must be greater than 0; a range with 0"},
      {"points = 1\n" + range + "{ values = [] }", "must have a value"},
      {"points = 1\n" + range + "{ linear = [-2, -1] }", "s.toml: campaign: joints.stiffness"},
      {"points = 1\n[range]\nseed = { linear = [1, 2] }", "range: seed: must be a key of a campaign other than seed"},
      {"points = 1\n[range]\n\"joints.stifness\" = { log = [1, 2] }", "s.toml: campaign: stifness: not a key here"},
      {"points = 1\n[range]\n\"contact.frame\" = { scale = [1, 2] }",
       "contact.frame: not a number: a scale is a factor"},
      {"points = 1\n[base]\nrepeats = 0", "s.toml: campaign: repeats: 0: must be a whole number"},
      {"points = 1000\ndesign = 'grid'\n[range]\n\"joints.stiffness\" = { log = [1, 2] }\n\"joints.damping\" = { log = "
       "[1, 2] }\n"
       "\"contact.stiffness\" = { log = [1, 2] }",
       "a sweep has at most 1000000 campaigns"},
      {"points = 1\n[base]\n\"a'b\" = 1\n", "s.toml: base: a key with quotes or the like: must be a key of a campaign"},
  };
  for (const auto& [text, said] : cases) EXPECT_NE(message(text).find(said), std::string::npos) << message(text);
}

// --- refinement

TEST(SweepRefinement, IsMidwayBetweenNeighboursOfDifferentVerdictsTheClosestFirst) {
  const SweepPlan plan = plan_from("points = 4", R"("contact.stiffness" = { log = [1e2, 1e6] }
"contact.law" = { values = ["viscoelastic", "hunt_crossley"] })");
  ASSERT_EQ(plan.ranges[0].key, "contact.law");
  const std::vector<SweepPoint> points{
      {.values = {0, 1e2}}, {.values = {0, 1e4}}, {.values = {0, 1e5}}, {.values = {1, 1e6}}};
  const std::vector<std::string> verdicts{"supported", "supported", "not supported", ""};
  const auto found = sweeping::midpoints(plan, points, verdicts, 8);
  ASSERT_EQ(found.size(), 2U);  // 1e4 with 1e5, and 1e2 with 1e5; a failed row has no verdict
  constexpr double rounding = 1e-9;
  EXPECT_NEAR(found[0][1] / std::sqrt(1e9), 1, rounding);
  EXPECT_NEAR(found[1][1] / std::sqrt(1e7), 1, rounding);
  EXPECT_EQ(sweeping::midpoints(plan, points, verdicts, 1).size(), 1U);
  EXPECT_TRUE(sweeping::midpoints(plan, points, {"a", "a", "a", "a"}, 8).empty());
}

// --- answers

TEST(SweepAnswers, WilsonsIntervalIsThePublishedOne) {
  constexpr double digits = 5e-5;  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
  const auto check = [&](std::size_t count, std::size_t all, double low, double high) {
    const SweepShare share = wilson(count, all);
    EXPECT_NEAR(share.low, low, digits);
    EXPECT_NEAR(share.high, high, digits);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  EXPECT_TRUE(std::isnan(wilson(0, 0).share));
}

TEST(SweepAnswers, FindWhatDecidesAndSayWhereNothingIsLearnt) {
  SweepResult result{plan_from("points = 64\nseed = 2", cube), {}};
  const auto points = sweep_points(result.plan);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < points.size(); ++i) rows.push_back(i);
  std::uint64_t noise = 1;
  result.table = sweeping::table_of(result.plan, rows, [&](std::size_t row) {
    const SweepPoint& point = points[row];
    noise = noise * 6364136223846793005U + 1442695040888963407U;
    std::vector<SweepCell> cells{{"refined", "1", 0.0}, {"seed", "1", 1.0}};
    for (std::size_t k = 0; k < 3; ++k) cells.push_back({result.plan.ranges[k].key, "", point.values[k]});
    cells.push_back({"failure", "", std::string(row == 7 ? "broke" : "")});
    if (row == 7) return cells;
    const auto claim = [&](const std::string& name, bool holds) {
      cells.push_back({name, "", std::string(to_string(holds ? Judgement::supported : Judgement::not_supported))});
      cells.push_back({name + ".statistic", "1", 0.0});
    };
    claim("by_stiffness", point.values[2] > 1e4);
    claim("by_chance", (noise >> 40) % 2 == 0);
    claim("always", true);
    return cells;
  });
  ASSERT_EQ(result.plan.ranges[2].key, "joints.stiffness");
  const thud::SweepAnswers answers = answer_sweep(result);
  EXPECT_EQ(answers.campaigns, 64U);
  EXPECT_EQ(answers.failed, 1U);
  ASSERT_EQ(answers.claims.size(), 3U);  // by name
  EXPECT_EQ(answers.claims[0].claim, "always");
  EXPECT_EQ(answers.claims[0].supported.share, 1);
  EXPECT_FALSE(answers.claims[0].learnt);
  EXPECT_FALSE(answers.claims[1].learnt) << answers.claims[1].accuracy;
  EXPECT_TRUE(answers.claims[1].deciding.empty());
  EXPECT_TRUE(answers.claims[2].learnt);
  EXPECT_GT(answers.claims[2].accuracy, 0.85);
  ASSERT_FALSE(answers.claims[2].deciding.empty());
  EXPECT_EQ(answers.claims[2].deciding[0].key, "joints.stiffness");
  EXPECT_GT(answers.claims[2].deciding[0].loss, 0.3);  // half of the verdicts are exchanged
  EXPECT_LT(answers.claims[2].deciding[1].loss, 0.1);
}

// A claim that a number of each point decides, in a table made by hand.
SweepResult made_up(const std::string& head, const std::function<bool(const SweepPoint&)>& holds) {
  SweepResult result{plan_from(head, cube), {}};
  const auto points = sweep_points(result.plan);
  std::vector<std::size_t> rows(points.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  result.table = sweeping::table_of(result.plan, rows, [&](std::size_t row) {
    std::vector<SweepCell> cells{{"refined", "1", 0.0}, {"seed", "1", 1.0}};
    for (std::size_t k = 0; k < 3; ++k) cells.push_back({result.plan.ranges[k].key, "", points[row].values[k]});
    cells.push_back({"failure", "", std::string()});
    cells.push_back(
        {"claim", "", std::string(to_string(holds(points[row]) ? Judgement::supported : Judgement::not_supported))});
    cells.push_back({"claim.statistic", "1", 0.0});
    return cells;
  });
  return result;
}

TEST(SweepAnswers, CampaignsOfOnePointCountAsOne) {
  const auto stiff = [](const SweepPoint& point) { return point.values[2] > 1e4; };
  const thud::SweepAnswers once = answer_sweep(made_up("points = 16\nseed = 2", stiff));
  const thud::SweepAnswers often = answer_sweep(made_up("points = 16\nrepeats = 6\nseed = 2", stiff));
  const SweepShare a = once.claims.front().supported, b = often.claims.front().supported;
  EXPECT_EQ(b.count, 6 * a.count);
  EXPECT_EQ(b.all, 96U);
  EXPECT_DOUBLE_EQ(a.share, b.share);
  EXPECT_DOUBLE_EQ(a.low, b.low);
  EXPECT_DOUBLE_EQ(a.high, b.high);
  EXPECT_TRUE(std::isnan(often.claims.front().accuracy)) << "16 points are too few to learn from";
}

TEST(SweepAnswers, AreLearntFromAllOfALargeGrid) {
  // 19^3 points, of which the first 5000 have the lower three quarters of the first key
  const SweepResult grid = made_up("points = 19\ndesign = 'grid'", [](const SweepPoint& point) {
    return sweeping::coordinate_of(plan_from("points = 1", cube).ranges[0], point.values[0]) > 0.8;
  });
  ASSERT_GT(grid.table.rows, 5000U);
  const thud::SweepAnswers answers = answer_sweep(grid);
  EXPECT_TRUE(answers.claims.front().learnt) << answers.claims.front().accuracy;
  EXPECT_EQ(answers.claims.front().deciding.front().key, grid.plan.ranges[0].key);
}

// --- files

TEST_F(SweepFile, ATableComesBack) {
  Table table{.format = "thud sweep", .texts = {{"plan", "a\nb"}}, .rows = 2};
  table.columns = {{"row", "1", std::vector<double>{0, NAN}}, {"failure", "", std::vector<std::string>{"", "né"}}};
  write_table(file("a.h5"), table);
  const Table again = read_table(file("a.h5"), "thud sweep");
  EXPECT_EQ(again.texts, table.texts);
  EXPECT_EQ(again.numbers("row")[0], 0);
  EXPECT_TRUE(std::isnan(again.numbers("row")[1]));
  EXPECT_EQ(again.strings("failure"), table.strings("failure"));
  EXPECT_EQ(file_format(file("a.h5")), "thud sweep");
  EXPECT_FALSE(file_format(file("nothing.h5")));
  write_table(file("b.h5"), again);
  EXPECT_EQ(read_file(file("a.h5")), read_file(file("b.h5")));
  EXPECT_THROW(read_table(file("a.h5"), "thud dataset"), FileError);
  EXPECT_THROW(static_cast<void>(again.numbers("failure")), InputError);
  table.columns[0].values = std::vector<double>{1};
  EXPECT_THROW(write_table(file("c.h5"), table), InputError);
}

TEST_F(SweepFile, AStrangersTableIsRefused) {
  using Numbers = std::vector<double>;
  using Strings = std::vector<std::string>;
  const auto said = [&](auto&& action) {
    try {
      action();
    } catch (const thud::Error& error) {
      return std::string(error.what());
    }
    return std::string("no refusal");
  };
  const SweepPlan plan = plan_from("points = 2", "\"joints.stiffness\" = { log = [2e3, 3e4] }");
  const auto write = [&](const std::string& name, double row, std::variant<Numbers, Strings> failure) {
    Table table{.format = "thud sweep", .texts = {{"plan", format_sweep(plan)}}, .rows = 1};
    table.columns = {{"row", "1", Numbers{row}}, {"failure", "", std::move(failure)}};
    write_table(file(name), table);
    return file(name);
  };
  // what is a number in one file and a text in the other
  const auto a = write("a.h5", 0, Strings{""}), b = write("b.h5", 1, Numbers{0});
  EXPECT_EQ(said([&] {
              merge_sweeps({a, b}, file("out.h5"));
            }),
            "column failure: numbers and texts: must be of one kind in every row");
  // a column twice
  {
    const dataset::hdf5::Session session;
    dataset::hdf5::NewFile twice;
    {
      const auto root = twice.root();
      root.attribute("format", std::string("thud sweep"));
      root.attribute("format_version", dataset::file::format_version);
      root.attribute("rows", std::uint64_t{1});
      root.group("texts");
      const double zero = 0;
      root.group("columns").numbers("row", &zero, 1, {"1", ""});
      root.texts("order", {"row", "1", "numbers", "row", "1", "numbers"}, {"", ""}, 3);
    }
    write_file(file("twice.h5"), twice.bytes());
  }
  EXPECT_EQ(said([&] { read_sweep_result(file("twice.h5")); }),
            file("twice.h5") + ":/order: column row: is there twice");
  // no plan
  Table bare{.format = "thud sweep", .rows = 1};
  bare.columns = {{"row", "1", Numbers{0}}};
  write_table(file("bare.h5"), bare);
  EXPECT_EQ(said([&] { merge_sweeps({file("bare.h5")}, file("out.h5")); }), file("bare.h5") + ": plan: is missing");
  EXPECT_EQ(said([&] { read_sweep_result(file("bare.h5")); }), file("bare.h5") + ": plan: is missing");
  EXPECT_FALSE(fs::exists(file("out.h5")));
}

TEST_F(SweepFile, AJournalKeepsWholeLinesAlone) {
  const std::vector<SweepCell> cells{
      {"a\tb", "1", 0.1 + 0.2}, {"text", "", std::string("x\ty\nz\\")}, {"none", "1", NAN}};
  {
    sweeping::Journal journal(file("a.h5"), "plan");
    journal.put(4, cells);
    journal.put(2, cells);
    EXPECT_THROW(sweeping::Journal(file("a.h5"), "plan"), FileError);  // one writer at a time
  }
  std::ofstream(file("a.h5.parts/rows"), std::ios::app) << "3\ta\t1\tn\t0.5\t12";  // cut short
  {
    sweeping::Journal journal(file("a.h5"), "plan");
    EXPECT_EQ(journal.rows().size(), 2U);
    journal.put(9, cells);
  }
  EXPECT_THROW(sweeping::Journal(file("a.h5"), "another plan"), FileError);
  sweeping::Journal journal(file("a.h5"), "plan");
  for (const std::size_t row : {2U, 4U, 9U}) {
    const auto again = journal.read(row);
    ASSERT_EQ(again.size(), 3U);
    EXPECT_EQ(again[0].column, "a\tb");
    EXPECT_EQ(std::get<double>(again[0].value), 0.1 + 0.2);
    EXPECT_EQ(std::get<std::string>(again[1].value), "x\ty\nz\\");
    EXPECT_TRUE(std::isnan(std::get<double>(again[2].value)));
  }
  journal.remove();
  EXPECT_FALSE(fs::exists(file("a.h5.parts")));
}

// --- campaigns

// Four campaigns, the walls of two of which no campaign may have.
SweepPlan small_plan() {
  return plan_from("points = 4\nseed = 3", R"("joints.stiffness" = { log = [4e3, 2e4] }
"contact.stiffness" = { values = [1e6, -1] })");
}

TEST_F(SweepLab, TheSameBytesWhateverJobsShardsAndInterruptions) {
  const SweepPlan plan = small_plan();
  EXPECT_EQ(sweep(plan, file("one.h5"), {}, {.jobs = 1}), SimulateStatus::complete);
  const std::string bytes = read_file(file("one.h5"));
  EXPECT_FALSE(fs::exists(file("one.h5.parts")));

  EXPECT_EQ(sweep(plan, file("two.h5"), {}, {.jobs = 2}), SimulateStatus::complete);
  EXPECT_EQ(read_file(file("two.h5")), bytes);

  for (const std::size_t i : {1U, 2U, 3U})
    EXPECT_EQ(sweep(plan, file("s" + std::to_string(i)), {.shard = {i, 3}}), SimulateStatus::complete);
  merge_sweeps({file("s3"), file("s1"), file("s2")}, file("merged.h5"));
  EXPECT_EQ(read_file(file("merged.h5")), bytes);

  // stopped after the first row, with half a row behind it
  std::atomic<bool> stop = false;
  const RunOptions one{.jobs = 1, .progress = [&](std::size_t, std::size_t) { stop = true; }, .stop = &stop};
  EXPECT_EQ(sweep(plan, file("stopped.h5"), {}, one), SimulateStatus::interrupted);
  EXPECT_FALSE(fs::exists(file("stopped.h5")));
  std::ofstream(file("stopped.h5.parts/rows"), std::ios::app) << "1\tref";
  EXPECT_EQ(sweep(plan, file("stopped.h5")), SimulateStatus::complete);
  EXPECT_EQ(read_file(file("stopped.h5")), bytes);

  // finished: nothing is changed; what a writer killed at the last step left is removed
  const auto written = fs::last_write_time(file("one.h5"));
  fs::create_directory(file("one.h5.parts"));
  EXPECT_EQ(sweep(plan, file("one.h5")), SimulateStatus::was_complete);
  EXPECT_EQ(fs::last_write_time(file("one.h5")), written);
  EXPECT_FALSE(fs::exists(file("one.h5.parts")));

  // what is of another plan, shard or kind is refused
  SweepPlan other = plan;
  other.seed = 4;
  EXPECT_THROW(sweep(other, file("one.h5")), FileError);
  EXPECT_THROW(sweep(plan, file("s1")), FileError);
  EXPECT_THROW(sweep(plan, file("s1"), {.shard = {2, 3}}), FileError);
  EXPECT_THROW(sweep(plan, file("x.h5"), {.shard = {4, 3}}), InputError);
  EXPECT_THROW(merge_sweeps({file("s1"), file("s2")}, file("m.h5")), FileError);
  EXPECT_THROW(merge_sweeps({file("s1"), file("s2"), file("s3")}, file("merged.h5")), FileError);
  EXPECT_THROW(merge_sweeps({file("one.h5")}, file("one.h5"), true), FileError);
  merge_sweeps({file("s1"), file("s2"), file("s3")}, file("merged.h5"), true);
  write_file(file("foreign.h5"), "mine");
  EXPECT_THROW(sweep(plan, file("foreign.h5")), FileError);
  EXPECT_EQ(read_file(file("foreign.h5")), "mine");
}

TEST_F(SweepLab, ARowHasVerdictsModelsTruthAndRegimeAndAFailureItsReason) {
  const SweepPlan plan = small_plan();
  sweep(plan, file("a.h5"));
  const SweepResult result = read_sweep_result(file("a.h5"));
  const auto& failures = result.table.strings("failure");
  const auto points = sweep_points(result);
  const auto planned = sweep_points(plan);
  ASSERT_EQ(points.size(), planned.size());
  ASSERT_EQ(plan.ranges[0].key, "contact.stiffness");
  std::vector<double> x_over_root;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].values, planned[i].values);
    EXPECT_EQ(points[i].seed, planned[i].seed);
    EXPECT_EQ(result.table.numbers("contact.stiffness")[i], points[i].values[0] == 0 ? 1e6 : -1);
    if (points[i].values[0] == 1) {
      EXPECT_EQ(failures[i], "campaign: stiffness: -1: must be finite and greater than 0");
      EXPECT_TRUE(std::isnan(result.table.numbers("x")[i]));
      EXPECT_EQ(result.table.strings("c1.spring")[i], "");
      continue;
    }
    EXPECT_EQ(failures[i], "");
    EXPECT_EQ(result.table.numbers("trials.ok")[i], 1);
    EXPECT_EQ(result.table.strings("c1.spring")[i], "not testable");  // of one trial
    x_over_root.push_back(result.table.numbers("x")[i] / std::sqrt(points[i].values[1]));
    EXPECT_LT(result.table.numbers("truth.peak_force")[i], 0.05);
    EXPECT_GT(result.table.numbers("composite_rigid_body.ratio")[i],
              result.table.numbers("generalized_momentum.ratio")[i]);
    EXPECT_TRUE(std::isnan(result.table.numbers("algebraic.ratio")[i]));  // underactuated
    EXPECT_NE(result.table.strings("best_matrix")[i], "");
  }
  EXPECT_EQ(std::ranges::count(failures, ""), 2);
  // x = omega t_c, omega as the root of the stiffness, and so stiff a wall that t_c does not depend on it
  ASSERT_EQ(x_over_root.size(), 2U);
  constexpr double change_of_time = 0.02;
  EXPECT_NEAR(x_over_root[0] / x_over_root[1], 1, change_of_time);
  EXPECT_EQ(answer_sweep(result).failed, 2U);
}

TEST_F(SweepLab, RefinedInOneGoOrLaterIsTheSame) {
  // three trials, which a claim about impulses needs, at stiffnesses that make another matrix the best
  const SweepPlan plan = plan_from("points = 3\ndesign = 'grid'\nseed = 2", R"("joints.stiffness" = { log = [100, 3e4] }
"repeats" = { values = [3] })");
  const SweepOptions refined{.refinements = {{"c2.composite_rigid_body", 1}}};
  EXPECT_EQ(sweep(plan, file("a.h5"), refined), SimulateStatus::complete);
  const SweepResult result = read_sweep_result(file("a.h5"));
  ASSERT_EQ(result.table.rows, 4U) << "the verdicts do not change over the grid";
  EXPECT_EQ(result.table.numbers("refined")[3], 1);
  EXPECT_EQ(sweep(plan, file("a.h5"), refined), SimulateStatus::was_complete);
  EXPECT_EQ(sweep(plan, file("a.h5")), SimulateStatus::was_complete);

  EXPECT_EQ(sweep(plan, file("b.h5")), SimulateStatus::complete);
  EXPECT_EQ(read_sweep_result(file("b.h5")).table.rows, 3U);
  EXPECT_EQ(sweep(plan, file("b.h5"), refined), SimulateStatus::complete);
  EXPECT_EQ(read_file(file("a.h5")), read_file(file("b.h5")));
  EXPECT_EQ(answer_sweep(result).claims.front().supported.all, 3U);  // of the design alone
  EXPECT_THROW(sweep(plan, file("a.h5"), {.refinements = {{"r1", 1}}}), FileError);
}

TEST_F(SweepLab, RowsOfARefinementThatWasInterruptedAreKeptAndNotTakenForAnothers) {
  const SweepPlan plan = plan_from("points = 3\ndesign = 'grid'\nseed = 2", R"("joints.stiffness" = { log = [100, 3e4] }
"repeats" = { values = [3] })");
  const std::vector<Refinement> wanted{{"c2.composite_rigid_body", 1}};
  {
    SweepWriter writer(file("a.h5"), plan, {.refinements = wanted});
    for (int round = 0; round < 2; ++round)
      for (const std::size_t row : writer.missing()) writer.store(row, sweep_row(plan, writer.point(row)));
  }  // killed before it was finished
  ASSERT_TRUE(fs::exists(file("a.h5.parts")));
  fs::copy(file("a.h5.parts"), file("b.h5.parts"), fs::copy_options::recursive);
  // without the refinement: the design alone, and what is beyond stays for whoever asks
  EXPECT_EQ(sweep(plan, file("a.h5")), SimulateStatus::complete);
  EXPECT_EQ(read_sweep_result(file("a.h5")).table.rows, 3U);
  EXPECT_EQ(sweep(plan, file("a.h5")), SimulateStatus::was_complete);
  ASSERT_TRUE(fs::exists(file("a.h5.parts")));
  SweepWriter again(file("a.h5"), plan, {.refinements = wanted});
  EXPECT_TRUE(again.missing().empty());
  again.finish();
  EXPECT_EQ(read_sweep_result(file("a.h5")).table.rows, 4U);
  EXPECT_FALSE(fs::exists(file("a.h5.parts")));
  // a row that another refinement left
  fs::remove(file("b.h5.parts/rows"));
  {
    SweepWriter writer(file("b.h5"), plan, {.refinements = wanted});
    for (const std::size_t row : writer.missing()) writer.store(row, sweep_row(plan, writer.point(row)));
    SweepPoint other = writer.point(0);
    other.refined = 1;
    ASSERT_EQ(writer.missing().size(), 1U);
    writer.store(3, sweep_row(plan, other));
  }
  SweepWriter wrong(file("b.h5"), plan, {.refinements = wanted});
  EXPECT_THROW(wrong.missing(), FileError);
}

TEST_F(SweepLab, RefusesWhatCannotBeRefined) {
  const SweepPlan plan = small_plan();
  EXPECT_THROW(sweep(plan, file("a.h5"), {.refinements = {{"c9.wishes", 1}}}), InputError);
  EXPECT_THROW(sweep(plan, file("a.h5"), {.shard = {1, 2}, .refinements = {{"r1", 1}}}), InputError);
  EXPECT_FALSE(fs::exists(file("a.h5.parts")));
}

}  // namespace
}  // namespace thud
