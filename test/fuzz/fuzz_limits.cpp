// Any bytes: limits that obey their rules, or a refusal that names the file; for a number of joints, and for as many as
// the text says.

#include <thud/error.hpp>
#include <thud/limits_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const int joints : {7, -1}) {
    try {
      const thud::LimitsFile file = thud::parse_limits(text, "fuzz.toml", joints);
      const auto known = joints < 0 ? file.limits.speed.size() : joints;
      if (known > 0) thud::validate(file.limits, static_cast<int>(known));
      for (const auto& [name, region] : file.bodies) thud::validate(region);
    } catch (const thud::FileError& error) {
      if (!error.argument().starts_with("fuzz.toml") || error.rule().empty()) std::abort();
    }
  }
  return 0;
}
