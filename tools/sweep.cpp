#include "sweep.hpp"

#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/sweep.hpp>
#include <thud/sweep_report.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "cluster.hpp"
#include "command.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace thud::cli {
namespace {

struct SweepArguments {
  std::string plan, out, shard, campaign, report;
  std::vector<std::string> refine;
  int jobs = 0;
  bool dry_run = false, force = false, progress = false, json = false;
};

struct MergeArguments {
  std::vector<std::string> files;
  std::string out;
  bool force = false, json = false;
};

std::atomic<bool> sweep_stopped = false;

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  const auto slash = text.find('/');
  if (slash == std::string::npos) throw InputError("--shard", text, "must be i/n with i from 1 to n");
  return {whole_number("--shard", text.substr(0, slash)), whole_number("--shard", text.substr(slash + 1))};
}

Refinement refinement_of(const std::string& text) {
  Refinement found;
  for (const std::string& word : words(text)) {
    if (word.starts_with("claim=") && word.size() > 6)
      found.claim = word.substr(6);
    else if (word.starts_with("points="))
      found.points = whole_number("--refine", word.substr(7));
    else
      throw InputError("--refine", text, "must be claim=NAME or claim=NAME,points=N");
  }
  if (found.claim.empty()) throw InputError("--refine", text, "must be claim=NAME or claim=NAME,points=N");
  return found;
}

// What decides a claim, in words.
std::string deciding_text(const ClaimAnswer& claim) {
  if (std::isnan(claim.accuracy))
    return claim.supported.all == 0 ? ""
           : claim.majority == 1    ? "the same verdict everywhere"
                                    : "too few points to tell";
  if (!claim.learnt)
    return fmt::format("nothing learnt (right in {:.0f} %, the most frequent verdict in {:.0f} %)",
                       100 * claim.accuracy, 100 * claim.majority);
  std::string text;
  for (const KeyImportance& each : claim.deciding)
    if (each.loss >= 0.01) text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", each.key, each.loss);
  return fmt::format("{} (right in {:.0f} %, without it in {:.0f} %)", text, 100 * claim.accuracy,
                     100 * claim.majority);
}

std::string share_text(const SweepShare& share) {
  return share.all == 0
             ? ""
             : fmt::format("{:.0f} % ({:.0f} to {:.0f})", 100 * share.share, 100 * share.low, 100 * share.high);
}

std::string answers_table(const SweepAnswers& answers) {
  std::string out = fmt::format("{:<26}{:>24}{:>15}{:>14}   decided by, with the loss of accuracy without it\n",
                                "claim", "supported", "not supported", "not testable");
  for (const ClaimAnswer& claim : answers.claims)
    out += fmt::format("{:<26}{:>24}{:>15}{:>14}   {}\n", claim.claim, share_text(claim.supported),
                       claim.not_supported.count, claim.not_testable.count, deciding_text(claim));
  if (!answers.models.empty())
    out += fmt::format("\n{:<34}{:>26}{:>32}\n", "model", "error, median (quartiles)", "best of the four matrices");
  for (const ModelAnswer& model : answers.models)
    out += fmt::format("{:<34}{:>26}{:>32}\n", model.model,
                       std::isnan(model.median) ? ""
                                                : fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * model.median,
                                                              100 * model.lower, 100 * model.upper),
                       share_text(model.best));
  if (std::isfinite(answers.most_supported))
    out += "\n" +
           fmt::format("at most {:.0f} of the paper's claims are supported in one campaign\n", answers.most_supported);
  return out;
}

std::string range_text(const SweepRange& range) {
  if (range.kind == RangeKind::values)
    return printable(fmt::format("{:<28} values {}", range.key, fmt::join(range.values, ", ")));
  return printable(fmt::format("{:<28} {} from {} to {}", range.key, to_string(range.kind), to_text(range.low),
                               to_text(range.high)));
}

Json plan_json(const SweepPlan& plan) {
  return Json::parse(sweep_plan_json(plan));
}

std::string plan_text(const SweepPlan& plan) {
  std::string out = fmt::format("{}, {} points, {} of each, seed {}\n", to_string(plan.design), plan.points,
                                counted(static_cast<std::size_t>(plan.repeats), "campaign"), plan.seed);
  for (const SweepRange& range : plan.ranges) out += range_text(range) + "\n";
  return out;
}

// A value of a point as it stands in a campaign.
std::string value_text(const SweepRange& range, double value) {
  return range.kind == RangeKind::values ? range.values[static_cast<std::size_t>(value)] : to_text(value, 6);
}

// How long one campaign takes now, by running one, the first that does not fail; nothing if three do.
std::optional<double> seconds_per_campaign(const SweepPlan& plan, const std::vector<SweepPoint>& points) {
  for (std::size_t i = 0; i < std::min<std::size_t>(3, points.size()); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto row = sweep_row(plan, points[i]);
    const auto failure = std::ranges::find(row, "failure", &SweepCell::column);
    if (std::get<std::string>(failure->value).empty())
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return std::nullopt;
}

void print_design(const SweepArguments& arguments, const SweepOptions& options, const SweepPlan& plan) {
  validate(options);
  const Shard shard = options.shard;
  const auto points = sweep_points(plan);
  const auto one = seconds_per_campaign(plan, points);
  const int jobs =
      arguments.jobs > 0 ? arguments.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const double rows = std::ceil(static_cast<double>(points.size()) / static_cast<double>(shard.count));
  const double expected = one ? *one * std::ceil(rows / jobs) : NAN;
  if (arguments.json) {
    Json object{{"dry_run", true}, {"plan", plan_json(plan)}, {"campaigns", points.size()}, {"design", Json::array()}};
    for (std::size_t i = 0; i < points.size(); ++i) {
      Json values = Json::object();
      for (std::size_t k = 0; k < plan.ranges.size(); ++k)
        values[plan.ranges[k].key] = plan.ranges[k].kind == RangeKind::values
                                         ? Json(plan.ranges[k].values[static_cast<std::size_t>(points[i].values[k])])
                                         : json(points[i].values[k]);
      object["design"].push_back({{"row", i}, {"seed", points[i].seed}, {"values", values}});
    }
    object["seconds_per_campaign"] = json(one.value_or(NAN));
    object["jobs"] = jobs;
    object["expected_seconds"] = json(expected);
    object["warnings"] = Json::array();
    return print(object);
  }
  std::string out = plan_text(plan) + fmt::format("\n{:>6}", "row");
  for (const SweepRange& range : plan.ranges)
    out += fmt::format("  {:>{}}", printable(range.key), std::max<std::size_t>(12, range.key.size()));
  out += "\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    out += fmt::format("{:>6}", i);
    for (std::size_t k = 0; k < plan.ranges.size(); ++k)
      out += fmt::format("  {:>{}}", printable(value_text(plan.ranges[k], points[i].values[k])),
                         std::max<std::size_t>(12, plan.ranges[k].key.size()));
    out += "\n";
  }
  if (one)
    out += fmt::format("\none campaign takes {:.2f} s, measured now; {} on {} about {:.0f} s\n", *one,
                       counted(static_cast<std::size_t>(rows), "campaign"),
                       counted(static_cast<std::size_t>(jobs), "thread"), expected);
  else
    out += "\nthe first campaigns fail: no time to go by\n";
  std::fputs(out.c_str(), stdout);
}

// Of what is no finished sweep. A dataset in its place would be read as the text of a plan.
SweepPlan plan_of(const std::string& path) {
  if (file_format(path) || (is_dataset(path) && std::filesystem::is_regular_file(path)))
    throw FileError(path, "not a thud sweep", "a plan (.toml) or a finished sweep is needed");
  return read_sweep(path);
}

// The campaign of one row, to be run by itself; of a finished file, refined rows too.
void print_campaign(const SweepArguments& arguments) {
  const auto row = whole_number("--campaign", arguments.campaign);
  const auto require = [&](std::size_t place, std::size_t rows) {
    if (place >= rows)
      throw InputError("--campaign", arguments.campaign, fmt::format("there are {} rows, from 0", rows));
  };
  if (file_format(arguments.plan) != "thud sweep") {
    const SweepPlan plan = plan_of(arguments.plan);
    const auto points = sweep_points(plan);
    require(row, points.size());
    std::fputs(format_campaign(sweep_campaign(plan, points[row])).c_str(), stdout);
    return;
  }
  const SweepResult result = read_sweep_result(arguments.plan);
  const auto& rows = result.table.numbers("row");
  const auto place = static_cast<std::size_t>(std::ranges::find(rows, static_cast<double>(row)) - rows.begin());
  require(place, rows.size());
  std::fputs(format_campaign(sweep_campaign(result, place)).c_str(), stdout);
}

// Where a report is to be, and what it may replace.
struct ReportFolder {
  std::string folder;
  Overwrite overwrite;
};

std::vector<std::string> result_warnings(const SweepAnswers& answers) {
  if (answers.failed == 0) return {};
  return {fmt::format("{} of {} failed: the column failure says why", answers.failed,
                      counted(answers.campaigns, "campaign"))};
}

void print_result(const std::string& file, const SweepResult& result, std::optional<bool> changed, bool as_json,
                  const std::optional<ReportFolder>& report = std::nullopt) {
  const SweepAnswers answers = answer_sweep(result);
  SweepReportFiles files;
  if (report)
    files = as_option("--report", "folder", [&] {
      return write_sweep_report(result, answers, std::filesystem::path(file).filename().string(), report->folder,
                                report->overwrite);
    });
  const std::size_t design = sweep_points(result.plan).size();
  const std::size_t own = answers.campaigns - answers.refined;
  if (as_json) {
    Json object{{"kind", "sweep"},
                {"file", file},
                {"rows", answers.campaigns},
                {"planned", design},
                {"complete", own == design}};
    if (changed) object["changed"] = *changed;
    object["plan"] = plan_json(result.plan);
    Json columns = Json::array();
    for (const Column& column : result.table.columns) columns.push_back(column.name);
    object["columns"] = columns;
    object["answers"] = Json::parse(sweep_answers_json(answers));
    if (report) object.update({{"report", files.page}, {"results", files.results}, {"tables", files.tables}});
    object["warnings"] = result_warnings(answers);
    return print(object);
  }
  std::string out;
  if (!changed) out += plan_text(result.plan) + "\n";
  out += answers_table(answers);
  for (const auto& sentence : result_warnings(answers)) out += "warning: " + sentence + "\n";
  out += fmt::format("{}: {}", printable(file), counted(answers.campaigns, "campaign"));
  if (answers.refined > 0) out += fmt::format(", {} of them refined", answers.refined);
  out += own == design ? ", complete" : fmt::format(", a shard of {}", design);
  out += changed && !*changed ? " already; nothing was changed\n" : "\n";
  if (report)
    out += fmt::format("report: {}\nresults: {}\ntables: {}\n", printable(files.page), printable(files.results),
                       printable(fmt::format("{}", fmt::join(files.tables, ", "))));
  std::fputs(out.c_str(), stdout);
}

// Where the report is to be, refused before the work, not after it.
std::optional<ReportFolder> report_of(const SweepArguments& arguments) {
  namespace fs = std::filesystem;
  if (arguments.report.empty()) {
    if (arguments.force) throw InputError("--force", "given", "is of --report");
    return std::nullopt;
  }
  ReportFolder report{arguments.report, {.inputs = {arguments.plan, arguments.out}, .force = arguments.force}};
  const SweepReportFiles files =
      as_option("--report", "folder", [&] { return sweep_report_files(report.folder, report.overwrite); });
  for (const std::string& file : {files.page, files.results, files.tables[0], files.tables[1]})
    if (fs::weakly_canonical(file) == fs::weakly_canonical(arguments.out))
      throw FileError("--report", file, "is the file of --out");
  return report;
}

// What there is to say of a sweep that ran before.
void report_finished(const SweepArguments& arguments, const std::optional<ReportFolder>& report) {
  const bool runs =
      !arguments.out.empty() || !arguments.shard.empty() || !arguments.refine.empty() || arguments.dry_run;
  if (!report || runs)
    throw InputError("SWEEP", arguments.plan, "is a finished sweep: --report or --campaign alone is of it");
  print_result(arguments.plan, read_sweep_result(arguments.plan), false, arguments.json, report);
}

void run_sweep(const CLI::App& command, const SweepArguments& arguments) {
  if (!arguments.report.empty() && (arguments.dry_run || !arguments.campaign.empty()))
    throw InputError("--report", arguments.report,
                     "is of a sweep that runs or is finished, not of --dry-run or --campaign");
  if (!arguments.campaign.empty()) return print_campaign(arguments);
  const std::optional<ReportFolder> report = report_of(arguments);
  if (file_format(arguments.plan) == "thud sweep") return report_finished(arguments, report);
  SweepOptions options{.shard = shard_of(arguments.shard)};
  for (const std::string& each : arguments.refine) options.refinements.push_back(refinement_of(each));
  const SweepPlan plan = plan_of(arguments.plan);
  if (arguments.dry_run) return print_design(arguments, options, plan);
  if (arguments.out.empty()) throw InputError("--out", "missing", "thud sweep needs a file to write, such as sweep.h5");
  if (on_cluster(command)) run_on_cluster(command);
  std::optional<Progress> bar;
  std::size_t shown = 0;  // campaigns that the bar is of: a refinement adds some
  const auto progress = [&](std::size_t done, std::size_t all) {
    if (all != shown) bar.emplace("campaigns", shown = all, arguments.progress);
    bar->at(done);
  };
  const RunOptions run{.jobs = arguments.jobs, .progress = progress, .stop = &sweep_stopped};
  std::signal(SIGINT, [](int) { sweep_stopped = true; });
  std::signal(SIGTERM, [](int) { sweep_stopped = true; });
  const SimulateStatus status = sweep(plan, arguments.out, options, run);
  bar.reset();
  if (status == SimulateStatus::interrupted)
    throw NoAnswer("interrupted: " + arguments.out + ": the same command continues where it stopped");
  print_result(arguments.out, read_sweep_result(arguments.out),
               status == SimulateStatus::complete || just_collected(command), arguments.json, report);
}

void run_merge(const MergeArguments& arguments) {
  as_option("--out", "out", [&] { merge_sweeps(arguments.files, arguments.out, arguments.force); });
  print_result(arguments.out, read_sweep_result(arguments.out), true, arguments.json);
}

// Four campaigns of 15 trials, so that an example needs no file.
const std::string example_plan =
    "  printf '%s\\n' 'points = 4' '[base]' 'repeats = 1' '[range]' '\"joints.stiffness\" = { log = [2e3, 3e4] }' "
    ">sweep.toml\n";

}  // namespace

void add_sweep(CLI::App& program) {
  auto* command =
      program.add_subcommand("sweep", "Many campaigns of the virtual lab: over which plants does a claim hold?");
  auto arguments = std::make_shared<SweepArguments>();
  command
      ->add_option("SWEEP", arguments->plan,
                   "Plan of the sweep as TOML; with --report or --campaign, a finished sweep will do")
      ->required();
  command->add_option("--out", arguments->out, "HDF5 file to write, or to continue");
  add_jobs(*command, arguments->jobs, "Threads, a campaign each; 0 is one per core");
  command->add_option("--shard", arguments->shard,
                      "i/n: every n-th campaign from the i-th on; thud merge joins the files");
  command->add_option("--refine", arguments->refine,
                      "claim=NAME[,points=N]: add points where the verdict on a claim changes");
  command->add_flag("--dry-run", arguments->dry_run,
                    "Print the design, and the time to expect by running one campaign");
  command->add_option("--campaign", arguments->campaign, "Print the campaign of this row as TOML, for thud simulate");
  command->add_option("--report", arguments->report,
                      "Folder for report.html, answers.json and the tables; made if need be");
  command->add_flag("--force", arguments->force, "Replace files in that folder that are not an earlier report's");
  command->add_flag("--progress", arguments->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  add_cluster_options(*command);
  command->footer(
      "On a cluster, for example:\n  thud sweep sweep.toml --out sweep.h5 --scheduler tcp://127.0.0.1:8786\n\n"
      "Example:\n" +
      example_plan + "  thud sweep sweep.toml --out sweep.h5 --report sweep");
  command->callback([arguments, command] { run_sweep(*command, *arguments); });

  auto* merge = program.add_subcommand("merge", "Shards of a sweep become one file, the same as of one run");
  auto merged = std::make_shared<MergeArguments>();
  merge->add_option("FILES", merged->files, "Finished shards of one sweep")->required();
  merge->add_option("--out", merged->out, "HDF5 file to write")->required();
  merge->add_flag("--force", merged->force, "Replace a sweep that already exists");
  merge->add_flag("--json", merged->json, "Print one JSON object");
  merge->footer("Example:\n" + example_plan +
                "  for i in 1 2; do thud sweep sweep.toml --shard $i/2 --out $i.h5; done && thud merge 1.h5 2.h5 --out "
                "sweep.h5");
  merge->callback([merged] { run_merge(*merged); });
}

bool is_sweep(const std::string& subject) {
  if (std::filesystem::path(subject).extension() != ".toml") return file_format(subject) == "thud sweep";
  // a plan has points, which no other file of ours has
  const std::string text = "\n" + read_file(subject);
  for (std::size_t at = 0; (at = text.find("\npoints", at)) != std::string::npos; ++at) {
    const auto next = text.find_first_not_of(" \t", at + std::string_view("\npoints").size());
    if (next != std::string::npos && text[next] == '=') return true;
  }
  return false;
}

namespace {

// Of the first campaign that is valid; if none is, says why the first is not.
std::size_t trials_of(const SweepPlan& plan, const std::vector<SweepPoint>& points) {
  for (const SweepPoint& point : points) {
    try {
      return header(sweep_campaign(plan, point)).plan.size();
    } catch (const Error&) {
      continue;
    }
  }
  return header(sweep_campaign(plan, points.front())).plan.size();
}

}  // namespace

void print_sweep(const std::string& subject, bool as_json) {
  if (file_format(subject) == "thud sweep")
    return print_result(subject, read_sweep_result(subject), std::nullopt, as_json);
  const SweepPlan plan = read_sweep(subject);
  const auto points = sweep_points(plan);
  const std::size_t campaigns = points.size(), trials = trials_of(plan, points);
  if (as_json)
    return print({{"kind", "sweep plan"},
                  {"file", subject},
                  {"campaigns", campaigns},
                  {"trials", trials},
                  {"plan", plan_json(plan)},
                  {"warnings", Json::array()}});
  std::printf("%s: a sweep of %s with %s each\n%s", printable(subject).c_str(), counted(campaigns, "campaign").c_str(),
              counted(trials, "trial").c_str(), plan_text(plan).c_str());
}

}  // namespace thud::cli
