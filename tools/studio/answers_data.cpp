// Records, maps and studies.

#include <thud/campaign.hpp>
#include <thud/dataset.hpp>
#include <thud/error.hpp>
#include <thud/fit_band.hpp>
#include <thud/lab.hpp>
#include <thud/report.hpp>
#include <thud/study.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../command.hpp"
#include "../fit.hpp"
#include "../law_arguments.hpp"
#include "../map.hpp"
#include "../study.hpp"
#include "answers.hpp"
#include "request.hpp"

namespace thud::cli {
namespace {

constexpr std::size_t drawn_samples = 4000;  // of a record: two for each column of a screen
constexpr std::size_t most_trials = 60;      // of a small campaign: a minute or two
constexpr double small_speeds[] = {0.08, 0.12, 0.18};

// Takes a key out of a request.
Json taken(Json& request, const char* key) {
  if (!request.is_object() || !request.contains(key)) return nullptr;
  Json value = request[key];
  request.erase(key);
  return value;
}

// A record for the eye: of every stretch of samples the lowest and the highest, in their order.
Json thinned(const Record& record) {
  Json time = Json::array(), force = Json::array();
  const std::size_t n = record.time.size(), stretch = std::max<std::size_t>(1, 2 * n / drawn_samples);
  const auto add = [&](std::size_t i) {
    time.push_back(json(record.time[i]));
    force.push_back(json(record.force[i]));
  };
  for (std::size_t at = 0; at < n; at += stretch) {
    const auto first = record.force.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = record.force.begin() + static_cast<std::ptrdiff_t>(std::min(n, at + stretch));
    const auto [low, high] = std::minmax_element(first, last);
    const auto a = static_cast<std::size_t>(std::min(low, high) - record.force.begin());
    const auto b = static_cast<std::size_t>(std::max(low, high) - record.force.begin());
    add(a);
    if (b != a) add(b);
  }
  return {{"time", time}, {"force", force}};
}

// Half the width of the band about a curve, or null.
Json band_json(const Record& contact, const FitResult& law) {
  const VectorX band = fitted_band(contact, law);
  if (band.size() == 0) return nullptr;
  Json list = Json::array();
  for (const double each : band) list.push_back(json(each));
  return list;
}

Json drawn_fit(const FitSubject& subject) {
  const auto& contact = subject.found.contact;
  Json laws = Json::object();
  for (const FitResult& law : subject.found.laws) {
    const auto course = course_of(subject, law);
    Json& drawn = laws[std::string(to_string(law.kind))] = nullptr;
    if (!course) continue;
    Json force = Json::array(), residual = Json::array();
    for (std::size_t i = 0; i < contact.time.size(); ++i) {
      const double model = law.baseline + course->force[i];
      force.push_back(json(model));
      residual.push_back(json(contact.force[i] - model));
    }
    drawn = {{"force", force}, {"residual", residual}, {"band", band_json(contact, law)}};
  }
  Json time = Json::array(), force = Json::array();
  for (const double each : contact.time) time.push_back(json(each));
  for (const double each : contact.force) force.push_back(json(each));
  return {{"record", thinned(subject.record)}, {"contact", {{"time", time}, {"force", force}}}, {"laws", laws}};
}

// One file of a fit, and how fast it hit.
struct FitInput {
  std::shared_ptr<const OpenedFile> file;
  double speed;
};

std::vector<FitInput> fit_inputs(Json& request, const Opened& opened) {
  const Json records = taken(request, "records"), speeds = taken(request, "speeds");
  if (!records.is_array() || records.empty()) throw InputError("records", "missing", "must be a list of files");
  if (!speeds.is_null() && (!speeds.is_array() || speeds.size() != records.size()))
    throw InputError("speeds", "given", "must be a list of as many numbers as there are records");
  if (speeds.is_null() == !request.contains("speed"))
    throw InputError("--speed", speeds.is_null() ? "missing" : "beside speeds", "is needed, for all or for each");
  std::vector<FitInput> inputs;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Json& speed = speeds.is_null() ? request["speed"] : speeds[i];
    if (!records[i].is_string()) throw InputError("records", records[i].dump(), "must be a list of files");
    const std::string text = speed.is_string() ? speed.get<std::string>() : speed.dump();
    inputs.push_back({opened.file(records[i], "record"), positive("--speed", text)});
  }
  if (!speeds.is_null()) request["speed"] = speeds[0];  // the option is needed, and each record has its own
  return inputs;
}

Campaign small_campaign() {
  Campaign campaign = default_campaign();
  campaign.speeds.assign(std::begin(small_speeds), std::end(small_speeds));
  campaign.repeats = 1;
  return campaign;
}

int whole(const Json& value, const char* key, int most) {
  if (!value.is_number_integer() || value < 1 || value > most)
    throw InputError(key, value.dump(), "must be a whole number from 1 to " + std::to_string(most));
  return value.get<int>();
}

struct LawRequest {
  LawArguments law;
};

void add_law(CLI::App& command, LawRequest& request) {
  add_law_options(command, request.law, LawOptions::optional);
}

Campaign campaign_of(Json request) {
  Campaign campaign = small_campaign();
  if (const Json speeds = taken(request, "speeds"); !speeds.is_null()) {
    campaign.speeds.clear();
    if (!speeds.is_array()) throw InputError("speeds", speeds.dump(), "must be a list of numbers");
    for (const Json& each : speeds) {
      if (!each.is_number()) throw InputError("speeds", each.dump(), "must be a number");
      campaign.speeds.push_back(each);
    }
  }
  if (const Json repeats = taken(request, "repeats"); !repeats.is_null())
    campaign.repeats = whole(repeats, "repeats", static_cast<int>(most_trials));
  if (const Json seed = taken(request, "seed"); !seed.is_null())
    campaign.seed = static_cast<std::uint64_t>(whole(seed, "seed", 1'000'000'000));
  if (const Json names = taken(request, "configurations"); !names.is_null()) {
    std::vector<Configuration> chosen;
    for (const Configuration& each : campaign.configurations)
      if (names.is_array() && std::find(names.begin(), names.end(), Json(each.name)) != names.end())
        chosen.push_back(each);
    if (!names.is_array() || chosen.size() != names.size())
      throw InputError("configurations", names.dump(-1, ' ', true, Json::error_handler_t::replace),
                       "must be names of the campaign's configurations, each once");
    campaign.configurations = std::move(chosen);
  }
  with_arguments(add_law, request, [&](const LawRequest& asked) {
    if (!asked.law.law.empty()) campaign.law = law_of(asked.law);
  });
  validate(campaign);
  const std::size_t trials = header(campaign).plan.size();
  if (trials > most_trials)
    throw InputError("campaign", std::to_string(trials) + " trials",
                     "must have at most 60; thud simulate has no limit");
  return campaign;
}

}  // namespace

Work fit_work(const Json& asked, const Opened& opened) {
  Json request = asked;
  auto inputs = fit_inputs(request, opened);
  const auto task = with_arguments(add_fit_options, request, [&](const FitArguments& arguments) {
    return std::make_shared<const FitTask>(fit_task(arguments, opened));
  });
  return [inputs = std::move(inputs), task](const RunOptions& run) {
    std::vector<FitSubject> subjects;
    std::vector<std::string> ids, refused;  // ids of the subjects' files
    Json refusals = Json::object();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (run.stop->load()) throw Interrupted();
      const auto& [file, speed] = inputs[i];
      try {
        subjects.push_back(fit_subject(*task, file->name, speed, parse_record(file->text, file->name, task->record)));
        ids.push_back(file->id);
      } catch (const Error& error) {
        if (inputs.size() == 1) throw;
        const std::string message = error.what();  // with the file's name, as thud fit has it
        refused.push_back(message.starts_with(file->name) ? message : file->name + ": " + message);
        refusals[file->id] = refused.back();
      }
      run.progress(i + 1, inputs.size());
    }
    Json answer = fit_json(subjects, refused);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      Json& drawn = answer["records"][i]["studio"] = drawn_fit(subjects[i]);
      drawn["file"] = ids[i];
    }
    answer["studio"] = {{"refused", refusals}};
    return json_text(answer);
  };
}

Work map_work(const Json& request, const Opened& opened) {
  const auto task = with_arguments(add_map_options, request, [&](const MapArguments& arguments) {
    return std::make_shared<const MapTask>(map_task(arguments, opened));
  });
  return [task](const RunOptions& run) {
    const CapabilityMap map = capability_map(task->robot, task->point, task->options, run);
    std::string text = json_text(map_summary(map, nullptr));
    text.pop_back();
    return text + ",\"studio\":" + map_json(map, task->robot, task->point) + "}";
  };
}

Work study_work(const Json& asked, const Opened& opened) {
  Json request = asked;
  const Json dataset = taken(request, "dataset");
  if (!dataset.is_string()) throw InputError("dataset", "missing", "must be a file that is open");
  const auto file = opened.file(dataset, "dataset");
  const auto arguments = with_arguments(add_study_options, request, [](const StudyArguments& given) { return given; });
  return [file, arguments, &opened](const RunOptions& run) {
    return with_own_name(*file, [&] {
      const DatasetReader reader = file->dataset();
      const StudyOptions options = study_options(arguments, reader.robot(), opened);
      return results_json(study(reader, options, run), file->name);
    });
  };
}

Work campaign_work(const Json& request) {
  auto campaign = std::make_shared<const Campaign>(campaign_of(request));
  return [campaign](const RunOptions& run) {
    Dataset dataset;
    dataset.header = header(*campaign);
    std::vector<std::optional<Truth>> truths;
    const std::size_t trials = dataset.header.plan.size();
    for (std::size_t i = 0; i < trials; ++i) {
      if (run.stop->load()) throw Interrupted();
      LabTrial each = simulate_trial(*campaign, i);
      dataset.trials.push_back(std::move(each.trial));
      truths.emplace_back(std::move(each.run.truth));
      run.progress(i + 1, 2 * trials);
    }
    const RunOptions second{
        .jobs = run.jobs,
        .progress = [&](std::size_t done, std::size_t all) { run.progress(trials + done * trials / all, 2 * trials); },
        .stop = run.stop};
    return results_json(study(dataset, truths, {}, second), "campaign.h5");
  };
}

Json campaign_answer() {
  const Campaign campaign = small_campaign();
  Json names = Json::array();
  for (const Configuration& each : campaign.configurations) names.push_back(each.name);
  return {{"speeds", campaign.speeds},
          {"repeats", campaign.repeats},
          {"seed", campaign.seed},
          {"configurations", names},
          {"trials", header(campaign).plan.size()},
          {"toml", format_campaign(campaign)},
          {"warnings", Json::array()}};
}

}  // namespace thud::cli
