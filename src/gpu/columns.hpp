#pragma once

/// What a launch is told. Private to the library.

#include "kernel/kernel.hpp"

namespace thud::gpu {

/// What a launch computes from, and where to: arrays of one column per posture, as in Batch; null: not requested.
struct Columns {
  bool over_bus;  // they are page-locked memory of the host: threads then read and write side by side
  kernel::PostureBatch batch;
  int* status;                  // 4, as numbers of InertiaStatus; null: not requested
  double *compression, *total;  // 4 each, with dq
  double restitution;

  // what is left to the processor, since it is near a singularity
  unsigned* irregular;        // a bit per posture
  unsigned* irregular_count;  // how many postures, added to what it is; null: not requested
  unsigned* irregular_list;   // and the first most_listed of them, in any order
};

inline constexpr unsigned most_listed = 4096;

/// Numbers of InertiaStatus that a thread writes.
inline constexpr int status_ok = 1, status_underactuated = 3;

}  // namespace thud::gpu
