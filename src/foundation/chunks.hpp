#pragma once

/// Rows of a batch, some at a time, on several threads. Private to the libraries, and header-only, as parallel_for.

#include <thud/conventions.hpp>
#include <thud/run.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "foundation/parallel_for.hpp"

namespace thud::foundation {

/// Calls worker.compute(begin, end) for parts of 0 to count - 1, of `size` each but for the last. make() gives a
/// unique_ptr to a worker; there are no more of them than threads, and each is used by one thread at a time. Progress
/// counts what is computed. Throws Interrupted if `stop` became true before the end.
template <class Make>
void compute_in_chunks(Eigen::Index count, Eigen::Index size, const RunOptions& run, const Make& make) {
  std::mutex mutex;  // guards what follows
  std::vector<decltype(make())> idle;
  const auto take = [&]() -> decltype(make()) {
    {
      const std::scoped_lock lock(mutex);
      if (!idle.empty()) {
        auto worker = std::move(idle.back());
        idle.pop_back();
        return worker;
      }
    }
    return make();
  };
  const auto all = static_cast<std::size_t>(count);
  std::size_t done = 0;
  parallel_for(
      static_cast<std::size_t>((count + size - 1) / size), run.jobs,
      [&](std::size_t part) {
        const Eigen::Index begin = size * static_cast<Eigen::Index>(part), end = std::min(begin + size, count);
        auto worker = take();
        worker->compute(begin, end);
        const std::scoped_lock lock(mutex);
        idle.push_back(std::move(worker));
        return static_cast<std::size_t>(end - begin);
      },
      [&](std::size_t, std::size_t computed) {
        done += computed;
        if (run.progress) run.progress(done, all);
      },
      run.stop);
  if (done < all) throw Interrupted();
}

}  // namespace thud::foundation
