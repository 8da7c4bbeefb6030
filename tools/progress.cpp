#include "progress.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace thud::cli {

Progress::Progress(std::string what, std::size_t steps, bool always)
    : what_(std::move(what)), steps_(steps), shown_(steps > 1 && (always || isatty(STDERR_FILENO) != 0)) {}

Progress::~Progress() {
  done();
}

void Progress::step() {
  at(taken_ + 1);
}

void Progress::at(std::size_t taken) {
  taken_ = taken;
  const int now = static_cast<int>(1000 * taken_ / steps_);
  if (!shown_ || now == drawn_) return;
  drawn_ = now;
  const auto filled = static_cast<std::size_t>(now / 25);
  const std::string bar =
      fmt::format("\r{} [{}{}] {}/{}", what_, std::string(filled, '#'), std::string(40 - filled, '.'), taken_, steps_);
  std::fputs(bar.c_str(), stderr);
}

void Progress::done() {
  if (shown_ && drawn_ >= 0) std::fputs("\r\033[K", stderr);
  drawn_ = -1;
}

}  // namespace thud::cli
