#pragma once

/// Private: signals over time as text: a line of column names, of which one is time, and rows of numbers.

#include <string>
#include <string_view>
#include <vector>

namespace thud::dataset {

/// Reads one table from top to bottom. `#` begins a comment; separators are ; tab , or blanks. Throws FileError:
/// argument `name:line`, the offending text, the rule.
class SignalTable {
 public:
  /// The column names of a text. `what` names the signals in messages.
  SignalTable(std::string_view text, const std::string& name, const char* what);

  /// All column names, of which one is that of time; none of the others names a time.
  const std::vector<std::string_view>& titles() const noexcept { return titles_; }
  std::size_t time_column() const noexcept { return time_; }

  /// Reads all rows, at least one: a list per column, times in seconds and rising.
  std::vector<std::vector<double>> read_rows();

  /// Refuses something in the line that was read last.
  [[noreturn]] void refuse(std::string_view value, const std::string& rule) const;

 private:
  bool next_line();
  void read_unit(std::string_view cell);
  double read_number(std::string_view cell) const;
  void read_row(std::vector<std::vector<double>>& values) const;

  std::string_view rest_, line_;
  const std::string& name_;
  const char* what_;
  std::size_t number_ = 0;
  char separator_ = ',';
  double per_second_ = 1;
  std::vector<std::string_view> titles_;
  std::size_t time_ = 0;
};

}  // namespace thud::dataset
