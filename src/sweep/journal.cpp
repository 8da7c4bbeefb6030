#include "sweep/journal.hpp"

#include <thud/error.hpp>
#include <thud/table.hpp>

#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace thud::sweeping {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  return path + ".parts";
}

std::string rows_file(const std::string& path) {
  return folder_of(path) + "/rows";
}

std::string plan_file(const std::string& path) {
  return folder_of(path) + "/plan";
}

FileLock locked(const std::string& path) {
  try {
    if (auto lock = FileLock::take(folder_of(path) + "/lock")) return std::move(*lock);
  } catch (const std::system_error& error) {
    throw FileError(path, "cannot be written", error.code().message());
  }
  throw FileError(path, "is being written by another process", "a sweep has one writer at a time; use --shard");
}

// FNV-1a, 64 bits: enough against a line that was cut.
std::uint64_t checksum(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

// A field between tabs.
std::string escaped(const std::string& text) {
  std::string field;
  for (const char c : text) {
    if (c == '\\')
      field += "\\\\";
    else if (c == '\t')
      field += "\\t";
    else if (c == '\n')
      field += "\\n";
    else
      field += c;
  }
  return field;
}

std::string unescaped(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      text += field[i];
      continue;
    }
    ++i;
    text += field[i] == 't' ? '\t' : field[i] == 'n' ? '\n' : field[i];
  }
  return text;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// row, then column, unit, kind and value of each cell, then the checksum of all that.
std::string line_of(std::size_t row, const std::vector<SweepCell>& cells) {
  std::string line = std::to_string(row);
  for (const SweepCell& cell : cells) {
    const auto* number = std::get_if<double>(&cell.value);
    line.append("\t").append(escaped(cell.column)).append("\t").append(escaped(cell.unit));
    line.append(number ? "\tn\t" : "\tt\t");
    line += number ? to_text(*number) : escaped(std::get<std::string>(cell.value));
  }
  return line + "\t" + std::to_string(checksum(line)) + "\n";
}

// The fields of a line whose checksum is right, without it.
std::vector<std::string_view> sound_fields(std::string_view line) {
  const auto end = line.rfind('\t');
  if (end == std::string_view::npos) return {};
  if (parsed<std::uint64_t>(line.substr(end + 1)) != checksum(line.substr(0, end))) return {};
  auto fields = fields_of(line.substr(0, end));
  return fields.size() % 4 == 1 ? fields : std::vector<std::string_view>{};
}

std::map<std::size_t, std::streamoff> rows_in(const std::string& file) {
  std::map<std::size_t, std::streamoff> rows;
  std::ifstream in(file, std::ios::binary);
  std::string line;
  for (std::streamoff at = 0; std::getline(in, line); at += static_cast<std::streamoff>(line.size()) + 1) {
    const auto fields = sound_fields(line);
    if (const auto row = fields.empty() ? std::nullopt : parsed<std::size_t>(fields.front())) rows.emplace(*row, at);
  }
  return rows;
}

}  // namespace

bool has_journal(const std::string& path) {
  std::error_code error;
  return fs::exists(folder_of(path), error);
}

Journal::Journal(std::string path, const std::string& plan) : path_(std::move(path)), lock_(locked(path_)) {
  remove_table_leftovers(path_);
  std::error_code error;
  if (!fs::exists(plan_file(path_), error)) {
    fs::remove(rows_file(path_), error);
    write_file(plan_file(path_), plan);
  } else if (read_file(plan_file(path_)) != plan) {
    throw FileError(folder_of(path_), "rows of another sweep",
                    "must be finished with its own plan, or removed; or choose another name");
  }
  rows_ = rows_in(rows_file(path_));
  out_.open(rows_file(path_), std::ios::binary | std::ios::app);
  out_.seekp(0, std::ios::end);
  if (out_.tellp() > 0) out_ << '\n';  // after a line that was cut; an empty one is no row
}

std::vector<SweepCell> Journal::read(std::size_t row) const {
  std::ifstream in(rows_file(path_), std::ios::binary);
  in.seekg(rows_.at(row));
  std::string line;
  std::getline(in, line);
  const auto fields = sound_fields(line);
  std::vector<SweepCell> cells;
  for (std::size_t i = 1; i + 3 < fields.size(); i += 4) {
    SweepCell cell{unescaped(fields[i]), unescaped(fields[i + 1]), {}};
    if (fields[i + 2] == "n")
      cell.value = parsed<double>(fields[i + 3]).value_or(std::numeric_limits<double>::quiet_NaN());
    else
      cell.value = unescaped(fields[i + 3]);
    cells.push_back(std::move(cell));
  }
  if (cells.empty()) throw FileError(rows_file(path_), "row " + std::to_string(row), "cannot be read");
  return cells;
}

void Journal::put(std::size_t row, const std::vector<SweepCell>& cells) {
  const auto at = static_cast<std::streamoff>(out_.tellp());
  out_ << line_of(row, cells) << std::flush;
  if (!out_) throw FileError(rows_file(path_), "row " + std::to_string(row), "cannot be written");
  rows_.insert_or_assign(row, at);
}

void Journal::remove() {
  out_.close();
  std::error_code error;
  std::vector<fs::path> files{rows_file(path_), folder_of(path_) + "/lock"};
  for (const auto& entry : fs::directory_iterator(folder_of(path_), error))
    if (entry.path().stem() == "plan") files.push_back(entry.path());  // and what a killed writer left of it
  for (const auto& file : files) fs::remove(file, error);
  fs::remove(folder_of(path_), error);
}

}  // namespace thud::sweeping
