#pragma once

/// Long computations: without the GIL and in a separate thread, while the calling thread checks Python's signals.

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <utility>

#include "bind.hpp"

namespace thud::python {

/// Called as progress(done, all), by one thread at a time. What it raises ends the work.
using Progress = std::optional<nb::typed<nb::callable, void(std::size_t, std::size_t)>>;

/// The docstring of what may also run on the workers of a cluster.
inline std::string with_client(const char* key) {
  return std::string(doc(key)) +
         "\n\nWith a `dask.distributed.Client` as `client` its workers do the work (docs/sweeps.md); jobs are theirs "
         "then.";
}

class LongWork {
 public:
  explicit LongWork(const Progress& progress) : progress_(progress) {}

  const std::atomic<bool>& stop() const { return stop_; }

  std::function<void(std::size_t, std::size_t)> progress() {
    return [this](std::size_t done, std::size_t all) {
      if (stop_) throw Interrupted{};
      if (!progress_) return;
      const nb::gil_scoped_acquire held;
      (*progress_)(done, all);
    };
  }

  /// Raises what a signal handler raises, KeyboardInterrupt for one, once the work has ended at its next progress.
  template <class F>
  auto run(F work) {
    const nb::gil_scoped_release free;
    auto future = std::async(std::launch::async, std::move(work));
    std::exception_ptr signal;
    while (future.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
      if (!signal) signal = pending();
    if (signal) std::rethrow_exception(signal);
    return future.get();
  }

 private:
  struct Interrupted {};

  std::exception_ptr pending() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return nullptr;
    stop_ = true;
    return std::make_exception_ptr(nb::python_error());
  }

  const Progress& progress_;
  std::atomic<bool> stop_ = false;
};

}  // namespace thud::python
