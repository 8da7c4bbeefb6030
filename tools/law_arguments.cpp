#include "law_arguments.hpp"

#include <thud/error.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"

namespace thud::cli {
namespace {

std::string option_of(std::string_view parameter) {
  return "--" + std::string(parameter);
}

bool has_parameter(LawKind kind, std::string_view name) {
  return !parameter_unit(kind, name).empty();
}

// Which law has the parameter, with which symbol and in which unit: "k of spring, maxwell [N/m]; hunt_crossley
// [N/m^n]".
std::string parameter_help(std::string_view parameter) {
  std::string symbol;
  std::vector<std::pair<std::string_view, std::string>> laws;  // by unit
  for (const LawKind kind : all_laws)
    std::visit(
        [&](const auto& law) {
          for (const auto& row : law.parameters) {
            if (row.name != parameter) continue;
            symbol = row.symbol;
            const auto known =
                std::find_if(laws.begin(), laws.end(), [&](auto& each) { return each.first == row.unit; });
            if (known == laws.end())
              laws.emplace_back(row.unit, law.name);
            else
              known->second.append(", ").append(law.name);
          }
        },
        typical_law(kind));
  std::string text = symbol + " of ";
  for (const auto& [unit, names] : laws)
    text += fmt::format("{}{} [{}]", text.ends_with("of ") ? "" : "; ", names, unit);
  return text;
}

}  // namespace

ContactLaw law_of(const LawArguments& arguments) {
  const LawKind kind = law_kind("--law", arguments.law);
  for (const auto& [name, text] : arguments.parameters)
    if (!text.empty() && !has_parameter(kind, name))
      throw InputError(option_of(name), text, arguments.law + " does not take it");
  ContactLaw law = typical_law(kind);
  for (const auto& [name, value] : law_parameters(law)) {
    const std::string& text = arguments.parameters.at(name);
    if (text.empty()) throw InputError(option_of(name), "missing", arguments.law + " needs it");
    *value = number(option_of(name), text);
  }
  return law;
}

ContactLaw law_of(const std::string& option, const std::string& text) {
  const std::size_t comma = text.find(',');
  const LawKind kind = law_kind(option, text.substr(0, comma));
  std::map<std::string, double> given;
  if (comma != std::string::npos) given = named_values(option, text.substr(comma + 1), "parameter");
  ContactLaw law = typical_law(kind);
  for (const auto& [name, value] : law_parameters(law)) {
    const auto found = given.extract(std::string(name));
    if (found.empty()) throw InputError(option, text, "must have " + std::string(name) + "=VALUE");
    *value = found.mapped();
  }
  if (!given.empty())
    throw InputError(option, given.begin()->first, std::string(to_string(kind)) + " does not take it");
  validate(law);
  return law;
}

void add_law_options(CLI::App& command, LawArguments& arguments, LawOptions need) {
  const bool required = need == LawOptions::required;
  command.add_option("--law", arguments.law, law_names())
      ->required(required)
      ->each([&command](const std::string& name) {
        // before its parameters are found to be missing; in the studio there is no help
        const auto* help = command.get_help_ptr();
        if (!help || help->count() == 0) law_kind("--law", name);
      });
  for (const std::string_view name : parameter_names()) {
    auto* option = command.add_option(option_of(name), arguments.parameters[name], parameter_help(name));
    option->required(required && std::all_of(all_laws.begin(), all_laws.end(),
                                             [&](LawKind kind) { return has_parameter(kind, name); }));
  }
}

}  // namespace thud::cli
