#include <thud/error.hpp>
#include <thud/record.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "text/column_titles.hpp"

namespace THUD_EXPORT thud {
namespace {

using text::Title;

/// Columns of time and force, and how many of their units make one s and one N.
struct Layout {
  char separator = ',';
  std::size_t cells = 0, time = 0, force = 1;
  double per_second = 1, per_newton = 1;
  bool named = false;
};

/// Lines of a text, numbered from 1, without line ends and comments.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }
  bool next() {
    if (rest_.empty()) return false;
    const auto end = rest_.find('\n');
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
};

enum class Number { value, missing, wrong, out_of_range };

Number read_number(std::string_view cell, double& value) {
  if (!cell.empty() && (cell.front() <= ' ' || cell.back() <= ' ' || cell.front() == '"')) cell = text::trim(cell);
  if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-') cell.remove_prefix(1);
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size())
    return std::isfinite(value) ? Number::value : Number::missing;
  if (error == std::errc::result_out_of_range) return Number::out_of_range;
  for (const std::string_view word : {"", "na", "n/a", "null"})
    if (text::same_word(cell, word)) return Number::missing;
  return Number::wrong;
}

char find_separator(std::string_view line) {
  for (const char c : {';', '\t', ','})
    if (line.find(c) != std::string_view::npos) return c;
  return ' ';
}

std::string cells_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

/// State of the reader while it goes through the lines.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const RecordOptions& options)
      : text_(text), name_(name), options_(options), lines_(text) {}

  Record read();

 private:
  [[noreturn]] void refuse(std::string_view value, const std::string& rule) const {
    refuse(lines_.number, value, rule);
  }
  [[noreturn]] void refuse(std::size_t line, std::string_view value, std::string rule) const {
    throw FileError(name_ + ":" + std::to_string(line), text::printable(value), std::move(rule));
  }
  void note(WarningCode code, std::string subject, std::string text) {
    record_.notes.push_back({code, std::move(subject), std::move(text)});
  }
  bool starts_with_number(std::string_view line) const;
  std::vector<Title> read_titles(std::string_view line, char separator) const;
  void read_header();
  void read_comment_header();
  void take_columns(const std::vector<Title>& titles, std::string_view line, std::size_t number);
  std::size_t find_column(const std::vector<Title>& titles, Title::Kind kind, const std::string& wanted,
                          std::size_t number) const;
  void read_first_row();
  void read_row();
  void finish();

  std::string_view text_;
  const std::string& name_;
  const RecordOptions& options_;
  Lines lines_;
  Layout layout_;
  Record record_;
  std::string_view header_, last_comment_;
  std::size_t header_line_ = 0, comment_line_ = 0;
  std::size_t first_dropped_ = 0;
  bool has_point_ = false;
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
    } else {
      if (!in_table) read_first_row();
      in_table = true;
      read_row();
    }
  }
  finish();
  return std::move(record_);
}

bool Reader::starts_with_number(std::string_view line) const {
  const auto cell = text::split(line, find_separator(line)).front();
  if (!cell.empty() && std::string_view("+-.0123456789").find(cell.front()) != std::string_view::npos) return true;
  double value = 0;
  return read_number(cell, value) != Number::wrong;  // nan and the like
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
  if (layout_.named) return;
  for (const auto& wanted : {options_.time_column, options_.force_column})
    if (!wanted.empty()) refuse(wanted, "there is no header to find this column in");
  if (cells.size() > 2)
    note(WarningCode::no_header, {},
         "no header: the first of " + std::to_string(cells.size()) +
             " columns is taken as time [s], the second as force [N]");
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
    const auto count = [&](auto kind) { return std::ranges::count(titles, kind, &Title::kind); };
    if (titles.size() != layout_.cells || count(Title::Kind::time) != 1 || count(Title::Kind::force) != 1) continue;
    note(WarningCode::header_in_comment, {},
         "the column names are taken from the comment in line " + std::to_string(comment_line_));
    return take_columns(titles, last_comment_, comment_line_);
  }
}

void Reader::read_header() {
  const auto titles = read_titles(header_, layout_.separator);
  if (titles.size() != layout_.cells)
    refuse(lines_.line, "this row has " + cells_text(layout_.cells) + ", the header in line " +
                            std::to_string(header_line_) + " has " + cells_text(titles.size()));
  take_columns(titles, header_, header_line_);
}

void Reader::take_columns(const std::vector<Title>& titles, std::string_view line, std::size_t number) {
  layout_.time = find_column(titles, Title::Kind::time, options_.time_column, number);
  layout_.force = find_column(titles, Title::Kind::force, options_.force_column, number);
  if (layout_.time == layout_.force) refuse(number, line, "time and force must be two columns");
  layout_.per_second = titles[layout_.time].per_unit;
  layout_.per_newton = titles[layout_.force].per_unit;
  layout_.named = true;

  std::string others;
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (i != layout_.time && i != layout_.force)
      others += (others.empty() ? "" : ", ") + text::printable(titles[i].name.empty() ? "(no name)" : titles[i].name);
  if (!others.empty()) note(WarningCode::unused_columns, others, "columns not used: " + others);
}

std::size_t Reader::find_column(const std::vector<Title>& titles, Title::Kind kind, const std::string& wanted,
                                std::size_t number) const {
  const std::string what = kind == Title::Kind::time ? "time" : "force";
  const auto line = kind == Title::Kind::time ? "t, time or timestamp" : "f, force, fx, fy, fz, fn or normal force";
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (wanted.empty() ? titles[i].kind != kind : !text::same_word(titles[i].name, wanted)) continue;
    if (found)
      refuse(number, titles[*found].name + " and " + titles[i].name,
             "two columns could be the " + what + "; keep one or name one");
    found = i;
  }
  const auto& text = header_.empty() ? last_comment_ : header_;
  if (!found && !wanted.empty()) refuse(number, text, "has no column named " + text::printable(wanted));
  if (!found) refuse(number, text, "the header names no " + what + " column (" + line + ")");
  const auto& title = titles[*found];
  if (!title.unit_known || (!title.unit.empty() && title.unit_kind != kind))
    refuse(number, title.unit,
           std::string("not a unit of ") + what + (kind == Title::Kind::time ? ": s, ms, us" : ": N, kN"));
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
    const auto end = rest.find(layout_.separator);
    last = rest.substr(0, end);
    if (cells == layout_.time) time = last;
    if (cells == layout_.force) force = last;
    ++cells;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (cells == layout_.cells + 1 && text::trim(last).empty()) --cells;

  // A comma that is not the separator is inside a number. If it is the separator, a decimal comma changes the count.
  const auto comma_rule = "a comma inside a number; write decimal points and no thousands separators";
  if (layout_.separator != ',' &&
      (time.find(',') != std::string_view::npos || force.find(',') != std::string_view::npos))
    refuse(lines_.line, comma_rule);
  if (cells != layout_.cells)
    refuse(lines_.line, "this row has " + cells_text(cells) + ", the table has " + cells_text(layout_.cells) +
                            (layout_.separator == ',' && cells > layout_.cells ? "; is there a decimal comma?" : ""));
  has_point_ = has_point_ || time.find('.') != std::string_view::npos || force.find('.') != std::string_view::npos;

  double t = 0, f = 0;
  const auto time_is = read_number(time, t), force_is = read_number(force, f);
  for (const auto& [is, cell] : {std::pair(time_is, time), std::pair(force_is, force)}) {
    if (is == Number::out_of_range) refuse(text::trim(cell), "beyond the range of a double");
    if (is == Number::wrong && layout_.separator == ',' && cell.find(' ', 1) < cell.find_last_not_of(' '))
      refuse(lines_.line, comma_rule);
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
  record_.time.push_back(t);
  record_.force.push_back(f);
}

void Reader::finish() {
  const auto rows = record_.time.size() + record_.dropped;
  const auto count = std::to_string(record_.dropped) + " of " + std::to_string(rows) + " rows";
  if (static_cast<double>(record_.dropped) > max_missing_share * static_cast<double>(rows))
    refuse(first_dropped_, count, "at most 5 % of the rows may lack a number; this is the first");
  if (record_.time.size() < min_record_samples)
    throw FileError(name_, std::to_string(record_.time.size()) + " samples",
                    "a record needs at least " + std::to_string(min_record_samples));
  // 0,04,1,5 may be two numbers or four; with whole numbers only, the two cannot be told apart.
  if (!layout_.named && layout_.separator == ',' && layout_.cells > 2 && !has_point_)
    throw FileError(name_, std::to_string(layout_.cells) + " columns of whole numbers",
                    "commas may be decimal commas here; add a header line");
  if (record_.dropped > 0)
    note(WarningCode::missing_numbers, {},
         count + " lack a number and are left out, the first in line " + std::to_string(first_dropped_));

  const auto timing = sampling(record_);
  if (timing.gaps > 0)
    note(WarningCode::gaps_in_time, "time",
         std::to_string(timing.gaps) + " gaps in time, the largest of " + to_text(timing.largest_gap) +
             " s after t = " + to_text(timing.largest_gap_at) + " s");
  constexpr double even = 0.01;
  if (timing.jitter > even)
    note(WarningCode::uneven_sampling, "time",
         "uneven sampling: the step varies by " + to_text(std::round(1000 * timing.jitter) / 10) +
             " % (standard deviation)");
  constexpr double slow = 500;  // an impact lasts milliseconds
  if (timing.rate < slow)
    note(WarningCode::low_rate, "time",
         "the rate is " + to_text(timing.rate) + " Hz, low for an impact; is time in seconds?");
}

}  // namespace

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
