#include "sweep/plan.hpp"

#include <thud/campaign.hpp>
#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "sweep/design.hpp"
#include "toml/table.hpp"

namespace thud::sweeping {
namespace {

constexpr auto campaign_name = "campaign";  // in messages about the text that the ranges make
constexpr std::size_t tried = 64;           // campaigns, of which one must be valid
constexpr auto plan_name = "sweep";         // in those about a plan that is not from a file

std::string as_toml(const ::toml::node& node) {
  std::ostringstream text;
  text << ::toml::toml_formatter(node);
  return text.str();
}

/// A value from its TOML, under the key "value".
::toml::table valued(const std::string& text) {
  return toml::parse_toml("value = " + text + "\n", plan_name);
}

std::optional<double> as_number(const std::string& text) {
  const ::toml::table table = valued(text);
  const auto* node = table.get("value");
  return node && node->is_number() ? node->value<double>() : std::nullopt;
}

/// Where a key stands: its table, empty for the top, and its name there.
std::pair<std::string, std::string> split(const std::string& key) {
  const auto dot = key.find('.');
  return dot == std::string::npos ? std::pair(std::string(), key) : std::pair(key.substr(0, dot), key.substr(dot + 1));
}

const ::toml::node* find(const ::toml::table& root, const std::string& key) {
  const auto [where, name] = split(key);
  if (where.empty()) return root.get(name);
  const auto* table = root.get_as<::toml::table>(where);
  return table ? table->get(name) : nullptr;
}

template <class Value>
void put(::toml::table& root, const std::string& key, Value&& value) {
  const auto [where, name] = split(key);
  ::toml::table* table = &root;
  if (!where.empty()) {
    root.insert(where, ::toml::table{});  // unless it is there
    table = root.get_as<::toml::table>(where);
    if (!table) throw FileError(std::string(campaign_name) + ": " + key, where, "is not a table");
  }
  table->insert_or_assign(name, std::forward<Value>(value));
}

/// Sets a key to a factor times what a campaign has there.
void put_scaled(::toml::table& root, const ::toml::table& whole, const std::string& key, double factor) {
  const auto scaled = [&](const ::toml::node& node) {
    const auto number = node.is_number() ? node.value<double>() : std::nullopt;
    if (!number)
      throw FileError(std::string(campaign_name) + ": " + key, "not a number", "a scale is a factor of numbers");
    return *number * factor;
  };
  const ::toml::node* node = find(whole, key);
  if (!node)
    throw FileError(std::string(campaign_name) + ": " + key, "missing",
                    "a scale needs a number, or one per joint, in the campaign");
  if (auto* scales = root.get_as<::toml::table>("scale")) scales->erase(key);  // it is in the number already
  if (const auto* list = node->as_array()) {
    ::toml::array values;
    for (const auto& each : *list) values.push_back(scaled(each));
    return put(root, key, std::move(values));
  }
  put(root, key, scaled(*node));
}

}  // namespace

std::optional<std::uint64_t> base_seed(const SweepPlan& plan) {
  const ::toml::table base = toml::parse_toml(plan.base, plan_name);
  const auto* seed = base.get_as<std::int64_t>("seed");
  return seed ? std::optional(static_cast<std::uint64_t>(seed->get())) : std::nullopt;
}

std::variant<double, std::string> shown_value(const SweepRange& range, double value) {
  if (range.kind != RangeKind::values) return value;
  const std::string& text = range.values[static_cast<std::size_t>(value)];
  if (std::ranges::all_of(range.values, [](const std::string& each) { return as_number(each).has_value(); }))
    return as_number(text).value_or(0);
  const ::toml::table table = valued(text);
  const auto* string = table.get_as<std::string>("value");
  return string ? string->get() : text;
}

double hidden_value(const SweepRange& range, const std::variant<double, std::string>& shown) {
  if (const auto* number = std::get_if<double>(&shown); number && range.kind != RangeKind::values) return *number;
  for (std::size_t i = 0; i < range.values.size(); ++i)
    if (shown_value(range, static_cast<double>(i)) == shown) return static_cast<double>(i);
  throw FileError("range." + range.key, "another value", "must be one of the plan's");
}

std::string first_campaign(const SweepPlan& plan) {
  const auto points = sweep_points(plan);
  for (std::size_t i = 0; i < std::min(tried, points.size()); ++i) try {
      const Campaign campaign = sweep_campaign(plan, points[i]);
      return format_campaign(campaign) + "\n# robot\n" + campaign.urdf;
    } catch (const Error&) {
      continue;
    }
  return "";
}

namespace {

// An error about the text that the ranges make, as one about the plan: lines of that text mean nothing to anybody.
FileError about_plan(const std::string& name, const Error& error) {
  std::string argument = error.argument();
  if (argument.starts_with(campaign_name)) {
    auto end = std::string_view(campaign_name).size();
    if (end < argument.size() && argument[end] == ':' && end + 1 < argument.size() && argument[end + 1] != ' ')
      end = std::min(argument.find_first_not_of("0123456789", end + 1), argument.size());
    argument = argument.substr(end);
  } else {
    argument.insert(0, ": ");
  }
  return {name + ": campaign" + argument, error.value(), error.rule()};
}

/// Throws unless one of the first campaigns is valid: a key that does not exist is no row's failure.
void require_a_campaign(const SweepPlan& plan, const std::string& name) {
  std::optional<FileError> first;
  const auto points = sweep_points(plan);
  for (std::size_t i = 0; i < std::min(tried, points.size()); ++i) try {
      static_cast<void>(sweep_campaign(plan, points[i]));
      return;
    } catch (const Error& error) {
      if (!first) first = about_plan(name, error);
    }
  throw *first;
}

SweepRange read_range(const toml::Table& ranges, const std::string& file, const std::string& key) {
  const toml::Table table(file, ranges.table(key), {"log", "linear", "scale", "values"});
  SweepRange range{.key = key};
  int given = 0;
  for (const RangeKind kind : {RangeKind::log, RangeKind::linear, RangeKind::scale, RangeKind::values}) {
    const std::string name(to_string(kind));
    if (!table.has(name)) continue;
    range.kind = kind;
    ++given;
  }
  if (given != 1) ranges.refuse(key, "must be one of { log = [low, high] }, linear, scale or { values = […] }");
  const std::string name(to_string(range.kind));
  if (range.kind != RangeKind::values) {
    const VectorX ends = table.numbers(name);
    if (ends.size() != 2) table.refuse(name, "must be two numbers, low and high");
    range.low = ends[0];
    range.high = ends[1];
    return range;
  }
  const ::toml::table& raw = ranges.table(key);
  const auto* list = raw.get_as<::toml::array>(name);
  if (!list) table.refuse(name, "must be a list");
  for (const auto& each : *list) range.values.push_back(as_toml(each));
  return range;
}

std::vector<SweepRange> read_ranges(const toml::Table& root, const std::string& file) {
  const ::toml::table& given = root.table("range");
  std::vector<std::string_view> keys;
  for (const auto& [key, node] : given) keys.push_back(key.str());
  const toml::Table table(file, given, keys);
  std::vector<SweepRange> ranges;
  ranges.reserve(keys.size());
  for (const auto key : keys) ranges.push_back(read_range(table, file, std::string(key)));
  return ranges;
}

SweepDesign read_design(const toml::Table& root) {
  const std::string name = root.text("design");
  for (const SweepDesign design : {SweepDesign::sobol, SweepDesign::latin_hypercube, SweepDesign::grid})
    if (name == to_string(design)) return design;
  root.refuse("design", "must be sobol, latin_hypercube or grid");
}

// The base as text. toml++ writes some keys that need quotes without them; no key of a campaign does.
std::string base_text(const ::toml::table& base, const std::string& name) {
  std::string text = as_toml(base);
  try {
    static_cast<void>(toml::parse_toml(text, name));
  } catch (const FileError&) {
    throw FileError(name + ": base", "a key with quotes or the like", "must be a key of a campaign");
  }
  return text;
}

void validate_range(const SweepRange& range) {
  const std::string where = "range." + range.key;
  if (range.kind == RangeKind::values) {
    if (range.values.empty()) throw InputError(where, "[]", "must have a value");
    return;
  }
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high))
    throw InputError(where, to_text(range.low) + ", " + to_text(range.high), "must be finite, the lower end first");
  if (range.kind != RangeKind::linear && !(range.low > 0))
    throw InputError(where, range.low, "must be greater than 0; a range with 0 in it is linear");
}

}  // namespace

SweepPlan plan_of(std::string_view text, const std::string& name, const std::string& folder) {
  const ::toml::table table = toml::parse_toml(std::string(text), name);
  const toml::Table root(name, table, {"points", "seed", "design", "repeats", "base", "range"});
  SweepPlan plan;
  plan.folder = folder;
  plan.points = static_cast<std::size_t>(root.integer("points", 1, static_cast<std::int64_t>(max_rows)));
  if (root.has("seed"))
    plan.seed = static_cast<std::uint64_t>(root.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (root.has("repeats")) plan.repeats = static_cast<int>(root.integer("repeats", 1, 100000));
  if (root.has("design")) plan.design = read_design(root);
  if (root.has("base")) plan.base = base_text(root.table("base"), name);
  if (root.has("range")) plan.ranges = read_ranges(root, name);
  try {
    validate(plan);
  } catch (const InputError& error) {
    throw FileError(name + ": " + error.argument(), error.value(), error.rule());
  }
  return plan;
}

}  // namespace thud::sweeping

namespace THUD_EXPORT thud {
using namespace sweeping;

std::string_view to_string(SweepDesign design) noexcept {
  switch (design) {
    case SweepDesign::sobol:
      return "sobol";
    case SweepDesign::latin_hypercube:
      return "latin_hypercube";
    case SweepDesign::grid:
      break;
  }
  return "grid";
}

std::string_view to_string(RangeKind kind) noexcept {
  switch (kind) {
    case RangeKind::log:
      return "log";
    case RangeKind::linear:
      return "linear";
    case RangeKind::scale:
      return "scale";
    case RangeKind::values:
      break;
  }
  return "values";
}

void validate(const SweepPlan& plan) {
  if (plan.points < 1 || plan.points > max_rows)
    throw InputError("points", std::to_string(plan.points), "must be from 1 to " + std::to_string(max_rows));
  if (plan.repeats < 1) throw InputError("repeats", std::to_string(plan.repeats), "must be at least 1");
  std::set<std::string> keys;
  for (const SweepRange& range : plan.ranges) {
    if (range.key.empty() || range.key == "seed")
      throw InputError("range", range.key.empty() ? "''" : range.key, "must be a key of a campaign other than seed");
    if (!keys.insert(range.key).second) throw InputError("range", range.key, "is given twice");
    validate_range(range);
  }
  constexpr std::uint64_t max_seed = std::uint64_t{1} << 53;  // a column of numbers holds it
  if (const auto seed = base_seed(plan); seed && *seed > max_seed)
    throw InputError("base.seed", std::to_string(*seed), "must be at most 2^53");
  const std::size_t points = plan.design == SweepDesign::grid ? grid_size(plan) : plan.points;
  if (points > max_rows / static_cast<std::size_t>(plan.repeats))
    throw InputError("points", std::to_string(plan.points),
                     "a sweep has at most " + std::to_string(max_rows) + " campaigns");
}

SweepPlan parse_sweep(std::string_view text, const std::string& name, const std::string& folder) {
  SweepPlan plan = plan_of(text, name, folder);
  require_a_campaign(plan, name);
  return plan;
}

SweepPlan read_sweep(const std::string& path) {
  return parse_sweep(read_file(path), path, std::filesystem::path(path).parent_path().string());
}

std::string format_sweep(const SweepPlan& plan) {
  validate(plan);
  ::toml::table root;
  root.insert("design", std::string(to_string(plan.design)));
  root.insert("points", static_cast<std::int64_t>(plan.points));
  root.insert("seed", static_cast<std::int64_t>(plan.seed));
  root.insert("repeats", static_cast<std::int64_t>(plan.repeats));
  root.insert("base", toml::parse_toml(plan.base, plan_name));
  ::toml::table ranges;
  for (const SweepRange& range : plan.ranges) {
    ::toml::array list;
    if (range.kind != RangeKind::values) {
      list.push_back(range.low);
      list.push_back(range.high);
    }
    for (const std::string& value : range.values) {
      const ::toml::table parsed = valued(value);
      if (const auto* node = parsed.get("value")) node->visit([&](const auto& each) { list.push_back(each); });
    }
    ::toml::table one;
    one.insert(std::string(to_string(range.kind)), std::move(list));
    one.is_inline(true);
    ranges.insert(range.key, std::move(one));
  }
  root.insert("range", std::move(ranges));
  return as_toml(root) + "\n";
}

std::vector<SweepPoint> sweep_points(const SweepPlan& plan) {
  validate(plan);
  const MatrixX design = unit_design(plan);
  const auto fixed = base_seed(plan);
  std::vector<SweepPoint> points;
  for (Eigen::Index i = 0; i < design.rows(); ++i) {
    SweepPoint point;
    for (Eigen::Index axis = 0; axis < design.cols(); ++axis)
      point.values.push_back(value_at(plan.ranges[static_cast<std::size_t>(axis)], design(i, axis)));
    for (int repeat = 0; repeat < plan.repeats; ++repeat) {
      point.seed = fixed ? *fixed + static_cast<std::uint64_t>(repeat)
                         : campaign_seed(plan, static_cast<std::size_t>(i), repeat);
      points.push_back(point);
    }
  }
  return points;
}

Campaign sweep_campaign(const SweepPlan& plan, const SweepPoint& point) {
  if (point.values.size() != plan.ranges.size())
    throw InputError("point", std::to_string(point.values.size()), "must have a value for each range");
  ::toml::table root = toml::parse_toml(plan.base, campaign_name);
  for (std::size_t i = 0; i < plan.ranges.size(); ++i) {
    const SweepRange& range = plan.ranges[i];
    if (range.kind == RangeKind::values) {
      const ::toml::table parsed = valued(range.values.at(static_cast<std::size_t>(point.values[i])));
      if (const auto* node = parsed.get("value")) node->visit([&](const auto& each) { put(root, range.key, each); });
    } else if (range.kind != RangeKind::scale) {
      put(root, range.key, point.values[i]);
    }
  }
  // factors of what the campaign has with all that, which may be a default
  std::optional<::toml::table> whole;
  for (std::size_t i = 0; i < plan.ranges.size(); ++i) {
    if (plan.ranges[i].kind != RangeKind::scale) continue;
    if (!whole)
      whole =
          toml::parse_toml(format_campaign(parse_campaign(as_toml(root), campaign_name, plan.folder)), campaign_name);
    put_scaled(root, *whole, plan.ranges[i].key, point.values[i]);
  }
  root.insert_or_assign("seed", static_cast<std::int64_t>(point.seed));
  return parse_campaign(as_toml(root), campaign_name, plan.folder);
}

}  // namespace thud
