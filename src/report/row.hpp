#pragma once

/// Private: rows of a table as CSV.

#include <thud/error.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace thud::report {

/// One row, cell by cell.
class Row {
 public:
  Row& add(double value) { return put(std::isfinite(value) ? to_text(value) : std::string()); }
  Row& add(std::size_t value) { return put(std::to_string(value)); }
  Row& add(int value) { return put(std::to_string(value)); }

  /// Quoted if it contains a character that would end the cell.
  Row& add(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) return put(std::string(text));
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"') quoted += '"';
      quoted += c;
    }
    return put(quoted.append("\""));
  }

  std::string line() const { return line_ + "\n"; }

 private:
  Row& put(const std::string& cell) {
    if (started_) line_ += ',';
    started_ = true;
    line_ += cell;
    return *this;
  }
  std::string line_;
  bool started_ = false;
};

/// What stands above a column.
inline std::string title(std::string_view name, std::string_view unit) {
  return std::string(name).append(" [").append(unit).append("]");
}

}  // namespace thud::report
