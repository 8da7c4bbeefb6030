#pragma once

/// The options that describe a contact law.

#include <thud/contact.hpp>

#include <map>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace thud::cli {

struct LawArguments {
  std::string law;
  std::map<std::string_view, std::string> parameters;  // by name; empty: not given

  /// Whether a law is described at all. Throws InputError for a parameter without --law.
  bool given() const;
};

/// --law and an option for each parameter of a law; `required` where the command cannot do without.
void add_law_options(CLI::App& command, LawArguments& arguments, bool required);

/// The law that the options describe. Each law takes its own parameters, all of them, and no others.
ContactLaw law_of(const LawArguments& arguments);

}  // namespace thud::cli
