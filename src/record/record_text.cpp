#include <thud/error.hpp>
#include <thud/record.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "text/column_titles.hpp"

namespace THUD_EXPORT thud {
namespace {

using text::Title;

constexpr auto time_units = "s, ms, us, ns";
constexpr auto force_units = "N, mN, kN, MN, lbf, kgf";

/// Columns of time and force, and how many of their units make one s and one N.
struct Layout {
  char separator = ',';
  std::size_t cells = 0, time = 0, force = 1;
  double per_second = 1, per_newton = 1;
  bool named = false, unit_of_time_known = false;
};

/// A unit that RecordOptions gives, with the word it was given by.
struct GivenUnit {
  std::string word;
  double per_unit = 1;
};

/// Both units that RecordOptions may give.
struct GivenUnits {
  std::optional<GivenUnit> time, force;
};

/// `kN`, `g*1.5`. Throws InputError; `pair` is the text for messages.
GivenUnit read_force_unit(std::string_view word, const std::string& pair) {
  const auto times = word.find('*');
  const auto unit = text::find_unit(text::trim_blanks(word.substr(0, times)));
  const bool acceleration = unit && unit->kind == Title::Kind::acceleration;
  if (!unit || (unit->kind != Title::Kind::force && !acceleration))
    throw InputError("units", text::printable(pair),
                     std::string("not a unit of force: ") + force_units + ", g*MASS, m/s^2*MASS");
  if (acceleration != (times != std::string_view::npos))
    throw InputError("units", text::printable(pair),
                     acceleration ? "an acceleration needs the mass that it moves: force=g*1.5 for 1.5 kg"
                                  : "a force is not multiplied by a mass");
  if (!acceleration) return {std::string(word), unit->per_unit};
  const auto number = text::trim_blanks(word.substr(times + 1));
  double mass = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), mass);
  if (error != std::errc() || end != number.data() + number.size() || !(mass > 0) || !std::isfinite(mass))
    throw InputError("units", text::printable(pair), "the mass must be a number of kg > 0");
  return {std::string(word), unit->per_unit / mass};
}

/// `time=ms,force=kN`. Throws InputError.
GivenUnits read_units(const std::string& text) {
  GivenUnits units;
  if (text.empty()) return units;
  for (const auto cell : text::split(text, ',')) {
    const std::string pair(cell);
    const auto equals = cell.find('=');
    const auto what = text::trim_blanks(cell.substr(0, equals));
    if (equals == std::string_view::npos || (what != "time" && what != "force"))
      throw InputError("units", text::printable(pair), "must be time=UNIT or force=UNIT");
    const auto word = text::trim_blanks(cell.substr(equals + 1));
    auto& given = what == "time" ? units.time : units.force;
    if (given) throw InputError("units", text::printable(pair), "gives that unit twice");
    if (what == "force") {
      given = read_force_unit(word, pair);
      continue;
    }
    const auto unit = text::find_unit(word);
    if (!unit || unit->kind != Title::Kind::time)
      throw InputError("units", text::printable(pair), std::string("not a unit of time: ") + time_units);
    given = GivenUnit{std::string(word), unit->per_unit};
  }
  return units;
}

/// A column's number, from 1, or nothing if the text is not a whole number.
std::optional<std::size_t> column_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Lines of a text, numbered from 1, without line ends and comments.
class Lines {
 public:
  Lines(std::string_view text, std::size_t skip) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    if (rest_.find('\n') == std::string_view::npos) line_end_ = '\r';
    while (number < skip && next()) {
    }
  }
  bool next() {
    if (rest_.empty()) return false;
    const auto end = rest_.find(line_end_);
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number;
    const auto mark = line.find('#');
    comment = mark == std::string_view::npos ? std::string_view() : text::trim_blanks(line.substr(mark + 1));
    line = line.substr(0, mark);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return true;
  }
  bool blank() const { return line.find_first_not_of(" \t") == std::string_view::npos; }

  std::string_view line, comment;
  std::size_t number = 0;

 private:
  std::string_view rest_;
  char line_end_ = '\n';
};

enum class Number { value, missing, wrong, out_of_range };

/// A number with a decimal point or comma.
Number read_number(std::string_view cell, double& value) {
  if (!cell.empty() && (cell.front() <= ' ' || cell.back() <= ' ' || cell.front() == '"')) cell = text::trim(cell);
  if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-') cell.remove_prefix(1);
  char with_point[64];
  if (const auto comma = cell.find(','); comma != std::string_view::npos && cell.size() <= sizeof with_point) {
    std::copy(cell.begin(), cell.end(), with_point);
    with_point[comma] = '.';
    cell = {with_point, cell.size()};
  }
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size())
    return std::isfinite(value) ? Number::value : Number::missing;
  if (error == std::errc::result_out_of_range) return Number::out_of_range;
  for (const std::string_view word : {"", "na", "n/a", "null"})
    if (text::same_word(cell, word)) return Number::missing;
  return Number::wrong;
}

/// Whether a line is numbers with decimal commas between blanks: `0,5 1,2`, of which commas would leave `5 1`.
bool is_decimal_commas(std::string_view line) {
  const auto between_commas = text::split(line, ',');
  if (std::ranges::none_of(between_commas, [](auto cell) { return cell.find(' ') != std::string_view::npos; }))
    return false;
  return std::ranges::all_of(text::split(line, ' '), [](std::string_view cell) {
    double value = 0;
    return cell.back() != ',' && cell.front() != ',' && read_number(cell, value) == Number::value;
  });
}

char find_separator(std::string_view line) {
  for (const char c : {';', '\t', ','})
    if (text::cell_end(line, c) != std::string_view::npos) return c == ',' && is_decimal_commas(line) ? ' ' : c;
  return ' ';
}

std::string cells_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

/// State of the reader while it goes through the lines.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const RecordOptions& options)
      : text_(text), name_(name), options_(options), given_(read_units(options.units)), lines_(text, options.skip) {}

  Record read();

 private:
  [[noreturn]] void refuse(std::string_view value, const std::string& rule) const {
    refuse(lines_.number, value, rule);
  }
  [[noreturn]] void refuse(std::size_t line, std::string_view value, const std::string& rule) const {
    throw FileError(name_ + ":" + std::to_string(line), text::printable(value), rule);
  }
  void note(WarningCode code, std::string subject, std::string text) {
    record_.notes.push_back({code, std::move(subject), std::move(text)});
  }
  bool starts_with_number(std::string_view line) const;
  bool may_be_units(std::string_view line) const;
  std::vector<Title> read_titles(std::string_view line, char separator) const;
  void read_header();
  void read_comment_header();
  void read_units_row(std::vector<Title>& titles);
  void take_columns(std::vector<Title> titles, std::string_view line, std::size_t number);
  std::size_t find_column(const std::vector<Title>& titles, Title::Kind kind, const std::string& wanted,
                          std::size_t number) const;
  double take_unit(const Title& title, Title::Kind kind, const std::optional<GivenUnit>& given, std::size_t number);
  std::vector<double> first_numbers(std::size_t column) const;
  bool counts_the_rows() const;
  void take_columns_by_order();
  void read_first_row();
  void read_row();
  void finish();

  std::string_view text_;
  const std::string& name_;
  const RecordOptions& options_;
  const GivenUnits given_;
  Lines lines_;
  Layout layout_;
  Record record_;
  std::string_view header_, units_, last_comment_;
  std::size_t header_line_ = 0, units_line_ = 0, comment_line_ = 0;
  std::size_t first_dropped_ = 0;
  bool has_point_ = false, has_comma_ = false;
};

Record Reader::read() {
  if (text_.find('\0') != std::string_view::npos)
    throw FileError(name_, "holds a zero byte", "a record is text in ASCII or UTF-8");
  bool in_table = false;
  while (lines_.next()) {
    if (lines_.blank()) {
      if (in_table || lines_.comment.empty()) continue;
      last_comment_ = lines_.comment;
      comment_line_ = lines_.number;
      if (record_.comments.size() < 100) record_.comments.emplace_back(last_comment_);
    } else if (!in_table && header_.empty() && !starts_with_number(lines_.line)) {
      header_ = lines_.line;
      header_line_ = lines_.number;
    } else if (!in_table && units_.empty() && may_be_units(lines_.line)) {
      units_ = lines_.line;
      units_line_ = lines_.number;
    } else {
      if (!in_table) read_first_row();
      in_table = true;
      read_row();
    }
  }
  finish();
  return std::move(record_);
}

/// Whether the first cell that is not empty is a number; the first one is, in a header, where a table has an index
/// without a name.
bool Reader::starts_with_number(std::string_view line) const {
  for (const auto cell : text::split(line, find_separator(line))) {
    if (cell.empty()) continue;
    if (std::string_view("+-.0123456789").find(cell.front()) != std::string_view::npos) return true;
    double value = 0;
    return read_number(cell, value) != Number::wrong;  // nan and the like
  }
  return true;
}

/// Whether a line under the header, of several words, can be the units of its columns.
bool Reader::may_be_units(std::string_view line) const {
  return !header_.empty() && !starts_with_number(line) && text::split(line, find_separator(line)).size() > 1;
}

/// Numbers of a column in the first hundred rows, from the one that is being read; empty if there is something else.
std::vector<double> Reader::first_numbers(std::size_t column) const {
  std::vector<double> numbers;
  auto ahead = lines_;
  do {
    if (ahead.blank()) continue;
    const auto cells = text::split(ahead.line, layout_.separator);
    double value = 0;
    if (column >= cells.size() || read_number(cells[column], value) != Number::value) return {};
    numbers.push_back(value);
  } while (numbers.size() < 100 && ahead.next());
  return numbers;
}

/// Whether the first column is 0, 1, 2, ... or 1, 2, 3, ...
bool Reader::counts_the_rows() const {
  const auto numbers = first_numbers(0);
  if (numbers.size() < min_record_samples || (numbers.front() != 0 && numbers.front() != 1)) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != numbers.front() + static_cast<double>(i)) return false;
  return true;
}

/// Without a header: as the options say, else the first two; or the second and the third, after a number of the row.
void Reader::take_columns_by_order() {
  bool counted = false;
  if (options_.time_column.empty() && options_.force_column.empty() && layout_.cells > 2 && counts_the_rows()) {
    const auto times = first_numbers(1);
    counted = !times.empty() && std::ranges::adjacent_find(times, std::greater_equal<>()) == times.end();
  }
  if (counted) layout_.time = 1, layout_.force = 2;
  for (const auto& [wanted, column] :
       {std::pair(&options_.time_column, &layout_.time), std::pair(&options_.force_column, &layout_.force)}) {
    if (wanted->empty()) continue;
    const auto number = column_number(*wanted);
    if (!number) refuse(*wanted, "there is no header to find this column in");
    if (*number < 1 || *number > layout_.cells)
      refuse(*wanted, "columns are numbered from 1 to " + std::to_string(layout_.cells));
    *column = *number - 1;
  }
  if (layout_.time == layout_.force) refuse(lines_.line, "time and force must be two columns");
  if (given_.time) layout_.per_second = given_.time->per_unit;
  if (given_.force) layout_.per_newton = given_.force->per_unit;
  layout_.unit_of_time_known = given_.time.has_value();
  const auto time = " [" + (given_.time ? given_.time->word : "s") + "]";
  const auto force = " [" + (given_.force ? given_.force->word : "N") + "]";
  const auto columns = std::to_string(layout_.cells) + " columns ";
  if (counted)
    note(WarningCode::index_column, {},
         "no header: the first of " + columns + "counts the rows, the second is taken as time" + time +
             ", the third as force" + force);
  else if (layout_.cells > 2 && options_.time_column.empty() && options_.force_column.empty())
    note(WarningCode::no_header, {},
         "no header: the first of " + columns + "is taken as time" + time + ", the second as force" + force);
}

/// Determines separator and columns, at the first row of numbers.
void Reader::read_first_row() {
  layout_.separator = find_separator(lines_.line);
  auto cells = text::split(lines_.line, layout_.separator);
  if (cells.size() > 2 && cells.back().empty()) cells.pop_back();
  layout_.cells = cells.size();
  if (cells.size() < 2) refuse(lines_.line, "a row needs a time and a force");
  if (!header_.empty()) {
    read_header();
  } else if (!last_comment_.empty()) {
    read_comment_header();
  }
  if (!layout_.named) take_columns_by_order();
}

/// What a header line says about each of its columns.
std::vector<Title> Reader::read_titles(std::string_view line, char separator) const {
  auto cells = text::split(line, separator);
  if (cells.size() > 2 && cells.back().empty()) cells.pop_back();
  std::vector<Title> titles;
  titles.reserve(cells.size());
  for (const auto cell : cells) titles.push_back(text::read_title(cell));
  return titles;
}

/// The last comment before the numbers, if it names a time and a force column. NumPy writes the header there, with a
/// separator chosen by the author.
void Reader::read_comment_header() {
  for (const char separator : {layout_.separator, find_separator(last_comment_)}) {
    const auto titles = read_titles(last_comment_, separator);
    const auto has = [&](Title::Kind kind, const std::string& wanted) {
      if (wanted.empty()) return std::ranges::count(titles, kind, &Title::kind) == 1;
      if (column_number(wanted)) return std::ranges::count(titles, kind, &Title::kind) > 0;
      return std::ranges::any_of(titles, [&](const Title& title) {
        return text::same_word(title.name, wanted) || text::same_word(title.whole, wanted);
      });
    };
    if (titles.size() != layout_.cells || !has(Title::Kind::time, options_.time_column) ||
        !has(Title::Kind::force, options_.force_column))
      continue;
    note(WarningCode::header_in_comment, {},
         "the column names are taken from the comment in line " + std::to_string(comment_line_));
    return take_columns(titles, last_comment_, comment_line_);
  }
}

void Reader::read_header() {
  auto titles = read_titles(header_, layout_.separator);
  if (titles.size() != layout_.cells)
    refuse(lines_.line, "this row has " + cells_text(layout_.cells) + ", the header in line " +
                            std::to_string(header_line_) + " has " + cells_text(titles.size()) +
                            (units_.empty() ? "" : "; lines before the header can be skipped"));
  take_columns(std::move(titles), header_, header_line_);
}

/// Gives titles the units that stand under them, as `ms` or `[ms]`.
void Reader::read_units_row(std::vector<Title>& titles) {
  auto cells = text::split(units_, layout_.separator);
  if (cells.size() > titles.size() && cells.back().empty()) cells.pop_back();
  if (cells.size() != titles.size())
    refuse(units_line_, units_,
           "neither numbers nor a unit for each of the " + cells_text(titles.size()) + " of the header");
  for (std::size_t i = 0; i < titles.size(); ++i) {
    auto& title = titles[i];
    auto word = cells[i];
    if (word.size() > 1 && (word.front() == '[' || word.front() == '('))
      word = text::trim(word.substr(1, word.size() - 2));
    if (word.empty() || word == "-") continue;
    const auto unit = text::find_unit(word);
    const bool used = i == layout_.time || i == layout_.force;
    if (used && !title.unit.empty() && (!unit || !title.unit_known || unit->per_unit != title.per_unit))
      refuse(units_line_, word, "the header says " + text::printable(title.unit));
    title.unit = std::string(word);
    title.unit_known = unit.has_value();
    title.unit_kind = unit ? unit->kind : Title::Kind::other;
    title.per_unit = unit ? unit->per_unit : 1;
  }
  note(WarningCode::units_row, {}, "the units are taken from line " + std::to_string(units_line_));
}

void Reader::take_columns(std::vector<Title> titles, std::string_view line, std::size_t number) {
  layout_.time = find_column(titles, Title::Kind::time, options_.time_column, number);
  layout_.force = find_column(titles, Title::Kind::force, options_.force_column, number);
  if (layout_.time == layout_.force) refuse(number, line, "time and force must be two columns");
  if (!units_.empty()) read_units_row(titles);
  const auto units_at = units_.empty() ? number : units_line_;
  const auto& time = titles[layout_.time];
  layout_.per_second = take_unit(time, Title::Kind::time, given_.time, units_at);
  layout_.per_newton = take_unit(titles[layout_.force], Title::Kind::force, given_.force, units_at);
  layout_.unit_of_time_known = given_.time || !time.unit.empty();
  layout_.named = true;

  std::string others;
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (i != layout_.time && i != layout_.force)
      others += (others.empty() ? "" : ", ") + text::printable(titles[i].name.empty() ? "(no name)" : titles[i].name);
  if (!others.empty()) note(WarningCode::unused_columns, others, "columns not used: " + others);
}

/// How many of a column's unit make one s or one N: what the options say, else what stands in the file.
double Reader::take_unit(const Title& title, Title::Kind kind, const std::optional<GivenUnit>& given,
                         std::size_t number) {
  const std::string what = kind == Title::Kind::time ? "time" : "force";
  if (given) {
    if (!title.unit.empty() && !(title.unit_known && title.unit_kind == kind && title.per_unit == given->per_unit))
      note(WarningCode::unit_replaced, what,
           what + " is taken in " + text::printable(given->word) + " as told, not in " + text::printable(title.unit));
    return given->per_unit;
  }
  if (kind == Title::Kind::force && title.unit_kind == Title::Kind::acceleration)
    refuse(number, title.unit, "an acceleration; with the mass that it moves it is a force: units force=g*MASS");
  if (!title.unit_known || (!title.unit.empty() && title.unit_kind != kind))
    refuse(number, title.unit, "not a unit of " + what + ": " + (kind == Title::Kind::time ? time_units : force_units));
  return title.per_unit;
}

std::size_t Reader::find_column(const std::vector<Title>& titles, Title::Kind kind, const std::string& wanted,
                                std::size_t number) const {
  const std::string what = kind == Title::Kind::time ? "time" : "force";
  const auto line = kind == Title::Kind::time ? "t, time or timestamp" : "f, force, fx, fy, fz, fn or normal force";
  const bool as_written = std::ranges::any_of(titles, [&](const Title& t) { return text::same_word(t.whole, wanted); });
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const auto& title = titles[i];
    if (wanted.empty() ? title.kind != kind : !text::same_word(as_written ? title.whole : title.name, wanted)) continue;
    if (found)
      refuse(number, titles[*found].name + " and " + title.name,
             "two columns could be the " + what + "; keep one or name one");
    found = i;
  }
  if (const auto place = column_number(wanted); !found && place && *place >= 1 && *place <= titles.size())
    found = *place - 1;
  const auto& text = header_.empty() ? last_comment_ : header_;
  if (!found && !wanted.empty()) refuse(number, text, "has no column named " + text::printable(wanted));
  if (!found)
    refuse(number, text,
           "the header names no " + what + " column (" + line + ")" +
               (kind == Title::Kind::time && counts_the_rows() ? "; the first counts the rows" : ""));
  return *found;
}

void Reader::read_row() {
  // Goes over the cells and keeps two of them; without a list, since this runs millions of times.
  std::string_view time, force, rest = lines_.line, last;
  std::size_t cells = 0;
  const bool blanks = layout_.separator == ' ';
  while (true) {
    if (blanks) {
      while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\r')) rest.remove_prefix(1);
      if (rest.empty()) break;
    }
    const auto end = blanks ? rest.find(' ') : text::cell_end(rest, layout_.separator);
    last = rest.substr(0, end);
    if (cells == layout_.time) time = last;
    if (cells == layout_.force) force = last;
    ++cells;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (cells == layout_.cells + 1 && text::trim(last).empty()) --cells;

  // A comma that is not the separator, or is in quotes, is a decimal comma. Else a decimal comma changes the count.
  if (cells != layout_.cells)
    refuse(lines_.line, "this row has " + cells_text(cells) + ", the table has " + cells_text(layout_.cells) +
                            (layout_.separator == ',' && cells > layout_.cells ? "; is there a decimal comma?" : ""));
  has_point_ = has_point_ || time.find('.') != std::string_view::npos || force.find('.') != std::string_view::npos;
  has_comma_ = has_comma_ || time.find(',') != std::string_view::npos || force.find(',') != std::string_view::npos;
  if (has_point_ && has_comma_)
    refuse(lines_.line, "commas and points inside numbers; write one of them for decimals and no thousands separators");

  double t = 0, f = 0;
  const auto time_is = read_number(time, t), force_is = read_number(force, f);
  for (const auto& [is, cell] : {std::pair(time_is, time), std::pair(force_is, force)}) {
    if (is == Number::out_of_range) refuse(text::trim(cell), "beyond the range of a double");
    if (is == Number::wrong && layout_.separator == ',' && cell.find(' ', 1) < cell.find_last_not_of(' '))
      refuse(lines_.line, "a comma inside a number; with decimal commas, separate the cells by semicolons");
    if (is == Number::wrong) refuse(text::trim(cell), "not a number");
  }
  if (time_is == Number::missing || force_is == Number::missing) {
    if (record_.dropped++ == 0) first_dropped_ = lines_.number;
    return;
  }
  t /= layout_.per_second;
  f /= layout_.per_newton;
  if (std::abs(t) > max_record_number) refuse(text::trim(time), "time must be within 1e12 s");
  if (std::abs(f) > max_record_number) refuse(text::trim(force), "force must be within 1e12 N");
  if (!record_.time.empty()) {
    const double step = t - record_.time.back();
    if (step < 0) refuse(text::trim(time), "time goes back; it must increase from row to row");
    if (step < min_record_step) refuse(text::trim(time), "time repeats; it must increase from row to row");
  }
  if (record_.time.size() == options_.max_samples)
    refuse("more than " + std::to_string(options_.max_samples) + " samples",
           "the limit for a record (RecordOptions::max_samples, --max-samples)");
  record_.time.push_back(t);
  record_.force.push_back(f);
}

void Reader::finish() {
  const auto rows = record_.time.size() + record_.dropped;
  const auto count = std::to_string(record_.dropped) + " of " + std::to_string(rows) + " rows";
  if (static_cast<double>(record_.dropped) > max_missing_share * static_cast<double>(rows))
    refuse(first_dropped_, count, "at most 95 % of the rows may lack a number; this is the first");
  if (record_.time.size() < min_record_samples)
    throw FileError(name_, std::to_string(record_.time.size()) + " samples",
                    "a record needs at least " + std::to_string(min_record_samples));
  // 0,04,1,5 may be two numbers or four; with whole numbers only, the two cannot be told apart. In quotes they can.
  const bool told = !options_.time_column.empty() || !options_.force_column.empty();
  if (!layout_.named && !told && layout_.separator == ',' && layout_.cells > 2 && !has_point_ && !has_comma_)
    throw FileError(name_, std::to_string(layout_.cells) + " columns of whole numbers",
                    "commas may be decimal commas here; add a header line");
  if (record_.dropped > 0)
    note(WarningCode::missing_numbers, {},
         count + " lack a number and are left out, the first in line " + std::to_string(first_dropped_));
  if (has_comma_) note(WarningCode::decimal_comma, {}, "commas inside numbers are taken as decimal commas");

  const auto timing = sampling(record_);
  if (timing.gaps > 0)
    note(WarningCode::gaps_in_time, "time",
         std::to_string(timing.gaps) + (timing.gaps == 1 ? " gap" : " gaps") + " in time, the largest of " +
             to_text(timing.largest_gap, 6) + " s after t = " + to_text(timing.largest_gap_at, 6) + " s");
  constexpr double even = 0.01;
  if (timing.jitter > even)
    note(WarningCode::uneven_sampling, "time",
         "uneven sampling: the step varies by " + to_text(std::round(1000 * timing.jitter) / 10) +
             " % (standard deviation)");
  constexpr double slow = 500;  // an impact lasts milliseconds
  if (timing.rate < slow)
    note(WarningCode::low_rate, "time",
         "the rate is " + to_text(timing.rate, 6) + " Hz, low for an impact" +
             (layout_.unit_of_time_known ? "" : "; is time in seconds?"));
}

}  // namespace

void validate(const RecordOptions& options) {
  static_cast<void>(read_units(options.units));
}

Record parse_record(std::string_view text, const std::string& name, const RecordOptions& options) {
  return Reader(text, name, options).read();
}

std::string format_record(const Record& record) {
  validate(record);
  std::string text;
  for (const auto& comment : record.comments) {
    text += "# ";
    for (const char c : comment) text += c == '\n' || c == '\0' ? ' ' : c;
    text += '\n';
  }
  text += "time [s],force [N]\n";
  for (std::size_t i = 0; i < record.time.size(); ++i)
    text.append(to_text(record.time[i])).append(",").append(to_text(record.force[i])).append("\n");
  return text;
}

}  // namespace thud
