#include "target.hpp"

#include <thud/file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

// What is wrong with a seed, nothing if nothing is.
const char* fault(const std::filesystem::path& path) {
  const std::string seed = thud::read_file(path.string());
  const bool refused = path.parent_path().filename() == "refused";
  if (seed.size() > LENGTH) return "is longer than an input may be";
  if (takes(seed) == refused) return refused ? "is taken" : "is refused";
  return nullptr;
}

}  // namespace

void promise(bool kept) {
  if (!kept) std::abort();
}

void check_message(const thud::Error& error, std::string_view name) {
  promise(error.argument().starts_with(name) && !error.rule().empty());
  promise(std::string_view(error.what()).find('\n') == std::string_view::npos);
}

/// A target whose seeds are refused, or cut off, would run for hours and reach nothing. Those in a folder `refused` are
/// what a reader once took or died of.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SEEDS)) {
    if (!entry.is_regular_file()) continue;
    ++count;
    if (const char* wrong = fault(entry.path())) {
      std::fprintf(stderr, "seed %s %s\n", entry.path().c_str(), wrong);
      std::exit(1);
    }
  }
  if (count == 0) std::fprintf(stderr, "no seeds in %s\n", SEEDS), std::exit(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(takes({reinterpret_cast<const char*>(data), size}));
  return 0;
}
