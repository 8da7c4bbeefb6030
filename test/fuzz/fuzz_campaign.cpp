// Any bytes: a campaign, or a refusal that names the file. What is accepted comes back from its own text.

#include <thud/campaign.hpp>

#include "target.hpp"

bool takes(std::string_view text) {
  const auto formatted = [](std::string_view campaign) {
    return thud::format_campaign(thud::parse_campaign(campaign, "fuzz.toml", "/nowhere"));
  };
  std::string written;
  try {
    written = formatted(text);
  } catch (const thud::Error& error) {
    check_message(error, "fuzz.toml");
    return false;
  }
  promise(formatted(written) == written);
  return true;
}
