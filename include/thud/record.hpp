#pragma once

/// A force record: what a force sensor wrote while something hit something.
///
/// As text it is a table with one column of time and one of force:
///
///   # any comment
///   time [ms], Fz (N), temperature
///   0.00, 0.1, 21.5
///   0.04, 0.3, 21.5
///
/// Header   optional. Recognised in any case: t, time, timestamp; f, force, fx, fy, fz, fn, normal force, contact
///          force. One without exactly one time and one force column is rejected. Without a header the first column
///          is time, the second force. `# time force` as the last comment before the numbers, as NumPy writes it,
///          counts.
/// Units    s, ms, us; N, kN; written [ms], (ms), /ms or _ms after the name. None means s and N, others are rejected.
/// Cells    separated by semicolon, tab, comma or blanks: the first of this list that is in the first row.
///          Numbers have a decimal point; a comma inside a number is rejected.
/// Missing  a row whose time or force is empty, nan, na, null or infinite is dropped and counted; more than 5 % of
///          the rows are rejected.
/// Time     strictly increasing. Uneven steps and gaps are kept and noted, nothing is filled in.
/// Also     blank lines, a byte order mark, CR LF line ends, quoted cells, and a comment after a row.
///
/// The force stays as the sensor gave it, with offset, drift and sign: find_contact judges those.

#include <thud/export.hpp>
#include <thud/warning.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// Samples of a force over time, and what was noticed while reading them.
struct Record {
  std::vector<double> time{};           ///< strictly increasing                              [s]     (n)
  std::vector<double> force{};          ///< as measured                                      [N]     (n)
  std::size_t dropped = 0;              ///< rows left out because a number was missing       [1]
  std::vector<std::string> comments{};  ///< the first hundred `#` lines before the numbers, without the mark
  std::vector<Warning> notes{};         ///< what the reader had to decide
};

/// Notes of a record as a dataset keeps them: a text each.
std::vector<Warning> stored_notes(const std::vector<std::string>& texts);

/// How a record is to be read.
struct RecordOptions {
  std::string time_column{};   ///< name in the header; empty: the one that is recognised
  std::string force_column{};  ///< name in the header; empty: the one that is recognised
};

/// How a record was sampled.
struct Sampling {
  std::size_t samples = 0;    ///< [1]
  double duration = 0;        ///< from first to last sample                               [s]
  double period = 0;          ///< median step of time                                     [s]
  double rate = 0;            ///< 1/period                                                [Hz]
  double jitter = 0;          ///< standard deviation of the steps but gaps, over the period [1]
  double gap = 0;             ///< a step above this is a gap: 1.5 periods, and 5 MAD sigmas [s]
  std::size_t gaps = 0;       ///< how many                                                [1]
  double largest_gap = 0;     ///< 0 without a gap                                         [s]
  double largest_gap_at = 0;  ///< time before it                                          [s]
};

/// Bounds on the numbers of a record. Beyond them it is a wrong unit or a wrong file rather than an impact.
inline constexpr std::size_t min_record_samples = 8;
inline constexpr double max_missing_share = 0.05;  ///< of the rows                       [1]
inline constexpr double max_record_number = 1e12;  ///< of a time or a force              [s, N]
inline constexpr double min_record_step = 1e-12;   ///< from one time to the next         [s]

/// Reads a record. Throws FileError: argument `file:line`, the text that is wrong, the rule.
Record read_record(const std::string& path, const RecordOptions& options = {});

/// The same from memory; `name` is the file in messages.
Record parse_record(std::string_view text, const std::string& name, const RecordOptions& options = {});

/// The record as text that parse_record reads back to the same numbers. Throws InputError as validate does.
std::string format_record(const Record& record);

/// Writes format_record's text; whole or not at all. Throws InputError as validate does, and FileError.
void write_record(const std::string& path, const Record& record);

/// Throws InputError unless time and force have the same length and obey the bounds above.
void validate(const Record& record);

/// Steps of time and gaps. Throws InputError as validate does.
Sampling sampling(const Record& record);

}  // namespace thud
