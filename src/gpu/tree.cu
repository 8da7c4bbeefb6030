// The posture kernel for trees: in loops, with a few numbers of each joint in shared memory or, of a large tree, in
// memory of the device.

#include <mutex>

#include "gpu/check.hpp"
#include "gpu/instance.hpp"
#include "gpu/warp.hpp"

namespace thud::gpu {
namespace {

// The postures of a warp, whose arrays are written by all of its threads, neighbours by neighbouring ones.
struct TreeColumns : WarpColumns {
  kernel::Rows<double> rows;  // of this thread, in the tile of all

  template <class RowOf>
  __device__ __forceinline__ void read_rows(int entries, const double* from, long stride, const RowOf& row_of) const {
    if (!over_bus) {
      const double* const own = from + index() * stride;
      if (entries % 2 == 0 && stride % 2 == 0 && reinterpret_cast<unsigned long>(from) % sizeof(double2) == 0)
        read_parts<double2>(entries, own, row_of);
      else
        read_parts<double>(entries, own, row_of);
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

  template <class Table>
  __device__ __forceinline__ void put_rows(int entries, const Table& row_of, double* to) const {
    __syncwarp();
    if (entries % 2 == 0 && reinterpret_cast<unsigned long>(to) % sizeof(double2) == 0)
      put_parts<double2>(entries, row_of, to);
    else
      put_parts<double>(entries, row_of, to);
    __syncwarp();
  }

 private:
  // Parts of one or two entries. Many are read at once: they come from far away.
  template <class Part, class RowOf>
  __device__ __forceinline__ void read_parts(int entries, const double* own, const RowOf& row_of) const {
    constexpr int in_part = sizeof(Part) / sizeof(double), most = 16 / in_part;
    const int parts = entries / in_part;
    for (int first_part = 0; first_part < parts; first_part += most) {
      Part values[most];
#pragma unroll
      for (int i = 0; i < most; ++i)
        if (first_part + i < parts) values[i] = reinterpret_cast<const Part*>(own)[first_part + i];
#pragma unroll
      for (int i = 0; i < most; ++i) {
        if (first_part + i >= parts) continue;
        const int k = in_part * (first_part + i);
        if constexpr (in_part == 2)
          rows[row_of(k)] = values[i].x, rows[row_of(k + 1)] = values[i].y;
        else
          rows[row_of(k)] = values[i];
      }
    }
  }

  template <class Part, class Table>
  __device__ __forceinline__ void put_parts(int entries, const Table& row_of, double* to) const {
    constexpr int in_part = sizeof(Part) / sizeof(double);
    const int columns = static_cast<int>(valid_columns()), parts = entries / in_part;
    Part* const start = reinterpret_cast<Part*>(to + first * entries);
    const auto put_part = [&](int part, int column, int on) {
      const double *a = tile + row_of[in_part * part] * pitch, *b = tile + row_of[in_part * part + in_part - 1] * pitch;
      Part* at = start + column * parts + part;
      const long step = static_cast<long>(on) * parts;
      const auto put_one = [&](int i) {
        Part value;
        if constexpr (in_part == 2)
          value = double2{a[i], b[i]};
        else
          value = a[i];
        __stcs(at, value);
        at += step;
      };
      if (columns == warp_size && on == 1) {
#pragma unroll 8
        for (int i = 0; i < warp_size; ++i) put_one(i);
      } else {
#pragma unroll 4
        for (int i = column; i < columns; i += on) put_one(i);
      }
    };
    int at = 0;
    for (; at + warp_size <= parts; at += warp_size) put_part(at + lane, 0, 1);
    for (; at < parts; at += warp_size) {  // the rest, several columns at a time
      const int left = parts - at, width = left > 16 ? 32 : left > 8 ? 16 : left > 4 ? 8 : 4;
      if (lane % width < left) put_part(at + lane % width, lane / width, warp_size / width);
    }
  }
};

// Blocks of as many warps as let most of them be on a multiprocessor.
constexpr int most_warps = 2;

template <bool everything, bool rates>
__global__ void __launch_bounds__(everything ? warp_size : most_warps* warp_size, 1)
    tree(const __grid_constant__ TreeByValue arm, const __grid_constant__ Columns columns, long count) {
  extern __shared__ __align__(16) double tiles[];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int which =
      everything ? 0 : __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / warp_size, 0);  // known to be of all
  double memory[kernel::most_memory(most_by_value)];                                            // local
  double* const tile = tiles + which * tile_doubles<everything, rates>(arm);
  const long first = static_cast<long>(blockIdx.x) * (everything ? warp_size : blockDim.x) + which * warp_size;
  if (first >= count) return;
  TreeColumns lanes{{{first, count, lane, columns.over_bus}, tile}, {tile + lane, pitch}};
  compute_tree<everything, rates>(arm, columns, {memory, 1}, lanes);
}

template <bool everything, bool rates>
__global__ void __launch_bounds__(warp_size, 1)
    large_tree(const __grid_constant__ kernel::TreeInMemory arm, const __grid_constant__ Columns columns, long count,
               double* scratch, long each) {
  const int lane = static_cast<int>(threadIdx.x);
  double* const tile = scratch + blockIdx.x * each;
  const kernel::Rows<double> memory{tile + tile_doubles<everything, rates>(arm) + lane, pitch};
  for (long first = blockIdx.x * warp_size; first < count; first += gridDim.x * warp_size) {
    TreeColumns lanes{{{first, count, lane, columns.over_bus}, tile}, {tile + lane, pitch}};
    compute_tree<everything, rates>(arm, columns, memory, lanes);
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

bool enqueue_tree(const TreeByValue& arm, bool everything, const Columns& columns, long count, void* stream) {
  int current = 0;
  check(cudaGetDevice(&current), "device");
  const auto attribute = [&](cudaDeviceAttr name) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, current), "device");
    return value;
  };
  const SharedMemory memory{attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                            attribute(cudaDevAttrReservedSharedMemoryPerBlock),
                            attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)};
  bool fits = false;
  select(everything, columns, [&]<bool all, bool rates>() {
    const int tile = tile_doubles<all, rates>(arm) * static_cast<int>(sizeof(double));  // bytes of a warp
    const int warps = warps_of_block(tile, all ? 1 : most_warps, memory), bytes = warps * tile;
    fits = warps > 0;
    if (!fits) return;
    const auto blocks = static_cast<unsigned>((count + warps * warp_size - 1) / (warps * warp_size));
    static std::mutex mutex;  // what a kernel may have is asked for, and used, by one thread at a time
    const std::scoped_lock lock(mutex);
    check(cudaFuncSetAttribute(tree<all, rates>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
    tree<all, rates><<<blocks, warps * warp_size, bytes, static_cast<cudaStream_t>(stream)>>>(arm, columns, count);
  });
  return fits;
}

long scratch_doubles(const kernel::TreeInMemory& arm, bool everything, const Columns& columns) {
  long doubles = 0;
  select(everything, columns, [&]<bool all, bool rates>() {
    doubles = tile_doubles<all, rates>(arm) + kernel::most_memory(static_cast<int>(arm.size)) * pitch;
  });
  return doubles + doubles % 2;
}

void enqueue_large_tree(const kernel::TreeInMemory& arm, bool everything, const Columns& columns, long count,
                        double* scratch, long warps, void* stream) {
  const long each = scratch_doubles(arm, everything, columns);
  select(everything, columns, [&]<bool all, bool rates>() {
    large_tree<all, rates><<<static_cast<unsigned>(warps), warp_size, 0, static_cast<cudaStream_t>(stream)>>>(
        arm, columns, count, scratch, each);
  });
}

}  // namespace thud::gpu
