#include "service.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "../command.hpp"
#include "answers.hpp"
#include "request.hpp"

namespace thud::cli {
namespace {

constexpr std::size_t largest_request = std::size_t{1} << 20U, largest_file = std::size_t{256} << 20U;
constexpr JobWorkers workers = {.any = 2, .brief = 1};
constexpr std::size_t longest_queue = 16;
constexpr int usual_wait = 100, longest_wait = 2000;  // for a job [ms]

// What is not there, and what cannot be done to it.
struct NotFound {};
struct WrongMethod {};

Reply reply_of(const Json& object, int status = 200) {
  return {.status = status, .body = json_text(object)};
}

Json error_json(const std::string& message) {
  return {{"message", printable(message)}, {"argument", nullptr}, {"value", nullptr}, {"rule", nullptr}};
}

Json error_json(const Error& error) {
  return {{"message", printable(error.what())},
          {"argument", printable(error.argument())},
          {"value", printable(error.value())},
          {"rule", printable(error.rule())}};
}

struct Failure {
  int status;
  Json error;
};

// As the command line's exit codes tell them apart: 400 for 2, 422 for 1.
Failure failure_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const NotFound&) {
    return {404, error_json("address: not known: the studio has no such thing")};
  } catch (const WrongMethod&) {
    return {405, error_json("method: not known here: the address takes another")};
  } catch (const Busy& busy) {
    return {503, error_json(busy.what())};
  } catch (const NoAnswer& none) {
    return {422, error_json(none.what())};
  } catch (const PlantError& unstable) {
    return {422, error_json(unstable)};
  } catch (const Error& error) {
    return {400, error_json(error)};
  } catch (const Interrupted&) {
    return {422, error_json("interrupted")};
  } catch (const std::bad_alloc&) {
    return {400, error_json("memory: exhausted: a smaller input is needed, or more memory")};
  } catch (const std::exception& error) {
    return {400, error_json(error.what())};
  }
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<std::size_t> index_of(const std::string& text) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::chrono::milliseconds wait_of(const Ask& ask) {
  const auto given = ask.query.find("wait");
  if (given == ask.query.end()) return std::chrono::milliseconds(usual_wait);
  const auto value = index_of(given->second);
  if (!value || *value > longest_wait) throw InputError("wait", given->second, "must be from 0 to 2000 ms");
  return std::chrono::milliseconds(*value);
}

void require_page(const Ask& ask) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  if (ask.page.empty() || ask.page.size() > 64 || !std::all_of(ask.page.begin(), ask.page.end(), fits))
    throw InputError("X-Thud-Page", ask.page.empty() ? "missing" : "given",
                     "must be 1 to 64 letters, digits and dashes: which page asks");
}

}  // namespace

std::size_t longest_body(const std::string& path) {
  return path == "/api/files" ? largest_file : largest_request;
}

Reply error_reply(int status, const std::string& message) {
  return reply_of({{"error", error_json(message)}}, status);
}

Service::Service(Opened& opened, std::string subject)
    : opened_(opened), subject_(std::move(subject)), jobs_(workers, longest_queue) {}

Reply Service::answer(const Ask& ask) {
  try {
    return dispatch(ask);
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    return reply_of({{"error", failure.error}}, failure.status);
  }
}

Reply Service::dispatch(const Ask& ask) {
  const auto parts = parts_of(ask.path);
  if (parts.size() < 2 || parts[0] != "api") throw NotFound();
  if (ask.method == "GET" || ask.method == "HEAD") return get(ask, parts);
  require_page(ask);
  if (ask.method == "POST") return post(ask, parts);
  if (ask.method == "DELETE") return drop(ask, parts);
  throw WrongMethod();
}

Reply Service::get(const Ask& ask, const std::vector<std::string>& parts) {
  const std::string& what = parts[1];
  if (parts.size() == 2) {
    if (what == "studio") return reply_of(studio_answer(opened_, subject_));
    if (what == "campaign") return reply_of(campaign_answer());
    if (what == "files") {
      Json files = Json::array();
      for (const auto& file : opened_.files()) files.push_back(file->json());
      return reply_of({{"files", files}, {"warnings", Json::array()}});
    }
    throw NotFound();
  }
  if (what == "jobs" && parts.size() == 3) return job(parts[2], ask);
  if (what == "robots" && parts.size() >= 3) {
    const auto kept = opened_.kept_robot(parts[2]);
    if (parts.size() == 3) return reply_of(robot_answer(*kept, parts[2]));
    const auto index = parts.size() == 5 && parts[3] == "meshes" ? index_of(parts[4]) : std::nullopt;
    if (index && *index < kept->meshes.size())
      return {.type = "application/octet-stream", .body = read_file(kept->meshes[*index].path)};
  }
  throw NotFound();
}

Reply Service::post(const Ask& ask, const std::vector<std::string>& parts) {
  if (parts.size() != 2) throw NotFound();
  const std::string& what = parts[1];
  if (what == "files") {
    const auto name = ask.query.find("name");
    if (name == ask.query.end() || name->second.empty()) throw InputError("name", "missing", "the file's is needed");
    return reply_of(opened_.drop(name->second, ask.body)->json());
  }
  if (what == "studio" || what == "robots" || what == "jobs") throw WrongMethod();
  static constexpr std::string_view known[] = {"hit", "profile", "reach", "translate", "limit",
                                               "fit", "map",     "study", "campaign"};
  if (std::find(std::begin(known), std::end(known), what) == std::end(known)) throw NotFound();
  const Json request = parse_request(ask.body);
  if (what == "hit") return reply_of(hit_answer(request, opened_));
  if (what == "profile") return reply_of(profile_answer(request, opened_));
  if (what == "reach") return reply_of(reach_answer(request, opened_));
  if (what == "translate") return reply_of(translate_answer(request));
  wait_of(ask);  // is refused before the work
  Work work = what == "limit"   ? limit_work(request, opened_)
              : what == "fit"   ? fit_work(request, opened_)
              : what == "map"   ? map_work(request, opened_)
              : what == "study" ? study_work(request, opened_)
                                : campaign_work(request);
  const JobLength length = what == "limit" || what == "fit" ? JobLength::brief : JobLength::lengthy;
  return job(jobs_.start(ask.page, what, length, std::move(work)), ask);
}

Reply Service::drop(const Ask& ask, const std::vector<std::string>& parts) {
  const std::string& what = parts[1];
  if (what == "files" && parts.size() == 3) {
    opened_.close(parts[2]);
    return reply_of({{"warnings", Json::array()}});
  }
  if (what != "jobs" || parts.size() > 3) throw NotFound();
  if (parts.size() == 2) {
    jobs_.cancel_all(ask.page);
    return reply_of({{"warnings", Json::array()}});
  }
  try {
    jobs_.cancel(parts[2]);
  } catch (const std::out_of_range&) {
    throw NotFound();
  }
  return job(parts[2], ask);
}

Reply Service::job(const std::string& id, const Ask& ask) {
  JobReport report;
  try {
    report = jobs_.wait(id, wait_of(ask));
  } catch (const std::out_of_range&) {
    throw NotFound();
  }
  Json object{{"job", report.id},    {"kind", report.kind},   {"state", to_string(report.state)},
              {"done", report.done}, {"total", report.total}, {"error", nullptr}};
  int status = report.state == JobState::queued || report.state == JobState::running ? 202 : 200;
  if (report.state == JobState::failed) {
    Failure failure = failure_of(report.failure);
    object["error"] = std::move(failure.error);
    status = failure.status;
  }
  std::string text = json_text(object);
  text.pop_back();
  return {.status = status, .body = text + ",\"answer\":" + (report.answer.empty() ? "null" : report.answer) + "}"};
}

}  // namespace thud::cli
