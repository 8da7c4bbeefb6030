#pragma once

/// Private: parts of a plan as TOML.

#include <thud/sweep.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace thud::sweeping {

/// A plan from its TOML, whether or not any of its campaigns is valid here.
SweepPlan plan_of(std::string_view text, const std::string& name, const std::string& folder = "");

/// The seed that the base campaign has, if any.
std::optional<std::uint64_t> base_seed(const SweepPlan& plan);

/// A value of a range as a column of a table has it: a number if all its values are.
std::variant<double, std::string> shown_value(const SweepRange& range, double value);

/// The way back: which of the values it is.
double hidden_value(const SweepRange& range, const std::variant<double, std::string>& shown);

/// The first campaign of the design that is valid, every key written out, and its robot: with them the defaults that
/// all have in common. Nothing where none is.
std::string first_campaign(const SweepPlan& plan);

}  // namespace thud::sweeping
