// Any bytes: a plan of a sweep, or a refusal that names the file. What is accepted comes back from its own text.

#include <thud/error.hpp>
#include <thud/sweep.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = thud::format_sweep(thud::parse_sweep(text, "fuzz.toml", "/nowhere"));
    if (thud::format_sweep(thud::parse_sweep(written, "fuzz.toml", "/nowhere")) != written) std::abort();
  } catch (const thud::FileError& error) {
    if (!error.argument().starts_with("fuzz.toml") || error.rule().empty()) std::abort();
  }
  return 0;
}
