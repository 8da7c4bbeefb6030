/// Any bytes are a dataset in HDF5 or a FileError, never a crash; a dataset can be written, and reads back the same.

#include "target.hpp"
#include "trials.hpp"

bool takes(std::string_view bytes) {
  static const thud::test::Folder folder;
  const std::string again = folder / "again.h5";
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
