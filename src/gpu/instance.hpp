#pragma once

/// The instances of the posture kernel, one object file for each number of joints: CUDA compiles them side by side.
/// Private to the library.

#include "gpu/posture.hpp"

namespace thud::gpu {

/// How an instance takes its arm: by value, or (N = 0) as it is, with joints in the memory of the host.
template <int N>
struct ArmOf {
  using type = FixedArm<(N > 0 ? N : -N)>;
};
template <>
struct ArmOf<0> {
  using type = kernel::Arm;
};

/// Trees of up to this many joints have their numbers in a thread's own memory. Above, `InMemory` is needed.
inline constexpr long most_local = 32;

/// For trees of any size: memory of the device for its joints and for the numbers of all threads.
struct InMemory {
  kernel::ArmJoint* joints;
  double* scratch;
};

/// Threads on their way at a time where a tree is computed in memory: more of them are not faster.
inline constexpr long threads_in_memory(long processors) {
  return 512 * processors;
}

/// Enqueues the kernel; cudaGetLastError tells what is wrong.
template <int N>
void enqueue(const typename ArmOf<N>::type& arm, bool everything, const Columns& columns, long count,
             const InMemory& memory, long processors, void* stream);

}  // namespace thud::gpu
