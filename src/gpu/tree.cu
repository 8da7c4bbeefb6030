// The posture kernel for trees: in loops, with a few numbers of each joint in shared memory or, of a large tree, in
// memory of the device.

#include "gpu/instance.hpp"
#include "gpu/warp.hpp"

namespace thud::gpu {
namespace {

// Numbers of the postures of a warp lie side by side; one more, so that threads that read numbers of one posture do not
// wait for each other.
constexpr int pitch = warp_size + 1;

// Of the tile of a warp, aligned for pairs.
template <bool everything, bool rates, class AnyArm>
__host__ __device__ constexpr int tile_doubles(const AnyArm& arm) {
  const int doubles = kernel::WalkRows<everything, rates>::count(arm) * pitch;
  return doubles + doubles % 2;
}

// The postures of a warp, whose arrays are written by all of its threads, neighbours by neighbouring ones.
struct TreeColumns : WarpColumns {
  kernel::Rows rows;  // of this thread, in the tile of all

  template <class RowOf>
  __device__ __forceinline__ void read_rows(int entries, const double* from, long stride, const RowOf& row_of) const {
    if (!over_bus) {
      const double* const own = from + index() * stride;
#pragma unroll 8
      for (int k = 0; k < entries; ++k) rows[row_of(k)] = own[k];
      return;
    }
    const int columns_on = warp_size / entries, on = warp_size % entries;
    int column = lane / entries, k = lane % entries;
#pragma unroll 4
    for (int i = 0; i < entries; ++i) {
      tile[row_of(k) * pitch + column] = from[index(column) * stride + k];
      column += columns_on, k += on;
      if (k >= entries) k -= entries, ++column;
    }
    __syncwarp();
  }

  template <class RowOf>
  __device__ __forceinline__ void put_rows(int entries, const RowOf& row_of, double* to) const {
    __syncwarp();
    const int columns = static_cast<int>(valid_columns());
    double* const start = to + first * entries;
    int at = 0;
    if (columns == warp_size)
      for (; at + warp_size <= entries; at += warp_size) {
        const int k = at + lane;
        const double* const row = tile + row_of(k) * pitch;
        unsigned at_byte = sizeof(double) * static_cast<unsigned>(k);
        const unsigned step = sizeof(double) * static_cast<unsigned>(entries);
#pragma unroll 8
        for (int i = 0; i < warp_size; ++i, at_byte += step)
          __stcs(reinterpret_cast<double*>(reinterpret_cast<char*>(start) + at_byte), row[i]);
      }
    for (; at < entries; at += warp_size) {  // the rest, several columns at a time
      const int left = entries - at, width = left > 16 ? 32 : left > 8 ? 16 : left > 4 ? 8 : 4, k = at + lane % width;
      if (k >= entries) continue;
      const double* const row = tile + row_of(k) * pitch;
      const int step = warp_size / width;
#pragma unroll 4
      for (int i = lane / width; i < columns; i += step) start[i * entries + k] = row[i];
    }
    __syncwarp();
  }
};

// Blocks of as many warps as let most of them be on a multiprocessor.
constexpr int most_warps = 2;

template <bool everything, bool rates>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    tree(const __grid_constant__ TreeByValue arm, const __grid_constant__ Columns columns, long count) {
  extern __shared__ __align__(16) double tiles[];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int which = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / warp_size, 0);  // known to be of all
  const long first = static_cast<long>(blockIdx.x) * blockDim.x + which * warp_size;
  if (first >= count) return;
  double* const tile = tiles + which * tile_doubles<everything, rates>(arm);
  TreeColumns lanes{{{first, count, lane, columns.over_bus}, tile}, {tile + lane, pitch}};
  double stack[kernel::stack_rows(most_by_value)];  // in local memory
  compute_tree<everything, rates>(arm, columns, {stack, 1}, lanes);
}

template <bool everything, bool rates>
__global__ void __launch_bounds__(warp_size, 1)
    large_tree(const __grid_constant__ TreeInMemory arm, const __grid_constant__ Columns columns, long count,
               double* scratch, long each) {
  const int lane = static_cast<int>(threadIdx.x);
  double* const tile = scratch + blockIdx.x * each;
  const kernel::Rows stack{tile + tile_doubles<everything, rates>(arm) + lane, pitch};
  for (long first = blockIdx.x * warp_size; first < count; first += gridDim.x * warp_size) {
    TreeColumns lanes{{{first, count, lane, columns.over_bus}, tile}, {tile + lane, pitch}};
    compute_tree<everything, rates>(arm, columns, stack, lanes);
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
    const int each = tile_doubles<all, rates>(arm) * static_cast<int>(sizeof(double));  // bytes of a warp
    const auto resident = [&](int warps) { return shared / (warps * each + reserved) * warps; };
    const int warps = resident(most_warps) > resident(1) ? most_warps : 1, bytes = warps * each;
    const auto blocks = static_cast<unsigned>((count + warps * warp_size - 1) / (warps * warp_size));
    cudaFuncSetAttribute(tree<all, rates>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    tree<all, rates><<<blocks, warps * warp_size, bytes, static_cast<cudaStream_t>(stream)>>>(arm, columns, count);
  });
}

long scratch_doubles(const TreeInMemory& arm, bool everything, const Columns& columns) {
  long doubles = 0;
  select(everything, columns, [&]<bool all, bool rates>() {
    doubles = tile_doubles<all, rates>(arm) + kernel::stack_rows(arm.size) * pitch;
  });
  return doubles + doubles % 2;
}

void enqueue_large_tree(const TreeInMemory& arm, bool everything, const Columns& columns, long count, double* scratch,
                        long warps, void* stream) {
  const long each = scratch_doubles(arm, everything, columns);
  select(everything, columns, [&]<bool all, bool rates>() {
    large_tree<all, rates><<<static_cast<unsigned>(warps), warp_size, 0, static_cast<cudaStream_t>(stream)>>>(
        arm, columns, count, scratch, each);
  });
}

}  // namespace thud::gpu
