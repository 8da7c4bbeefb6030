#pragma once

/// Who may ask: only the page that this program served, on this machine.

#include <string>
#include <string_view>

namespace thud::cli {

/// Random bytes of the system as hexadecimal digits. Throws std::runtime_error without them.
std::string random_digits(std::size_t bytes);

/// What a request says of where it comes from; empty where it says nothing.
struct Visitor {
  std::string host, origin, fetch_site, cookie, token;  // token: of the address or of X-Thud-Token
};

enum class Entry {
  open,
  foreign,  ///< for another host, or from a page of another origin
  unknown   ///< without the token
};

/// The gate of one server. A name that leads to this machine but is not ours, as in DNS rebinding, is foreign.
class Gate {
 public:
  Gate(int port, std::string token);
  Entry judge(const Visitor& visitor) const;
  const std::string& token() const noexcept { return token_; }

  /// What the browser is told to send back.
  std::string cookie() const;

 private:
  bool knows(std::string_view token) const noexcept;

  std::string token_, port_, name_;  // name: of the cookie, with its '='
};

}  // namespace thud::cli
