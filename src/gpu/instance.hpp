#pragma once

/// The instances of the posture kernel, an object file each: CUDA compiles them side by side. Enqueued on a stream of
/// CUDA; cudaGetLastError tells what is wrong. Private to the library.

#include "gpu/posture.hpp"

namespace thud::gpu {

template <int N, bool dh>
void enqueue_chain(const FixedArm<N, dh>& arm, bool everything, const Columns& columns, long count, void* stream);

void enqueue_tree(const TreeByValue& arm, bool everything, const Columns& columns, long count, void* stream);

/// `scratch`: scratch_doubles() for each of `warps`.
void enqueue_large_tree(const TreeInMemory& arm, bool everything, const Columns& columns, long count, double* scratch,
                        long warps, void* stream);
long scratch_doubles(const TreeInMemory& arm, bool everything, const Columns& columns);

}  // namespace thud::gpu
