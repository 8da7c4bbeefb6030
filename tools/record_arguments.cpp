#include "record_arguments.hpp"

#include <thud/error.hpp>

#include <array>
#include <cstddef>

#include "arguments.hpp"

namespace thud::cli {
namespace {

struct Option {
  const char* name;
  std::string RecordArguments::*text;
  const char* help;
};

constexpr std::array options{
    Option{"--time-column", &RecordArguments::time_column, "Name of the time column, or its number from 1"},
    Option{"--force-column", &RecordArguments::force_column, "Name of the force column, or its number from 1"},
    Option{"--unit", &RecordArguments::unit,
           "Units, as time=ms,force=kN: s, ms, us, ns; N, mN, kN, MN, lbf, kgf, or an acceleration times a mass in kg: "
           "force=g*1.5"},
    Option{"--skip", &RecordArguments::skip, "Lines to leave out at the beginning of a record"},
    Option{"--contact", &RecordArguments::contact, "Which contact of several, from 1"},
    Option{"--from", &RecordArguments::from, "Ignore samples before this time [s]"},
    Option{"--to", &RecordArguments::to, "Ignore samples after this time [s]"},
    Option{"--max-samples", &RecordArguments::max_samples, "Most samples of a record; 50 million without it"},
};

void set(std::size_t& value, const char* option, const std::string& text) {
  if (!text.empty()) value = static_cast<std::size_t>(whole_number(option, text));
}

}  // namespace

std::optional<std::pair<std::string, std::string>> RecordArguments::any() const {
  for (const auto& option : options)
    if (!(this->*option.text).empty()) return std::pair(std::string(option.name), this->*option.text);
  return std::nullopt;
}

RecordOptions RecordArguments::record_options() const {
  RecordOptions result{.time_column = time_column, .force_column = force_column, .units = unit};
  set(result.skip, "--skip", skip);
  set(result.max_size, "--max-size", max_size);
  set(result.max_samples, "--max-samples", max_samples);
  try {
    validate(result);
  } catch (const InputError& error) {  // of the units, which is all there is to validate
    throw InputError("--unit", error.value(), error.rule());
  }
  return result;
}

ContactOptions RecordArguments::contact_options() const {
  ContactOptions result;
  set(result.contact, "--contact", contact);
  if (!from.empty()) result.from = number("--from", from);
  if (!to.empty()) result.to = number("--to", to);
  validate(result);
  return result;
}

void add_record_options(CLI::App& command, RecordArguments& arguments) {
  for (const auto& option : options) command.add_option(option.name, arguments.*option.text, option.help);
  command.add_option("--max-size", arguments.max_size, max_size_help());
}

}  // namespace thud::cli
