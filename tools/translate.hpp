#pragma once

/// `thud translate`: what it is asked, what it finds, how that is written.

#include <thud/translate.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "law_arguments.hpp"

namespace thud::cli {

struct TranslateArguments {
  std::string fit, mass, speed, to, step;
  LawArguments law;
  bool constant_impedance = false;
};

/// All but --fit, which is a file.
void add_translate_options(CLI::App& command, TranslateArguments& arguments);

/// Throws InputError naming the option.
Translation translation_of(const TranslateArguments& arguments);

/// What --json prints.
Json translation_json(const Translation& translation);

}  // namespace thud::cli
