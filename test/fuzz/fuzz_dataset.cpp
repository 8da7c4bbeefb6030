/// Any bytes are a dataset in HDF5 or a FileError, never a crash; a dataset can be written, and reads back the same.

#include "target.hpp"
#include "trials.hpp"

bool takes(std::string_view bytes) {
  static const thud::test::Folder folder;  // not memfd_create: HDF5 wants the real path of what it opens
  const std::string path = folder / "fuzz.h5", again = folder / "again.h5";
  folder.put("fuzz.h5", bytes);
  try {
    const thud::DatasetReader reader(path);
    const auto dataset = reader.dataset();
    validate(dataset);
    thud::write_dataset(again, dataset, {}, true);
    promise(thud::test::same(thud::read_dataset(again), dataset));
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, path);
    return false;
  }
}
