#pragma once

/// Threads that share the parts of one job. Private to the library, and all in this header, so that each library that
/// has such a job takes its own.

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

/// Does finish(i, work(i)) for i from 0 to parts - 1 on `jobs` threads, the caller's among them; 0 or less: one per
/// core.
///
/// Each thread takes the next part. `work` runs on all of them at once; `finish` on one at a time, in the order in
/// which the parts happen to be done, so that it may write, count and report. When either throws, or `stop` becomes
/// true, the parts under way are completed and no other begins; the first exception then comes out.
template <class Work, class Finish>
void share_parts(std::size_t parts, int jobs, const Work& work, const Finish& finish,
                 const std::atomic<bool>* stop = nullptr) {
  std::mutex mutex;  // guards what follows, and finish
  std::size_t next = 0;
  std::exception_ptr failure;
  const auto take = [&]() -> std::optional<std::size_t> {
    const std::scoped_lock lock(mutex);
    if (failure || (stop && *stop) || next == parts) return std::nullopt;
    return next++;
  };
  const auto run = [&] {
    while (const auto mine = take()) try {
        auto done = work(*mine);
        const std::scoped_lock lock(mutex);
        finish(*mine, std::move(done));
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
      }
  };
  static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());  // asked once: it reads a file
  const std::size_t threads = std::min<std::size_t>(jobs > 0 ? static_cast<unsigned>(jobs) : cores, parts);
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace thud::foundation
