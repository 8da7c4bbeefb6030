#pragma once

/// The addresses of the studio, without the network.

#include <map>
#include <string>

#include "jobs.hpp"
#include "opened.hpp"

namespace thud::cli {

/// A request that came through the gate.
struct Ask {
  std::string method, path;
  std::map<std::string, std::string> query;
  std::string page;  // which asks, its own word
  std::string body;
};

struct Reply {
  int status = 200;
  std::string type = "application/json", body;
};

/// How long a body an address takes [byte].
std::size_t longest_body(const std::string& path);

/// The reply to something that went wrong, in the form of the command line's messages.
Reply error_reply(int status, const std::string& message);

/// Answers for all pages; may be asked by several threads at once.
class Service {
 public:
  /// subject  what was opened first, by the name that `opened` gave it; may be empty.
  Service(Opened& opened, std::string subject);
  Reply answer(const Ask& ask);

 private:
  Reply dispatch(const Ask& ask);
  Reply get(const Ask& ask, const std::vector<std::string>& parts);
  Reply post(const Ask& ask, const std::vector<std::string>& parts);
  Reply drop(const Ask& ask, const std::vector<std::string>& parts);
  Reply job(const std::string& id, const Ask& ask);

  Opened& opened_;
  std::string subject_;
  Jobs jobs_;
};

}  // namespace thud::cli
