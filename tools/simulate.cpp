#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/lab.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "arguments.hpp"
#include "cluster.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace thud::cli {
namespace {

struct SimulateArguments {
  std::string campaign, out, seed;
  int jobs = 0;
  bool print_default = false, progress = false, json = false;
};

std::atomic<bool> interrupted = false;

Json spread_json(const Spread& spread) {
  return {{"least", json(spread.min)}, {"mean", json(spread.mean)}, {"largest", json(spread.max)}};
}

Json detection_json(const DetectionSummary& detection) {
  return {
      {"delay", spread_json(detection.delay)}, {"false_alarms", detection.false_alarms}, {"missed", detection.missed}};
}

Json cell_json(const SimulatedCell& cell) {
  Json object{{"configuration", cell.configuration},
              {"speed", json(cell.speed)},
              {"trials", cell.trials},
              {"touched", cell.touched},
              {"contact_speed", spread_json(cell.velocity)},
              {"contact_time", spread_json(cell.contact_time)},
              {"peak_force", spread_json(cell.peak_force)},
              {"impulse_compression", spread_json(cell.impulse_compression)},
              {"detection",
               {{"threshold", detection_json(cell.threshold)}, {"momentum_observer", detection_json(cell.observer)}}}};
  if (!cell.object.empty()) {
    object["object"] = cell.object;
    object["object_speed"] = spread_json(cell.object_speed);
  }
  return object;
}

std::string milliseconds(const Spread& spread) {
  if (spread.count == 0) return "none";
  return fmt::format("{:.1f} to {:.1f}", 1e3 * spread.min, 1e3 * spread.max);
}

std::string mean(const Spread& spread, int decimals) {
  return spread.count == 0 ? "none" : fmt::format("{:.{}f}", spread.mean, decimals);
}

// What the summary does not say by itself.
std::vector<std::string> campaign_warnings(const std::vector<SimulatedCell>& cells) {
  std::size_t trials = 0, touched = 0;
  for (const auto& cell : cells) {
    trials += cell.trials;
    touched += cell.touched;
  }
  if (touched == trials) return {};
  return {fmt::format("{} of {} trials never touched the wall: a false alarm turned the arm back, or it fell short",
                      trials - touched, trials)};
}

std::string simulate_table(const std::vector<SimulatedCell>& cells) {
  std::string out =
      fmt::format("{:<14}{:>6}{:>8}{:>17}{:>9}{:>11}{:>15}{:>15}{:>15}{:>7}{:>8}\n", "configuration", "speed", "trials",
                  "speed at touch", "peak", "impulse_c", "contact", "alarm after", "observer", "false", "missed");
  out += fmt::format("{:<14}{:>6}{:>8}{:>17}{:>9}{:>11}{:>15}{:>15}{:>15}\n", "", "m/s", "", "m/s", "N", "N s", "ms",
                     "ms", "ms");
  for (const auto& cell : cells)
    out += fmt::format(
        "{:<14}{:>6}{:>8}{:>17}{:>9}{:>11}{:>15}{:>15}{:>15}{:>7}{:>8}\n",
        cell.object.empty() ? cell.configuration : fmt::format("{} {}", cell.configuration, cell.object), cell.speed,
        cell.trials, cell.touched == 0 ? "none" : fmt::format("{:.4f} to {:.4f}", cell.velocity.min, cell.velocity.max),
        mean(cell.peak_force, 1), mean(cell.impulse_compression, 4), milliseconds(cell.contact_time),
        milliseconds(cell.threshold.delay), milliseconds(cell.observer.delay),
        fmt::format("{}/{}", cell.threshold.false_alarms, cell.observer.false_alarms),
        fmt::format("{}/{}", cell.threshold.missed, cell.observer.missed));
  return out;
}

Campaign chosen(const SimulateArguments& arguments) {
  Campaign campaign = arguments.campaign.empty() ? default_campaign() : read_campaign(arguments.campaign);
  if (!arguments.seed.empty()) campaign.seed = whole_number("--seed", arguments.seed);
  return campaign;
}

void run_simulate(const CLI::App& command, const SimulateArguments& arguments) {
  if (arguments.print_default) {
    std::fputs(format_campaign(default_campaign()).c_str(), stdout);
    return;
  }
  if (arguments.out.empty()) throw InputError("--out", "missing", "thud simulate needs a file to write, such as a.h5");
  const Campaign campaign = chosen(arguments);
  if (on_cluster(command)) run_on_cluster(command);
  Progress bar("trials", header(campaign).plan.size(), arguments.progress);
  const RunOptions options{
      .jobs = arguments.jobs, .progress = [&](std::size_t done, std::size_t) { bar.at(done); }, .stop = &interrupted};
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  const SimulateStatus status = simulate(campaign, arguments.out, options);
  bar.done();
  if (status == SimulateStatus::interrupted)
    throw NoAnswer("interrupted: " + arguments.out + ": the same command continues where it stopped");

  const auto cells = summarize_cells(arguments.out);
  std::size_t trials = 0;
  for (const auto& cell : cells) trials += cell.trials;
  const bool before = status == SimulateStatus::was_complete && !just_collected(command);
  if (arguments.json) {
    Json object{{"file", arguments.out},
                {"trials", trials},
                {"complete", true},
                {"changed", !before},
                {"seed", campaign.seed},
                {"cells", Json::array()},
                {"warnings", campaign_warnings(cells)}};
    for (const auto& cell : cells) object["cells"].push_back(cell_json(cell));
    return print(object);
  }
  std::fputs(simulate_table(cells).c_str(), stdout);
  for (const auto& sentence : campaign_warnings(cells)) std::printf("warning: %s\n", sentence.c_str());
  std::printf("%s: %s, %s\n", printable(arguments.out).c_str(), counted(trials, "trial").c_str(),
              before ? "complete already; nothing was changed" : "complete");
}

}  // namespace

void add_simulate(CLI::App& program) {
  auto* command = program.add_subcommand("simulate", "The virtual lab: a campaign of impacts into one dataset");
  auto arguments = std::make_shared<SimulateArguments>();
  command->add_option("CAMPAIGN", arguments->campaign, "Campaign as TOML; without it, the paper's 150 trials");
  command->add_option("--out", arguments->out, "HDF5 file to write, or to continue");
  command->add_option("--seed", arguments->seed, "Seed of all that is random, instead of the campaign's");
  add_jobs(*command, arguments->jobs, "Threads; 0 is one per core");
  command->add_flag("--print-default", arguments->print_default, "Print the default campaign as TOML, to start from");
  command->add_flag("--progress", arguments->progress, "Show progress even if standard error is no terminal");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  add_cluster_options(*command);
  command->footer(
      "On a cluster, for example:\n  thud simulate --out campaign.h5 --scheduler tcp://127.0.0.1:8786\n\n"
      "Example:\n  thud simulate --out campaign.h5");
  command->callback([arguments, command] { run_simulate(*command, *arguments); });
}

}  // namespace thud::cli
