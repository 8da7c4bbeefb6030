#pragma once

/// Private: rows of a sweep as a table, and the plan that a table is of.

#include <thud/sweep.hpp>
#include <thud/table.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace thud::sweeping {

/// What a file of a sweep says it is.
inline constexpr auto sweep_format = "thud sweep";

/// The claims that a study judges, of whatever trials: of the paper, then beyond it.
const std::vector<Verdict>& judged_claims();

/// What identifies a sweep: the plan, its first campaign with every key and the robot, versions of the programs.
std::map<std::string, std::string> identity(const SweepPlan& plan);

/// The first of these texts that a table does not have, in words; empty: none.
std::string other_identity(const Table& table, const std::map<std::string, std::string>& texts);

/// The refinements of a file as one of its texts, and back.
std::string refinement_text(const std::vector<Refinement>& refinements);
std::vector<Refinement> refinements_of(const Table& table);

/// Numbers of a table's rows. Throws FileError for a table that is no sweep's.
std::vector<std::size_t> row_numbers(const Table& table, const std::string& path);

/// One row of a table, without its number.
std::vector<SweepCell> cells_of(const Table& table, std::size_t row);

/// The table of rows in the order of their numbers. First number, point and failure, then all columns that any row has,
/// by name: so their order does not depend on which rows are put together.
Table table_of(const SweepPlan& plan, const std::vector<std::size_t>& rows,
               const std::function<std::vector<SweepCell>(std::size_t row)>& read);

}  // namespace thud::sweeping
