/// Any manifest and any table of joint signals, parted by a zero byte, are a dataset or a FileError, never a crash; a
/// dataset can be written as a folder, and reads back the same.

#include <algorithm>
#include <string>

#include "target.hpp"
#include "trials.hpp"

namespace {

/// A folder with the files that a manifest may name.
struct Home : thud::test::Folder {
  Home() {
    std::string text = "# a record\ntime,force\n";
    for (int i = 0; i < 12; ++i) text += std::to_string(i) + "e-4," + std::to_string(i % 5) + "\n";
    put("a.csv", text);
    put("b.csv", text);
    put("arm.urdf", thud::urdf_text("planar_2r"));
  }
};

/// Writing is not promised for joints whose names hold a comma or its like.
void check_written(const Home& home, const thud::Dataset& dataset) {
  const auto out = home / "out";
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

bool takes(std::string_view text) {
  static const Home home;
  const auto end = std::min(text.find('\0'), text.size());
  home.put("manifest.toml", text.substr(0, end));
  home.put("joints.csv", text.substr(std::min(end + 1, text.size())));
  try {
    const thud::DatasetReader reader(home.path.string());
    const auto dataset = reader.dataset();
    validate(dataset);
    check_written(home, dataset);
    for (const auto& trial : dataset.trials) static_cast<void>(reader.truth(trial.name));
    return true;
  } catch (const thud::FileError& error) {
    check_message(error, home.path.string());
    return false;
  }
}
