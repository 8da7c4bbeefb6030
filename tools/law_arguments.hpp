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
};

/// --law and an option for each parameter of a law; where the law is required, so are the parameters that every law
/// has.
enum class LawOptions { required, optional };
void add_law_options(CLI::App& command, LawArguments& arguments, LawOptions need = LawOptions::required);

/// The law that the options describe. Each law takes its own parameters, all of them, and no others.
ContactLaw law_of(const LawArguments& arguments);

/// A law in one word: LAW,parameter=value,... with all of its parameters.
ContactLaw law_of(const std::string& option, const std::string& text);

}  // namespace thud::cli
