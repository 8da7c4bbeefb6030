/// Any manifest and any table of joint signals, parted by a zero byte, are a dataset or a FileError, never a crash; a
/// dataset can be written as a folder, and reads back the same.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "trials.hpp"

namespace {

void promise(bool kept) {
  if (!kept) std::abort();
}

/// A folder in memory, with the files that a manifest may name.
struct Home {
  thud::test::Folder folder;
  Home() {
    std::string text = "# a record\ntime,force\n";
    for (int i = 0; i < 12; ++i) text += std::to_string(i) + "e-4," + std::to_string(i % 5) + "\n";
    put("a.csv", text);
    put("b.csv", text);
    put("arm.urdf", thud::urdf_text("planar_2r"));
  }
  void put(const std::string& name, std::string_view text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
};

/// Writing is not promised for joints whose names hold a comma or its like.
void check_written(const Home& home, const thud::Dataset& dataset) {
  const auto out = home.folder / "out";
  try {
    thud::write_dataset(out, dataset);
  } catch (const thud::InputError& error) {
    promise(error.argument() == "joint");
    return;
  }
  promise(thud::test::same(thud::read_dataset(out), dataset));
  std::filesystem::remove_all(out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Home home;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(text.find('\0'), size);
  home.put("manifest.toml", text.substr(0, end));
  home.put("joints.csv", text.substr(std::min(end + 1, size)));
  try {
    const thud::DatasetReader reader(home.folder.path.string());
    const auto dataset = reader.dataset();
    validate(dataset);
    check_written(home, dataset);
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
  } catch (const thud::FileError& error) {
    promise(error.argument().starts_with(home.folder.path.string()) && !error.rule().empty());
    promise(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
