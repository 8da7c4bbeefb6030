#pragma once

/// Private: reading thud's TOML files. Every key must be known and every value of the right type, or the file is
/// rejected with the line number.

#include <thud/conventions.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace thud::toml {

/// The tables of a text. Throws FileError (`file:line`) for what is not TOML.
::toml::table parse_toml(const std::string& text, const std::string& file);

/// One table of a file. Throws FileError naming line, key, value and rule.
class Table {
 public:
  /// `file` and `table` must outlive this. Throws for a key that is not among `keys`.
  Table(const std::string& file, const ::toml::table& table, const std::vector<std::string_view>& keys);

  std::size_t line() const;
  std::size_t line(std::string_view key) const;
  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_text(std::string_view key) const { return table_.get_as<std::string>(key) != nullptr; }
  bool is_number(std::string_view key) const;

  [[noreturn]] void refuse(std::string_view key, const std::string& rule) const;

  std::string text(std::string_view key) const;
  double number(std::string_view key) const;         // finite
  double number_or_nan(std::string_view key) const;  // NaN if missing
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const;
  VectorX numbers(std::string_view key) const;
  Vector3 vector3(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  const ::toml::table& table(std::string_view key) const;
  std::vector<const ::toml::table*> tables(std::string_view key) const;  // at least one

 private:
  std::string at(std::size_t line) const { return file_ + ":" + std::to_string(line); }

  const std::string& file_;
  const ::toml::table& table_;
};

}  // namespace thud::toml
