/// Any bytes are a dataset in HDF5 or a FileError, never a crash; a dataset can be written, and reads back the same.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/mman.h>

#include "trials.hpp"

namespace {

void promise(bool kept) {
  if (!kept) std::abort();
}

/// A file in memory that has a name.
struct File {
  int descriptor = ::memfd_create("fuzz", 0);
  std::string path = "/proc/self/fd/" + std::to_string(descriptor);
};

void check_message(const File& file, const thud::FileError& error) {
  promise(error.argument().starts_with(file.path) && !error.rule().empty());
  promise(std::string_view(error.what()).find('\n') == std::string_view::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  promise(::ftruncate(file.descriptor, 0) == 0 &&
          ::pwrite(file.descriptor, data, size, 0) == static_cast<ssize_t>(size));
  try {
    const thud::DatasetReader reader(file.path);
    const auto dataset = reader.dataset();
    validate(dataset);
    static const thud::test::Folder folder;
    thud::write_dataset(folder / "again.h5", dataset, {}, true);
    promise(thud::test::same(thud::read_dataset(folder / "again.h5"), dataset));
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
  } catch (const thud::FileError& error) {
    check_message(file, error);
  }
  return 0;
}
