#include "sweep/rows.hpp"

#include <thud/error.hpp>
#include <thud/lab.hpp>
#include <thud/study.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "sweep/plan.hpp"

namespace thud::sweeping {
namespace {

constexpr auto refinements_name = "refinements";

// The texts of a row's columns while a table grows.
struct Growing {
  std::size_t rows = 0;
  std::map<std::string, std::size_t> places;
  std::vector<Column> columns;

  Column& column(const SweepCell& cell) {
    const auto [found, added] = places.emplace(cell.column, columns.size());
    if (!added) return columns[found->second];
    Column column{cell.column, cell.unit, {}};
    if (std::holds_alternative<std::string>(cell.value)) column.values = std::vector<std::string>();
    columns.push_back(std::move(column));
    return columns.back();
  }

  static void fill(Column& column, std::size_t rows) {
    if (auto* numbers = std::get_if<std::vector<double>>(&column.values))
      numbers->resize(rows, std::numeric_limits<double>::quiet_NaN());
    else
      std::get<std::vector<std::string>>(column.values).resize(rows);
  }

  void add(const std::vector<SweepCell>& cells) {
    for (const SweepCell& cell : cells) {
      Column& target = column(cell);
      if (target.values.index() != cell.value.index())
        throw InputError("column " + cell.column, "numbers and texts", "must be of one kind in every row");
      fill(target, rows);
      if (auto* numbers = std::get_if<std::vector<double>>(&target.values))
        numbers->push_back(std::get<double>(cell.value));
      else
        std::get<std::vector<std::string>>(target.values).push_back(std::get<std::string>(cell.value));
    }
    ++rows;
    for (Column& each : columns) fill(each, rows);
  }
};

}  // namespace

const std::vector<Verdict>& judged_claims() {
  static const std::vector<Verdict> all = [] {
    Study nothing = study({header(default_campaign()), {}});
    std::vector<Verdict> claims = std::move(nothing.verdicts);
    claims.insert(claims.end(), nothing.beyond.begin(), nothing.beyond.end());
    return claims;
  }();
  return all;
}

std::map<std::string, std::string> identity(const SweepPlan& plan) {
  std::map<std::string, std::string> texts{{"plan", format_sweep(plan)}};
  if (std::string first = first_campaign(plan); !first.empty()) texts["campaign"] = std::move(first);
  for (const auto& [name, version] : header(default_campaign()).versions)
    texts["versions"].append(name).append(" ").append(version).append("\n");
  return texts;
}

std::string other_identity(const Table& table, const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) {
    const auto found = table.texts.find(name);
    if (found == table.texts.end()) return name + " is missing";
    if (found->second == text) continue;
    std::istringstream old(found->second), now(text);
    std::string a, b;
    std::size_t line = 0;
    do {
      a.clear();
      b.clear();
      std::getline(old, a);
      std::getline(now, b);
      ++line;
    } while (a == b && (old || now));
    return name + " line " + std::to_string(line) + " is '" + a + "', not '" + b + "'";
  }
  return "";
}

std::string refinement_text(const std::vector<Refinement>& refinements) {
  std::string text;
  for (const Refinement& each : refinements)
    text.append(each.claim).append(" ").append(std::to_string(each.points)).append("\n");
  return text;
}

std::vector<Refinement> refinements_of(const Table& table) {
  std::vector<Refinement> refinements;
  const auto found = table.texts.find(refinements_name);
  if (found == table.texts.end()) return refinements;
  std::istringstream text(found->second);
  for (Refinement each; text >> each.claim >> each.points;) refinements.push_back(each);
  return refinements;
}

std::vector<std::size_t> row_numbers(const Table& table, const std::string& path) {
  std::vector<std::size_t> rows;
  try {
    for (const double row : table.numbers("row")) {
      if (!(row >= 0 && row < 1e15 && row == std::floor(row)) ||
          (!rows.empty() && static_cast<std::size_t>(row) <= rows.back()))
        throw FileError(path, to_text(row), "must be the number of a row, rising");
      rows.push_back(static_cast<std::size_t>(row));
    }
  } catch (const InputError& error) {
    throw FileError(path + ": " + error.argument(), error.value(), error.rule());
  }
  return rows;
}

std::vector<SweepCell> cells_of(const Table& table, std::size_t row) {
  std::vector<SweepCell> cells;
  for (const Column& column : table.columns) {
    if (column.name == "row") continue;
    cells.push_back({column.name, column.unit, {}});
    std::visit([&](const auto& values) { cells.back().value = values.at(row); }, column.values);
  }
  return cells;
}

Table table_of(const SweepPlan& plan, const std::vector<std::size_t>& rows,
               const std::function<std::vector<SweepCell>(std::size_t row)>& read) {
  Growing growing;
  std::vector<double> numbers;
  for (const std::size_t row : rows) {
    numbers.push_back(static_cast<double>(row));
    growing.add(read(row));
  }
  std::vector<std::string> first{"refined", "seed"};
  for (const SweepRange& range : plan.ranges) first.push_back(range.key);
  first.emplace_back("failure");
  Table table{.format = sweep_format, .rows = rows.size()};
  table.columns.push_back({"row", "1", std::move(numbers)});
  const auto take = [&](const std::string& name) {
    const auto place = growing.places.find(name);
    if (place == growing.places.end()) return;
    table.columns.push_back(std::move(growing.columns[place->second]));
    growing.places.erase(place);
  };
  for (const std::string& name : first) take(name);
  while (!growing.places.empty()) take(std::string(growing.places.begin()->first));
  return table;
}

}  // namespace thud::sweeping
