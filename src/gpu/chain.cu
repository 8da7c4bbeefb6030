// The posture kernel for chains of THUD_JOINTS joints: unrolled, in registers.

#include "gpu/instance.hpp"
#include "gpu/warp.hpp"

namespace thud::gpu {
namespace {

// Entries of a tile: the largest array.
template <int N, bool everything>
constexpr int tile_entries = !everything     ? N
                             : N * N > 6 * N ? N* N
                                             : 6 * N;

// With 255 registers a thread, a multiprocessor has room for eight warps, each a block of its own.
template <int N, bool dh, bool everything, bool over_bus>
__global__ void __launch_bounds__(warp_size, 1)
    postures(const __grid_constant__ FixedArm<N, dh> arm, const __grid_constant__ Columns columns, long count) {
  extern __shared__ double2 tiles[];
  WarpColumns lanes{{static_cast<long>(blockIdx.x) * warp_size, count, static_cast<int>(threadIdx.x), over_bus},
                    reinterpret_cast<double*>(tiles)};
  FixedPostures<N> s;
  compute_chain<N, dh, everything>(arm, columns, s, lanes);
}

}  // namespace

template <int N, bool dh>
void enqueue_chain(const FixedArm<N, dh>& arm, bool everything, const Columns& columns, long count, void* stream) {
  const auto blocks = static_cast<unsigned>((count + warp_size - 1) / warp_size);
  const auto run = [&]<bool all, bool over_bus>() {
    constexpr int bytes = tile_entries<N, all> * warp_size * static_cast<int>(sizeof(double));
    postures<N, dh, all, over_bus>
        <<<blocks, warp_size, bytes, static_cast<cudaStream_t>(stream)>>>(arm, columns, count);
  };
  if (everything)
    columns.over_bus ? run.template operator()<true, true>() : run.template operator()<true, false>();
  else
    columns.over_bus ? run.template operator()<false, true>() : run.template operator()<false, false>();
}

template void enqueue_chain(const FixedArm<THUD_JOINTS, true>& arm, bool everything, const Columns& columns, long count,
                            void* stream);
template void enqueue_chain(const FixedArm<THUD_JOINTS, false>& arm, bool everything, const Columns& columns,
                            long count, void* stream);

}  // namespace thud::gpu
