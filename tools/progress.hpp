#pragma once

/// A progress bar on standard error: shown when that is a terminal, or on request.

#include <cstddef>
#include <string>

namespace thud::cli {

class Progress {
 public:
  Progress(std::string what, std::size_t steps, bool always);
  ~Progress();
  void step();
  void at(std::size_t taken);
  void done();  // leaves the line empty

 private:
  std::string what_;
  std::size_t steps_, taken_ = 0;
  bool shown_;
  int drawn_ = -1;  // per mille of the last drawing
};

}  // namespace thud::cli
