#pragma once

/// A table with named columns, and the HDF5 file that keeps it: what a sweep leaves behind. The same table gives the
/// same bytes; docs/sweeps.md has the layout of the file.

#include <thud/dataset.hpp>
#include <thud/export.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace THUD_EXPORT thud {

/// One column: numbers, NaN where there is none, or texts, empty where there is none.
struct Column {
  std::string name;    ///< not empty, without a slash
  std::string unit{};  ///< of numbers
  std::variant<std::vector<double>, std::vector<std::string>> values{};
};

/// Columns of equal length, and what is said of all of them.
struct Table {
  std::string format;                          ///< what the file is: "thud sweep"
  std::map<std::string, std::string> texts{};  ///< by name, of any length, not empty
  std::size_t rows = 0;
  std::vector<Column> columns{};  ///< in order

  /// A column by its name; nullptr: there is none.
  const Column* find(const std::string& name) const noexcept;

  /// The values of a column. Throws InputError, naming it, if it does not exist or holds the other kind.
  const std::vector<double>& numbers(const std::string& name) const;
  const std::vector<std::string>& strings(const std::string& name) const;
};

/// Writes a whole table or nothing. Throws InputError for columns of another length than `rows` or names that are taken
/// twice, and FileError.
void write_table(const std::string& path, const Table& table);

/// Removes the temporary files that killed writers of a table left beside it. Only for who knows that nobody else is
/// writing it.
void remove_table_leftovers(const std::string& path);

/// Reads a table of that format. Throws FileError naming the file, the part of it and what is wrong, also for more than
/// `memory` bytes of values.
Table read_table(const std::string& path, const std::string& format, std::uint64_t memory = default_dataset_memory);

/// What an HDF5 file of thud says it is: "thud dataset", "thud sweep". Nothing for any other file.
std::optional<std::string> file_format(const std::string& path);

}  // namespace thud
