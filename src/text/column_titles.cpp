#include "text/column_titles.hpp"

#include <algorithm>
#include <array>

namespace thud::text {
namespace {

using Kind = Title::Kind;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Case is ignored but where it tells milli from mega. Micro is written u, or as one of two Unicode letters. A newton is
// 1 kg m/s^2; the pound and the kilogram of force are masses times standard gravity, so that one rule serves all.
constexpr double gravity = 9.80665;             // [m/s^2]
constexpr double pound = 0.45359237 * gravity;  // [N]
struct NamedUnit {
  std::string_view word;
  Kind kind;
  double per_unit;
  bool exact_case = false;
};
constexpr std::array units{
    NamedUnit{"s", Kind::time, 1},
    NamedUnit{"sec", Kind::time, 1},
    NamedUnit{"second", Kind::time, 1},
    NamedUnit{"seconds", Kind::time, 1},
    NamedUnit{"ms", Kind::time, 1e3},
    NamedUnit{"msec", Kind::time, 1e3},
    NamedUnit{"milliseconds", Kind::time, 1e3},
    NamedUnit{"us", Kind::time, 1e6},
    NamedUnit{"\xC2\xB5s", Kind::time, 1e6},
    NamedUnit{"\xCE\xBCs", Kind::time, 1e6},
    NamedUnit{"usec", Kind::time, 1e6},
    NamedUnit{"microseconds", Kind::time, 1e6},
    NamedUnit{"ns", Kind::time, 1e9},
    NamedUnit{"nanoseconds", Kind::time, 1e9},
    NamedUnit{"n", Kind::force, 1},
    NamedUnit{"newton", Kind::force, 1},
    NamedUnit{"newtons", Kind::force, 1},
    NamedUnit{"mN", Kind::force, 1e3, true},
    NamedUnit{"MN", Kind::force, 1e-6, true},
    NamedUnit{"millinewton", Kind::force, 1e3},
    NamedUnit{"kn", Kind::force, 1e-3},
    NamedUnit{"kilonewton", Kind::force, 1e-3},
    NamedUnit{"lbf", Kind::force, 1 / pound},
    NamedUnit{"kgf", Kind::force, 1 / gravity},
    NamedUnit{"g", Kind::acceleration, 1 / gravity},
    NamedUnit{"m/s^2", Kind::acceleration, 1},
    NamedUnit{"m/s2", Kind::acceleration, 1},
    NamedUnit{"m/s\xC2\xB2", Kind::acceleration, 1},
};

constexpr std::array<std::string_view, 4> time_names{"t", "time", "timestamp", "elapsedtime"};
constexpr std::array<std::string_view, 14> force_names{
    "f",      "force",  "fx",     "fy",      "fz",          "fn",           "forcex",
    "forcey", "forcez", "forcen", "fnormal", "normalforce", "contactforce", "measuredforce"};

const NamedUnit* find_named(std::string_view word) {
  const auto unit = std::find_if(units.begin(), units.end(), [&](const NamedUnit& u) {
    return u.exact_case ? u.word == word : same_word(u.word, word);
  });
  return unit == units.end() ? nullptr : &*unit;
}

/// In lower case and without separators: "Normal Force" and "normal_force" are the same name.
std::string normalized(std::string_view text) {
  std::string name;
  for (const char c : text)
    if (!is_blank(c) && c != '_' && c != '-' && c != '.') name += lower(c);
  return name;
}

/// Cuts `(N)`, `[N]`, `/N`, `_N` or ` N` off the end of a title. A bracket always holds a unit; after the other marks,
/// a word is a unit only if it is known, since time_stamp is a name.
std::string_view split_unit(std::string_view& title) {
  if (!title.empty() && (title.back() == ']' || title.back() == ')')) {
    const auto open = title.rfind(title.back() == ']' ? '[' : '(');
    if (open != std::string_view::npos) {
      const auto unit = trim(title.substr(open + 1, title.size() - open - 2));
      title = trim(title.substr(0, open));
      return unit;
    }
  }
  const auto mark = title.find_last_of("/_ ");
  if (mark == std::string_view::npos || !find_named(trim(title.substr(mark + 1)))) return {};
  const auto unit = trim(title.substr(mark + 1));
  title = trim(title.substr(0, mark));
  return unit;
}

}  // namespace

std::optional<Unit> find_unit(std::string_view word) {
  if (const auto unit = find_named(word)) return Unit{unit->kind, unit->per_unit};
  return std::nullopt;
}

Title read_title(std::string_view cell) {
  auto name = trim(cell);
  const auto unit = split_unit(name);
  Title title{.name = std::string(name), .whole = std::string(trim(cell)), .unit = std::string(unit)};
  if (const auto known = find_unit(unit)) {
    title.unit_kind = known->kind;
    title.per_unit = known->per_unit;
  } else {
    title.unit_known = unit.empty();
  }

  const auto word = normalized(name);
  if (std::find(time_names.begin(), time_names.end(), word) != time_names.end()) {
    title.kind = Kind::time;
  } else if (std::find(force_names.begin(), force_names.end(), word) != force_names.end()) {
    title.kind = Kind::force;
  }
  return title;
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim(std::string_view cell) {
  cell = trim_blanks(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
    cell = trim_blanks(cell.substr(1, cell.size() - 2));
  return cell;
}

std::size_t cell_end(std::string_view line, char separator) {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at]) && line[at] != separator) ++at;
  while (at < line.size() && line[at] == '"') {  // two quotes inside a cell stand for one
    const auto quote = line.find('"', at + 1);
    if (quote == std::string_view::npos) return line.find(separator);
    at = quote + 1;
  }
  return line.find(separator, at);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    if (separator == ' ') {
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
      if (line.empty()) return cells;
    }
    const auto end = separator == ' ' ? line.find_first_of(" \t\r") : cell_end(line, separator);
    const auto cell = line.substr(0, end);
    const bool unit_of_last = separator == ' ' && !cells.empty() && (cell.front() == '[' || cell.front() == '(');
    if (unit_of_last) {
      cells.back() = {cells.back().data(), static_cast<std::size_t>(cell.data() + cell.size() - cells.back().data())};
    } else {
      cells.push_back(separator == ' ' ? cell : trim(cell));
    }
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result(text.substr(0, longest));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > longest ? result + "..." : result;
}

}  // namespace thud::text
