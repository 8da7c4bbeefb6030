// The posture kernel for chains of THUD_JOINTS joints: unrolled, in registers.

#include "gpu/instance.hpp"
#include "gpu/warp.hpp"

namespace thud::gpu {
namespace {

// The postures of a warp, each its column, written together: numbers of one column follow each other in memory, so that
// 32 columns are one stretch of it, which threads write side by side from a tile of shared memory.
struct WarpColumns : Warp {
  double* tile;  // entries x 32
  long entries = 0;
  double* target = nullptr;

  __device__ __forceinline__ void open(long entries_, double* to) {
    entries = entries_, target = to + first * entries_;
    __syncwarp();
  }
  __device__ __forceinline__ void set(long k, double value) { tile[lane * entries + k] = value; }
  __device__ __forceinline__ void close() {
    __syncwarp();
    const int all = static_cast<int>(valid_columns() * entries);
    if (reinterpret_cast<unsigned long>(target) % sizeof(double2) == 0) {
#pragma unroll 8
      for (int k = 2 * lane; k + 1 < all; k += 2 * warp_size)
        __stcs(reinterpret_cast<double2*>(target + k), *reinterpret_cast<double2*>(tile + k));
      if (all % 2 != 0 && lane == 0) target[all - 1] = tile[all - 1];
    } else {
      for (int k = lane; k < all; k += warp_size) target[k] = tile[k];
    }
  }
};

// Entries of a tile: the largest array.
template <int N, bool everything>
constexpr int tile_entries = !everything     ? 3
                             : N * N > 6 * N ? N* N
                                             : 6 * N;

// With 255 registers a thread, a multiprocessor has room for eight warps, each a block of its own.
template <int N, bool everything>
__global__ void __launch_bounds__(warp_size, 1)
    postures(const __grid_constant__ FixedArm<N> arm, const __grid_constant__ Columns columns, long count) {
  extern __shared__ double2 tiles[];
  WarpColumns lanes{{static_cast<long>(blockIdx.x) * warp_size, count, static_cast<int>(threadIdx.x)},
                    reinterpret_cast<double*>(tiles)};
  FixedPostures<N> s;
  compute_chain<N, everything>(arm, columns, lanes.index(), s, lanes);
}

}  // namespace

template <int N>
void enqueue_chain(const FixedArm<N>& arm, bool everything, const Columns& columns, long count, void* stream) {
  const auto blocks = static_cast<unsigned>((count + warp_size - 1) / warp_size);
  const auto run = [&]<bool all>() {
    constexpr int bytes = tile_entries<N, all> * warp_size * static_cast<int>(sizeof(double));
    postures<N, all><<<blocks, warp_size, bytes, static_cast<cudaStream_t>(stream)>>>(arm, columns, count);
  };
  everything ? run.template operator()<true>() : run.template operator()<false>();
}

template void enqueue_chain<THUD_JOINTS>(const FixedArm<THUD_JOINTS>& arm, bool everything, const Columns& columns,
                                         long count, void* stream);

}  // namespace thud::gpu
