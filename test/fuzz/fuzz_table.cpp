/// Any bytes are a table in HDF5 or a FileError, never a crash; a table can be written, and reads back the same. That
/// of a sweep is shown and merged, or refused by an error in one line. Bytes behind an `@` are changes to such a table.

#include <thud/sweep.hpp>
#include <thud/table.hpp>

#include "edits.hpp"
#include "sweep_table.hpp"
#include "target.hpp"
#include "trials.hpp"

namespace {

bool same(const thud::Column& a, const thud::Column& b) {
  const auto same_numbers = [&](const std::vector<double>& x) {
    const auto& y = std::get<std::vector<double>>(b.values);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](double p, double q) { return thud::test::same(p, q); });
  };
  if (a.name != b.name || a.unit != b.unit || a.values.index() != b.values.index()) return false;
  const auto* numbers = std::get_if<std::vector<double>>(&a.values);
  return numbers ? same_numbers(*numbers) : a.values == b.values;
}

bool same(const thud::Table& a, const thud::Table& b) {
  return a.format == b.format && a.texts == b.texts && a.rows == b.rows &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const thud::Column& x, const thud::Column& y) { return same(x, y); });
}

void check_sweep(const std::string& path, const std::string& out) {
  try {
    const thud::SweepResult result = thud::read_sweep_result(path);
    static_cast<void>(thud::answer_sweep(result));
    thud::merge_sweeps({path}, out, true);
  } catch (const thud::Error& error) {
    check_message(error, "");
  }
}

std::string whole_table() {
  const thud::test::Folder folder;
  thud::write_table(folder / "a.h5", sweep_table());
  return thud::read_file(folder / "a.h5");
}

}  // namespace

bool takes(std::string_view input) {
  static const thud::test::Folder folder;
  static const std::string whole = whole_table();
  const std::string path = folder / "fuzz.h5", again = folder / "again.h5";
  folder.put("fuzz.h5", input.starts_with('@') ? edited(whole, input.substr(1)) : std::string(input));
  try {
    const thud::Table table = thud::read_table(path, "thud sweep");
    promise(thud::file_format(path) == table.format);
    thud::write_table(again, table);
    promise(same(thud::read_table(again, table.format), table));
  } catch (const thud::FileError& error) {
    check_message(error, path);
    return false;
  }
  check_sweep(path, again);
  return true;
}
