#pragma once

#include <thud/export.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace THUD_EXPORT thud {

/// Options of long computations: threads, progress, cancellation. The result does not depend on them.
struct RunOptions {
  int jobs = 0;                                                       ///< threads; 0: one per core
  std::function<void(std::size_t done, std::size_t all)> progress{};  ///< now and then, by one thread at a time
  const std::atomic<bool>* stop = nullptr;  ///< once true, work in progress completes and no new work begins
};

/// Thrown when work was stopped before its end and there is no result to return. Functions that keep partial results
/// (simulate, in its file) return instead.
class Interrupted : public std::runtime_error {
 public:
  Interrupted();
};

}  // namespace thud
