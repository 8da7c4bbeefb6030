/// Whatever the HDF5 library answers is a dataset, a table or a FileError, never a crash, and all that was opened is
/// closed. The files themselves are the part of `dataset` and `table`.

#include <thud/dataset.hpp>
#include <thud/sweep.hpp>
#include <thud/table.hpp>

#include "hdf5_answers.hpp"
#include "target.hpp"
#include "trials.hpp"

namespace {

/// The beginning that the readers look at themselves, of a file of that size.
std::string file_of(std::size_t size) {
  std::string bytes(size, '\0');
  bytes.replace(0, 8, "\x89HDF\r\n\x1a\n");
  bytes[8] = 3, bytes[9] = 8, bytes[10] = 8;                                             // version; sizes of numbers
  for (std::size_t i = 0; i < 8; ++i) bytes[28 + i] = static_cast<char>(size >> 8 * i);  // its end
  return bytes;
}

bool is_dataset(const std::string& bytes) {
  try {
    const auto reader = thud::DatasetReader::in_memory(bytes, "fuzz.h5");
    const auto dataset = reader.dataset();
    validate(dataset);
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.h5");
    return false;
  }
}

bool is_table(const std::string& path) {
  try {
    const thud::Table table = thud::read_table(path, "thud sweep");
    promise(thud::file_format(path) == table.format);
  } catch (const thud::FileError& error) {
    check_message(error, path);
    return false;
  }
  try {
    static_cast<void>(thud::read_sweep_result(path));
  } catch (const thud::Error& error) {
    check_message(error, "");
  }
  return true;
}

}  // namespace

bool takes(std::string_view input) {
  static const thud::test::Folder folder;
  static const std::string bytes = file_of(4096), path = folder / "fuzz.h5";
  static const bool written = (thud::write_file(path, bytes), true);
  answer_with(input);
  const bool taken = is_dataset(bytes) || is_table(path);
  promise(written && forget_answers());
  return taken;
}
