#pragma once

/// The studio on the network: this machine's, and nobody else's.

#include <memory>
#include <string>

#include "service.hpp"

namespace thud::cli {

class Server {
 public:
  explicit Server(Service& service);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Takes a port of 127.0.0.1, a free one for 0. Throws InputError if another program has it.
  void bind(int port);
  int port() const noexcept;

  /// The address of the page, with the token that opens it.
  std::string address() const;

  /// Serves until the program ends.
  void listen();

 private:
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace thud::cli
