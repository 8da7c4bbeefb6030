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
///          force. One without exactly one time and one force column is rejected unless RecordOptions names them.
///          Without a header the first column is time, the second force; where the first counts the rows (0, 1, 2, ...)
///          and the second increases, they are the second and the third, which is noted. `# time force` as the last
///          comment before the numbers, as NumPy writes it, counts.
/// Units    s, ms, us, ns; N, mN, kN, MN, lbf, kgf; written [ms], (ms), /ms or _ms after the name, or in a row of their
///          own under the header. None means s and N, others are rejected unless RecordOptions gives them.
/// Cells    separated by semicolon, tab, comma or blanks: the first of this list that is in the first row.
/// Numbers  have a decimal point or, in a table not separated by commas or in quotes ("0,4"), a decimal comma, which is
///          noted; both in one table are rejected.
/// Missing  a row whose time or force is empty, nan, na, null or infinite is dropped and counted; where that leaves
///          less than 5 % of the rows, the record is rejected.
/// Time     strictly increasing. Uneven steps and gaps are kept and noted, nothing is filled in.
/// Also     blank lines, a byte order mark, CR LF line ends, quoted cells, and a comment after a row.
///
/// The force stays as the sensor gave it, with offset, drift and sign: find_contact judges those.

#include <thud/export.hpp>
#include <thud/file.hpp>
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
  std::string time_column{};   ///< name in the header, or number from 1; empty: the one that is recognised
  std::string force_column{};  ///< name in the header, or number from 1; empty: the one that is recognised
  std::string units{};  ///< "time=ms,force=kN", either or both, in place of what the header says; an acceleration takes
                        ///< the mass in kg that it moves: "force=g*1.5", "force=m/s^2*1.5"; 1 g = 9.80665 m/s^2
  std::size_t skip = 0;                  ///< lines to leave out at the beginning                             [1]
  std::size_t max_size = max_file_size;  ///< longest text that is read                         [bytes]
  std::size_t max_samples = 50'000'000;  ///< most samples                                      [1]
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
inline constexpr double max_missing_share = 0.95;  ///< of the rows                       [1]
inline constexpr double max_record_number = 1e12;  ///< of a time or a force              [s, N]
inline constexpr double min_record_step = 1e-12;   ///< from one time to the next         [s]

/// Reads a record; `-` is standard input. Throws FileError: argument `file:line`, the text that is wrong, the rule; and
/// InputError as validate of the options does.
Record read_record(const std::string& path, const RecordOptions& options = {});

/// The same from memory; `name` is the file in messages.
Record parse_record(std::string_view text, const std::string& name, const RecordOptions& options = {});

/// The record as text that parse_record reads back to the same numbers. Throws InputError as validate does.
std::string format_record(const Record& record);

/// Writes format_record's text; whole or not at all. Throws InputError as validate does, and FileError.
void write_record(const std::string& path, const Record& record);

/// Throws InputError unless time and force have the same length and obey the bounds above.
void validate(const Record& record);

/// Throws InputError for units that cannot be understood.
void validate(const RecordOptions& options);

/// Steps of time and gaps. Throws InputError as validate does.
Sampling sampling(const Record& record);

}  // namespace thud
