// Any bytes: a campaign, or a refusal that names the file. What is accepted comes back from its own text.

#include <thud/campaign.hpp>
#include <thud/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = thud::format_campaign(thud::parse_campaign(text, "fuzz.toml", "/nowhere"));
    if (thud::format_campaign(thud::parse_campaign(written, "fuzz.toml", "/nowhere")) != written) std::abort();
  } catch (const thud::Error&) {
  }
  return 0;
}
