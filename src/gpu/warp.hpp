#pragma once

/// The threads of a warp, each with a posture. CUDA only. Private to the library.

#include "gpu/posture.hpp"

namespace thud::gpu {
namespace {

struct Warp {
  long first, count;  // posture of the first thread; of all
  int lane;
  bool over_bus;  // as in Columns

  // Threads beyond the end compute the last posture, and write nothing.
  __device__ __forceinline__ long index(int column) const {
    return first + column < count ? first + column : count - 1;
  }
  __device__ __forceinline__ long index() const { return index(lane); }
  __device__ __forceinline__ bool valid() const { return first + lane < count; }
  __device__ __forceinline__ long valid_columns() const {
    return count - first < warp_size ? count - first : warp_size;
  }

  __device__ __forceinline__ void put(double value, double* to) {
    if (valid()) to[first + lane] = value;
  }
  __device__ __forceinline__ void put_status(int algebraic, int* to) {
    if (!valid()) return;
    int* const at = to + 4 * (first + lane);
    if (reinterpret_cast<unsigned long>(to) % sizeof(int4) == 0)
      *reinterpret_cast<int4*>(at) = int4{algebraic, status_ok, status_ok, status_ok};
    else
      at[0] = algebraic, at[1] = at[2] = at[3] = status_ok;
  }
  __device__ __forceinline__ void mark(bool regular, const Columns& columns) {
    const unsigned bits = __ballot_sync(0xffffffffU, !regular && valid());
    if (lane == 0) columns.irregular[first / warp_size] = bits;
    if (bits == 0 || !columns.irregular_count) return;
    unsigned at = 0;
    if (lane == 0) at = atomicAdd(columns.irregular_count, static_cast<unsigned>(__popc(bits)));
    at = __shfl_sync(0xffffffffU, at, 0) + static_cast<unsigned>(__popc(bits & ((1U << lane) - 1)));
    if (bits >> lane & 1U && at < most_listed) columns.irregular_list[at] = static_cast<unsigned>(first + lane);
  }
};

// The postures of a warp, each its column, written together: numbers of one column follow each other in memory, so that
// 32 columns are one stretch of it, which threads write side by side from a tile of shared memory.
struct WarpColumns : Warp {
  double* tile;  // entries x 32
  long entries = 0;
  double* target = nullptr;

  template <int N>
  __device__ __forceinline__ void read(const double* from, long stride, double* to) const {
    if (!over_bus) {
      const double* const own = from + index() * stride;
#pragma unroll
      for (int k = 0; k < N; ++k) to[k] = own[k];
      return;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const int at = i * warp_size + lane;
      tile[at] = from[index(at / N) * stride + at % N];
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < N; ++k) to[k] = tile[lane * N + k];
  }

  __device__ __forceinline__ void put_four(const double* values, double* to) {
    if (over_bus) {
      open(4, to);
#pragma unroll
      for (int k = 0; k < 4; ++k) set(k, values[k]);
      return close();
    }
    if (!valid()) return;
    double* const at = to + 4 * (first + lane);
    if (reinterpret_cast<unsigned long>(to) % sizeof(double2) == 0) {
      reinterpret_cast<double2*>(at)[0] = double2{values[0], values[1]};
      reinterpret_cast<double2*>(at)[1] = double2{values[2], values[3]};
    } else {
      at[0] = values[0], at[1] = values[1], at[2] = values[2], at[3] = values[3];
    }
  }

  __device__ __forceinline__ void open(long entries_, double* to) {
    entries = entries_, target = to + first * entries_;
    __syncwarp();
  }
  __device__ __forceinline__ void set(long k, double value) {
    tile[lane * entries + k] = value;
  }
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

}  // namespace
}  // namespace thud::gpu
