#pragma once

/// Private: column titles of a table.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thud::text {

/// A parsed header cell. A value is divided by its unit's factor: 5 ms are 5 / 1000 s.
struct Title {
  enum class Kind { other, time, force, acceleration };
  Kind kind = Kind::other;
  std::string name{};   ///< as written, without its unit
  std::string whole{};  ///< as written
  std::string unit{};   ///< as written; empty: none
  bool unit_known = true;
  Kind unit_kind = Kind::other;
  double per_unit = 1;  ///< how many of the unit make one s, one N or one m/s^2  [1]
};

/// A unit of time, force or acceleration.
struct Unit {
  Title::Kind kind = Title::Kind::other;
  double per_unit = 1;  ///< as of a title
};

/// The unit of a word: s, ms, us, ns; N, mN, kN, MN, lbf, kgf; g, m/s^2; and other ways to write them.
std::optional<Unit> find_unit(std::string_view word);

/// Reads `Fz (N)`, `t/ms`, `time_us`.
Title read_title(std::string_view cell);

/// A text without leading and trailing blanks.
std::string_view trim_blanks(std::string_view text);

/// A cell without surrounding blanks and quotes.
std::string_view trim(std::string_view cell);

/// Where the first cell of a line ends: at the separator, or npos at the end of the line. A separator inside quotes,
/// when the cell begins with one, does not count.
std::size_t cell_end(std::string_view line, char separator);

/// Cells of a line. With blanks as separator, a run of them counts once, and `t [s]` is one cell.
std::vector<std::string_view> split(std::string_view line, char separator);

/// Whether two words are equal, ignoring case (ASCII).
bool same_word(std::string_view a, std::string_view b);

/// Text for a message: at most 40 characters, all of them printable ASCII.
std::string printable(std::string_view text);

}  // namespace thud::text
