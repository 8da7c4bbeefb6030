#include <thud/error.hpp>
#include <thud/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "foundation/parallel_for.hpp"
#include "sweep/design.hpp"
#include "sweep/journal.hpp"
#include "sweep/plan.hpp"
#include "sweep/refine.hpp"
#include "sweep/rows.hpp"

namespace THUD_EXPORT thud {
using namespace sweeping;
namespace {

namespace fs = std::filesystem;

// Rows of the design that are a shard's.
std::vector<std::size_t> shard_rows(const Shard& shard, std::size_t rows) {
  std::vector<std::size_t> own;
  for (std::size_t row = shard.index - 1; row < rows; row += shard.count) own.push_back(row);
  return own;
}

}  // namespace

void validate(const SweepOptions& options) {
  const Shard& shard = options.shard;
  if (shard.count < 1 || shard.index < 1 || shard.index > shard.count)
    throw InputError("shard", std::to_string(shard.index) + "/" + std::to_string(shard.count),
                     "must be i/n with i from 1 to n");
  if (shard.count > 1 && !options.refinements.empty())
    throw InputError("refine", options.refinements.front().claim,
                     "needs every campaign of the design: merge the shards, then refine the merged file");
  for (const Refinement& each : options.refinements)
    if (const auto& claims = judged_claims(); std::ranges::find(claims, each.claim, &Verdict::claim) == claims.end()) {
      std::string known;
      for (const Verdict& verdict : claims) known.append(known.empty() ? "" : ", ").append(verdict.claim);
      throw InputError("refine", each.claim, "must be a claim: " + known);
    }
}

namespace {

bool same(const Refinement& a, const Refinement& b) {
  return a.claim == b.claim && a.points == b.points;
}

// Whether a list begins with another.
bool begins_with(const std::vector<Refinement>& whole, const std::vector<Refinement>& start) {
  return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin(), same);
}

// A whole number of a column, from a file that may hold anything.
std::uint64_t count_in(const Table& table, const std::string& column, std::size_t row, double most) {
  const double value = table.numbers(column)[row];
  if (!(value >= 0 && value <= most && value == std::floor(value)))
    throw FileError("column " + column, to_text(value), "must be a whole number from 0 to " + to_text(most));
  return static_cast<std::uint64_t>(value);
}

std::vector<SweepPoint> points_of(const SweepPlan& plan, const Table& table) {
  std::vector<SweepPoint> points(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) {
    points[row].seed = count_in(table, "seed", row, 0x1p53);
    points[row].refined = static_cast<int>(count_in(table, "refined", row, 1e6));
    for (const SweepRange& range : plan.ranges) {
      const Column* column = table.find(range.key);
      if (!column) throw FileError("sweep", range.key, "the table has no such column");
      std::variant<double, std::string> shown;
      std::visit([&](const auto& values) { shown = values[row]; }, column->values);
      points[row].values.push_back(hidden_value(range, shown));
    }
  }
  return points;
}

SweepPlan plan_in(const Table& table, const std::string& path) {
  const auto plan = table.texts.find("plan");
  if (plan == table.texts.end()) throw FileError(path, "plan", "is missing");
  return plan_of(plan->second, path);
}

bool equal_cells(const std::vector<SweepCell>& a, const std::vector<SweepCell>& b) {
  const auto same_value = [](const SweepCell& x, const SweepCell& y) {
    const auto *n = std::get_if<double>(&x.value), *m = std::get_if<double>(&y.value);
    return x.column == y.column && (x.value == y.value || (n && m && *n != *n && *m != *m));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_value);
}

bool is_of(const std::vector<SweepCell>& row, const SweepPlan& plan, const SweepPoint& point) {
  const auto cell = [&](const std::string& column) {
    const auto at = std::ranges::find(row, column, &SweepCell::column);
    return at == row.end() ? std::variant<double, std::string>() : at->value;
  };
  for (std::size_t i = 0; i < plan.ranges.size(); ++i)
    if (cell(plan.ranges[i].key) != shown_value(plan.ranges[i], point.values[i])) return false;
  return cell("seed") == std::variant<double, std::string>(static_cast<double>(point.seed)) &&
         cell("refined") == std::variant<double, std::string>(static_cast<double>(point.refined));
}

}  // namespace

struct SweepWriter::State {
  std::string path;
  SweepPlan plan;
  SweepOptions options;
  std::map<std::string, std::string> texts;
  bool complete = false;
  std::optional<Table> old{};        ///< a finished file that is to be refined
  std::set<std::size_t> old_rows{};  ///< of it
  std::optional<Journal> journal{};  ///< none once the file is complete
  std::vector<SweepPoint> points{};  ///< of the design, and of the refinements that have begun
  std::size_t begun = 0;             ///< refinements whose points are known

  State(std::string where, const SweepPlan& what, SweepOptions how)
      : path(std::move(where)), plan(what), options(std::move(how)), texts(identity(plan)) {
    for (Refinement& each : options.refinements) each.points = refined_points(plan, each);
  }

  bool has(std::size_t row) const { return old_rows.contains(row) || journal->rows().contains(row); }
  void look_at_file();
  Table table() const;
  void refine();
  void end_journal(const std::set<std::size_t>& written);
};

/// What a file that is there means for the run.
void SweepWriter::State::look_at_file() {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  Table table = read_table(path, sweep_format);
  if (const std::string other = other_identity(table, texts); !other.empty())
    throw FileError(path, other, "the file is of another sweep; choose another name");
  const auto there = row_numbers(table, path);
  old_rows = {there.begin(), there.end()};
  const auto wanted = shard_rows(options.shard, points.size());
  if (!std::ranges::all_of(wanted, [&](std::size_t row) { return old_rows.contains(row); }))
    throw FileError(path, std::to_string(there.size()) + " of " + std::to_string(points.size()) + " rows",
                    "the file is of another shard; choose another name");
  const auto refined = refinements_of(table);
  if (begins_with(refined, options.refinements)) {
    complete = true;
  } else if (begins_with(options.refinements, refined)) {
    points = points_of(plan, table);
    begun = refined.size();
    old = std::move(table);
  } else {
    std::string found = refinement_text(refined);
    std::ranges::replace(found, '\n', ';');
    throw FileError(path, found, "the file is refined in another way; choose another name");
  }
}

Table SweepWriter::State::table() const {
  std::vector<std::size_t> rows;
  for (const std::size_t row : old ? shard_rows({}, points.size()) : shard_rows(options.shard, points.size()))
    if (has(row)) rows.push_back(row);
  // a file that is refined has every row of the design, so that its rows are where their numbers say
  Table made = table_of(
      plan, rows, [&](std::size_t row) { return old_rows.contains(row) ? cells_of(*old, row) : journal->read(row); });
  made.texts = texts;
  if (begun > 0)
    made.texts["refinements"] = refinement_text(
        {options.refinements.begin(), options.refinements.begin() + static_cast<std::ptrdiff_t>(begun)});
  return made;
}

/// Begins the next refinement.
void SweepWriter::State::refine() {
  const Refinement& refinement = options.refinements[begun];
  const Table so_far = table();
  const Column* column = so_far.find(refinement.claim);
  std::vector<std::vector<double>> found;
  if (column)  // some campaign did not fail
    found = midpoints(plan, points, std::get<std::vector<std::string>>(column->values), refinement.points);
  ++begun;
  const auto fixed = base_seed(plan);
  const std::size_t first = points.size();
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int repeat = 0; repeat < plan.repeats; ++repeat)
      points.push_back(
          {.values = found[i],
           .seed = fixed ? *fixed + static_cast<std::uint64_t>(repeat) : campaign_seed(plan, first + i, repeat),
           .refined = static_cast<int>(begun)});
  for (std::size_t row = first; row < points.size(); ++row)
    if (journal->rows().contains(row) && !is_of(journal->read(row), plan, points[row]))
      throw FileError(path + ".parts", "row " + std::to_string(row),
                      "is of another refinement; it must be finished as it was begun, or removed");
}

/// Its rows are in the file now; those of a refinement that was begun and is not asked for now are kept.
void SweepWriter::State::end_journal(const std::set<std::size_t>& written) {
  if (std::ranges::all_of(journal->rows(), [&](const auto& each) { return written.contains(each.first); }))
    journal->remove();
  journal.reset();
}

SweepWriter::SweepWriter(const std::string& path, const SweepPlan& plan, const SweepOptions& options) {
  validate(plan);
  validate(options);
  state_ = std::make_unique<State>(path, plan, options);
  State& state = *state_;
  state.points = sweep_points(plan);
  state.look_at_file();  // throws before a folder is made
  if (state.complete && !has_journal(path)) return;
  std::string all;
  for (const auto& [name, text] : state.texts) all.append("# ").append(name).append("\n").append(text).append("\n");
  state.journal.emplace(path, all);
  if (state.complete) state.end_journal(state.old_rows);  // its writer was killed after the last step but one
}

SweepWriter::~SweepWriter() = default;

bool SweepWriter::complete() const noexcept {
  return state_->complete;
}

std::size_t SweepWriter::size() const noexcept {
  return state_->points.size();
}

std::vector<std::size_t> SweepWriter::missing() {
  State& state = *state_;
  while (!state.complete) {
    std::vector<std::size_t> rows;
    for (const std::size_t row : shard_rows(state.options.shard, state.points.size()))
      if (!state.has(row)) rows.push_back(row);
    if (!rows.empty() || state.begun == state.options.refinements.size()) return rows;
    state.refine();
  }
  return {};
}

const SweepPoint& SweepWriter::point(std::size_t row) const {
  if (row >= state_->points.size())
    throw InputError("row", std::to_string(row), "the sweep has " + std::to_string(state_->points.size()) + " rows");
  return state_->points[row];
}

void SweepWriter::store(std::size_t row, const std::vector<SweepCell>& cells) {
  static_cast<void>(point(row));
  if (!state_->journal) throw FileError(state_->path, std::to_string(row), "the sweep is complete");
  state_->journal->put(row, cells);
}

void SweepWriter::finish() {
  State& state = *state_;
  if (state.complete) return;
  if (const auto absent = missing(); !absent.empty())
    throw InputError("rows", std::to_string(absent.front()),
                     "is missing, and so are " + std::to_string(absent.size() - 1) + " more");
  const Table whole = state.table();
  write_table(state.path, whole);
  const auto written = row_numbers(whole, state.path);
  state.end_journal({written.begin(), written.end()});
  state.complete = true;
}

SimulateStatus sweep(const SweepPlan& plan, const std::string& path, const SweepOptions& options,
                     const RunOptions& run) {
  SweepWriter writer(path, plan, options);
  if (writer.complete()) return SimulateStatus::was_complete;
  bool interrupted = false;
  for (auto missing = writer.missing(); !missing.empty() && !interrupted; missing = writer.missing()) {
    const std::size_t all = shard_rows(options.shard, writer.size()).size();
    std::size_t done = all - missing.size();
    foundation::parallel_for(
        missing.size(), run.jobs,
        [&](std::size_t i) -> std::optional<std::vector<SweepCell>> {
          try {
            return sweep_row(plan, writer.point(missing[i]), {.jobs = 1, .stop = run.stop});
          } catch (const Interrupted&) {
            return std::nullopt;
          }
        },
        [&](std::size_t i, const std::optional<std::vector<SweepCell>>& row) {
          if (!row) return;
          writer.store(missing[i], *row);
          if (run.progress) run.progress(++done, all);
        },
        run.stop);
    interrupted = run.stop && *run.stop;
  }
  if (!writer.missing().empty()) return SimulateStatus::interrupted;
  writer.finish();
  return SimulateStatus::complete;
}

void merge_sweeps(const std::vector<std::string>& paths, const std::string& out, bool force) {
  if (paths.empty()) throw InputError("files", "none", "thud merge needs the files of a sweep");
  std::error_code error;
  for (const std::string& path : paths)
    if (fs::equivalent(path, out, error)) throw FileError("out", out, "is one of the files that are read");
  if (fs::exists(out, error) && !(force && file_format(out) == sweep_format))
    throw FileError("out", out, "exists; only a file of a sweep is replaced, with --force");

  std::vector<Table> tables;
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> rows;  // by number: table and place in it
  for (const std::string& path : paths) {
    tables.push_back(read_table(path, sweep_format));
    const Table& table = tables.back();
    if (const std::string other = other_identity(table, tables.front().texts); !other.empty())
      throw FileError(path, other, "is of another sweep than " + paths.front());
    if (table.texts.size() != tables.front().texts.size())
      throw FileError(path, "refinements differ", "is refined in another way than " + paths.front());
    const auto numbers = row_numbers(table, path);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto [at, added] = rows.emplace(numbers[i], std::pair(tables.size() - 1, i));
      if (!added && !equal_cells(cells_of(tables[at->second.first], at->second.second), cells_of(table, i)))
        throw FileError(path, "row " + std::to_string(numbers[i]), "differs from that of another file");
    }
  }
  const SweepPlan plan = plan_in(tables.front(), paths.front());
  const std::size_t design = sweep_points(plan).size();
  const std::size_t known = rows.empty() ? 0 : rows.rbegin()->first + 1;
  if (rows.size() < std::max(design, known)) {
    std::size_t first = 0;
    while (rows.contains(first)) ++first;
    throw FileError("row " + std::to_string(first), "missing",
                    "the files have " + std::to_string(rows.size()) + " of " + std::to_string(std::max(design, known)) +
                        " rows; all shards are needed");
  }
  std::vector<std::size_t> numbers;
  numbers.reserve(rows.size());
  for (const auto& [row, place] : rows) numbers.push_back(row);
  Table merged = table_of(plan, numbers, [&](std::size_t row) {
    const auto& [table, place] = rows.at(row);
    return cells_of(tables[table], place);
  });
  merged.texts = tables.front().texts;
  write_table(out, merged);
}

SweepResult read_sweep_result(const std::string& path) {
  Table table = read_table(path, sweep_format);
  static_cast<void>(row_numbers(table, path));
  SweepResult result{plan_in(table, path), std::move(table)};
  result.plan.folder = fs::path(path).parent_path().string();
  return result;
}

Campaign sweep_campaign(const SweepResult& result, std::size_t place) {
  const auto points = sweep_points(result);
  if (place >= points.size())
    throw InputError("row", std::to_string(place), "there are " + std::to_string(points.size()) + " rows, from 0");
  Campaign campaign = sweep_campaign(result.plan, points[place]);
  auto texts = identity(result.plan);
  texts.erase("versions");  // of the program that asks
  if (const std::string other = other_identity(result.table, texts); !other.empty())
    throw FileError("campaign", other, "has changed since the sweep ran");
  return campaign;
}

std::vector<SweepPoint> sweep_points(const SweepResult& result) {
  return points_of(result.plan, result.table);
}

}  // namespace thud
