#include "gate.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace thud::cli {

std::string random_digits(std::size_t bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<unsigned char, 64> noise{};
  if (bytes > noise.size() || getentropy(noise.data(), bytes) != 0)
    throw std::runtime_error("random numbers: none: the system has none to give");
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += digits[noise[i] >> 4U];
    text += digits[noise[i] & 15U];
  }
  return text;
}

Gate::Gate(int port, std::string token)
    : token_(std::move(token)), port_(std::to_string(port)), name_(std::string("thud_").append(port_).append("=")) {}

// Takes as long for a token that is nearly right as for any other.
bool Gate::knows(std::string_view token) const noexcept {
  if (token.size() != token_.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    difference |= static_cast<unsigned char>(token[i]) ^ static_cast<unsigned char>(token_[i]);
  return difference == 0;
}

std::string Gate::cookie() const {
  // cookies do not tell ports apart, their names do
  return name_ + token_ + "; HttpOnly; SameSite=Strict; Path=/";
}

Entry Gate::judge(const Visitor& visitor) const {
  if (visitor.host != "127.0.0.1:" + port_ && visitor.host != "localhost:" + port_) return Entry::foreign;
  if (!visitor.origin.empty() && visitor.origin != "http://" + visitor.host) return Entry::foreign;
  if (!visitor.fetch_site.empty() && visitor.fetch_site != "same-origin" && visitor.fetch_site != "none")
    return Entry::foreign;
  if (knows(visitor.token)) return Entry::open;
  for (std::size_t at = 0; at < visitor.cookie.size();) {
    const std::size_t end = std::min(visitor.cookie.find(';', at), visitor.cookie.size());
    std::string_view one = std::string_view(visitor.cookie).substr(at, end - at);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name_) && knows(one.substr(name_.size()))) return Entry::open;
    at = end + 1;
  }
  return Entry::unknown;
}

}  // namespace thud::cli
