/// Any bytes are a dataset in HDF5 or a FileError, never a crash; a dataset can be written, and reads back the same.
/// Bytes behind an `@` are changes to a dataset, which the first of them chooses.

#include <array>
#include <cstddef>
#include <filesystem>

#include "edits.hpp"
#include "small_dataset.hpp"
#include "target.hpp"

namespace {

std::string small_file(Measured measured) {
  const thud::test::Folder folder;
  const auto& [dataset, truths] = small_dataset(measured);
  thud::write_dataset(folder / "a.h5", dataset, truths, true);
  return thud::read_file(folder / "a.h5");
}

std::string changed(std::string_view changes) {
  static const std::array files{small_file(Measured::force), small_file(Measured::joints),
                                small_file(Measured::object)};
  const std::size_t which = changes.empty() ? 0 : static_cast<unsigned char>(changes.front()) % files.size();
  return edited(files[which], changes.substr(changes.empty() ? 0 : 1));
}

}  // namespace

bool takes(std::string_view input) {
  static const thud::test::Folder folder;
  const std::string again = folder / "again.h5";
  const std::string bytes = input.starts_with('@') ? changed(input.substr(1)) : std::string(input);
  try {
    const auto reader = thud::DatasetReader::in_memory(bytes, "fuzz.h5");
    const auto dataset = reader.dataset();
    validate(dataset);
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
    std::filesystem::remove(again);  // or it would be read and checked once more
    thud::write_dataset(again, dataset, {}, true);
    promise(thud::test::same(thud::read_dataset(again), dataset));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.h5");
    return false;
  }
}
