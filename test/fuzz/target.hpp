#pragma once

/// What every fuzz target is made of: its own file says what its reader does with an input, target.cpp hands it the
/// inputs.

#include <thud/error.hpp>

#include <string_view>

/// Whether the reader takes an input. Breaks off where it does not keep a promise.
bool takes(std::string_view input);

/// Breaks off unless it is kept.
void promise(bool kept);

/// What is promised of an error: one line, and the argument begins with the name of what was read.
void check_message(const thud::Error& error, std::string_view name);
