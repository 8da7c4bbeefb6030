#pragma once

/// The subcommands of thud. Each adds itself to the program with its options, its help and its example, and runs when
/// it is named: parse, call the library, print. Output is complete before the first byte of it is written.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace thud::cli {

/// The input was fine but there is no answer: exit 1, as for a thud::PlantError; any other thud::Error is exit 2.
class NoAnswer : public std::runtime_error {
 public:
  explicit NoAnswer(const std::string& message) : NoAnswer(std::vector{message}) {}

  /// Several messages, a line each.
  explicit NoAnswer(std::vector<std::string> messages)
      : std::runtime_error(messages.front()), messages_(std::move(messages)) {}

  const std::vector<std::string>& messages() const noexcept { return messages_; }

 private:
  std::vector<std::string> messages_;
};

void add_predict(CLI::App& program);
void add_profile(CLI::App& program);
void add_fit(CLI::App& program);
void add_translate(CLI::App& program);
void add_info(CLI::App& program);
void add_completion(CLI::App& program);
void add_help(CLI::App& program);  // after all others

/// What completion scripts ask: the words that may stand in the place of the last one of a line (its first is the
/// command), each with a tab and what it means, and ":files" where any file will do.
void print_candidates(const CLI::App& program, const std::vector<std::string>& line);

/// What depends on datasets and the virtual lab: their commands, and the output of info for a dataset.
void add_lab(CLI::App& program);
void add_simulate(CLI::App& program);
void add_dataset(CLI::App& program);
void add_study(CLI::App& program);
void add_limit(CLI::App& program);
void add_map(CLI::App& program);
void add_aim(CLI::App& program);
bool is_dataset(const std::string& subject);

/// Files of drives and of limits: "drives" or "limits" for a shipped name or a TOML file, empty for anything else.
std::string settings_kind(const std::string& subject);
void print_settings(const std::string& kind, const std::string& subject, bool as_json);
std::vector<std::pair<std::string, std::vector<std::string>>> shipped_settings();  // names, by kind
std::vector<std::string> shipped_bodies();                                         // regions that --body takes

void print_dataset(const std::string& subject, std::uint64_t memory, bool as_json);  // memory [byte]
void print_trial(const std::string& subject, const std::string& name, std::uint64_t memory, bool as_json);

}  // namespace thud::cli
