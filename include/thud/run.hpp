#pragma once

#include <thud/export.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace THUD_EXPORT thud {

/// How long work is done: on how many threads, who hears of it, who may end it. The result does not depend on it.
struct RunOptions {
  int jobs = 0;                                                       ///< threads; 0: one per core
  std::function<void(std::size_t done, std::size_t all)> progress{};  ///< now and then, by one thread at a time
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true, what is under way is completed and no more begins
};

/// Work that was stopped before its end, and of which nothing is left to return. What keeps its results where it puts
/// them (simulate, in its file) returns instead.
class Interrupted : public std::runtime_error {
 public:
  Interrupted();
};

}  // namespace thud
