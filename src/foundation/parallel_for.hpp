#pragma once

/// A parallel loop. Private to the libraries, and header-only, so that each library compiles its own copy.

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

/// How many threads `jobs` are; 0 or less: one per core.
inline std::size_t threads_of(int jobs) {
  static const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());  // queried once: it reads a file
  return jobs > 0 ? static_cast<std::size_t>(jobs) : cores;
}

/// Calls finish(i, work(i)) for i from 0 to count - 1 on `jobs` threads, the caller's among them; 0 or less: one per
/// core.
///
/// Each thread takes the next i. Calls of `work` run concurrently; those of `finish` one at a time, in the order in
/// which the calls of `work` return, so that it may write, count and report. When either throws, or `stop` becomes
/// true, calls in progress complete and no new one begins; the first exception is then rethrown here.
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
  const std::size_t threads = std::min(threads_of(jobs), count);
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace thud::foundation
