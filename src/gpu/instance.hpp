#pragma once

/// The instances of the posture kernel, an object file each: CUDA compiles them side by side. Enqueued on a stream of
/// CUDA; cudaGetLastError tells what is wrong with a launch, and what else fails throws std::runtime_error. Private to
/// the library.

#include "gpu/posture.hpp"

namespace thud::gpu {

/// Of a GPU, in bytes: of a multiprocessor, what each block takes beside its own, and the most that a block may have.
struct SharedMemory {
  int processor, reserved, block;
};

/// Warps of a block with a tile of so many bytes for each: of at most `most`, as many as let most warps be on a
/// multiprocessor. 0 if not even one tile fits.
inline int warps_of_block(int tile, int most, const SharedMemory& memory) {
  int best = 0, resident = 0;
  for (int warps = 1; warps <= most && warps * tile <= memory.block; ++warps) {
    const int fit = memory.processor / (warps * tile + memory.reserved) * warps;
    if (fit > resident) best = warps, resident = fit;
  }
  return best;
}

template <int N, bool dh>
void enqueue_chain(const FixedArm<N, dh>& arm, bool everything, const Columns& columns, long count, void* stream);

/// False if not even the tile of one warp fits into the shared memory of a block: then nothing is enqueued.
bool enqueue_tree(const TreeByValue& arm, bool everything, const Columns& columns, long count, void* stream);

/// `scratch`: scratch_doubles() for each of `warps`.
void enqueue_large_tree(const kernel::TreeInMemory& arm, bool everything, const Columns& columns, long count,
                        double* scratch, long warps, void* stream);
long scratch_doubles(const kernel::TreeInMemory& arm, bool everything, const Columns& columns);

}  // namespace thud::gpu
