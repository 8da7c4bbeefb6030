#include "cluster.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "python.hpp"

namespace thud::cli {
namespace {

constexpr auto group = "On a Dask cluster";
constexpr auto scheduler_option = "--scheduler";
constexpr auto collected_option = "--collected";  // what the collector ends with; not for people
constexpr std::pair<const char*, const char*> tls_options[] = {
    {"--tls-ca",
     "PEM file of the authority that signed the cluster's certificates, for tls://; without it Dask's own "
     "configuration says"},
    {"--tls-cert", "PEM file of the certificate of this end"},
    {"--tls-key", "PEM file of its key, if that is not in the certificate's"}};

std::string given(const CLI::App& command, const std::string& option) {
  const auto* found = command.get_option_no_throw(option);
  return found && found->count() > 0 ? found->results().front() : "";
}

}  // namespace

void add_cluster_options(CLI::App& command) {
  command.add_option(scheduler_option, "Address of a scheduler, tcp://HOST:PORT: its workers do the work")
      ->type_name("TEXT")
      ->group(group);
  for (const auto& [name, help] : tls_options) command.add_option(name, help)->type_name("FILE")->group(group);
  command.add_flag(collected_option)->group("");
}

bool on_cluster(const CLI::App& command) {
  if (command.get_option(scheduler_option)->count() == 0) {
    for (const auto& [name, help] : tls_options)
      if (command.get_option(name)->count() > 0)
        throw InputError(name, given(command, name), "goes with --scheduler only");
    return false;
  }
  if (command.get_option("--jobs")->count() > 0)
    throw InputError("--jobs", given(command, "--jobs"),
                     "does not go with --scheduler: the workers' threads are the jobs");
  return true;
}

void run_on_cluster(const CLI::App& command) {
  const std::vector<std::string> own = words_of(command);
  std::vector<std::string> words{command.get_name()};
  const auto for_what_follows = [](std::string_view word) {
    return word == "--json" || word == "--force" || word.starts_with("--report");
  };
  std::ranges::copy_if(own, std::back_inserter(words), [&](const auto& word) { return !for_what_follows(word); });
  words.push_back(std::string("--version-of-thud=") + THUD_VERSION);
  words.emplace_back("--then");
  words.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  words.push_back(command.get_name());
  const auto for_collector = [](std::string_view word) {
    return word.starts_with(scheduler_option) || word.starts_with("--tls-") || word == "--progress";
  };
  std::ranges::copy_if(own, std::back_inserter(words), [&](const auto& word) { return !for_collector(word); });
  become_python("cluster", given(command, scheduler_option), words);
}

bool just_collected(const CLI::App& command) {
  return command.get_option(collected_option)->count() > 0;
}

}  // namespace thud::cli
