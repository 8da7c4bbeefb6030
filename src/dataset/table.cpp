#include <thud/error.hpp>
#include <thud/file.hpp>
#include <thud/table.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "dataset/file.hpp"
#include "dataset/hdf5.hpp"
#include "dataset/trial_store.hpp"
#include "text/column_titles.hpp"

namespace THUD_EXPORT thud {
using namespace dataset;
namespace {

using Numbers = std::vector<double>;
using Strings = std::vector<std::string>;

std::size_t length(const Column& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

// A name of an object in its group, and no path.
void require_name(const char* kind, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == ".")
    throw InputError(kind, name, "must have a name without a slash");
}

void require_sound(const Table& table) {
  std::set<std::string> names;
  for (const auto& [name, text] : table.texts) require_name("text", name);
  for (const Column& column : table.columns) {
    require_name("column", column.name);
    if (!names.insert(column.name).second) throw InputError("column", column.name, "is there twice");
    if (length(column) != table.rows)
      throw InputError("column " + column.name, std::to_string(length(column)),
                       "must have " + std::to_string(table.rows) + " rows");
  }
}

std::string bytes_of(const Table& table) {
  const hdf5::Session session;
  hdf5::NewFile file;
  {
    const auto root = file.root();
    root.attribute("format", table.format);
    root.attribute("format_version", file::format_version);
    root.attribute("rows", std::uint64_t{table.rows});
    const auto texts = root.group("texts");
    hdf5::Texts names;
    for (const auto& [name, text] : table.texts) {
      names.push_back(name);
      texts.texts(name, {text}, {"", ""});
    }
    root.texts("names", names, {"", "of the texts"});
    const auto columns = root.group("columns");
    hdf5::Texts order;
    for (const Column& column : table.columns) {
      const bool numbers = std::holds_alternative<Numbers>(column.values);
      order.insert(order.end(), {column.name, column.unit, numbers ? "numbers" : "texts"});
      const hdf5::Label label{column.unit.c_str(), ""};
      if (numbers) {
        const auto& values = std::get<Numbers>(column.values);
        columns.numbers(column.name, values.data(), values.size(), label);
      } else {
        columns.texts(column.name, std::get<Strings>(column.values), label);
      }
    }
    root.texts("order", order, {"", "name, unit and kind of the columns"}, 3);
  }
  return file.bytes();
}

Column read_column(const hdf5::Input& columns, const Strings& about, std::size_t rows) {
  Column column{about[0], about[1], {}};
  const bool numbers = about[2] == "numbers";
  if (numbers && rows > 0) {
    const MatrixX values = columns.numbers(column.name, 0, hdf5::Input::Finite::or_nan);
    column.values = Numbers(values.data(), values.data() + values.size());
  } else if (!numbers) {
    column.values = rows > 0 ? columns.texts(column.name) : Strings{};
  }
  if (length(column) != rows)
    throw FileError(columns.where(column.name), std::to_string(length(column)) + " values",
                    "must be one per row, " + std::to_string(rows));
  return column;
}

}  // namespace

const Column* Table::find(const std::string& name) const noexcept {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& each) { return each.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

const std::vector<double>& Table::numbers(const std::string& name) const {
  const Column* column = find(name);
  if (const auto* values = column ? std::get_if<Numbers>(&column->values) : nullptr) return *values;
  throw InputError("column", name, "there is no such column of numbers");
}

const std::vector<std::string>& Table::strings(const std::string& name) const {
  const Column* column = find(name);
  if (const auto* values = column ? std::get_if<Strings>(&column->values) : nullptr) return *values;
  throw InputError("column", name, "there is no such column of texts");
}

void write_table(const std::string& path, const Table& table) {
  require_sound(table);
  write_file(path, bytes_of(table));
}

void remove_table_leftovers(const std::string& path) {
  file::remove_leftovers(path);
}

Table read_table(const std::string& path, const std::string& format, std::uint64_t memory) {
  const hdf5::Session session;
  const hdf5::Input root = file::open(path, format, std::make_shared<hdf5::Budget>(memory));
  Table table;
  table.format = format;
  table.rows = static_cast<std::size_t>(root.natural("rows"));
  const auto texts = root.group("texts");
  if (root.has("names"))
    for (const std::string& name : root.texts("names")) {
      const auto text = texts.texts(name);
      if (text.size() != 1) throw FileError(texts.where(name), std::to_string(text.size()) + " texts", "must be one");
      table.texts[name] = text.front();
    }
  const auto columns = root.group("columns");
  const auto order = root.texts("order", 3);
  for (std::size_t i = 0; i + 2 < order.size(); i += 3)
    table.columns.push_back(read_column(columns, {order[i], order[i + 1], order[i + 2]}, table.rows));
  try {
    require_sound(table);
  } catch (const InputError& error) {
    throw FileError(root.where("order"), error.argument() + " " + error.value(), error.rule());
  }
  return table;
}

std::optional<std::string> file_format(const std::string& path) {
  try {
    const hdf5::Session session;
    const hdf5::Input root(path, std::make_shared<hdf5::Budget>(0));
    if (root.has_attribute("format")) return text::printable(root.text("format"));
  } catch (const FileError&) {
    return std::nullopt;  // no file, or none of ours
  }
  return std::nullopt;
}

}  // namespace thud
