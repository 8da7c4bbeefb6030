/// Any bytes are a dataset in HDF5 or a FileError, never a crash; a dataset can be written, and reads back the same.
/// Bytes behind an `@` are changes to a dataset.

#include <cstdint>

#include "edits.hpp"
#include "target.hpp"
#include "trials.hpp"

namespace {

std::string small_dataset() {
  const thud::test::Folder folder;
  auto dataset = thud::test::sample_dataset(2);
  for (auto& trial : dataset.trials) trial.force.time.resize(8), trial.force.force.resize(8);
  thud::write_dataset(folder / "a.h5", dataset, thud::test::sample_truths(2), true);
  return thud::read_file(folder / "a.h5");
}

}  // namespace

bool takes(std::string_view input) {
  static const thud::test::Folder folder;
  static const std::string whole = small_dataset();
  const std::string again = folder / "again.h5";
  const std::string bytes = input.starts_with('@') ? edited(whole, input.substr(1)) : std::string(input);
  try {
    const auto reader = thud::DatasetReader::in_memory(bytes, "fuzz.h5");
    const auto dataset = reader.dataset();
    validate(dataset);
    thud::write_dataset(again, dataset, {}, true);
    promise(thud::test::same(thud::read_dataset(again), dataset));
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, "fuzz.h5");
    return false;
  }
}
