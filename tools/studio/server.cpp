#include "server.hpp"

#include <thud/error.hpp>
#include <thud/file.hpp>

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <httplib.h>

#include "gate.hpp"

extern "C" {
extern const char thud_studio_page_begin[], thud_studio_page_end[];
}

namespace thud::cli {
namespace {

constexpr std::size_t connections = 64;                 // at work; as many wait, and the system refuses the others
constexpr std::size_t drained = std::size_t{1} << 30U;  // of a body that is too long, so that its sender hears of it
constexpr int backlog = 128;  // connections that the system holds for us; httplib asks for 5, and a client that finds
                              // no place tries again after a second
constexpr int read_timeout = 5;  // of a client that sends nothing [s]
constexpr std::string_view nonce_mark = "@THUD_NONCE@";

// Threads for connections. When all are taken the next connection is not accepted: memory stays bounded.
class Connections : public httplib::TaskQueue {
 public:
  Connections() {
    for (std::size_t i = 0; i < connections; ++i) threads_.emplace_back([this] { work(); });
  }

  void enqueue(std::function<void()> task) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closing_ || tasks_.size() < connections; });
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      changed_.notify_all();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::function<void()>> tasks_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

Visitor visitor_of(const httplib::Request& request) {
  Visitor visitor{.host = request.get_header_value("Host"),
                  .origin = request.get_header_value("Origin"),
                  .fetch_site = request.get_header_value("Sec-Fetch-Site"),
                  .cookie = request.get_header_value("Cookie"),
                  .token = request.get_header_value("X-Thud-Token")};
  // a name may be led here while the page of another one is open: such a request has two hosts at least
  if (request.get_header_value_count("Host") != 1) visitor.host.clear();
  if (request.path == "/") {
    if (visitor.token.empty() && request.has_param("token")) visitor.token = request.get_param_value("token");
    // a terminal in a browser's window may show the address: following it is going there, not asking from there
    if (request.get_header_value("Sec-Fetch-Mode") == "navigate") visitor.fetch_site.clear();
  }
  return visitor;
}

// With a fresh nonce for every load, no script runs that was not in the page.
std::string with_nonce(std::string page, const std::string& nonce) {
  for (std::size_t at = page.find(nonce_mark); at != std::string::npos; at = page.find(nonce_mark, at + nonce.size()))
    page.replace(at, nonce_mark.size(), nonce);
  return page;
}

// The page that was compiled in, or the one that whoever works on it names.
std::string page_text() {
  if (const char* path = std::getenv("THUD_STUDIO_PAGE")) return read_file(path);
  return {thud_studio_page_begin, thud_studio_page_end};
}

// As it stands. Content that httplib holds itself it compresses for every browser, as well as Brotli can: seconds for
// the page, hundreds of milliseconds for a hit, and nothing is saved on the way from this machine to itself.
void send_content(httplib::Response& response, std::string content, const std::string& type) {
  auto kept = std::make_shared<const std::string>(std::move(content));
  response.set_content_provider(kept->size(), type, [kept](std::size_t at, std::size_t size, httplib::DataSink& sink) {
    return sink.write(kept->data() + at, size);
  });
}

void send(httplib::Response& response, Reply reply) {
  response.status = reply.status;
  if (reply.status < 400 && !reply.body.empty())
    send_content(response, std::move(reply.body), reply.type);
  else
    response.set_content(reply.body, reply.type);  // where the handler of errors looks for one
}

}  // namespace

struct Server::Network {
  explicit Network(Service& answers) : service(answers) {}

  Service& service;
  httplib::Server server;
  std::optional<Gate> gate;
  int port = 0;
  socket_t listening = INVALID_SOCKET;

  void page(httplib::Response& response) const {
    const std::string nonce = random_digits(16);
    response.headers.erase("Content-Security-Policy");  // of two, both would hold
    response.set_header("Content-Security-Policy",
                        "default-src 'none'; script-src 'nonce-" + nonce +
                            "'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; "
                            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    response.set_header("Set-Cookie", gate->cookie());
    send_content(response, with_nonce(page_text(), nonce), "text/html; charset=utf-8");
  }

  // Whether a request goes on; if not, it has its response.
  bool admits(const httplib::Request& request, httplib::Response& response) const {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    response.set_header("Cross-Origin-Opener-Policy", "same-origin");
    response.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    switch (gate->judge(visitor_of(request))) {
      case Entry::open:
        return true;
      case Entry::foreign:
        send(response, error_reply(403, "request: of another host or page: this program answers its own page only"));
        return false;
      case Entry::unknown:
        send(response, error_reply(401, "token: missing or wrong: open the address that thud studio printed"));
        return false;
    }
    return false;
  }

  void answer(const httplib::Request& request, httplib::Response& response, std::string body) {
    Ask ask{.method = request.method,
            .path = request.path,
            .query = {},
            .page = request.get_header_value("X-Thud-Page"),
            .body = std::move(body)};
    for (const auto& [name, value] : request.params) ask.query.emplace(name, value);
    send(response, service.answer(ask));
  }

  // A body as long as its address takes, and no longer. What is too long is read and dropped, up to a point.
  void receive(const httplib::Request& request, httplib::Response& response, const httplib::ContentReader& read) {
    if (request.is_multipart_form_data() || request.has_header("Content-Encoding"))
      return send(response, error_reply(415, "body: encoded: the bytes themselves are needed"));
    const std::size_t longest = longest_body(request.path);
    std::string body;
    std::size_t seen = 0;
    const auto take = [&](const char* data, std::size_t size) {
      seen += size;
      if (seen <= longest)
        body.append(data, size);
      else
        body.clear();
      return seen <= drained;
    };
    // a request that tells no length has no body: httplib would wait for one until the client is gone
    if (request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) read(take);
    if (seen > longest)
      return send(response, error_reply(413, "body: too long: at most " + std::to_string(longest) + " bytes"));
    if (request.has_header("Content-Length") && request.get_header_value("Content-Length") != std::to_string(seen))
      return send(response, error_reply(400, "body: cut short: it must be as long as it says"));
    answer(request, response, std::move(body));
  }

  void route() {
    server.new_task_queue = [] { return new Connections; };  // NOLINT: httplib takes it over
    server.set_keep_alive_max_count(1);                      // a thread is a request's, not a connection's
    server.set_read_timeout(read_timeout);
    server.set_write_timeout(read_timeout);
    server.set_payload_max_length(drained);
    server.set_tcp_nodelay(true);
    // another studio must not share the port
    server.set_socket_options([this](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      listening = socket;
    });
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return admits(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                       : httplib::Server::HandlerResponse::Handled;
    });
    server.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
      send(response, error_reply(500, "studio: failed: it goes on"));
    });
    server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) send(response, error_reply(response.status, "request: not understood"));
    });
    server.Get("/", [this](const httplib::Request&, httplib::Response& response) { page(response); });
    const auto plain = [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response, {});
    };
    server.Get("/.+", plain);
    const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                  const httplib::ContentReader& read) { receive(request, response, read); };
    server.Post("/.*", with_body);
    server.Delete("/.*", with_body);
    server.Put("/.*", with_body);
  }
};

Server::Server(Service& service) : network_(std::make_unique<Network>(service)) {}

Server::~Server() = default;

void Server::bind(int port) {
  Network& network = *network_;
  network.route();
  if (port == 0)
    network.port = network.server.bind_to_any_port("127.0.0.1");
  else
    network.port = network.server.bind_to_port("127.0.0.1", port) ? port : -1;
  if (network.port <= 0) throw InputError("--port", std::to_string(port), "is not free on this machine");
  ::listen(network.listening, backlog);
  network.gate.emplace(network.port, random_digits(16));
}

int Server::port() const noexcept {
  return network_->port;
}

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(network_->port) + "/?token=" + network_->gate->token();
}

void Server::listen() {
  network_->server.listen_after_bind();
}

}  // namespace thud::cli
