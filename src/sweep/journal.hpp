#pragma once

/// Private: where an unfinished sweep keeps its rows, until they are put into one file.

#include <thud/file.hpp>
#include <thud/sweep.hpp>

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace thud::sweeping {

/// The store for its single writer: a folder beside the file with the plan, a lock that keeps other writers out, and
/// the rows that are finished, a line with a checksum each, appended as they come. A line that a killed writer left
/// incomplete is no row.
class Journal {
 public:
  /// Makes the folder if need be, takes the lock, and reads which rows are there. `plan` says what the rows are of.
  /// Throws FileError, also if another writer holds the lock or the folder has rows of another plan.
  Journal(std::string path, const std::string& plan);

  /// Rows by number, and where their lines are.
  const std::map<std::size_t, std::streamoff>& rows() const noexcept { return rows_; }
  std::vector<SweepCell> read(std::size_t row) const;

  /// Appends a row. Throws FileError.
  void put(std::size_t row, const std::vector<SweepCell>& cells);

  /// Removes all of it.
  void remove();

 private:
  std::string path_;  ///< of the sweep
  FileLock lock_;
  std::map<std::size_t, std::streamoff> rows_;
  std::ofstream out_;
};

/// Whether there is a folder of rows for this path.
bool has_journal(const std::string& path);

}  // namespace thud::sweeping
