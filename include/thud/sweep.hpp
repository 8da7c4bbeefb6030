#pragma once

/// Over which plants does a claim hold? A sweep runs many campaigns of the virtual lab, each with other numbers in the
/// place of those that nobody knows, studies each, and keeps one row of each.
///
///   plan -> design in the unit cube -> campaigns -> rows -> shares of the space
///
/// The row of a campaign depends on the plan and its number alone, and so do the bytes of a finished file (on one
/// machine): threads, shards, interruptions and the order in which campaigns finish leave no trace. docs/sweeps.md has
/// the columns of a row and the layout of the files.

#include <thud/campaign.hpp>
#include <thud/conventions.hpp>
#include <thud/export.hpp>
#include <thud/lab.hpp>
#include <thud/run.hpp>
#include <thud/study.hpp>
#include <thud/table.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace THUD_EXPORT thud {

/// How the points are spread over the unit cube, one axis per range.
enum class SweepDesign {
  sobol,            ///< Sobol's sequence from its first point on, each axis XORed with a random number of its own
  latin_hypercube,  ///< each axis in as many strata as there are points, one in each, paired at random
  grid              ///< all combinations; `points` on each axis, ends included, and of `values` all
};

/// "sobol", "latin_hypercube" or "grid".
std::string_view to_string(SweepDesign design) noexcept;

/// How a coordinate u from 0 to 1 becomes a value.
enum class RangeKind {
  log,     ///< low (high/low)^u
  linear,  ///< low + (high - low) u
  scale,   ///< as log, a factor of what the campaign has there else: of one number, or of all joints alike
  values   ///< one of a list, all as likely
};

/// "log", "linear", "scale" or "values".
std::string_view to_string(RangeKind kind) noexcept;

/// What one key of a campaign may be. A single number is that of every joint.
struct SweepRange {
  std::string key;  ///< of a campaign file: "joints.stiffness", "repeats"
  RangeKind kind = RangeKind::log;
  double low = std::numeric_limits<double>::quiet_NaN();   ///< > 0 for log and scale
  double high = std::numeric_limits<double>::quiet_NaN();  ///< > low
  std::vector<std::string> values{};                       ///< of `values`: each as TOML
};

/// What is to be run.
struct SweepPlan {
  SweepDesign design = SweepDesign::sobol;
  std::size_t points = 0;  ///< >= 1; of a grid, on each axis
  int repeats = 1;         ///< campaigns at each point, with seeds of their own; >= 1
  std::uint64_t seed = 1;  ///< of the design, and of the campaigns unless the base has one
  std::string base{};      ///< keys and tables of a campaign that all have in common, as TOML
  std::vector<SweepRange> ranges{};
  std::string folder{};  ///< where relative URDF paths of the base start
};

/// A plan from TOML: `points`, `seed`, `design`, `repeats`, tables [base] and [range]; `name` is the file in messages.
/// Throws FileError naming file, line, key, value and rule, also if none of the first 64 campaigns is valid.
SweepPlan parse_sweep(std::string_view text, const std::string& name, const std::string& folder = "");
SweepPlan read_sweep(const std::string& path);

/// The plan as TOML that parse_sweep reads back, but for the folder.
std::string format_sweep(const SweepPlan& plan);

/// Throws InputError, naming the key, unless every value obeys the rule on its line.
void validate(const SweepPlan& plan);

/// One campaign of a sweep.
struct SweepPoint {
  std::vector<double> values{};  ///< one per range; of `values`, which one, from 0
  std::uint64_t seed = 1;        ///< of its campaign
  int refined = 0;               ///< 0: of the design; k: of the k-th refinement
};

/// The campaigns of the design, in order: points x repeats, those of one point after each other.
std::vector<SweepPoint> sweep_points(const SweepPlan& plan);

/// The campaign of a point, whole. Throws FileError as parse_campaign does.
Campaign sweep_campaign(const SweepPlan& plan, const SweepPoint& point);

/// One value of a row.
struct SweepCell {
  std::string column;
  std::string unit{};
  std::variant<double, std::string> value{};
};

/// Runs a campaign in memory, on one thread unless told otherwise, and studies it: verdicts with their statistics, how
/// far each inertia model and each identified quantity is from the truth, the regime. Throws what simulate_trial and
/// study throw, Interrupted if it is stopped.
std::vector<SweepCell> campaign_row(const Campaign& campaign, const RunOptions& run = {.jobs = 1});

/// The row of a point: its campaign's, or why there is none, in the column `failure`. Throws Interrupted alone.
std::vector<SweepCell> sweep_row(const SweepPlan& plan, const SweepPoint& point, const RunOptions& run = {.jobs = 1});

/// A point's campaign by its content: all that makes its row, for somebody who has neither the plan nor its files.
struct SweepTask {
  std::vector<SweepCell> start{};      ///< what the row begins with; its `failure` says why there is no campaign
  std::optional<Campaign> campaign{};  ///< none for a point without a valid one
  std::string folder{};                ///< of the plan: left out of messages
};
SweepTask sweep_task(const SweepPlan& plan, const SweepPoint& point);

/// The row of a task: the same as that of its plan and point.
std::vector<SweepCell> sweep_row(const SweepTask& task, const RunOptions& run = {.jobs = 1});

/// Every count-th campaign, from number `index` on.
struct Shard {
  std::size_t index = 1;  ///< from 1 to count
  std::size_t count = 1;
};

/// Points to be added where the verdict on a claim changes: midway between a point and the nearest one that has
/// another verdict, the closest pairs first.
struct Refinement {
  std::string claim;       ///< "c2.composite_rigid_body", ...
  std::size_t points = 0;  ///< at most; 0: a quarter of those of the design, rounded up
};

/// Which part of a sweep, and what comes after the design.
struct SweepOptions {
  Shard shard = {};
  std::vector<Refinement> refinements = {};  ///< one after the other; not of a shard
};

/// Throws InputError for a shard that there is not, or a claim that nobody judges.
void validate(const SweepOptions& options);

/// A sweep that grows by one row at a time, for one writer. Not for use by two threads at once.
///
/// While it is unfinished its rows lie in the folder `PATH.parts`, and there is no file at PATH; finish() writes it.
/// The constructor starts, or goes on where another writer stopped; with refinements it also goes on from a file that
/// is finished without them. Throws InputError as validate does, and FileError for a file that is not of this plan or
/// is being written by another process.
class SweepWriter {
 public:
  SweepWriter(const std::string& path, const SweepPlan& plan, const SweepOptions& options = {});
  ~SweepWriter();
  SweepWriter(const SweepWriter&) = delete;
  SweepWriter& operator=(const SweepWriter&) = delete;

  /// Whether the file has everything already. Then there is nothing to do, and finish does nothing.
  bool complete() const noexcept;

  /// Rows that are known by now, and those among them that are missing. When none is, the next refinement begins: its
  /// rows are added. Still none: all are there.
  std::size_t size() const noexcept;
  std::vector<std::size_t> missing();

  /// The point of a row. Throws InputError for one that is not known.
  const SweepPoint& point(std::size_t row) const;

  /// Puts a row on the disk.
  void store(std::size_t row, const std::vector<SweepCell>& cells);

  /// Writes the file and removes the folder. Throws InputError if a row is missing.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs all campaigns that the file does not have yet, each on one thread, and completes it. A campaign that fails is a
/// row that says why. Throws what SweepWriter throws.
SimulateStatus sweep(const SweepPlan& plan, const std::string& path, const SweepOptions& options = {},
                     const RunOptions& run = {});

/// Joins finished files of one plan, such as its shards, into the file that one run would have written. Throws
/// FileError for files of different plans or with different rows of the same number, if a row of the design is missing,
/// and for an `out` that is there, unless it is a sweep and is to be replaced by force.
void merge_sweeps(const std::vector<std::string>& paths, const std::string& out, bool force = false);

/// A finished sweep or shard. Throws FileError.
struct SweepResult {
  SweepPlan plan;
  Table table;
};
SweepResult read_sweep_result(const std::string& path);

/// The points of its rows.
std::vector<SweepPoint> sweep_points(const SweepResult& result);

/// The campaign of one of its rows, by its place in the table, with the robot as the plan names it, from the folder of
/// the file. Throws InputError for a row that there is not, and FileError if campaigns are no longer what they were
/// when the sweep ran: the robot's file has changed.
Campaign sweep_campaign(const SweepResult& result, std::size_t place);

/// How many campaigns came out in one way, and the 95 % interval of their share by Wilson's score, in which all
/// campaigns of one point count as one.
struct SweepShare {
  std::size_t count = 0, all = 0;
  double share = std::numeric_limits<double>::quiet_NaN();  ///< count/all
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};
SweepShare wilson(std::size_t count, std::size_t all);

/// How much a surrogate loses on points that it has not seen when the values of one key are exchanged among them.
struct KeyImportance {
  std::string key;
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< of accuracy, mean over permutations
};

/// What a sweep says of one claim. Shares are of the campaigns of the design that did not fail: refined points crowd
/// where verdicts change and count for nothing there.
struct ClaimAnswer {
  std::string claim;
  std::string statement{};  ///< in the words of a study; empty for a claim that it does not judge
  SweepShare supported{}, not_supported{}, not_testable{};
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< of the surrogate on points it has not seen
  double majority = std::numeric_limits<double>::quiet_NaN();  ///< of always saying the most frequent verdict
  bool learnt = false;                    ///< whether the surrogate is better than that, by more than chance
  std::vector<KeyImportance> deciding{};  ///< the most important first; empty where nothing was learnt
};

/// How an inertia model did: |predicted/true - 1| of the impulse up to the greatest depth, mean over the cells of a
/// campaign; here over the campaigns of the design.
struct ModelAnswer {
  std::string model;                                         ///< "composite_rigid_body", ...
  double median = std::numeric_limits<double>::quiet_NaN();  ///< of that error [1]
  double lower = std::numeric_limits<double>::quiet_NaN();   ///< a quarter of the campaigns below [1]
  double upper = std::numeric_limits<double>::quiet_NaN();   ///< a quarter above [1]
  SweepShare best{};  ///< campaigns in which it has the smallest error of the four matrices; of those only
};

/// What a sweep says.
struct SweepAnswers {
  std::size_t campaigns = 0;                                         ///< rows
  std::size_t failed = 0;                                            ///< that have no verdicts
  std::size_t refined = 0;                                           ///< that are not of the design
  double most_supported = std::numeric_limits<double>::quiet_NaN();  ///< of the paper's claims in one campaign
  std::vector<ClaimAnswer> claims{};                                 ///< of the paper, and those beyond it
  std::vector<ModelAnswer> models{};                                 ///< the four matrices, then others
};
SweepAnswers answer_sweep(const SweepResult& result);

}  // namespace thud
