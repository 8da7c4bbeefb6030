// The posture kernel for trees: in loops, with a few numbers of each joint in shared memory or, of a large tree, in
// memory of the device.

#include "gpu/instance.hpp"
#include "gpu/warp.hpp"

namespace thud::gpu {
namespace {

// Numbers of the postures of a warp lie side by side; one more, so that threads that read numbers of one posture do not
// wait for each other.
constexpr int pitch = warp_size + 1;

// The postures of a warp, whose arrays are written by all of its threads, neighbours by neighbouring ones.
struct TreeColumns : Warp {
  kernel::Rows rows;  // of this thread
  double* tile;       // of all

  template <class Entry>
  __device__ __forceinline__ void put_many(int entries, const Entry& entry, double* to) const {
    __syncwarp();
    const int columns = static_cast<int>(valid_columns());
    for (int k = lane; k < entries; k += warp_size) {
      const auto value = entry(k);
      double* target = to + first * entries + k;
      const auto put_column = [&](int i) {
        __stcs(target, value(kernel::Rows{tile + i, pitch}));
        target += entries;
      };
      if (columns == warp_size) {
#pragma unroll 8
        for (int i = 0; i < warp_size; ++i) put_column(i);
      } else {
        for (int i = 0; i < columns; ++i) put_column(i);
      }
    }
    __syncwarp();
  }
  template <int entries>
  __device__ __forceinline__ void put_rows(double* to) const {
    __syncwarp();
    const int all = static_cast<int>(valid_columns()) * entries;
#pragma unroll 4
    for (int k = lane; k < all; k += warp_size)
      __stcs(to + first * entries + k, tile[k % entries * pitch + k / entries]);
    __syncwarp();
  }
};

// Blocks of as many warps as let most of them be on a multiprocessor.
constexpr int most_warps = 2;

template <bool everything, bool rates>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    tree(const __grid_constant__ TreeByValue arm, const __grid_constant__ Columns columns, long count) {
  extern __shared__ double tiles[];
  const int lane = static_cast<int>(threadIdx.x) % warp_size, which = static_cast<int>(threadIdx.x) / warp_size;
  const long first = static_cast<long>(blockIdx.x) * blockDim.x + which * warp_size;
  if (first >= count) return;
  double* const tile = tiles + which * static_cast<int>(kernel::walk_rows<everything>(arm.size)) * pitch;
  TreeColumns lanes{{first, count, lane}, {tile + lane, pitch}, tile};
  double stack[kernel::stack_rows(most_by_value)];  // in local memory
  compute_tree<everything, rates>(arm, columns, lanes.index(), {stack, 1}, lanes);
}

template <bool everything, bool rates>
__global__ void __launch_bounds__(warp_size, 1)
    large_tree(const __grid_constant__ TreeInMemory arm, const __grid_constant__ Columns columns, long count,
               double* scratch, long each) {
  const int lane = static_cast<int>(threadIdx.x);
  double* const tile = scratch + blockIdx.x * each;
  const kernel::Rows stack{tile + kernel::walk_rows<everything>(arm.size) * pitch + lane, pitch};
  for (long first = blockIdx.x * warp_size; first < count; first += gridDim.x * warp_size) {
    TreeColumns lanes{{first, count, lane}, {tile + lane, pitch}, tile};
    compute_tree<everything, rates>(arm, columns, lanes.index(), stack, lanes);
    __syncwarp();
  }
}

// Calls run<everything, rates>().
template <class Run>
void select(bool everything, const Columns& columns, const Run& run) {
  if (everything)
    run.template operator()<true, false>();
  else if (columns.batch.dq)
    run.template operator()<false, true>();
  else
    run.template operator()<false, false>();
}

}  // namespace

void enqueue_tree(const TreeByValue& arm, bool everything, const Columns& columns, long count, void* stream) {
  int current = 0, shared = 0, reserved = 0;
  cudaGetDevice(&current);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, current);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, current);
  select(everything, columns, [&]<bool all, bool rates>() {
    const auto each = static_cast<int>(kernel::walk_rows<all>(arm.size) * pitch * 8);  // bytes of a warp
    const auto resident = [&](int warps) { return shared / (warps * each + reserved) * warps; };
    const int warps = resident(most_warps) > resident(1) ? most_warps : 1, bytes = warps * each;
    const auto blocks = static_cast<unsigned>((count + warps * warp_size - 1) / (warps * warp_size));
    cudaFuncSetAttribute(tree<all, rates>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    tree<all, rates><<<blocks, warps * warp_size, bytes, static_cast<cudaStream_t>(stream)>>>(arm, columns, count);
  });
}

long scratch_doubles(long joints, bool everything) {
  const long rows = everything ? kernel::walk_rows<true>(joints) : kernel::walk_rows<false>(joints);
  return (rows + kernel::stack_rows(joints)) * pitch;
}

void enqueue_large_tree(const TreeInMemory& arm, bool everything, const Columns& columns, long count, double* scratch,
                        long warps, void* stream) {
  select(everything, columns, [&]<bool all, bool rates>() {
    large_tree<all, rates><<<static_cast<unsigned>(warps), warp_size, 0, static_cast<cudaStream_t>(stream)>>>(
        arm, columns, count, scratch, scratch_doubles(arm.size, all));
  });
}

}  // namespace thud::gpu
