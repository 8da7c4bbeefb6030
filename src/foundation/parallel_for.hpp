#pragma once

/// A loop on several threads. Private to the libraries, and all in this header, so that each library that has such a
/// loop compiles its own.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace thud::foundation {

/// Calls finish(i, work(i)) for i from 0 to count - 1 on `jobs` threads, the caller's among them; 0 or less: one per
/// core.
///
/// Each thread takes the next i. `work` runs on all of them at once; `finish` on one at a time, in the order in
/// which the calls of `work` end, so that it may write, count and report. When either throws, or `stop` becomes true,
/// the calls under way are completed and no other begins; the first exception is then thrown again here.
template <class Work, class Finish>
void parallel_for(std::size_t count, int jobs, const Work& work, const Finish& finish,
                  const std::atomic<bool>* stop = nullptr) {
  std::mutex mutex;  // guards what follows, and finish
  std::size_t next = 0;
  std::exception_ptr failure;
  const auto take = [&]() -> std::optional<std::size_t> {
    const std::scoped_lock lock(mutex);
    if (failure || (stop && *stop) || next == count) return std::nullopt;
    return next++;
  };
  const auto run = [&] {
    while (const auto i = take()) try {
        auto done = work(*i);
        const std::scoped_lock lock(mutex);
        finish(*i, std::move(done));
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
      }
  };
  static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());  // asked once: it reads a file
  const std::size_t threads = std::min<std::size_t>(jobs > 0 ? static_cast<unsigned>(jobs) : cores, count);
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace thud::foundation
